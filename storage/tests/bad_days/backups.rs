//! Backups: taken while others write, whole or not there, and put back into either kind of database.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use enza_kernel::application::{Phase, Row};
use enza_kernel::conversation::{Digest, Usage};
use enza_kernel::time::Seq;
use enza_runtime::engine::Allowance;
use enza_runtime::seams::register::{NewAuditEntry, Pass, PassKind, Person};
use enza_runtime::seams::store::{
    Append, Appended, Filter, Fork, Forked, Rows, SessionOpening, Snapshot, SnapshotUse, Spent,
};
use enza_runtime::seams::store::{Store, UsageQuery};
use enza_storage::{BackupFailure, DeepCheck, Opened, Stranger, backup, inspect_deep, restore};
use serde_json::json;

use crate::common::files::take;
use crate::common::{Home, accepted, append, at, connect, held, id, in_phase, log, on, opening, standing, wake};

fn quiet(_: u64, _: u64) {}

/// Something of everything that is kept.
async fn filled(home: &Home) -> Opened {
    let opened = home.open_both().await;
    let store = &*opened.store;
    let rows = vec![Row { table: "answers".to_owned(), key: "k".to_owned(), content: Some(json!({"é": [1, null]})) }];
    let usage = vec![Spent { model: "m".to_owned(), usage: Usage { input: 7, ..Usage::default() }, calls: 2 }];
    let snapshot = Some(Snapshot { seq: Seq(5), version: 3, body: vec![0, 255, 1] });
    let first = Append { rows, usage, snapshot, timers: Some(vec![wake("t", 9)]), ..opening("form", 5) };
    append(store, accepted(first, "key")).await;
    let member = SessionOpening::new("interview", "bob").of(&id("form"));
    append(store, Append { opening: Some(member), ..opening("member", 3) }).await;
    append(store, held(in_phase(opening("working", 2), Phase::Working), "dead", 0, 100)).await;
    append(store, opening("gone", 2)).await;
    store.delete(&id("gone")).await.unwrap();
    let fork = Fork {
        parent: id("form"),
        at: Seq(3),
        child: id("fork"),
        owner: "ada".to_owned(),
        standing: standing(Phase::Waiting),
        timers: Vec::new(),
        now: at(5),
        quiet: false,
    };
    assert_eq!(store.fork(&fork).await, Ok(Forked::Forked));
    append(store, on("fork", 3, 2)).await;
    take(store, "form", b"\x00\xff a file").await;
    let register = &*opened.register;
    register.add(&person("ada", true)).await.unwrap();
    register.add(&person("bob", false)).await.unwrap();
    register.issue(&pass()).await.unwrap();
    let note =
        NewAuditEntry { at: at(1), by: "ada".into(), act: "added".into(), on: "bob".into(), from: String::new() };
    register.note(&note).await.unwrap();
    register.set_settings(&json!({"open": false})).await.unwrap();
    opened
}

fn person(name: &str, is_admin: bool) -> Person {
    Person {
        name: name.to_owned(),
        display: "円座".to_owned(),
        password: is_admin.then(|| "hash".to_owned()),
        is_admin,
        is_blocked: !is_admin,
        lang: None,
        allowance: Allowance::default(),
        added_at: at(1),
    }
}

fn pass() -> Pass {
    Pass {
        digest: Digest::of(b"secret"),
        kind: PassKind::Token,
        person: Some("bob".to_owned()),
        label: "l".to_owned(),
        scopes: vec!["read".to_owned()],
        issued_at: at(1),
        expires_at: Some(at(99)),
        used_at: None,
    }
}

/// Everything that can be read of a database, as text to be compared.
async fn everything(opened: &Opened) -> String {
    let (store, register) = (&*opened.store, &*opened.register);
    let mut all = String::new();
    for row in store.list(&Filter::default()).await.unwrap() {
        let loaded = store.load(&row.id, SnapshotUse::Version(3)).await.unwrap();
        let events = store.load(&row.id, SnapshotUse::Never).await.unwrap();
        let accepted = store.accepted(&row.id, "key").await.unwrap();
        all += &format!("{loaded:?}\n{events:?}\n{accepted:?}\n");
    }
    all += &format!("{:?}\n", store.rows("answers", Rows::All).await.unwrap());
    all += &format!("{:?}\n", store.usage(&UsageQuery::default()).await.unwrap());
    all += &format!("{:?}\n", store.read_part(&id("form"), &Digest::of(b"\x00\xff a file"), 0).await.unwrap());
    all += &format!("{:?}\n", register.people(None, 9).await.unwrap());
    all += &format!("{:?}\n", register.pass(&Digest::of(b"secret")).await.unwrap());
    all += &format!("{:?}\n", register.notes(None, None, 9).await.unwrap());
    all + &format!("{:?}\n", register.settings().await.unwrap())
}

