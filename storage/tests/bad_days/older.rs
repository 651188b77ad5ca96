//! Databases that an older Enza made: opening one brings it up to date and loses nothing.
//!
//! The older shapes are made from the migrations of their time, with rows as that Enza wrote them.

use enza_kernel::conversation::{Digest, Usage};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{
    Append, Deleted, Family, Filter, OwnerSpent, PART, SessionOpening, Spent, Store, UsageQuery, UsageRow,
};
use enza_storage::inspect;

use crate::common::{Home, append, connect, id, log, on, opening, recorded};

/// Two sessions, one event, and spendings of both and of a third that was deleted.
const ROWS_OF_VERSION_1: &str = "\
    INSERT INTO sessions (id, application, owner, opened_at, changed_at, head, phase, title) \
    VALUES ('a', 'interview', 'ada', 1000, 1000, 1, 'waiting', 'A talk'), \
           ('b', 'novel', 'bob', 1000, 1000, 0, 'waiting', 'A book'); \
    INSERT INTO events (session, seq, at, kind, version, body) \
    SELECT key, 1, 1000, 'Said', 1, '{\"text\":\"a1\"}' FROM sessions WHERE id = 'a'; \
    INSERT INTO usage (session, owner, day, calls, input, output, cache_read, cache_write) \
    SELECT key, owner, 7, 1, 10, 20, 30, 40 FROM sessions; \
    INSERT INTO usage (session, owner, day, calls, input, output, cache_read, cache_write) \
    VALUES (0, 'ada', 7, 2, 20, 40, 60, 80);";

#[tokio::test]
async fn a_sqlite_database_of_version_1_keeps_what_was_spent() {
    let home = Home::sqlite();
    let old = rusqlite::Connection::open(home.path()).unwrap();
    old.execute_batch(include_str!("../../migrations/sqlite/1.sql")).unwrap();
    old.execute_batch(ROWS_OF_VERSION_1).unwrap();
    old.pragma_update(None, "application_id", 0x456e_7a61).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    drop(old);
    brought_up_to_date(&home).await;
}

#[tokio::test]
async fn a_postgres_database_of_version_1_keeps_what_was_spent() {
    let home = Home::postgres().await;
    let client = connect(&home.url).await;
    client.batch_execute(include_str!("../../migrations/postgres/1.sql")).await.unwrap();
    client.batch_execute(ROWS_OF_VERSION_1).await.unwrap();
    let version = "CREATE TABLE enza_schema (one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), version BIGINT NOT NULL); \
                   INSERT INTO enza_schema (version) VALUES (1);";
    client.batch_execute(version).await.unwrap();
    brought_up_to_date(&home).await;
}

async fn brought_up_to_date(home: &Home) {
    let before = inspect(&home.url).await.unwrap().unwrap();
    assert_eq!((before.version, before.sessions, before.events), (1, 2, 1), "looking migrates nothing");
    let opened = home.open_both().await;
    let store = opened.store;
    let after = inspect(&home.url).await.unwrap().unwrap();
    assert_eq!((after.version, after.sessions, after.events), (before.known, 2, 1));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=1));
    let rows = store.list(&Filter::default()).await.unwrap();
    let belonging: Vec<_> = rows.into_iter().map(|row| (row.id, row.of)).collect();
    assert_eq!(belonging, [(id("a"), None), (id("b"), None)], "nobody belonged to another");
    let alone = Filter { owner: Some("ada".to_owned()), family: Family::Alone, ..Filter::default() };
    assert_eq!(store.list(&alone).await.unwrap().len(), 1);
    let gone = line("ada", "", "", None, 2);
    let novel = line("bob", "novel", "", Some("b"), 1);
    assert_eq!(
        lines(&*store).await,
        [gone.clone(), line("ada", "interview", "", Some("a"), 1), novel.clone()],
        "the model is unknown, and so is a deleted session's application"
    );
    let register = opened.register;
    assert_eq!(register.people(None, 9).await, Ok(Vec::new()), "owners of old are no people yet");
    assert_eq!(store.spent("ada", 7).await, Ok(OwnerSpent { in_all: amount(3), on_day: amount(3) }));

    let spent = Spent { model: "m".to_owned(), usage: amount(5), calls: 5 };
    let mut next = on("a", 1, 1);
    next.events[0].at.0 += 7 * 86_400_000;
    next.usage = vec![spent];
    assert_eq!(append(&*store, next).await, Seq(2));
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    let kept = [gone, line("ada", "interview", "", None, 1), line("ada", "interview", "m", None, 5), novel];
    assert_eq!(lines(&*store).await, kept, "old and new lines are handed over alike");
    let member = SessionOpening::new("interview", "bob").of(&id("b"));
    append(&*store, Append { opening: Some(member), ..opening("c", 1) }).await;
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::HasFamily(1)), "an old session can have a family");
}

fn amount(times: u64) -> Usage {
    Usage { input: 10 * times, output: 20 * times, cache_read: 30 * times, cache_write: 40 * times, cost: 0 }
}

