//! Sessions as things.

use std::sync::Arc;

use enza_kernel::application::{Phase, Row};
use enza_kernel::conversation::Usage;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{
    Append, Deleted, Filter, Rows, SessionOpening, Snapshot, SnapshotUse, Spent, Store, TableRow,
};
use serde_json::json;

use crate::common::{accepted, append, at, id, in_phase, log, on, opening, recorded, wake};

/// A store that cannot tell says none, before and after.
pub async fn every_change_makes_another_edition(store: Arc<dyn Store>) {
    append(&*store, opening("s", 1)).await;
    let first = store.edition().await.unwrap();
    assert_eq!(store.edition().await.unwrap(), first, "looking changes nothing");
    append(&*store, on("s", 1, 2)).await;
    let second = store.edition().await.unwrap();
    store.delete(&id("s")).await.unwrap();
    let third = store.edition().await.unwrap();
    assert_eq!(first.is_none(), third.is_none());
    assert!(first.is_none() || (first != second && second != third), "{first:?} {second:?} {third:?}");
}

pub async fn a_list_is_by_last_change_and_filtered(store: Arc<dyn Store>) {
    let of = |application: &str, owner: &str| Some(SessionOpening::new(application, owner));
    append(&*store, in_phase(opening("x-1", 3), Phase::Gate)).await;
    append(&*store, Append { opening: of("novel", "bob"), ..opening("x-2", 2) }).await;
    append(&*store, Append { opening: of("novel", "ada"), ..opening("X-1", 1) }).await;
    append(&*store, in_phase(Append { opening: of("novel", "bob"), ..opening("%_", 5) }, Phase::Ended)).await;
    append(&*store, opening("a", 2)).await;
    let list = async |filter: Filter| {
        let rows = store.list(&filter).await.unwrap();
        rows.iter().map(|row| row.id.to_string()).collect::<Vec<_>>()
    };
    let all = Filter::default;
    assert_eq!(list(all()).await, ["%_", "x-1", "a", "x-2", "X-1"]);
    assert_eq!(list(Filter { limit: 2, ..all() }).await, ["%_", "x-1"]);
    assert_eq!(list(Filter { application: Some("novel".into()), ..all() }).await, ["%_", "x-2", "X-1"]);
    assert_eq!(list(Filter { owner: Some("ada".into()), ..all() }).await, ["x-1", "a", "X-1"]);
    assert_eq!(list(Filter { phases: vec![Phase::Gate, Phase::Ended], ..all() }).await, ["%_", "x-1"]);
    assert_eq!(list(Filter { id_part: Some("x-".into()), ..all() }).await, ["x-1", "x-2"]);
    assert_eq!(list(Filter { id_part: Some("-1".into()), ..all() }).await, ["x-1", "X-1"]);
    assert_eq!(list(Filter { id_part: Some("%".into()), ..all() }).await, ["%_"]);
    assert_eq!(list(Filter { id_part: Some(String::new()), limit: 1, ..all() }).await, ["%_"]);
    let both = Filter { application: Some("novel".into()), owner: Some("bob".into()), ..all() };
    assert_eq!(list(Filter { phases: vec![Phase::Waiting], ..both }).await, ["x-2"]);
    append(&*store, on("X-1", 1, 9)).await;
    assert_eq!(list(Filter { limit: 1, ..all() }).await, ["X-1"], "the last change counts");
}

pub async fn a_title_is_found_by_any_part_whatever_the_case_of_ascii_letters(store: Arc<dyn Store>) {
    let titles = ["A Talk", "100% talk_ed", "Ärger in Köln", "面接の練習 ABC", "300 \u{212a}", ""];
    for (number, title) in titles.into_iter().enumerate() {
        let mut append = opening(&format!("s{number}"), 1);
        append.standing.title = title.to_owned();
        assert_eq!(crate::common::append(&*store, append).await, Seq(1));
    }
    let found = async |part: &str| {
        let rows = store.list(&Filter { title_part: Some(part.to_owned()), ..Filter::default() }).await.unwrap();
        rows.into_iter().map(|row| row.standing.title).collect::<Vec<_>>()
    };
    assert_eq!(found("").await, titles);
    assert_eq!(found("TALK").await, ["A Talk", "100% talk_ed"]);
    assert_eq!(found("a t").await, ["A Talk"]);
    assert_eq!(found("%").await, ["100% talk_ed"]);
    assert_eq!(found("k_e").await, ["100% talk_ed"]);
    assert_eq!(found("a_t").await, [""; 0], "no character stands for another");
    assert_eq!(found("rger IN").await, ["Ärger in Köln"]);
    assert_eq!(found("ärger").await, [""; 0], "other letters are compared as they are");
    assert_eq!(found("の練習 abc").await, ["面接の練習 ABC"]);
    assert_eq!(found("300 k").await, [""; 0], "the Kelvin sign is no ASCII letter");
    assert_eq!(found("\\").await, [""; 0]);
}

