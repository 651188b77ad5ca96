//! Appends: order, conflicts, duplicates, and what goes with the events.

use std::sync::Arc;

use enza_kernel::application::{Phase, Row, Standing, Stored};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, NewEvent, Rows, SessionOpening, SnapshotUse, Store, TableRow};
use serde_json::json;

use crate::common::{accepted, append, at, id, log, on, opening, recorded, standing, wake};

pub async fn events_come_back_in_the_order_of_their_append(store: Arc<dyn Store>) {
    assert_eq!(append(&*store, opening("a", 3)).await, Seq(3));
    assert_eq!(append(&*store, on("a", 3, 2)).await, Seq(5));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=5));
}

pub async fn an_append_on_an_older_head_is_a_conflict_and_changes_nothing(store: Arc<dyn Store>) {
    append(&*store, opening("a", 3)).await;
    let before = store.load(&id("a"), SnapshotUse::Never).await.unwrap();
    for expected in [2, 4] {
        let late = Append { timers: Some(vec![wake("t", 1)]), ..accepted(on("a", expected, 1), "k") };
        let late = Append { standing: standing(Phase::Ended), ..late };
        assert_eq!(store.append(late).await, Ok(Appended::Conflict { head: Seq(3) }));
    }
    assert_eq!(store.load(&id("a"), SnapshotUse::Never).await.unwrap(), before);
    assert_eq!(append(&*store, accepted(on("a", 3, 1), "k")).await, Seq(4), "the key was not used up");
}

pub async fn of_two_appends_on_one_head_exactly_one_takes_place(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    for head in 1..=30 {
        let race = |_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(on("a", head, 1)).await.unwrap() })
        };
        let racers: Vec<_> = (0..4).map(race).collect();
        let mut ends = Vec::new();
        for racer in racers {
            ends.push(racer.await.unwrap());
        }
        ends.sort_by_key(|end| matches!(end, Appended::Conflict { .. }));
        let lost = Appended::Conflict { head: Seq(head + 1) };
        assert_eq!(ends, [Appended::Appended(Seq(head + 1)), lost, lost, lost]);
    }
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=31));
}

pub async fn a_key_that_was_accepted_is_a_duplicate_whatever_the_head(store: Arc<dyn Store>) {
    append(&*store, accepted(opening("a", 2), "first")).await;
    append(&*store, accepted(on("a", 2, 1), "second")).await;
    let again = |append, key: &str, seq| (accepted(append, key), Ok(Appended::Duplicate { seq: Seq(seq) }));
    for (append, answer) in [
        again(on("a", 3, 1), "first", 2),
        again(on("a", 1, 1), "second", 3),
        again(opening("a", 1), "first", 2),
        again(on("a", 9, 1), "second", 3),
    ] {
        assert_eq!(store.append(append).await, answer);
    }
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=3));
}

pub async fn one_key_may_be_used_in_two_sessions(store: Arc<dyn Store>) {
    append(&*store, accepted(opening("a", 1), "k")).await;
    append(&*store, accepted(opening("b", 1), "k")).await;
}

pub async fn opening_a_session_twice_is_a_conflict(store: Arc<dyn Store>) {
    append(&*store, opening("a", 2)).await;
    let other = SessionOpening::new("novel", "eve");
    let again = Append { opening: Some(other), ..opening("a", 1) };
    assert_eq!(store.append(again).await, Ok(Appended::Conflict { head: Seq(2) }));
    assert_eq!(store.find(&id("a")).await.unwrap().unwrap().owner, "ada");
}

pub async fn of_two_that_open_one_session_at_once_exactly_one_does(store: Arc<dyn Store>) {
    for name in ["a", "b", "c", "d", "e"] {
        let (one, other) = tokio::join!(store.append(opening(name, 1)), store.append(opening(name, 1)));
        let mut ends = [one.unwrap(), other.unwrap()];
        ends.sort_by_key(|end| matches!(end, Appended::Conflict { .. }));
        assert_eq!(ends, [Appended::Appended(Seq(1)), Appended::Conflict { head: Seq(1) }]);
    }
}

