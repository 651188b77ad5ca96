//! Write-ahead logs that are broken, and those that only look so.
//!
//! What a killed process leaves is made by copying a database's three files while a store has it open.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use enza_runtime::seams::store::{Failure, Store};
use enza_storage::{Durability, Sqlite, inspect};

use crate::common::{Home, append, log, on, opening, recorded};

const PAGE: usize = 4096 + 24;

/// What a process that was killed now would leave of the database.
fn left_behind(home: &Home) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files(home.path().parent().unwrap()) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().join("enza.db");
    (folder, path)
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

/// A store with so many appends of one event each to session a, all of them in the log and none in the file.
async fn talked(appends: u64) -> (Home, std::sync::Arc<dyn Store>) {
    let home = Home::sqlite();
    drop(home.open().await);
    let store = home.open().await;
    append(&*store, opening("a", 1)).await;
    for head in 1..appends {
        append(&*store, on("a", head, 1)).await;
    }
    (home, store)
}

/// Opening and looking refuse, and no file changes by a byte.
async fn is_refused_and_left_alone(path: &Path, is_right: impl Fn(&Failure) -> bool) {
    let before = files(path.parent().unwrap());
    let opened = Sqlite::open(path, Durability::Full).expect_err("it opened");
    assert!(is_right(&opened), "{opened:?}");
    let looked = inspect(path.to_str().unwrap()).await.expect_err("it was looked at");
    assert!(is_right(&looked), "{looked:?}");
    assert!(files(path.parent().unwrap()) == before, "a file was touched");
}

#[tokio::test]
async fn a_refused_start_leaves_a_log_where_it_is() {
    let (home, _store) = talked(20).await;
    let beside_it = rusqlite::Connection::open(home.path()).unwrap();
    beside_it.pragma_update(None, "user_version", 99).unwrap();
    let (_folder, path) = left_behind(&home);
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::Newer { found: 99, .. })).await;

    let theirs = tempfile::tempdir().unwrap();
    let recipes = rusqlite::Connection::open(theirs.path().join("enza.db")).unwrap();
    let make = "PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')";
    recipes.execute_batch(make).unwrap();
    let other = Home { url: format!("sqlite:{}", theirs.path().join("enza.db").display()), folder: None };
    let (_folder, path) = left_behind(&other);
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::Damaged(_))).await;
}

#[tokio::test]
async fn fifty_flipped_bytes_in_the_log_lose_nothing_silently() {
    let (home, _store) = talked(60).await;
    for seed in 0..12_u64 {
        let (_folder, path) = left_behind(&home);
        let mut bytes = fs::read(beside(&path, "-wal")).unwrap();
        // A few wide strides through the log, different for each seed.
        for flip in 0..50_u64 {
            let place = (seed * 7919 + flip * 104_729) % bytes.len() as u64;
            bytes[usize::try_from(place).unwrap()] ^= 0x10;
        }
        fs::write(beside(&path, "-wal"), &bytes).unwrap();
        is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::LogDamaged(_))).await;
        // The index is not always there: a power cut takes it.
        fs::remove_file(beside(&path, "-shm")).unwrap();
        is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::LogDamaged(_))).await;
    }
}

#[tokio::test]
async fn a_flipped_byte_in_the_last_answer_is_noticed_after_a_kill() {
    let (home, _store) = talked(30).await;
    let (_folder, path) = left_behind(&home);
    let mut bytes = fs::read(beside(&path, "-wal")).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    fs::write(beside(&path, "-wal"), &bytes).unwrap();
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::LogDamaged(_))).await;
    fs::remove_file(beside(&path, "-wal")).unwrap();
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::LogDamaged(_))).await;
}

#[tokio::test]
async fn one_may_go_on_without_the_broken_part_and_a_copy_is_kept() {
    let (home, _store) = talked(40).await;
    let (folder, path) = left_behind(&home);
    let mut bytes = fs::read(beside(&path, "-wal")).unwrap();
    let middle = 32 + bytes.len() / 2 / PAGE * PAGE + 500;
    bytes[middle] ^= 1;
    fs::write(beside(&path, "-wal"), &bytes).unwrap();
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::LogDamaged(_))).await;

    let copy = Sqlite::cut_off_log(&path).unwrap().expect("a copy");
    assert!(fs::read(&copy).unwrap() == bytes, "the copy is the broken log");
    let store = Sqlite::open(&path, Durability::Full).unwrap();
    let kept = log(&store, "a").await;
    assert!((5..35).contains(&kept.len()), "{} events", kept.len());
    assert_eq!(kept, recorded("a", 1..=kept.len() as u64));
    drop(store);
    assert_eq!(Sqlite::cut_off_log(&path), Ok(None), "nothing is broken any more");
    drop(folder);
}

