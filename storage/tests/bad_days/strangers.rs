//! Databases that are not ours, or not ours yet; and what others have written in them.

use enza_kernel::application::Stored;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Seq;
use enza_runtime::engine::Allowance;
use enza_runtime::seams::register::{Added, Pass, PassKind, Person, Removed};
use enza_runtime::seams::store::{Append, Appended, Failure, NewEvent};
use enza_storage::{Durability, Sqlite, inspect, open};

use crate::common::{Home, append, at, connect, id, log, on, opening, recorded};

#[tokio::test]
async fn a_newer_sqlite_database_is_refused_and_left_alone() {
    let home = Home::sqlite();
    append(&*home.open().await, opening("a", 3)).await;
    let known = inspect(&home.url).await.unwrap().unwrap().known;
    let newer = |version: i64| {
        rusqlite::Connection::open(home.path()).unwrap().pragma_update(None, "user_version", version).unwrap();
    };
    newer(99);
    let before = std::fs::read(home.path()).unwrap();
    let expected = Failure::Newer { found: 99, known };
    assert_eq!(Sqlite::open(&home.path(), Durability::Full).err(), Some(expected.clone()));
    assert_eq!(inspect(&home.url).await, Err(expected));
    assert!(std::fs::read(home.path()).unwrap() == before, "the file was touched");
    newer(known);
    assert_eq!(log(&*home.open().await, "a").await, recorded("a", 1..=3));
}

#[tokio::test]
async fn a_newer_postgres_database_is_refused_and_left_alone() {
    let home = Home::postgres().await;
    assert_eq!(inspect(&home.url).await, Ok(None), "no tables yet, and none are made by looking");
    append(&*home.open().await, opening("a", 3)).await;
    let known = inspect(&home.url).await.unwrap().unwrap().known;
    let client = connect(&home.url).await;
    client.execute("UPDATE enza_schema SET version = 99", &[]).await.unwrap();
    let expected = Failure::Newer { found: 99, known };
    assert_eq!(open(&home.url, Durability::Full).await.err(), Some(expected.clone()));
    assert_eq!(inspect(&home.url).await, Err(expected));
    client.execute("UPDATE enza_schema SET version = $1", &[&known]).await.unwrap();
    assert_eq!(log(&*home.open().await, "a").await, recorded("a", 1..=3));
    let looked = inspect(&home.url).await.unwrap().unwrap();
    assert_eq!((looked.version, looked.known, looked.sessions, looked.events), (known, known, 1, 3));
}

#[tokio::test]
async fn another_programs_database_is_refused_and_left_alone() {
    let home = Home::sqlite();
    rusqlite::Connection::open(home.path()).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let before = std::fs::read(home.path()).unwrap();
    let opened = Sqlite::open(&home.path(), Durability::Full);
    assert!(matches!(opened, Err(Failure::Damaged(_))), "{opened:?}");
    assert!(matches!(inspect(&home.url).await, Err(Failure::Damaged(_))));
    assert!(std::fs::read(home.path()).unwrap() == before, "the file was touched");
}

#[tokio::test]
async fn looking_makes_no_database() {
    let home = Home::sqlite();
    assert_eq!(inspect(&home.url).await, Ok(None));
    assert!(!home.path().exists());
}

#[tokio::test]
async fn an_event_of_an_unknown_version_passes_through_untouched() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        let stored = Stored { kind: "FromTheFuture".to_owned(), version: 40_000, body: "{ \"q\" :[ ] }".to_owned() };
        let events = vec![NewEvent { at: at(1), stored: stored.clone() }];
        append(&*store, Append { events, ..opening("a", 0) }).await;
        assert_eq!(log(&*store, "a").await[0].stored, stored);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_register_outlives_its_process_and_two_processes_share_it() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let digest = |number: u8| Digest::of(&[number]);
        let pass = |number| Pass {
            digest: digest(number),
            kind: PassKind::Link,
            person: None,
            label: String::new(),
            scopes: Vec::new(),
            issued_at: at(1),
            expires_at: None,
            used_at: None,
        };
        let before = home.open_both().await.register;
        for number in 0..20 {
            before.issue(&pass(number)).await.unwrap();
        }
        drop(before);
        let (one, two) = (home.open_both().await.register, home.open_both().await.register);
        for number in 0..20 {
            let (digest, expected) = (digest(number), pass(number));
            let (mine, yours) = tokio::join!(one.take(&digest), two.take(&digest));
            let mut taken = [mine.unwrap(), yours.unwrap()];
            taken.sort_by_key(Option::is_some);
            assert_eq!(taken, [None, Some(expected)]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_not_removed_while_another_worker_opens_a_session_of_theirs() {
    let home = Home::postgres().await;
    let register = home.open_both().await.register;
    let ada = Person {
        name: "ada".to_owned(),
        display: "Ada".to_owned(),
        password: None,
        is_admin: false,
        is_blocked: false,
        lang: None,
        allowance: Allowance::default(),
        added_at: at(1),
    };
    assert_eq!(register.add(&ada).await, Ok(Added::Added));
    let (worker, onlooker) = (connect(&home.url).await, connect(&home.url).await);
    let opening = "BEGIN; INSERT INTO sessions (id, application, owner, opened_at, changed_at, head, phase, title) \
                   VALUES ('a', 'interview', 'ada', 1, 1, 0, 'waiting', '')";
    worker.batch_execute(opening).await.unwrap();
    let removal = tokio::spawn(async move { register.remove("ada").await });
    let waiting = "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'sessions'::regclass AND NOT granted)";
    while !removal.is_finished() && !onlooker.query_one(waiting, &[]).await.unwrap().get::<_, bool>(0) {
        tokio::task::yield_now().await;
    }
    worker.batch_execute("COMMIT").await.unwrap();
    assert_eq!(removal.await.unwrap(), Ok(Removed::OwnsSessions(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_workers_may_start_on_an_empty_database_together() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let (one, two, three) = tokio::join!(home.open(), home.open(), home.open());
        append(&*one, opening("a", 1)).await;
        append(&*two, on("a", 1, 1)).await;
        assert_eq!(three.append(on("a", 1, 1)).await, Ok(Appended::Conflict { head: Seq(2) }));
        // A key that one of them remembers is of no use once another has deleted the session.
        two.delete(&id("a")).await.unwrap();
        append(&*three, opening("b", 1)).await;
        assert_eq!(one.append(on("a", 2, 1)).await, Ok(Appended::Conflict { head: Seq(0) }));
        append(&*one, opening("a", 1)).await;
        assert_eq!(log(&*three, "a").await, recorded("a", 1..=1));
        assert_eq!(log(&*one, "b").await, recorded("b", 1..=1));
    }
}

/// While one of them makes the tables, the others must not take the file for another program's.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_that_another_worker_is_just_making_is_ours() {
    for _ in 0..40 {
        let home = Home::sqlite();
        tokio::join!(home.open(), home.open(), home.open(), home.open());
    }
}

#[tokio::test]
async fn what_another_process_commits_to_a_file_makes_another_edition() {
    let home = Home::sqlite();
    let (ours, theirs) = (home.open().await, home.open().await);
    append(&*ours, opening("s", 1)).await;
    let seen = ours.edition().await.unwrap();
    assert!(seen.is_some());
    append(&*theirs, on("s", 1, 1)).await;
    assert_ne!(ours.edition().await.unwrap(), seen);
}
