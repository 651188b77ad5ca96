//! Damaged files.

use std::fs;

use enza_runtime::seams::store::{Failure, SnapshotUse};
use enza_storage::{Durability, Integrity, Sqlite, inspect};

use crate::common::{Home, append, id, log, on, opening, recorded};

/// A closed database with a few hundred kilobytes of events in two sessions.
async fn filled() -> Home {
    let home = Home::sqlite();
    let store = home.open().await;
    append(&*store, opening("a", 1000)).await;
    append(&*store, opening("b", 1000)).await;
    home
}

/// Opening and looking both say that it is damaged, and leave every byte as it was.
async fn is_damaged_and_left_alone(home: &Home) {
    let before = fs::read(home.path()).unwrap();
    let opened = Sqlite::open(&home.path(), Durability::Full);
    assert!(matches!(opened, Err(Failure::Damaged(_))), "{opened:?}");
    let looked = inspect(&home.url).await;
    assert!(matches!(looked, Err(Failure::Damaged(_))), "{looked:?}");
    assert!(fs::read(home.path()).unwrap() == before, "the file was touched");
}

#[tokio::test]
async fn garbage_is_not_a_database() {
    let home = Home::sqlite();
    fs::write(home.path(), "Dear diary, ".repeat(1000)).unwrap();
    is_damaged_and_left_alone(&home).await;
}

#[tokio::test]
async fn a_file_cut_off_in_its_header_is_damaged() {
    let home = filled().await;
    fs::write(home.path(), &fs::read(home.path()).unwrap()[..60]).unwrap();
    is_damaged_and_left_alone(&home).await;
}

#[tokio::test]
async fn a_file_cut_off_in_the_middle_is_damaged() {
    let home = filled().await;
    let whole = fs::read(home.path()).unwrap();
    fs::write(home.path(), &whole[..whole.len() / 2]).unwrap();
    is_damaged_and_left_alone(&home).await;
    fs::write(home.path(), whole).unwrap();
    assert_eq!(log(&*home.open().await, "a").await, recorded("a", 1..=1000), "given back, it is whole again");
}

#[tokio::test]
async fn a_page_of_noise_fails_the_reads_that_meet_it_and_no_others() {
    let home = filled().await;
    let mut bytes = fs::read(home.path()).unwrap();
    // A leaf with events of session b: a page in which its last event's text is found.
    let needle = b"\"b990\"";
    let found = bytes.windows(needle.len()).position(|part| part == needle).expect("the event is in the file");
    let page = found / 4096 * 4096;
    bytes[page..page + 4096].fill(0xa5);
    fs::write(home.path(), bytes).unwrap();

    let looked = inspect(&home.url).await.unwrap().unwrap();
    assert!(matches!(looked.integrity, Integrity::Damaged(_)), "{looked:?}");
    let store = home.open().await;
    let loaded = store.load(&id("b"), SnapshotUse::Never).await;
    assert!(matches!(loaded, Err(Failure::Damaged(_))), "{loaded:?}");
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=1000));
    append(&*store, on("a", 1000, 1)).await;
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=1001));
}
