//! What was done, by whom.

use std::collections::BTreeSet;

use enza_runtime::seams::register::{AuditEntry, NewAuditEntry, Register};
use enza_runtime::seams::store::{Append, Deleted, SessionOpening};
use enza_storage::Opened;

use super::at_once;
use crate::common::{append, at, id, opening};

fn note(number: i64, by: &str) -> NewAuditEntry {
    NewAuditEntry {
        at: at(number),
        by: by.to_owned(),
        act: "changed-settings".to_owned(),
        on: format!("設定 {number}"),
        from: "2001:db8::1".to_owned(),
    }
}

/// Ten lines, every third by nobody and the rest by ada, with times that go backwards.
async fn ten(register: &dyn Register) -> Vec<AuditEntry> {
    let mut lines = Vec::new();
    for line in 1..=10 {
        let note = note(100 - line, if line % 3 == 0 { "" } else { "ada" });
        assert_eq!(register.note(&note).await, Ok(()));
        lines.push(AuditEntry { line: line.cast_unsigned(), note });
    }
    lines.reverse();
    lines
}

pub async fn lines_are_read_newest_first(Opened { register, .. }: Opened) {
    assert_eq!(register.notes(None, None, 9).await, Ok(Vec::new()));
    let lines = ten(&*register).await;
    assert_eq!(register.notes(None, None, 99).await.unwrap(), lines, "by line, whatever the clock said");
    assert_eq!(register.notes(None, None, 4).await.unwrap(), lines[..4]);
    assert_eq!(register.notes(None, None, 0).await.unwrap(), []);
    assert_eq!(register.notes(None, Some(1), 9).await.unwrap(), []);
    assert_eq!(register.notes(None, Some(u64::MAX), 1).await.unwrap(), lines[..1]);
    let nobodys: Vec<_> = lines.iter().filter(|noted| noted.note.by.is_empty()).cloned().collect();
    assert_eq!(register.notes(Some(""), None, 9).await.unwrap(), nobodys);
    assert_eq!(register.notes(Some("eve"), None, 9).await.unwrap(), []);
}

pub async fn pages_of_lines_join_without_gap_or_repeat(Opened { register, .. }: Opened) {
    let lines = ten(&*register).await;
    let adas: Vec<_> = lines.iter().filter(|noted| noted.note.by == "ada").cloned().collect();
    for (person, expected) in [(None, lines), (Some("ada"), adas)] {
        for limit in [1, 2, 3, 10, 11] {
            let mut joined: Vec<AuditEntry> = Vec::new();
            loop {
                // Line 11 and on are those that are noted between the pages.
                let before = joined.last().map_or(11, |noted| noted.line);
                let page = register.notes(person, Some(before), limit).await.unwrap();
                if page.is_empty() {
                    break;
                }
                register.note(&note(0, "eve")).await.unwrap();
                joined.extend(page);
                assert!(joined.len() <= expected.len(), "pages of {limit} repeat something");
            }
            assert_eq!(joined, expected, "pages of {limit}");
        }
    }
}

pub async fn lines_noted_at_once_all_stay(Opened { register, .. }: Opened) {
    at_once(&register, |register| async move {
        for number in 0..10 {
            register.note(&note(number, "ada")).await.unwrap();
        }
    })
    .await;
    let lines = register.notes(None, None, 999).await.unwrap();
    let places: BTreeSet<_> = lines.iter().map(|noted| noted.line).collect();
    assert_eq!((lines.len(), places.len()), (80, 80));
    for number in 0..10 {
        assert_eq!(lines.iter().filter(|noted| noted.note == note(number, "ada")).count(), 8);
    }
}

pub async fn a_deletion_is_noted_exactly_if_it_was_done(Opened { store, register, .. }: Opened) {
    append(&*store, opening("form", 2)).await;
    let member = SessionOpening::new("interview", "ada").of(&id("form"));
    append(&*store, Append { opening: Some(member), ..opening("member", 1) }).await;
    let (refused, done) = (note(1, "ada"), note(2, "ada"));
    assert_eq!(store.delete_noted(&id("form"), Some(&refused)).await, Ok(Deleted::HasFamily(1)));
    assert_eq!(store.delete_noted(&id("nowhere"), Some(&refused)).await, Ok(Deleted::Unknown));
    assert_eq!(register.notes(None, None, 9).await, Ok(Vec::new()), "nothing was done");
    assert_eq!(store.delete_noted(&id("member"), Some(&done)).await, Ok(Deleted::Deleted));
    assert_eq!(store.delete(&id("form")).await, Ok(Deleted::Deleted));
    assert_eq!(register.notes(None, None, 9).await, Ok(vec![AuditEntry { line: 1, note: done }]));
}