/// Runs itself again as the other process, which opens the database and waits for its standard input to end.
#[tokio::test]
async fn a_log_that_another_process_uses_is_not_cut_off() {
    const HELD: &str = "ENZA_TEST_HOLDS";
    if let Some(path) = std::env::var_os(HELD) {
        let _store = Sqlite::open(Path::new(&path), Durability::Full).unwrap();
        fs::write(beside(Path::new(&path), ".open"), "").unwrap();
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
        return;
    }
    let home = Home::sqlite();
    append(&*home.open().await, opening("a", 3)).await;
    let mut holder = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bad_days::torn_log::a_log_that_another_process_uses_is_not_cut_off"])
        .env(HELD, home.path())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !beside(&home.path(), ".open").exists() {
        assert_eq!(holder.try_wait().unwrap(), None, "the other process ended");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let refused = Sqlite::cut_off_log(&home.path());
    assert!(matches!(refused, Err(Failure::Unreachable(_))), "{refused:?}");
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    assert_eq!(Sqlite::cut_off_log(&home.path()), Ok(None));
}

/// A power cut may keep any part of the last transaction, in any order; nobody was told of it.
#[tokio::test]
async fn the_unfinished_end_of_a_log_is_no_damage() {
    let (home, store) = talked(20).await;
    let before = fs::metadata(beside(&home.path(), "-wal")).unwrap().len();
    append(&*store, on("a", 20, 60)).await;
    let whole = files(home.path().parent().unwrap());
    let log_bytes = &whole["enza.db-wal"];
    let frames = (log_bytes.len() as u64 - before) / PAGE as u64;
    assert!(frames > 2, "the last transaction has several frames");
    let mut torn = Vec::new();
    for cut in 0..frames * 2 {
        let length = before + cut * PAGE as u64 / 2;
        torn.push(log_bytes[..usize::try_from(length).unwrap()].to_vec());
    }
    for lost in 0..frames {
        let start = usize::try_from(before + lost * PAGE as u64).unwrap();
        let mut bytes = log_bytes.clone();
        bytes[start..start + PAGE].fill(0);
        torn.push(bytes.clone());
        bytes[start + 24..start + 600].fill(0x5a);
        torn.push(bytes);
    }
    for bytes in torn {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("enza.db");
        fs::write(&path, &whole["enza.db"]).unwrap();
        fs::write(beside(&path, "-wal"), bytes).unwrap();
        let store = Sqlite::open(&path, Durability::Full).expect("a torn end is normal");
        assert_eq!(log(&store, "a").await, recorded("a", 1..=20));
    }
}

/// Through several rounds of the log, with what older rounds left in it.
#[tokio::test]
async fn whatever_a_killed_process_leaves_is_opened_with_everything_that_was_acknowledged() {
    let home = Home::sqlite();
    let store = home.open().await;
    append(&*store, opening("a", 1)).await;
    let mut head = 1;
    for round in 0..30_u64 {
        let mut next = on("a", head, 1 + usize::try_from(round * 37 % 70).unwrap());
        next.events.iter_mut().for_each(|event| event.stored.body = format!("\"{}\"", "x".repeat(4000)));
        head = append(&*store, next).await.0;
        let (_folder, path) = left_behind(&home);
        let after_kill = Sqlite::open(&path, Durability::Full).expect("nothing is damaged");
        assert_eq!(log(&after_kill, "a").await.len() as u64, head);
        drop(after_kill);
        let (_folder, path) = left_behind(&home);
        fs::remove_file(beside(&path, "-shm")).unwrap();
        let after_power_cut = Sqlite::open(&path, Durability::Full).expect("nothing is damaged");
        assert_eq!(log(&after_power_cut, "a").await.len() as u64, head);
    }
    assert!(fs::metadata(home.path()).unwrap().len() > 1 << 20, "the log was moved into the file on the way");
}

#[tokio::test]
async fn a_file_cut_off_or_emptied_beside_its_log_is_refused() {
    let home = Home::sqlite();
    append(&*home.open().await, opening("b", 3000)).await;
    let store = home.open().await;
    append(&*store, on("b", 3000, 1)).await;
    let (_folder, path) = left_behind(&home);
    let whole = fs::read(&path).unwrap();
    assert!(whole.len() > 200_000);
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::Damaged(_))).await;
    fs::write(&path, "").unwrap();
    is_refused_and_left_alone(&path, |failure| matches!(failure, Failure::Missing(_))).await;
    fs::remove_file(&path).unwrap();
    let opened = Sqlite::open(&path, Durability::Full);
    assert!(matches!(opened, Err(Failure::Missing(_))), "{opened:?}");
    assert!(!path.exists());
}

/// With durability normal a power cut may tear the log anywhere: it goes on, and keeps a copy of what it left out.
#[tokio::test]
async fn with_durability_normal_a_torn_log_is_cut_off_and_kept() {
    let (home, _store) = talked(30).await;
    let (folder, path) = left_behind(&home);
    let mut bytes = fs::read(beside(&path, "-wal")).unwrap();
    let middle = 32 + bytes.len() / 2 / PAGE * PAGE + 500;
    bytes[middle] ^= 1;
    fs::write(beside(&path, "-wal"), &bytes).unwrap();
    let store = Sqlite::open(&path, Durability::Normal).unwrap();
    let kept = log(&store, "a").await.len();
    assert!((3..28).contains(&kept), "{kept} events");
    assert!(fs::read(beside(&path, "-wal.broken-1")).unwrap() == bytes);
    drop(folder);
}
