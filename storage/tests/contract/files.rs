//! Files: found from the session that took them in alone, counted before they come, gone with the last who has them.

use std::sync::Arc;

use enza_kernel::application::{Phase, Standing};
use enza_kernel::conversation::Digest;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{
    Append, Deleted, Fork, Forked, PART, Quota, Quotas, Reservation, Reserved, SessionId, SessionOpening, Store,
};

use crate::common::files::{LATER, NOW, WIDE, reserved, room, take};
use crate::common::{append, id, opening};

/// The file as its session reads it.
async fn read(store: &dyn Store, session: &str, digest: &Digest) -> Option<Vec<u8>> {
    let size = store.file_size(&id(session), digest).await.unwrap()?;
    let mut bytes = Vec::new();
    for place in 0.. {
        let Some(part) = store.read_part(&id(session), digest, place).await.unwrap() else { break };
        bytes.extend(part);
    }
    assert_eq!(bytes.len() as u64, size);
    Some(bytes)
}

fn large() -> Vec<u8> {
    (0..=255).cycle().take(PART * 2 + 100).collect()
}

pub async fn a_file_is_read_by_the_session_that_took_it_in_and_by_no_other(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    append(&*store, opening("b", 1)).await;
    let (_, digest) = take(&*store, "a", &large()).await;
    assert_eq!(read(&*store, "a", &digest).await, Some(large()));
    for other in ["b", "nobody"] {
        assert_eq!(read(&*store, other, &digest).await, None, "{other}");
        assert_eq!(store.read_part(&id(other), &digest, 0).await, Ok(None), "{other}");
    }
    assert_eq!(read(&*store, "a", &Digest::of(b"never taken")).await, None);
}

pub async fn a_file_goes_with_the_last_session_that_has_it(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    append(&*store, opening("b", 1)).await;
    let (_, digest) = take(&*store, "a", &large()).await;
    take(&*store, "b", &large()).await;
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    assert_eq!(read(&*store, "a", &digest).await, None);
    assert_eq!(read(&*store, "b", &digest).await, Some(large()), "who else has it keeps it");
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    append(&*store, opening("b", 1)).await;
    assert_eq!(read(&*store, "b", &digest).await, None, "the name does not bring it back");
}

pub async fn a_file_stays_while_a_fork_shares_the_events_that_name_it(store: Arc<dyn Store>) {
    append(&*store, opening("a", 3)).await;
    let (_, digest) = take(&*store, "a", b"a photo").await;
    let standing = Standing { phase: Phase::Waiting, title: String::new(), waiting_for: None };
    let (parent, child, owner) = (id("a"), id("copy"), "ada".to_owned());
    let fork = Fork { parent, at: Seq(2), child, owner, standing, timers: Vec::new(), now: NOW, quiet: false };
    assert_eq!(store.fork(&fork).await, Ok(Forked::Forked));
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::HasForks(vec![id("copy")])));
    assert_eq!(store.delete(&id("copy")).await, Ok(Deleted::Deleted));
    assert_eq!(read(&*store, "a", &digest).await, Some(b"a photo".to_vec()), "a copy that goes takes nothing along");
}

pub async fn a_file_that_is_given_up_is_gone_unless_it_was_taken_in_twice(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    let (first, digest) = take(&*store, "a", b"a photo").await;
    let (second, _) = take(&*store, "a", b"a photo").await;
    store.discard(first).await.unwrap();
    assert_eq!(read(&*store, "a", &digest).await, Some(b"a photo".to_vec()));
    store.discard(second).await.unwrap();
    assert_eq!(read(&*store, "a", &digest).await, None);
    assert_eq!(store.discard(second).await, Ok(()), "once more is no mistake");
}

pub async fn what_is_not_whole_is_not_there(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    let file = reserved(&*store, &room("a", 7)).await;
    assert_eq!(store.write_part(file, 0, b"a photo").await, Ok(true));
    assert_eq!(read(&*store, "a", &Digest::of(b"a photo")).await, None);
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    assert_eq!(store.write_part(file, 1, b"more").await, Ok(false), "its session is gone");
    assert_eq!(store.finish(file, &Digest::of(b"a photo"), 7).await, Ok(false));
    assert_eq!(store.reserve(&room("a", 7)).await, Ok(Reserved::Unknown));
}

pub async fn room_counts_from_when_it_is_set_aside_and_then_by_what_came(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    let room = Reservation { quotas: Quotas { session: 10, ..WIDE }, ..room("a", 6) };
    let first = reserved(&*store, &room).await;
    assert_eq!(store.reserve(&room).await, Ok(Reserved::Full(Quota::Session)));
    store.write_part(first, 0, b"four").await.unwrap();
    store.finish(first, &Digest::of(b"four"), 4).await.unwrap();
    let second = reserved(&*store, &room).await;
    assert_eq!(store.reserve(&Reservation { most: 1, ..room.clone() }).await, Ok(Reserved::Full(Quota::Session)));
    store.discard(second).await.unwrap();
    reserved(&*store, &room).await;
}

