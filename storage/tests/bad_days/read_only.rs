//! Places that may not be written.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Appended, Failure, Log, Store};
use enza_storage::{Durability, Integrity, Sqlite, inspect};

use crate::bad_days::disk::{Disk, may_mount};
use crate::common::{Home, append, at, log, on, opening, recorded};

#[tokio::test]
async fn a_read_only_disk_is_said_to_be_one() {
    if !may_mount("bad_days::read_only::a_read_only_disk_is_said_to_be_one") {
        return;
    }
    let disk = Disk::of(4096);
    let path = disk.path().join("enza.db");
    let store = Sqlite::open(&path, Durability::Full).unwrap();
    append(&store, opening("a", 2)).await;
    assert_eq!(store.try_write(at(1)).await, Ok(()));
    drop(store);
    disk.make_read_only();
    let opened = Sqlite::open(&path, Durability::Full);
    assert!(matches!(opened, Err(Failure::ReadOnly(_))), "{opened:?}");
    let fresh = Sqlite::open(&disk.path().join("new.db"), Durability::Full);
    assert!(matches!(fresh, Err(Failure::ReadOnly(_))), "{fresh:?}");
    let looked = inspect(path.to_str().unwrap()).await.unwrap().unwrap();
    assert_eq!((looked.integrity, looked.sessions, looked.events), (Integrity::Sound, 1, 2), "one may still look");

    disk.make_writable();
    let store = Sqlite::open(&path, Durability::Full).unwrap();
    assert_eq!(log(&store, "a").await, recorded("a", 1..=2));
    assert_eq!(store.append(on("a", 2, 1)).await, Ok(Appended::Appended(Seq(3))));
}

#[tokio::test]
async fn a_path_below_a_file_or_in_no_folder_is_refused() {
    let home = Home::sqlite();
    append(&*home.open().await, opening("a", 1)).await;
    for place in [home.path().join("below.db"), home.path().with_file_name("none").join("enza.db")] {
        let opened = Sqlite::open(&place, Durability::Full);
        assert!(matches!(opened, Err(Failure::ReadOnly(_))), "{opened:?}");
    }
    assert_eq!(log(&*home.open().await, "a").await, recorded("a", 1..=1));
}