fn line(owner: &str, application: &str, model: &str, session: Option<&str>, times: u64) -> UsageRow {
    UsageRow {
        owner: owner.to_owned(),
        day: 7,
        application: application.to_owned(),
        model: model.to_owned(),
        session: session.map(id),
        calls: times,
        usage: amount(times),
    }
}

async fn lines(store: &dyn Store) -> Vec<UsageRow> {
    store.usage(&UsageQuery::default()).await.unwrap()
}

/// A file of 300,000 bytes that Ada's interview "first" named, "second" of hers after it, and then one of Bob's; and one
/// that nobody names.
const ROWS_OF_VERSION_4: &str = "\
    INSERT INTO sessions (id, application, owner, opened_at, changed_at, head, phase, title) \
    VALUES ('first', 'interview', 'ada', 1000, 1000, 1, 'waiting', 'A talk'), \
           ('second', 'interview', 'ada', 1000, 1000, 1, 'waiting', 'A talk'), \
           ('thief', 'interview', 'bob', 1000, 1000, 1, 'waiting', 'A talk'); \
    INSERT INTO events (session, seq, at, kind, version, body) \
    SELECT key, 1, CASE id WHEN 'first' THEN 10 WHEN 'thief' THEN 11 ELSE 12 END, 'AnswerGiven', 2, \
    '{\"field_id\":\"photo\",\"text\":\"NAMED/a.png\",\"source\":\"filled\"}' FROM sessions;";
const NAMED: [u8; 32] = [0xab; 32];

#[tokio::test]
async fn a_sqlite_database_of_version_4_keeps_files_with_whoever_named_them_first() {
    let home = Home::sqlite();
    let old = rusqlite::Connection::open(home.path()).unwrap();
    for step in [
        include_str!("../../migrations/sqlite/1.sql"),
        include_str!("../../migrations/sqlite/2.sql"),
        include_str!("../../migrations/sqlite/3.sql"),
        include_str!("../../migrations/sqlite/4.sql"),
        &ROWS_OF_VERSION_4.replace("NAMED", &Digest(NAMED).to_string()),
    ] {
        old.execute_batch(step).unwrap();
    }
    let put = "INSERT INTO blobs (digest, bytes) VALUES (?1, ?2)";
    old.execute(put, rusqlite::params![NAMED, vec![7_u8; 300_000]]).unwrap();
    old.execute(put, rusqlite::params![[0xcd_u8; 32], vec![8_u8; 10]]).unwrap();
    old.pragma_update(None, "application_id", 0x456e_7a61).unwrap();
    old.pragma_update(None, "user_version", 4).unwrap();
    drop(old);
    files_stay_with_their_interviews(&home).await;
    let now = rusqlite::Connection::open(home.path()).unwrap();
    let contents: i64 = now.query_row("SELECT count(*) FROM contents", [], |row| row.get(0)).unwrap();
    assert_eq!(contents, 1, "what nobody names is gone");
}

#[tokio::test]
async fn a_postgres_database_of_version_4_keeps_files_with_whoever_named_them_first() {
    let home = Home::postgres().await;
    let client = connect(&home.url).await;
    for step in [
        include_str!("../../migrations/postgres/1.sql"),
        include_str!("../../migrations/postgres/2.sql"),
        include_str!("../../migrations/postgres/3.sql"),
        include_str!("../../migrations/postgres/4.sql"),
        &ROWS_OF_VERSION_4.replace("NAMED", &Digest(NAMED).to_string()),
        "CREATE TABLE enza_schema (one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), version BIGINT NOT NULL); \
         INSERT INTO enza_schema (version) VALUES (4);",
    ] {
        client.batch_execute(step).await.unwrap();
    }
    let put = "INSERT INTO blobs (digest, bytes) VALUES ($1, $2)";
    client.execute(put, &[&NAMED.as_slice(), &vec![7_u8; 300_000]]).await.unwrap();
    client.execute(put, &[&[0xcd_u8; 32].as_slice(), &vec![8_u8; 10]]).await.unwrap();
    files_stay_with_their_interviews(&home).await;
    let contents: i64 = client.query_one("SELECT count(*) FROM contents", &[]).await.unwrap().get(0);
    assert_eq!(contents, 1, "what nobody names is gone");
}

async fn files_stay_with_their_interviews(home: &Home) {
    let store = home.open().await;
    for session in [id("first"), id("second")] {
        assert_eq!(store.file_size(&session, &Digest(NAMED)).await, Ok(Some(300_000)), "{session}");
        for (place, part) in [(0, Some(vec![7; PART])), (1, Some(vec![7; 300_000 - PART])), (2, None)] {
            assert_eq!(store.read_part(&session, &Digest(NAMED), place).await, Ok(part), "{session}");
        }
    }
    assert_eq!(store.file_size(&id("thief"), &Digest(NAMED)).await, Ok(None), "naming a digest opens nothing");
}
