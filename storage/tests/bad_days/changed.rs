//! Events that were changed or removed behind our back.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Failure, Fork, Forked, Snapshot, SnapshotUse, Store};

use crate::common::{Home, append, at, connect, id, log, on, opening, recorded, standing};

/// Runs a statement on the database, beside every store.
async fn meddle(home: &Home, sql: &str) {
    if home.url.starts_with("sqlite:") {
        rusqlite::Connection::open(home.path()).unwrap().execute_batch(sql).unwrap();
    } else {
        connect(&home.url).await.batch_execute(sql).await.unwrap();
    }
}

fn at_event(session: &str, seq: u64) -> Failure {
    Failure::EventDamaged { session: id(session), seq: Seq(seq) }
}

async fn load(store: &dyn Store, session: &str, snapshots: SnapshotUse) -> Result<usize, Failure> {
    Ok(store.load(&id(session), snapshots).await?.expect("the session is there").events.len())
}

async fn fork(store: &dyn Store, child: &str, parent: &str, seq: u64) {
    let fork = Fork {
        parent: id(parent),
        at: Seq(seq),
        child: id(child),
        owner: "ada".to_owned(),
        standing: standing(enza_kernel::application::Phase::Waiting),
        timers: Vec::new(),
        now: at(5),
        quiet: false,
    };
    assert_eq!(store.fork(&fork).await, Ok(Forked::Forked));
}

#[tokio::test]
async fn a_changed_event_is_noticed_and_stops_its_session_only() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        for name in ["a", "b"] {
            append(&*store, opening(name, 3)).await;
            append(&*store, on(name, 3, 4)).await;
        }
        meddle(&home, "UPDATE events SET body = replace(body, 'a5', 'a6') WHERE seq = 5").await;
        assert_eq!(load(&*store, "a", SnapshotUse::Never).await, Err(at_event("a", 5)));
        assert_eq!(store.events(&id("a"), Seq(4), 9).await, Err(at_event("a", 5)));
        assert_eq!(
            store.events(&id("a"), Seq(0), 4).await.unwrap(),
            recorded("a", 1..=4),
            "what is before it is sound"
        );
        assert_eq!(log(&*store, "b").await, recorded("b", 1..=7));
        append(&*store, on("b", 7, 1)).await;
        assert_eq!(log(&*store, "b").await, recorded("b", 1..=8));
    }
}

#[tokio::test]
async fn an_event_that_is_gone_is_noticed() {
    for (place, session) in [(2, "middle"), (3, "last")] {
        for home in [Home::sqlite(), Home::postgres().await] {
            let store = home.open().await;
            append(&*store, opening(session, 3)).await;
            meddle(&home, &format!("DELETE FROM events WHERE seq = {place}")).await;
            assert_eq!(load(&*store, session, SnapshotUse::Never).await, Err(at_event(session, place)));
            assert_eq!(
                store.events(&id(session), Seq(place), 9).await.err(),
                (place == 2).then(|| at_event(session, 2))
            );
        }
    }
}

#[tokio::test]
async fn a_changed_snapshot_is_passed_over_and_the_events_are_read() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        let snapshot = Some(Snapshot { seq: Seq(4), version: 1, body: b"the state after four".to_vec() });
        append(&*store, Append { snapshot, ..opening("a", 4) }).await;
        append(&*store, on("a", 4, 2)).await;
        assert_eq!(load(&*store, "a", SnapshotUse::Version(1)).await, Ok(2), "two events after the snapshot");
        meddle(&home, "UPDATE events SET body = '{}' WHERE seq = 5").await;
        assert_eq!(load(&*store, "a", SnapshotUse::Version(1)).await, Err(at_event("a", 5)));
        let back = "UPDATE events SET body = '{\"text\":\"a5\"}' WHERE seq = 5";
        meddle(&home, back).await;
        let hex = if home.url.starts_with("sqlite:") { "x'00'" } else { "'\\x00'" };
        meddle(&home, &format!("UPDATE snapshots SET body = {hex}")).await;
        assert_eq!(load(&*store, "a", SnapshotUse::Version(1)).await, Ok(6), "all of them, without the snapshot");
    }
}

#[tokio::test]
async fn a_fork_goes_on_from_its_parents_checksums() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        append(&*store, opening("a", 6)).await;
        fork(&*store, "b", "a", 4).await;
        append(&*store, on("b", 4, 3)).await;
        fork(&*store, "c", "b", 6).await;
        append(&*store, on("c", 6, 1)).await;
        fork(&*store, "d", "c", 2).await;
        append(&*store, on("d", 2, 1)).await;
        fork(&*store, "whole", "c", 7).await;
        for (name, count) in [("a", 6), ("b", 7), ("c", 7), ("d", 3), ("whole", 7)] {
            assert_eq!(load(&*store, name, SnapshotUse::Never).await, Ok(count), "{name}");
            for after in 0..count as u64 {
                let page = store.events(&id(name), Seq(after), 2).await.unwrap();
                assert_eq!(page.first().map(|event| event.seq), Some(Seq(after + 1)), "{name} after {after}");
            }
        }
        meddle(&home, "UPDATE events SET body = replace(body, 'a3', 'a9') WHERE seq = 3").await;
        for name in ["a", "b", "c", "whole"] {
            assert_eq!(load(&*store, name, SnapshotUse::Never).await, Err(at_event(name, 3)), "{name}");
        }
        assert_eq!(load(&*store, "d", SnapshotUse::Never).await, Ok(3), "it left before");
    }
}

#[tokio::test]
async fn events_from_before_there_were_checksums_are_read_and_go_on_with_them() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        append(&*store, opening("a", 3)).await;
        meddle(&home, "UPDATE events SET link = NULL; UPDATE sessions SET link = NULL").await;
        drop(store);
        let store = home.open().await;
        append(&*store, on("a", 3, 2)).await;
        append(&*store, on("a", 5, 1)).await;
        assert_eq!(log(&*store, "a").await, recorded("a", 1..=6));
        fork(&*store, "b", "a", 2).await;
        append(&*store, on("b", 2, 1)).await;
        assert_eq!(load(&*store, "b", SnapshotUse::Never).await, Ok(3));
        meddle(&home, "UPDATE events SET link = NULL WHERE seq = 5").await;
        assert_eq!(load(&*store, "a", SnapshotUse::Never).await, Err(at_event("a", 5)), "one that went missing since");
    }
}

/// A worker that remembers how far a session had come must not go on from there once its name is another's.
#[tokio::test]
async fn a_name_that_is_used_again_elsewhere_has_checksums_of_its_own() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let (one, two) = (home.open().await, home.open().await);
        append(&*one, opening("a", 2)).await;
        two.delete(&id("a")).await.unwrap();
        let other = on("a", 10, 2).events;
        append(&*two, Append { events: other, ..opening("a", 0) }).await;
        append(&*one, on("a", 2, 1)).await;
        assert_eq!(load(&*one, "a", SnapshotUse::Never).await, Ok(3));
    }
}
