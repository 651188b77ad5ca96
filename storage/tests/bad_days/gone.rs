//! Deleted means gone: what a deleted session held is in no byte of the files.

use std::collections::BTreeSet;
use std::fs;

use enza_kernel::application::Row;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Deleted, NewEvent, Snapshot, SnapshotUse, Store};
use serde_json::json;

use crate::common::{Home, accepted, append, at, id, on, opening, stored, wake};

/// What a session holds, in every place where text is kept; each with the session's secret in it.
fn said(session: usize, expected: u64, round: usize) -> Append {
    let secret = secret(session);
    let name = format!("s{session}");
    // From a few bytes to several pages.
    let length = [10, 300, 1500, 9000, 40][(session + round) % 5];
    let text = |place: usize| format!("{secret} {place} {} {secret}", "x".repeat(length));
    let events = (0..3).map(|place| NewEvent { at: at(1), stored: stored(&text(place)) }).collect();
    let next = match expected {
        0 => Append { events, ..opening(&name, 0) },
        _ => Append { events, ..on(&name, expected, 0) },
    };
    let mut next = accepted(next, &format!("{secret}-{round}"));
    next.standing.title = format!("{secret} {}", "t".repeat(length % 700));
    next.standing.waiting_for = Some(secret.clone());
    next.timers = Some(vec![wake(&secret, 5)]);
    next.rows = vec![Row { table: "answers".to_owned(), key: secret.clone(), content: Some(json!(text(9))) }];
    let body = text(7).into_bytes();
    next.snapshot = Some(Snapshot { seq: Seq(expected + 3), version: 1, body });
    next
}

fn secret(session: usize) -> String {
    format!("secret-of-{session:03}-")
}

/// The sessions whose secrets are in any file of the folder.
fn told(home: &Home) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(home.path().parent().unwrap()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for place in bytes.windows(10).enumerate().filter(|(_, part)| part == b"secret-of-").map(|(place, _)| place) {
            let digits = bytes.get(place + 10..place + 13).and_then(|digits| std::str::from_utf8(digits).ok());
            found.extend(digits.and_then(|digits| digits.parse::<usize>().ok()));
        }
    }
    found
}

/// Waits, for a while, until only these are told of.
async fn only(home: &Home, kept: BTreeSet<usize>) {
    let mut seen = told(home);
    for _ in 0..100 {
        if seen == kept {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        seen = told(home);
    }
    assert_eq!(seen, kept, "the secrets in the files");
}

async fn talk(store: &dyn Store, sessions: usize, rounds: usize) {
    for round in 0..rounds {
        for session in 0..sessions {
            append(store, said(session, round as u64 * 3, round)).await;
        }
    }
}

#[tokio::test]
async fn a_deleted_answer_is_in_no_byte_of_the_files() {
    let home = Home::sqlite();
    let store = home.open().await;
    talk(&*store, 60, 8).await;
    assert_eq!(told(&home).len(), 60);
    let (gone, kept): (Vec<usize>, Vec<usize>) = (0..60).partition(|session| session % 3 != 1);
    for session in &gone {
        assert_eq!(store.delete(&id(&format!("s{session}"))).await, Ok(Deleted::Deleted));
    }
    only(&home, kept.iter().copied().collect()).await;
    for session in kept.iter().filter(|session| **session > 30) {
        assert_eq!(store.delete(&id(&format!("s{session}"))).await, Ok(Deleted::Deleted));
    }
    drop(store);
    let left = kept.into_iter().filter(|session| *session <= 30).collect();
    assert_eq!(told(&home), left, "closing leaves nothing behind");
    let store = home.open().await;
    for session in told(&home) {
        let log = store.load(&id(&format!("s{session}")), SnapshotUse::Never).await.unwrap().unwrap();
        assert_eq!(log.events.len(), 24, "what was not deleted is whole");
    }
    let looked = enza_storage::inspect(&home.url).await.unwrap().unwrap();
    assert_eq!(looked.integrity, enza_storage::Integrity::Sound);
}

/// A process that is killed right after a deletion leaves the rest to the next start.
#[tokio::test]
async fn a_deletion_that_a_crash_cut_short_is_finished_at_the_next_start() {
    let home = Home::sqlite();
    let store = home.open().await;
    talk(&*store, 30, 6).await;
    for session in 1..30 {
        assert_eq!(store.delete(&id(&format!("s{session}"))).await, Ok(Deleted::Deleted));
    }
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(home.path().parent().unwrap()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let url = format!("sqlite:{}", folder.path().join("enza.db").display());
    let after_crash = Home { url, folder: Some(folder) };
    assert!(told(&after_crash).len() > 1, "there is something left to sweep");
    let store = after_crash.open().await;
    only(&after_crash, BTreeSet::from([0])).await;
    drop(store);
}

#[tokio::test]
async fn a_deleted_answer_is_gone_while_others_read_and_write() {
    let home = Home::sqlite();
    let store = home.open().await;
    talk(&*store, 20, 4).await;
    let busy = {
        let store = store.clone();
        tokio::spawn(async move {
            for round in 4..40 {
                append(&*store, said(0, round as u64 * 3, round)).await;
                assert!(store.load(&id("s0"), SnapshotUse::Never).await.unwrap().is_some());
            }
        })
    };
    for session in 1..20 {
        assert_eq!(store.delete(&id(&format!("s{session}"))).await, Ok(Deleted::Deleted));
    }
    busy.await.unwrap();
    only(&home, BTreeSet::from([0])).await;
}

/// Another process deletes while this one sweeps, and is killed before it has swept.
#[tokio::test]
async fn a_finished_sweep_does_not_call_swept_what_another_process_deleted_meanwhile() {
    let home = Home::sqlite();
    let store = home.open().await;
    talk(&*store, 4, 2).await;
    let reader = rusqlite::Connection::open(home.path()).unwrap();
    // A new file is swept once; a round that began before the deletion would be followed by one that covers both.
    let owed = || reader.query_row("SELECT deletions - swept FROM identity", [], |row| row.get::<_, i64>(0)).unwrap();
    while owed() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    // While somebody reads, a sweep begins but cannot end.
    reader.execute_batch("BEGIN; SELECT count(*) FROM sessions").unwrap();
    assert_eq!(store.delete(&id("s1")).await, Ok(Deleted::Deleted));
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let other = rusqlite::Connection::open(home.path()).unwrap();
    other.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    other.execute("UPDATE identity SET deletions = deletions + 1", []).unwrap();
    drop(other);
    reader.execute_batch("ROLLBACK").unwrap();
    only(&home, BTreeSet::from([0, 2, 3])).await;
    drop(store);
    let counts = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let counted = reader.query_row("SELECT deletions, swept FROM identity", [], counts).unwrap();
    assert_eq!(counted.0 - counted.1, 1, "the other's is still owed: {counted:?}");
    drop(home.open().await);
    let counted = reader.query_row("SELECT deletions, swept FROM identity", [], counts).unwrap();
    assert_eq!(counted.0, counted.1, "the next start has swept it");
}
