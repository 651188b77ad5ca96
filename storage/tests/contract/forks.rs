//! Forks: logs that begin as another's.

use std::sync::Arc;

use enza_kernel::application::{Phase, Row};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Fork, Forked, Recorded, Rows, SessionRow, Snapshot, SnapshotUse, Store,
};
use serde_json::json;

use crate::common::{accepted, append, at, id, log, on, opening, recorded, standing, wake};

fn fork(parent: &str, at_seq: u64, child: &str) -> Fork {
    Fork {
        parent: id(parent),
        at: Seq(at_seq),
        child: id(child),
        owner: "bob".to_owned(),
        standing: standing(Phase::Gate),
        timers: vec![wake("t", 77)],
        now: at(9_000),
        quiet: false,
    }
}

async fn forked(store: &dyn Store, parent: &str, at_seq: u64, child: &str) {
    assert_eq!(store.fork(&fork(parent, at_seq, child)).await, Ok(Forked::Forked));
}

fn joined(parts: &[(&str, std::ops::RangeInclusive<u64>)]) -> Vec<Recorded> {
    parts.iter().flat_map(|(session, places)| recorded(session, places.clone())).collect()
}

pub async fn a_fork_reads_its_parents_events_up_to_where_it_left(store: Arc<dyn Store>) {
    append(&*store, opening("a", 5)).await;
    forked(&*store, "a", 3, "b").await;
    assert_eq!(
        store.find(&id("b")).await.unwrap(),
        Some(SessionRow {
            id: id("b"),
            application: "interview".to_owned(),
            owner: "bob".to_owned(),
            of: None,
            head: Seq(3),
            standing: standing(Phase::Gate),
            opened_at: at(1_000),
            changed_at: at(9_000),
            parent: Some((id("a"), Seq(3))),
            quiet: false,
        })
    );
    assert_eq!(append(&*store, on("b", 3, 2)).await, Seq(5));
    append(&*store, on("a", 5, 1)).await;
    assert_eq!(log(&*store, "b").await, joined(&[("a", 1..=3), ("b", 4..=5)]));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=6));
    assert_eq!(store.events(&id("b"), Seq(1), 3).await.unwrap(), joined(&[("a", 2..=3), ("b", 4..=4)]));
}

pub async fn a_fork_of_a_fork_reads_through_both(store: Arc<dyn Store>) {
    append(&*store, opening("a", 4)).await;
    forked(&*store, "a", 2, "b").await;
    append(&*store, on("b", 2, 3)).await;
    forked(&*store, "b", 4, "c").await;
    append(&*store, on("c", 4, 2)).await;
    assert_eq!(log(&*store, "c").await, joined(&[("a", 1..=2), ("b", 3..=4), ("c", 5..=6)]));
    let mut paged = Vec::new();
    for after in 0..6 {
        paged.extend(store.events(&id("c"), Seq(after), 1).await.unwrap());
    }
    assert_eq!(paged, log(&*store, "c").await);
}

pub async fn a_fork_may_leave_before_its_parent_did(store: Arc<dyn Store>) {
    append(&*store, opening("a", 4)).await;
    forked(&*store, "a", 3, "b").await;
    append(&*store, on("b", 3, 1)).await;
    forked(&*store, "b", 1, "c").await;
    forked(&*store, "b", 0, "empty").await;
    append(&*store, on("c", 1, 1)).await;
    assert_eq!(log(&*store, "c").await, joined(&[("a", 1..=1), ("c", 2..=2)]));
    assert_eq!(log(&*store, "empty").await, []);
}

pub async fn a_fork_starts_from_its_parents_snapshot_only_up_to_where_it_left(store: Arc<dyn Store>) {
    let snapshot = |seq| Snapshot { seq: Seq(seq), version: 1, body: vec![1] };
    append(&*store, Append { snapshot: Some(snapshot(3)), ..opening("a", 5) }).await;
    for (leaves, starts_from) in [(2, None), (3, Some(snapshot(3))), (5, Some(snapshot(3)))] {
        let name = format!("b{leaves}");
        forked(&*store, "a", leaves, &name).await;
        let loaded = store.load(&id(&name), SnapshotUse::Version(1)).await.unwrap().unwrap();
        let first = starts_from.as_ref().map_or(1, |one: &Snapshot| one.seq.0 + 1);
        assert_eq!((loaded.snapshot, loaded.events), (starts_from, recorded("a", first..=leaves)));
        let other = store.load(&id(&name), SnapshotUse::Version(2)).await.unwrap().unwrap();
        assert_eq!((other.snapshot, other.events), (None, recorded("a", 1..=leaves)));
    }
    append(&*store, Append { snapshot: Some(snapshot(6)), ..on("b5", 5, 1) }).await;
    forked(&*store, "b5", 5, "c").await;
    let loaded = store.load(&id("c"), SnapshotUse::Version(1)).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.events), (Some(snapshot(3)), recorded("a", 4..=5)), "the grandparent's");
    let loaded = store.load(&id("b5"), SnapshotUse::Version(1)).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.events), (Some(snapshot(6)), vec![]), "its own");
}

pub async fn a_fork_that_cannot_be_is_refused_with_the_reason(store: Arc<dyn Store>) {
    append(&*store, opening("a", 2)).await;
    append(&*store, opening("b", 1)).await;
    assert_eq!(store.fork(&fork("none", 1, "c")).await, Ok(Forked::NoParent));
    assert_eq!(store.fork(&fork("a", 3, "c")).await, Ok(Forked::BeyondHead(Seq(2))));
    assert_eq!(store.fork(&fork("a", 1, "b")).await, Ok(Forked::NameTaken));
    assert_eq!(store.find(&id("c")).await, Ok(None));
    assert_eq!(log(&*store, "b").await, recorded("b", 1..=1));
}

pub async fn a_fork_starts_without_rows_and_keys_and_with_its_own_timers(store: Arc<dyn Store>) {
    let row = Row { table: "results".to_owned(), key: "x".to_owned(), content: Some(json!(1)) };
    let first = Append { rows: vec![row], timers: Some(vec![wake("theirs", 5)]), ..opening("a", 2) };
    append(&*store, accepted(first, "k")).await;
    forked(&*store, "a", 2, "b").await;
    assert_eq!(store.rows("results", Rows::Session(&id("b"))).await, Ok(Vec::new()));
    assert_eq!(store.load(&id("b"), SnapshotUse::Never).await.unwrap().unwrap().timers, [wake("t", 77)]);
    assert_eq!(store.append(accepted(on("b", 2, 1), "k")).await, Ok(Appended::Appended(Seq(3))));
}

pub async fn a_session_with_forks_stays_until_they_are_gone(store: Arc<dyn Store>) {
    append(&*store, opening("a", 2)).await;
    forked(&*store, "a", 1, "c").await;
    forked(&*store, "a", 2, "b").await;
    forked(&*store, "b", 2, "d").await;
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::HasForks(vec![id("b"), id("c")])));
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::HasForks(vec![id("d")])));
    assert_eq!(log(&*store, "d").await, recorded("a", 1..=2));
    for name in ["d", "b", "c", "a"] {
        assert_eq!(store.delete(&id(name)).await, Ok(Deleted::Deleted));
    }
}