pub async fn an_append_to_a_session_that_is_not_there_is_a_conflict(store: Arc<dyn Store>) {
    for expected in [0, 3] {
        assert_eq!(store.append(on("a", expected, 1)).await, Ok(Appended::Conflict { head: Seq::START }));
    }
    let late = Append { expected: Seq(3), ..opening("a", 1) };
    assert_eq!(store.append(late).await, Ok(Appended::Conflict { head: Seq::START }));
    assert_eq!(store.find(&id("a")).await, Ok(None));
}

pub async fn timers_are_replaced_only_where_new_ones_are_given(store: Arc<dyn Store>) {
    let timers = async || store.load(&id("a"), SnapshotUse::Never).await.unwrap().unwrap().timers;
    append(&*store, Append { timers: Some(vec![wake("b", 5), wake("a", 9)]), ..opening("a", 1) }).await;
    assert_eq!(timers().await, [wake("a", 9), wake("b", 5)]);
    append(&*store, on("a", 1, 1)).await;
    assert_eq!(timers().await, [wake("a", 9), wake("b", 5)]);
    append(&*store, Append { timers: Some(vec![wake("a", 7), wake("c", 1)]), ..on("a", 2, 1) }).await;
    assert_eq!(timers().await, [wake("a", 7), wake("c", 1)]);
    append(&*store, Append { timers: Some(Vec::new()), ..on("a", 3, 1) }).await;
    assert_eq!(timers().await, []);
}

pub async fn rows_are_written_with_their_events_or_not_at_all(store: Arc<dyn Store>) {
    let put = |key: &str, content| Row { table: "results".to_owned(), key: key.to_owned(), content };
    let kept = |key: &str, content| TableRow { session: id("a"), key: key.to_owned(), content };
    let rows = vec![put("x", Some(json!({"n": 1}))), put("y", Some(json!("\u{0}\"é"))), put("x", Some(json!(2)))];
    append(&*store, Append { rows, ..opening("a", 1) }).await;
    let late = Append { rows: vec![put("x", None), put("z", Some(json!(null)))], ..on("a", 0, 1) };
    assert_eq!(store.append(late).await, Ok(Appended::Conflict { head: Seq(1) }));
    assert_eq!(store.rows("results", Rows::All).await.unwrap(), [kept("x", json!(2)), kept("y", json!("\u{0}\"é"))]);
    let rows = vec![put("x", None), put("never there", None), put("z", Some(json!([1.5, null])))];
    append(&*store, Append { rows, ..on("a", 1, 1) }).await;
    assert_eq!(
        store.rows("results", Rows::All).await.unwrap(),
        [kept("y", json!("\u{0}\"é")), kept("z", json!([1.5, null]))]
    );
}

pub async fn bodies_come_back_byte_for_byte(store: Arc<dyn Store>) {
    let long = "長い ".repeat(40_000);
    let bodies = ["{}", r#"{ "b" : 1.0,  "a":1e400 }"#, r#"{"n":"\u0000","é":"\ud83d\ude00"}"#, "not JSON", "", &long];
    let event = |body: &&str| {
        let stored = Stored { kind: "Odd".to_owned(), version: u16::MAX, body: (*body).to_owned() };
        NewEvent { at: at(-5), stored }
    };
    let events: Vec<_> = bodies.iter().map(event).collect();
    append(&*store, Append { events: events.clone(), ..opening("a", 0) }).await;
    let back: Vec<_> =
        log(&*store, "a").await.into_iter().map(|one| NewEvent { at: one.at, stored: one.stored }).collect();
    assert_eq!(back, events);
}

pub async fn an_append_without_events_changes_the_standing_only(store: Arc<dyn Store>) {
    append(&*store, opening("a", 2)).await;
    let ended = Standing { phase: Phase::Stuck, title: "T".to_owned(), waiting_for: Some("help".to_owned()) };
    assert_eq!(append(&*store, Append { standing: ended.clone(), ..on("a", 2, 0) }).await, Seq(2));
    let row = store.find(&id("a")).await.unwrap().unwrap();
    assert_eq!((row.head, row.standing, row.changed_at), (Seq(2), ended, at(2000)));
}
