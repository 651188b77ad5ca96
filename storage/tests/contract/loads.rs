//! Loads and pages.

use std::sync::Arc;

use enza_kernel::application::{Phase, Standing};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, SessionRow, Snapshot, SnapshotUse, Store, StoredSession};

use crate::common::{append, at, id, log, on, opening, recorded, standing, wake};

fn snapshot(seq: u64, version: u16) -> Snapshot {
    Snapshot { seq: Seq(seq), version, body: vec![0, 255, seq.to_le_bytes()[0]] }
}

pub async fn a_session_that_is_not_there_is_none(store: Arc<dyn Store>) {
    assert_eq!(store.load(&id("a"), SnapshotUse::Version(1)).await, Ok(None));
    assert_eq!(store.find(&id("a")).await, Ok(None));
    assert_eq!(store.events(&id("a"), Seq::START, 10).await, Ok(Vec::new()));
}

pub async fn a_load_starts_from_the_newest_snapshot(store: Arc<dyn Store>) {
    append(&*store, Append { snapshot: Some(snapshot(2, 1)), ..opening("a", 2) }).await;
    append(&*store, Append { snapshot: Some(snapshot(4, 1)), ..on("a", 2, 2) }).await;
    append(&*store, on("a", 4, 1)).await;
    let loaded = store.load(&id("a"), SnapshotUse::Version(1)).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.events), (Some(snapshot(4, 1)), recorded("a", 5..=5)));
    let loaded = store.load(&id("a"), SnapshotUse::Never).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.events), (None, recorded("a", 1..=5)));
}

pub async fn a_snapshot_of_another_version_is_passed_over(store: Arc<dyn Store>) {
    append(&*store, Append { snapshot: Some(snapshot(2, 7)), ..opening("a", 3) }).await;
    for version in [6, 8] {
        let loaded = store.load(&id("a"), SnapshotUse::Version(version)).await.unwrap().unwrap();
        assert_eq!((loaded.snapshot, loaded.events), (None, recorded("a", 1..=3)));
    }
}

pub async fn pages_join_without_gap_or_repeat(store: Arc<dyn Store>) {
    append(&*store, opening("a", 25)).await;
    let mut read = Vec::new();
    while let page = store.events(&id("a"), Seq(read.len() as u64), 10).await.unwrap()
        && !page.is_empty()
    {
        assert!(page.len() <= 10);
        read.extend(page);
    }
    assert_eq!(read, recorded("a", 1..=25));
    assert_eq!(store.events(&id("a"), Seq(20), usize::MAX).await.unwrap(), recorded("a", 21..=25));
    assert_eq!(store.events(&id("a"), Seq(99), 10).await.unwrap(), []);
    assert_eq!(store.events(&id("a"), Seq(0), 0).await.unwrap(), []);
}

pub async fn a_session_row_says_where_the_session_stands(store: Arc<dyn Store>) {
    append(&*store, opening("a", 2)).await;
    let at_gate = Standing { phase: Phase::Gate, title: "家".to_owned(), waiting_for: Some("yes or no".to_owned()) };
    let timers = Some(vec![wake("gate", 99)]);
    append(&*store, Append { standing: at_gate.clone(), timers, ..on("a", 2, 1) }).await;
    let row = SessionRow {
        id: id("a"),
        application: "interview".to_owned(),
        owner: "ada".to_owned(),
        of: None,
        head: Seq(3),
        standing: at_gate,
        opened_at: at(1000),
        changed_at: at(3000),
        parent: None,
        quiet: false,
    };
    assert_eq!(store.find(&id("a")).await.unwrap(), Some(row.clone()));
    let whole = StoredSession { row, snapshot: None, events: recorded("a", 1..=3), timers: vec![wake("gate", 99)] };
    assert_eq!(store.load(&id("a"), SnapshotUse::Version(1)).await.unwrap(), Some(whole));
}

pub async fn a_load_sees_one_moment_while_others_append(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    let writer = {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for head in 1..150u64 {
                let timers = Some(vec![wake("at head", head.cast_signed() + 1)]);
                let snapshot = Some(snapshot(head + 1, 1)).filter(|_| head % 3 == 0);
                append(&*store, Append { timers, snapshot, ..on("a", head, 1) }).await;
            }
        })
    };
    while !writer.is_finished() {
        let loaded = store.load(&id("a"), SnapshotUse::Version(1)).await.unwrap().unwrap();
        let first = loaded.snapshot.map_or(1, |one| one.seq.0 + 1);
        assert_eq!(loaded.events, recorded("a", first..=loaded.row.head.0));
        assert_eq!(loaded.timers.iter().map(|one| one.at.0.cast_unsigned()).max().unwrap_or(1), loaded.row.head.0);
    }
    writer.await.unwrap();
}

pub async fn ten_thousand_events_load_whole(store: Arc<dyn Store>) {
    append(&*store, opening("a", 1)).await;
    for batch in 0..10 {
        append(&*store, on("a", 1 + batch * 1000, 1000)).await;
    }
    let loaded = store.load(&id("a"), SnapshotUse::Never).await.unwrap().unwrap();
    assert_eq!(loaded.events.len(), 10_001);
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=10_001));
    assert_eq!(store.find(&id("a")).await.unwrap().unwrap().standing, standing(Phase::Waiting));
}