async fn a_home(kind: &str) -> Home {
    if kind == "sqlite" { Home::sqlite() } else { Home::postgres().await }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_either_database_is_put_back_into_either() {
    let shelf = tempfile::tempdir().unwrap();
    for source in ["sqlite", "postgres"] {
        let home = a_home(source).await;
        let opened = filled(&home).await;
        let before = everything(&opened).await;
        let file = shelf.path().join(format!("{source}.backup"));
        let taken = backup(&home.url, &file, quiet).await.unwrap();
        assert_eq!((taken.sessions, taken.events, taken.files, taken.wrong), (4, 12, 1, 0));
        assert_eq!(backup(&home.url, &file, quiet).await, Err(BackupFailure::Exists), "one that is there is kept");
        for target in ["sqlite", "postgres"] {
            let new = a_home(target).await;
            let restored = restore(&file, &new.url, false, quiet).await.unwrap();
            assert_eq!((&restored.deep, restored.aside), (&taken, None));
            let again = new.open_both().await;
            assert_eq!(everything(&again).await, before, "{source} to {target}");
            let known = again.identity.as_ref().unwrap();
            assert_eq!(known.id, opened.identity.as_ref().unwrap().id, "it is the same database");
            assert_eq!(known.sessions, 5, "which knows of the one that was deleted");
            let store = &*again.store;
            append(store, on("fork", 5, 1)).await;
            append(store, opening("new", 1)).await;
            let claimed = store.claim("other", at(50), at(60), 9).await.unwrap();
            assert!(claimed.contains(&id("working")), "nobody holds what the dead worker held: {claimed:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_taken_while_others_write_has_everything_that_was_acknowledged_before() {
    let shelf = tempfile::tempdir().unwrap();
    for source in ["sqlite", "postgres"] {
        let home = a_home(source).await;
        let store = home.open().await;
        let done = Arc::new(AtomicBool::new(false));
        let talks: Vec<_> =
            (0..4).map(|number| tokio::spawn(talk(store.clone(), format!("s{number}"), done.clone()))).collect();
        for round in 0..3 {
            tokio::time::sleep(std::time::Duration::from_millis(150)).await;
            let known = heads(&*store).await;
            let file = shelf.path().join(format!("{source}-{round}"));
            let taken = backup(&home.url, &file, quiet).await.unwrap();
            assert_eq!(taken.wrong, 0);
            let new = Home::sqlite();
            restore(&file, &new.url, false, quiet).await.unwrap();
            let copy = new.open().await;
            for (name, head) in known {
                let events = log(&*copy, &name).await;
                assert!(events.len() as u64 >= head, "{source} {name}: {} of {head}", events.len());
                assert_eq!(events, log(&*store, &name).await[..events.len()], "{source} {name}");
            }
        }
        done.store(true, Ordering::Relaxed);
        for talk in talks {
            assert!(talk.await.unwrap() > 3, "they went on meanwhile");
        }
    }
}

async fn talk(store: Arc<dyn Store>, name: String, done: Arc<AtomicBool>) -> u64 {
    let mut head = append(&*store, opening(&name, 1)).await.0;
    while !done.load(Ordering::Relaxed) {
        match store.append(on(&name, head, 2)).await {
            Ok(Appended::Appended(next)) => head = next.0,
            other => panic!("{other:?}"),
        }
    }
    head
}

async fn heads(store: &dyn Store) -> Vec<(String, u64)> {
    let rows = store.list(&Filter::default()).await.unwrap();
    rows.into_iter().map(|row| (row.id.to_string(), row.head.0)).collect()
}

#[tokio::test]
async fn a_database_that_is_there_is_replaced_only_if_one_says_so_and_never_while_in_use() {
    let shelf = tempfile::tempdir().unwrap();
    let file = shelf.path().join("backup");
    let source = Home::sqlite();
    append(&*source.open().await, opening("a", 3)).await;
    backup(&source.url, &file, quiet).await.unwrap();

    let home = Home::sqlite();
    append(&*home.open().await, opening("mine", 2)).await;
    assert_eq!(restore(&file, &home.url, false, quiet).await, Err(BackupFailure::Taken));
    assert_eq!(log(&*home.open().await, "mine").await.len(), 2, "nothing was touched");
    let store = home.open().await;
    assert_eq!(restore(&file, &home.url, true, quiet).await, Err(BackupFailure::InUse));
    drop(store);
    let restored = restore(&file, &home.url, true, quiet).await.unwrap();
    assert_eq!(log(&*home.open().await, "a").await.len(), 3);
    let aside = Home { url: format!("sqlite:{}", restored.aside.unwrap().display()), folder: None };
    assert_eq!(log(&*aside.open().await, "mine").await.len(), 2, "what was there is put aside");

    // A damaged one stands in the way, too, and is kept.
    fs::write(home.path(), "noise").unwrap();
    assert_eq!(restore(&file, &home.url, false, quiet).await, Err(BackupFailure::Taken));
    let restored = restore(&file, &home.url, true, quiet).await.unwrap();
    assert_eq!(fs::read(restored.aside.unwrap()).unwrap(), b"noise");

    let server = Home::postgres().await;
    let store = server.open().await;
    append(&*store, opening("mine", 2)).await;
    assert_eq!(restore(&file, &server.url, false, quiet).await, Err(BackupFailure::Taken));
    assert_eq!(restore(&file, &server.url, true, quiet).await, Err(BackupFailure::InUse));
    assert_eq!(log(&*store, "mine").await.len(), 2);
    drop(store);
    let mut outcome = restore(&file, &server.url, true, quiet).await;
    for _ in 0..50 {
        if outcome != Err(BackupFailure::InUse) {
            break;
        }
        // The server notices that a connection has gone a moment later.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        outcome = restore(&file, &server.url, true, quiet).await;
    }
    outcome.unwrap();
    assert_eq!(log(&*server.open().await, "a").await.len(), 3);
}

#[tokio::test]
async fn a_damaged_backup_is_not_put_back() {
    let shelf = tempfile::tempdir().unwrap();
    let file = shelf.path().join("backup");
    let source = Home::sqlite();
    append(&*source.open().await, opening("a", 300)).await;
    backup(&source.url, &file, quiet).await.unwrap();
    let whole = fs::read(&file).unwrap();
    let place = whole.windows(6).position(|part| part == b"\"a250\"").unwrap();
    let mut changed = whole.clone();
    changed[place + 2] = b'9';
    for bytes in [changed, whole[..whole.len() / 2].to_vec(), b"Dear diary".to_vec(), Vec::new()] {
        fs::write(&file, bytes).unwrap();
        for home in [Home::sqlite(), Home::postgres().await] {
            let refused = restore(&file, &home.url, false, quiet).await;
            assert!(matches!(refused, Err(BackupFailure::Unsound(_))), "{refused:?}");
            assert_eq!(enza_storage::inspect(&home.url).await, Ok(None), "nothing was made");
        }
    }
    assert_eq!(fs::read_dir(shelf.path()).unwrap().count(), 1, "nothing is left lying about");
    let missing = restore(&shelf.path().join("none"), &Home::sqlite().url, false, quiet).await;
    assert!(matches!(missing, Err(BackupFailure::Unsound(_))), "{missing:?}");
    let nothing = backup(&Home::sqlite().url, &shelf.path().join("of nothing"), quiet).await;
    assert_eq!(nothing, Err(BackupFailure::Nothing));
}

#[tokio::test]
async fn a_backup_that_names_what_is_not_ours_is_refused_before_anything_is_dropped_or_run() {
    let shelf = tempfile::tempdir().unwrap();
    let source = Home::sqlite();
    append(&*source.open().await, opening("a", 3)).await;
    let (sqlite, server) = (Home::sqlite(), Home::postgres().await);
    append(&*sqlite.open().await, opening("mine", 2)).await;
    let client = connect(&server.url).await;
    client.batch_execute("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('ada')").await.unwrap();

    let breaking_out = "x\"; DROP TABLE customers; --";
    let table = |name: &str| Stranger::Table(name.to_owned());
    let cases = [
        ("CREATE TABLE customers (name TEXT)".to_owned(), table("customers")),
        (format!("CREATE TABLE \"{}\" (name TEXT)", breaking_out.replace('"', "\"\"")), table(breaking_out)),
        (
            format!("ALTER TABLE people ADD COLUMN \"{}\" TEXT", breaking_out.replace('"', "\"\"")),
            Stranger::Column { table: "people".to_owned(), column: breaking_out.to_owned() },
        ),
        (
            "CREATE TRIGGER t AFTER UPDATE ON sessions BEGIN DELETE FROM events; END".to_owned(),
            Stranger::Trigger("t".to_owned()),
        ),
        ("CREATE VIEW v AS SELECT 1".to_owned(), Stranger::View("v".to_owned())),
    ];
    for (place, (sql, stranger)) in cases.into_iter().enumerate() {
        let file = shelf.path().join(format!("{place}"));
        backup(&source.url, &file, quiet).await.unwrap();
        rusqlite::Connection::open(&file).unwrap().execute_batch(&sql).unwrap();
        for home in [&sqlite, &server] {
            let refused = restore(&file, &home.url, true, quiet).await;
            assert_eq!(refused, Err(BackupFailure::Foreign(stranger.clone())), "{}", home.url);
        }
        let again = shelf.path().join("again");
        let taken = backup(file.to_str().unwrap(), &again, quiet).await;
        assert_eq!(taken, Err(BackupFailure::Foreign(stranger)), "nor is a backup taken that could not be put back");
        assert!(!again.exists());
    }
    assert_eq!(log(&*sqlite.open().await, "mine").await.len(), 2, "nothing was replaced");
    assert_eq!(client.query("SELECT name FROM customers", &[]).await.unwrap().len(), 1);
    assert_eq!(enza_storage::inspect(&server.url).await, Ok(None), "nothing was made");
}

#[tokio::test]
async fn a_backup_without_one_of_our_tables_is_refused_and_one_with_another_index_is_not() {
    let shelf = tempfile::tempdir().unwrap();
    let source = Home::sqlite();
    append(&*source.open().await, opening("a", 3)).await;
    let file = shelf.path().join("backup");
    backup(&source.url, &file, quiet).await.unwrap();
    let changed = rusqlite::Connection::open(&file).unwrap();
    changed.execute_batch("CREATE INDEX mine ON events (kind)").unwrap();
    restore(&file, &Home::sqlite().url, false, quiet).await.unwrap();
    changed.execute_batch("DROP TABLE journal").unwrap();
    let refused = restore(&file, &Home::sqlite().url, false, quiet).await;
    assert!(matches!(&refused, Err(BackupFailure::Unsound(why)) if why.contains("journal")), "{refused:?}");
}

/// Runs itself again as a process that takes backups, and kills it at different moments.
#[tokio::test]
async fn a_backup_that_was_cut_short_is_not_there() {
    const OF: &str = "ENZA_TEST_BACKS_UP";
    if let Some(url) = std::env::var_os(OF) {
        let url = url.into_string().unwrap();
        let to = PathBuf::from(std::env::var_os("ENZA_TEST_TO").unwrap());
        backup(&url, &to, quiet).await.unwrap();
        return;
    }
    let home = Home::sqlite();
    let store = home.open().await;
    for number in 0..40 {
        let mut large = opening(&format!("s{number}"), 100);
        large.events.iter_mut().for_each(|event| event.stored.body = format!("\"{}\"", "x".repeat(2000)));
        append(&*store, large).await;
    }
    let shelf = tempfile::tempdir().unwrap();
    let (mut whole, mut none) = (0, 0);
    for round in 0..24_u64 {
        let to = shelf.path().join(format!("{round}"));
        let mut taker = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "bad_days::backups::a_backup_that_was_cut_short_is_not_there"])
            .env(OF, &home.url)
            .env("ENZA_TEST_TO", &to)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(5 + round * 12)).await;
        let _ = taker.kill();
        taker.wait().unwrap();
        match sound(&to).await {
            Some(deep) => {
                assert_eq!((deep.events, deep.wrong), (4000, 0));
                whole += 1;
            }
            None => none += 1,
        }
    }
    let to = shelf.path().join("at last");
    assert_eq!(backup(&home.url, &to, quiet).await.unwrap().events, 4000);
    assert!(none > 0, "{whole} were whole, {none} not there");
}

async fn sound(path: &Path) -> Option<DeepCheck> {
    inspect_deep(path.to_str().unwrap(), quiet).await.unwrap()
}
