//! Databases that are emptied, gone or older than they were, where somebody remembers what they were.

use std::fs;

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Deleted, Failure};
use enza_storage::{Concern, Durability, Identity, Opened, open_known};

use crate::common::{Home, append, connect, id, log, on, opening, recorded};

async fn known(home: &Home, identity: Option<&Identity>) -> Result<Opened, Failure> {
    open_known(&home.url, Durability::Full, identity).await
}

#[tokio::test]
async fn an_emptied_or_missing_database_that_was_in_use_is_not_taken_for_a_new_one() {
    let home = Home::sqlite();
    let opened = known(&home, None).await.unwrap();
    append(&*opened.store, opening("a", 3)).await;
    let identity = opened.identity.clone().unwrap();
    drop(opened);
    let whole = fs::read(home.path()).unwrap();
    fs::write(home.path(), "").unwrap();
    let refused = known(&home, Some(&identity)).await.err();
    assert!(matches!(refused, Some(Failure::Missing(_))), "{refused:?}");
    assert!(fs::read(home.path()).unwrap().is_empty(), "and nothing was made of it");
    fs::remove_file(home.path()).unwrap();
    let refused = known(&home, Some(&identity)).await.err();
    assert!(matches!(refused, Some(Failure::Missing(_))), "{refused:?}");
    assert!(!home.path().exists());
    fs::write(home.path(), whole).unwrap();
    let opened = known(&home, Some(&identity)).await.unwrap();
    assert_eq!((opened.concerns, log(&*opened.store, "a").await), (vec![], recorded("a", 1..=3)));
}

#[tokio::test]
async fn after_an_orderly_end_the_file_alone_has_everything() {
    let (home, copy) = (Home::sqlite(), Home::sqlite());
    let store = home.open().await;
    append(&*store, opening("a", 3)).await;
    store.tidy_up().await.unwrap();
    fs::copy(home.path(), copy.path()).unwrap();
    assert_eq!(log(&*copy.open().await, "a").await, recorded("a", 1..=3));
}

#[tokio::test]
async fn a_database_that_lost_its_log_with_all_sessions_is_not_taken_for_one_that_never_had_any() {
    let home = Home::sqlite();
    drop(known(&home, None).await.unwrap());
    let young = fs::read(home.path()).unwrap();
    append(&*home.open().await, opening("a", 3)).await;
    let identity = known(&home, None).await.unwrap().identity.unwrap();
    fs::write(home.path(), young).unwrap();
    let refused = known(&home, Some(&identity)).await.err();
    assert!(matches!(refused, Some(Failure::Missing(_))), "{refused:?}");
}

#[tokio::test]
async fn tables_that_are_gone_from_a_server_are_not_made_anew() {
    let home = Home::postgres().await;
    let opened = known(&home, None).await.unwrap();
    append(&*opened.store, opening("a", 3)).await;
    let identity = opened.identity.clone().unwrap();
    let client = connect(&home.url).await;
    client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.unwrap();
    let refused = known(&home, Some(&identity)).await.err();
    assert!(matches!(refused, Some(Failure::Missing(_))), "{refused:?}");
    let tables = client.query_one("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", &[]).await.unwrap();
    assert_eq!(tables.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_start_says_that_an_older_copy_stands_in_the_place_of_a_database() {
    let home = Home::sqlite();
    append(&*home.open().await, opening("a", 1)).await;
    let older = fs::read(home.path()).unwrap();
    let opened = known(&home, None).await.unwrap();
    append(&*opened.store, opening("b", 1)).await;
    append(&*opened.store, opening("c", 1)).await;
    assert_eq!(opened.store.delete(&id("c")).await, Ok(Deleted::Deleted));
    drop(opened);
    let identity = known(&home, None).await.unwrap().identity.unwrap();
    assert_eq!(identity.sessions, 3, "one that was deleted was there, too");
    assert_eq!(known(&home, Some(&identity)).await.unwrap().concerns, []);
    fs::write(home.path(), older).unwrap();
    assert_eq!(known(&home, Some(&identity)).await.unwrap().concerns, [Concern::Fewer { known: 3, found: 1 }]);
    let other = Home::sqlite();
    drop(other.open().await);
    fs::copy(other.path(), home.path()).unwrap();
    assert_eq!(known(&home, Some(&identity)).await.unwrap().concerns, [Concern::Another]);
}

#[tokio::test]
async fn a_start_says_which_of_the_newest_sessions_do_not_end_as_they_should() {
    for home in [Home::sqlite(), Home::postgres().await] {
        let store = home.open().await;
        for name in ["a", "b", "c"] {
            append(&*store, opening(name, 2)).await;
            append(&*store, on(name, 2, 1)).await;
        }
        drop(store);
        let meddle = "DELETE FROM events WHERE seq = 3 AND body LIKE '%a3%'; \
                      UPDATE sessions SET head = 2 WHERE id = 'b'";
        if home.url.starts_with("sqlite:") {
            rusqlite::Connection::open(home.path()).unwrap().execute_batch(meddle).unwrap();
        } else {
            connect(&home.url).await.batch_execute(meddle).await.unwrap();
        }
        let damaged = |name: &str, seq| Concern::Damaged { session: id(name), seq: Seq(seq) };
        let opened = known(&home, None).await.unwrap();
        assert_eq!(opened.concerns, [damaged("a", 3), damaged("b", 2)]);
        assert_eq!(log(&*opened.store, "c").await, recorded("c", 1..=3));
    }
}