pub async fn room_that_was_not_used_in_time_is_given_back(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    let room = Reservation { quotas: Quotas { session: 10, ..WIDE }, ..room("a", 10) };
    let late = reserved(&*store, &room).await;
    store.write_part(late, 0, b"half a pho").await.unwrap();
    let after = Reservation { now: Timestamp(LATER.0 + 1), until: Timestamp(LATER.0 + 1_000), ..room };
    let next = reserved(&*store, &after).await;
    assert_ne!(late, next);
    assert_eq!(store.finish(late, &Digest::of(b"half a pho"), 10).await, Ok(false));
}

pub async fn room_that_a_clock_ahead_set_aside_was_kept_for_years(store: Arc<dyn Store>) {
    const YEARS: i64 = 300_000_000_000;
    append(&*store, opening("a", 1)).await;
    let room = Reservation { quotas: Quotas { session: 10, ..WIDE }, ..room("a", 10) };
    let ahead = |time: Timestamp| Timestamp(time.0 + YEARS);
    reserved(&*store, &Reservation { now: ahead(NOW), until: ahead(LATER), ..room.clone() }).await;
    assert_eq!(store.reserve(&room).await, Ok(Reserved::Full(Quota::Session)), "it may still be on its way");
    let after = Reservation { now: Timestamp(LATER.0 + 1), until: Timestamp(LATER.0 + 1_000), ..room };
    reserved(&*store, &after).await;
}

/// Two interviews of one form by one link, one by another, one of another form, and one of somebody else.
pub async fn each_quota_counts_those_who_share_it(store: Arc<dyn Store>) {
    for form in ["form", "other form"] {
        append(&*store, opening(form, 1)).await;
    }
    let member = |name: &str, form: &str| {
        let opened = SessionOpening::new("interview", "ada").of(&id(form));
        Append { opening: Some(opened), ..opening(name, 1) }
    };
    for (name, form) in [("one", "form"), ("two", "form"), ("three", "form"), ("four", "other form")] {
        append(&*store, member(name, form)).await;
    }
    append(&*store, Append { opening: Some(SessionOpening::new("interview", "bob")), ..opening("five", 1) }).await;
    let by = |session: &str, link: &str, quotas: Quotas| {
        let link = Some(link.to_owned());
        Reservation { session: SessionId::of(session), link, quotas, ..room(session, 6) }
    };
    reserved(&*store, &by("one", "x", WIDE)).await;
    let (per_session, per_link) = (Quotas { session: 10, ..WIDE }, Quotas { link: 10, ..WIDE });
    let (per_form, per_owner) = (Quotas { family: 10, ..WIDE }, Quotas { owner: 10, ..WIDE });
    for (session, link, quotas, expected) in [
        ("one", "x", per_session, Some(Quota::Session)),
        ("two", "x", per_session, None),
        ("two", "x", per_link, Some(Quota::Link)),
        ("three", "y", per_link, None),
        ("three", "y", per_form, Some(Quota::Family)),
        ("four", "z", per_form, None),
        ("four", "z", per_owner, Some(Quota::Owner)),
        ("five", "v", per_owner, None),
    ] {
        match (store.reserve(&by(session, link, quotas)).await.unwrap(), expected) {
            (Reserved::Reserved(file), None) => store.discard(file).await.unwrap(),
            (reserved, expected) => assert_eq!(reserved, Reserved::Full(expected.expect("room")), "{session} {link}"),
        }
    }
}

pub async fn of_many_who_ask_for_room_at_once_only_those_get_it_who_fit_together(store: Arc<dyn Store>) {
    for name in 0..12 {
        append(&*store, opening(&format!("s{name}"), 1)).await;
    }
    let asked = (0..12).map(|name| {
        let (store, session) = (store.clone(), format!("s{name}"));
        tokio::spawn(async move {
            let room = Reservation { quotas: Quotas { owner: 55, ..WIDE }, ..room(&session, 10) };
            store.reserve(&room).await.unwrap()
        })
    });
    let mut there = 0;
    for answer in asked.collect::<Vec<_>>() {
        match answer.await.unwrap() {
            Reserved::Reserved(_) => there += 1,
            other => assert_eq!(other, Reserved::Full(Quota::Owner)),
        }
    }
    assert_eq!(there, 5);
}

pub async fn the_same_bytes_brought_and_given_up_at_once_stay_with_who_has_them(store: Arc<dyn Store>) {
    append(&*store, opening("keeps", 1)).await;
    for round in 0..8 {
        let (here, there) = (format!("a{round}"), format!("b{round}"));
        for name in [&here, &there] {
            append(&*store, opening(name, 1)).await;
        }
        let (file, digest) = take(&*store, &here, b"shared").await;
        let (_, taken) = tokio::join!(store.discard(file), take(&*store, &there, b"shared"));
        assert_eq!(taken.1, digest);
        assert_eq!(read(&*store, &there, &digest).await, Some(b"shared".to_vec()));
        store.delete(&id(&there)).await.unwrap();
    }
}
