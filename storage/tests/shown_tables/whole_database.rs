//! What is done to a database as a whole takes no notice of views and indexes: backups, the check of everything, deletion.

use std::fs;
use std::path::Path;

use enza_kernel::table::{DomainTable, Index};
use enza_runtime::seams::store::{Rows, TableQuery};
use enza_storage::{BackupFailure, Defect, Integrity, Stranger, backup, inspect, inspect_deep, restore};
use serde_json::json;

use super::{CUSTOMERS, databases, meddle, shown, shown_names};
use crate::common::receipts::{RECEIPTS, sale, two_tills, with_rows};
use crate::common::{Home, id};

fn quiet(_: u64, _: u64) {}

async fn a_home(kind: &str) -> Home {
    if kind == "sqlite" { Home::sqlite() } else { Home::postgres().await }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_database_with_shown_tables_is_put_back_into_either_kind() {
    let shelf = tempfile::tempdir().unwrap();
    for source in ["sqlite", "postgres"] {
        let home = a_home(source).await;
        let store = home.open().await;
        store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
        two_tills(&*store).await;
        let before = store.rows("sales", Rows::All).await.unwrap();
        let file = shelf.path().join(format!("{source}.backup"));
        assert_eq!(backup(&home.url, &file, quiet).await.unwrap().wrong, 0);
        let inside = Home { url: format!("sqlite:{}", file.display()), folder: None };
        assert!(!shown_names(&inside).await.contains(&"receipts".to_owned()), "no view is in a backup");
        for target in ["sqlite", "postgres"] {
            let new = a_home(target).await;
            // One that stands there shows tables, too, and is replaced.
            let replaced = new.open().await;
            replaced.show_tables(&[CUSTOMERS]).await.unwrap();
            drop(replaced);
            put_back(&file, &new).await;
            let again = new.open().await;
            assert_eq!(again.rows("sales", Rows::All).await.unwrap(), before, "{source} to {target}");
            again.show_tables(&[RECEIPTS]).await.unwrap();
            let names =
                ["idx_receipts_customer_cents", "idx_receipts_till_customer", "idx_receipts_weight", "receipts"];
            assert_eq!(shown_names(&new).await, names, "{source} to {target}");
            assert_eq!(again.table_rows(&TableQuery::new(&RECEIPTS)).await.unwrap(), before);
            drop(again);
            assert_eq!(inspect_deep(&new.url, quiet).await.unwrap().unwrap().faults, []);
        }
    }
}

/// The server notices that a connection has gone a moment later.
async fn put_back(file: &Path, new: &Home) {
    for _ in 0..100 {
        match restore(file, &new.url, true, quiet).await {
            Err(BackupFailure::InUse) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            other => {
                assert_eq!(other.unwrap().deep.wrong, 0);
                return;
            }
        }
    }
    panic!("the database stays in use");
}

#[tokio::test]
async fn a_copy_of_the_file_of_a_database_with_shown_tables_can_be_put_back() {
    let shelf = tempfile::tempdir().unwrap();
    let home = Home::sqlite();
    let store = home.open().await;
    store.show_tables(&[RECEIPTS]).await.unwrap();
    two_tills(&*store).await;
    store.tidy_up().await.unwrap();
    drop(store);
    let file = shelf.path().join("copy.db");
    fs::copy(home.path(), &file).unwrap();
    let quoted = "CREATE VIEW \"x\"\"; DROP TABLE people; --\" /* shown by enza */ AS SELECT 1";
    rusqlite::Connection::open(&file).unwrap().execute_batch(quoted).unwrap();
    for new in databases().await {
        assert_eq!(restore(&file, &new.url, false, quiet).await.unwrap().deep.wrong, 0);
        let again = new.open().await;
        again.show_tables(&[RECEIPTS]).await.unwrap();
        assert_eq!(again.table_rows(&TableQuery::new(&RECEIPTS)).await.unwrap().len(), 7);
        assert_eq!(shown(&new).await.len(), 4);
    }
    // One that only says that it is ours acts by itself all the same.
    let trigger = "CREATE TRIGGER t AFTER UPDATE ON sessions BEGIN SELECT '\" /* shown by enza */'; END";
    rusqlite::Connection::open(&file).unwrap().execute_batch(trigger).unwrap();
    let refused = restore(&file, &Home::sqlite().url, false, quiet).await;
    assert_eq!(refused, Err(BackupFailure::Foreign(Stranger::Trigger("t".to_owned()))));
}

#[tokio::test]
async fn a_check_of_everything_reads_the_indexes_too() {
    for home in databases().await {
        let store = home.open().await;
        store.show_tables(&[RECEIPTS]).await.unwrap();
        two_tills(&*store).await;
        drop(store);
        assert_eq!(inspect_deep(&home.url, quiet).await.unwrap().unwrap().faults, []);
        let looked = inspect(&home.url).await.unwrap().unwrap();
        let is_file = home.url.starts_with("sqlite:");
        assert_eq!(looked.integrity, if is_file { Integrity::Sound } else { Integrity::NotChecked });
        assert_eq!(looked.sessions, 2);
    }
    let home = Home::sqlite();
    let store = home.open().await;
    store.show_tables(&[RECEIPTS]).await.unwrap();
    two_tills(&*store).await;
    drop(store);
    // An index that has entries of rows which it should not know.
    let other = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '''sales''', '''other''') \
                 WHERE name = 'idx_receipts_weight'";
    meddle(&home, other).await;
    let found = inspect_deep(&home.url, quiet).await.unwrap().unwrap();
    assert!(matches!(&found.faults[0], Defect::Structure(line) if line.contains("idx_receipts_weight")), "{found:?}");
}

/// The sessions whose secrets are in any file of the folder.
fn told(home: &Home, most: usize) -> Vec<usize> {
    let folder = home.path().parent().unwrap().to_owned();
    let bytes: Vec<u8> =
        fs::read_dir(folder).unwrap().flat_map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    let text = String::from_utf8_lossy(&bytes);
    (0..most).filter(|session| text.contains(&secret(*session))).collect()
}

fn secret(session: usize) -> String {
    format!("secret-of-{session:03}-")
}

/// Indexes hold what is in the rows a second time, and those that were dropped did.
#[tokio::test]
async fn what_is_deleted_is_in_no_byte_of_an_index_either() {
    let home = Home::sqlite();
    let store = home.open().await;
    store.show_tables(&[RECEIPTS, CUSTOMERS]).await.unwrap();
    for session in 0..40 {
        let customer = |number: usize| format!("{} {number} {}", secret(session), "x".repeat(number * 5));
        let rows = (0..40).map(|number| sale(&number.to_string(), json!({"customer": customer(number), "cents": 7})));
        with_rows(&*store, &format!("s{session}"), rows.collect()).await;
    }
    let other = DomainTable { indexes: const { &[Index::over("idx_receipts_customer", &["customer"])] }, ..RECEIPTS };
    store.show_tables(&[other]).await.unwrap();
    assert_eq!(told(&home, 40).len(), 40);
    for session in (0..40).filter(|session| session % 4 != 0) {
        store.delete(&id(&format!("s{session}"))).await.unwrap();
    }
    drop(store);
    assert_eq!(told(&home, 40), (0..40).step_by(4).collect::<Vec<_>>());
    let looked = inspect(&home.url).await.unwrap().unwrap();
    assert_eq!(looked.integrity, Integrity::Sound);
}
