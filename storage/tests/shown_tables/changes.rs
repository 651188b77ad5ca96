//! What is declared otherwise is made anew, what is no longer declared goes, and what others made stays.

use enza_kernel::application::Row;
use enza_kernel::table::{Column, DomainTable, Index};
use enza_runtime::seams::store::Append;
use enza_storage::{Durability, open};
use serde_json::json;

use super::{CUSTOMERS, databases, meddle, shown, shown_names};
use crate::common::receipts::{RECEIPTS, two_tills};
use crate::common::{Home, append, on};

#[tokio::test]
async fn what_has_changed_is_made_anew_and_what_is_no_longer_declared_goes() {
    for home in databases().await {
        let store = home.open().await;
        two_tills(&*store).await;
        store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
        let before = shown(&home).await;
        let changed = DomainTable {
            columns: const { &[Column::text("id"), Column::text("customer")] },
            indexes: const { &[Index::over("idx_receipts_weight", &["id"])] },
            ..RECEIPTS
        };
        store.show_tables(&[changed, CUSTOMERS]).await.unwrap();
        let after = shown(&home).await;
        let names = ["customers", "idx_customers_customer", "idx_receipts_weight", "receipts"];
        assert_eq!(after.keys().collect::<Vec<_>>(), names);
        for name in ["customers", "idx_customers_customer"] {
            assert_eq!(after[name], before[name]);
        }
        for name in ["idx_receipts_weight", "receipts"] {
            assert_ne!(after[name], before[name]);
        }
        store.show_tables(&[RECEIPTS]).await.unwrap();
        store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
        assert_eq!(shown(&home).await, before);
        store.show_tables(&[]).await.unwrap();
        assert_eq!(shown_names(&home).await, Vec::<String>::new());
    }
}

/// What tells whether the schema was changed: a number that SQLite counts, and the keys of what PostgreSQL has made.
async fn schema(home: &Home) -> String {
    if home.url.starts_with("sqlite:") {
        let file = rusqlite::Connection::open(home.path()).unwrap();
        return file.query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0)).unwrap().to_string();
    }
    let oids = "SELECT string_agg(oid::text, ' ' ORDER BY oid) FROM pg_class \
                WHERE relnamespace = current_schema()::regnamespace";
    crate::common::connect(&home.url).await.query_one(oids, &[]).await.unwrap().get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn showing_again_changes_nothing_however_many_do_it_at_once() {
    for home in databases().await {
        let stores = [home.open().await, home.open().await, home.open().await, home.open().await];
        two_tills(&*stores[0]).await;
        for round in 0..3 {
            let at_once = stores
                .clone()
                .map(|store| tokio::spawn(async move { store.show_tables(&[RECEIPTS, CUSTOMERS]).await }));
            for one in at_once {
                assert_eq!(one.await.unwrap(), Ok(()), "round {round}");
            }
            let once = schema(&home).await;
            stores[1].show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
            assert_eq!(schema(&home).await, once);
            if round < 2 {
                stores[0].show_tables(&[]).await.unwrap();
            }
        }
        assert_eq!(shown_names(&home).await.len(), 6);
    }
}

#[tokio::test]
async fn what_somebody_else_made_stays_as_it_is() {
    for home in databases().await {
        let store = home.open().await;
        two_tills(&*store).await;
        let theirs = "CREATE VIEW receipts AS SELECT 1 AS mine; CREATE TABLE idx_receipts_weight (a INTEGER); \
                      CREATE INDEX theirs ON rows (key); CREATE VIEW report AS SELECT 2 AS two";
        meddle(&home, theirs).await;
        let before = shown(&home).await;
        for tables in [&[RECEIPTS, CUSTOMERS][..], &[RECEIPTS, CUSTOMERS], &[]] {
            store.show_tables(tables).await.unwrap();
            let mut after = shown(&home).await;
            let ours: Vec<_> = after.keys().filter(|name| !before.contains_key(*name)).cloned().collect();
            let expected: &[&str] = if tables.is_empty() {
                &[]
            } else {
                &["customers", "idx_customers_customer", "idx_receipts_customer_cents", "idx_receipts_till_customer"]
            };
            assert_eq!(ours, expected);
            after.retain(|name, _| before.contains_key(name));
            assert_eq!(after, before);
        }
    }
}

#[tokio::test]
async fn a_database_that_may_not_be_written_says_so_and_goes_on_answering() {
    let home = Home::postgres().await;
    two_tills(&*home.open().await).await;
    let url = format!("{}?options=-c%20default_transaction_read_only%3Don", home.url);
    let store = open(&url, Durability::Full).await.unwrap().store;
    let failure = store.show_tables(&[RECEIPTS]).await;
    assert!(matches!(failure, Err(enza_runtime::seams::store::Failure::ReadOnly(_))), "{failure:?}");
    let query = enza_runtime::seams::store::TableQuery::new(&RECEIPTS);
    assert_eq!(store.table_rows(&query).await.unwrap().len(), 7);
    home.open().await.show_tables(&[RECEIPTS]).await.unwrap();
    assert_eq!(store.show_tables(&[RECEIPTS]).await, Ok(()), "where nothing is to be done nothing is written");
}

#[tokio::test]
async fn a_migration_takes_views_off_and_the_next_start_makes_them_again() {
    for home in databases().await {
        let store = home.open().await;
        two_tills(&*store).await;
        store.show_tables(&[RECEIPTS]).await.unwrap();
        let before = shown(&home).await;
        drop(store);
        // The last step of SQLite's adds columns, and PostgreSQL's adds nothing.
        let older = if home.url.starts_with("sqlite:") {
            "ALTER TABLE identity ADD COLUMN unswept INTEGER NOT NULL DEFAULT 0; \
             ALTER TABLE identity DROP COLUMN deletions; ALTER TABLE identity DROP COLUMN swept; \
             ALTER TABLE sessions DROP COLUMN quiet; PRAGMA user_version = 6"
        } else {
            "ALTER TABLE sessions DROP COLUMN quiet; UPDATE enza_schema SET version = 6"
        };
        meddle(&home, older).await;
        let store = home.open().await;
        assert_eq!(shown_names(&home).await, Vec::<String>::new());
        store.show_tables(&[RECEIPTS]).await.unwrap();
        assert_eq!(shown(&home).await, before);
        let row = Row { table: "sales".to_owned(), key: "9".to_owned(), content: Some(json!({"customer": "eve"})) };
        append(&*store, Append { rows: vec![row], ..on("t1", 1, 1) }).await;
    }
}