pub async fn pages_of_a_list_join_without_gap_or_repeat(store: Arc<dyn Store>) {
    // Forty sessions of three moments, so that pages end in the middle of one; every fourth is somebody else's.
    for number in 0..40 {
        let owner = if number % 4 == 0 { "bob" } else { "ada" };
        let opening_of = Some(SessionOpening::new("interview", owner));
        append(&*store, Append { opening: opening_of, ..opening(&format!("s{}", number * 7 % 40), 1 + number % 3) })
            .await;
    }
    for filter in [
        Filter::default(),
        Filter { owner: Some("ada".to_owned()), ..Filter::default() },
        Filter { owner: Some("bob".to_owned()), title_part: Some("talk".to_owned()), ..Filter::default() },
    ] {
        let whole = store.list(&filter).await.unwrap();
        for limit in [1, 3, 10, 40, 41] {
            let mut joined = Vec::new();
            let mut after = None;
            loop {
                let page = store.list(&Filter { after, limit, ..filter.clone() }).await.unwrap();
                let Some(last) = page.last() else { break };
                assert!(page.len() <= limit);
                after = Some((last.changed_at, last.id.clone()));
                joined.extend(page);
                assert!(joined.len() <= whole.len(), "pages of {limit} repeat something");
            }
            assert_eq!(joined, whole, "pages of {limit}");
        }
        assert_eq!(whole.len(), filter.owner.as_deref().map_or(40, |owner| if owner == "ada" { 30 } else { 10 }));
    }
}

pub async fn a_page_goes_on_after_a_session_that_is_gone(store: Arc<dyn Store>) {
    for name in ["a", "b", "c", "d"] {
        append(&*store, opening(name, 2)).await;
    }
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    let rest = Filter { after: Some((at(2000), id("b"))), ..Filter::default() };
    let names = async || store.list(&rest).await.unwrap().into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(names().await, [id("c"), id("d")]);
    append(&*store, on("d", 2, 1)).await;
    assert_eq!(names().await, [id("c")], "one that has changed since stands before the page");
}

/// An append that writes everywhere.
fn full(append: Append) -> Append {
    Append {
        timers: Some(vec![wake("t", 5)]),
        rows: vec![Row { table: "results".to_owned(), key: "x".to_owned(), content: Some(json!(1)) }],
        usage: vec![Spent { model: "m".to_owned(), usage: Usage { input: 7, ..Usage::default() }, calls: 1 }],
        snapshot: Some(Snapshot { seq: Seq(2), version: 1, body: vec![1] }),
        ..accepted(append, "k")
    }
}

pub async fn a_deleted_session_leaves_nothing_but_what_it_spent(store: Arc<dyn Store>) {
    append(&*store, full(opening("a", 2))).await;
    append(&*store, full(opening("b", 2))).await;
    let spent = store.spent("ada", 0).await.unwrap();
    assert_eq!(spent.in_all.input, 14);
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Unknown));
    assert_eq!(store.find(&id("a")).await, Ok(None));
    assert_eq!(store.load(&id("a"), SnapshotUse::Version(1)).await, Ok(None));
    assert_eq!(store.events(&id("a"), Seq::START, 10).await, Ok(Vec::new()));
    assert_eq!(store.rows("results", Rows::Session(&id("a"))).await, Ok(Vec::new()));
    assert_eq!(store.rows("results", Rows::All).await.unwrap().len(), 1, "the other's stays");
    assert_eq!(store.claim("one", at(5), at(9), 10).await, Ok(vec![id("b")]));
    assert_eq!(store.spent("ada", 0).await.unwrap(), spent, "a budget is not refilled by a deletion");
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    assert_eq!(store.spent("ada", 0).await.unwrap(), spent);
}

pub async fn a_name_can_be_used_again_after_a_deletion(store: Arc<dyn Store>) {
    append(&*store, full(opening("a", 5))).await;
    store.delete(&id("a")).await.unwrap();
    append(&*store, accepted(opening("a", 1), "k")).await;
    append(&*store, on("a", 1, 1)).await;
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=2));
    let loaded = store.load(&id("a"), SnapshotUse::Version(1)).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.timers), (None, vec![]));
}

pub async fn rows_are_read_of_one_session_or_of_all(store: Arc<dyn Store>) {
    let put = |table: &str, key: &str| Row {
        table: table.to_owned(),
        key: key.to_owned(),
        content: Some(json!({"of": key})),
    };
    let rows = || vec![put("results", "y"), put("results", "x"), put("feedback", "z")];
    append(&*store, Append { rows: rows(), ..opening("b", 1) }).await;
    append(&*store, Append { rows: rows(), ..opening("a", 1) }).await;
    let row =
        |session: &str, key: &str| TableRow { session: id(session), key: key.to_owned(), content: json!({"of": key}) };
    let of_a = [row("a", "x"), row("a", "y")];
    let of_all = [row("a", "x"), row("a", "y"), row("b", "x"), row("b", "y")];
    assert_eq!(store.rows("results", Rows::All).await.unwrap(), of_all);
    assert_eq!(store.rows("results", Rows::Session(&id("a"))).await.unwrap(), of_a);
    assert_eq!(store.rows("none", Rows::All).await.unwrap(), []);
}
