//! A full disk.

use std::sync::Arc;

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, Failure, Log, NewEvent, SessionCatalog, Store};
use enza_storage::{Durability, Sqlite};

use crate::bad_days::disk::{Disk, may_mount};
use crate::common::{at, id, log, on, opening, stored};

/// An event of eight kilobytes on this head.
fn large(expected: u64) -> Append {
    let event = NewEvent { at: at(1), stored: stored(&"x".repeat(8000)) };
    Append { events: vec![event], ..on("a", expected, 0) }
}

#[tokio::test]
async fn a_full_disk_refuses_appends_until_there_is_room_and_loses_nothing() {
    if !may_mount("bad_days::no_room::a_full_disk_refuses_appends_until_there_is_room_and_loses_nothing") {
        return;
    }
    let disk = Disk::of(2048);
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 1024 * 1024]).unwrap();
    let path = disk.path().join("enza.db");
    let store = Sqlite::open(&path, Durability::Full).unwrap();
    let mut head = 1;
    store.append(opening("a", 1)).await.unwrap();
    let failure = loop {
        match store.append(large(head)).await {
            Ok(Appended::Appended(Seq(next))) => head = next,
            Ok(other) => panic!("{other:?}"),
            Err(failure) => break failure,
        }
    };
    assert!(matches!(failure, Failure::Full(_)), "{failure:?}");
    assert!(failure.may_retry());
    assert!(head > 20, "there was room for some");
    assert_eq!(log(&store, "a").await.len() as u64, head, "what was acknowledged is there");
    assert!(matches!(store.append(large(head)).await, Err(Failure::Full(_))), "still full");
    assert!(matches!(store.try_write(at(1)).await, Err(Failure::Full(_))), "whoever asks is told");

    std::fs::remove_file(&ballast).unwrap();
    assert_eq!(store.try_write(at(2)).await, Ok(()));
    assert_eq!(store.append(large(head)).await, Ok(Appended::Appended(Seq(head + 1))));
    drop(store);
    let store = Sqlite::open(&path, Durability::Full).unwrap();
    assert_eq!(log(&store, "a").await.len() as u64, head + 1);
    assert_eq!(store.find(&id("a")).await.unwrap().unwrap().head, Seq(head + 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_too_large_for_the_disk_does_not_take_others_with_it() {
    if !may_mount("bad_days::no_room::an_append_too_large_for_the_disk_does_not_take_others_with_it") {
        return;
    }
    let disk = Disk::of(4096);
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&disk.path().join("enza.db"), Durability::Full).unwrap());
    store.append(opening("a", 1)).await.unwrap();
    let huge = NewEvent { at: at(1), stored: stored(&"x".repeat(20_000_000)) };
    let huge = Append { events: vec![huge], ..on("a", 1, 0) };
    let others: Vec<_> = (0..20)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(opening(&format!("s{number}"), 1)).await })
        })
        .collect();
    let refused = store.append(huge).await;
    assert!(matches!(refused, Err(Failure::Full(_))), "{refused:?}");
    for (number, other) in others.into_iter().enumerate() {
        // One that shared the commit may have been refused with it; one that was acknowledged is there.
        match other.await.unwrap() {
            Ok(done) => {
                assert_eq!(done, Appended::Appended(Seq(1)));
                assert_eq!(log(&*store, &format!("s{number}")).await.len(), 1);
            }
            Err(failure) => assert!(matches!(failure, Failure::Full(_)), "{failure:?}"),
        }
    }
    assert_eq!(store.append(on("a", 1, 1)).await, Ok(Appended::Appended(Seq(2))));
}
