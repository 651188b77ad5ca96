//! The store gives back what was put in or nothing, stays within its bound, and may be shared.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use enza_kernel::conversation::Digest;
use enza_work::Fault;
use enza_workshop::store::{Durable, Store};
use tempfile::TempDir;

fn place(folder: &Path, digest: &Digest) -> PathBuf {
    let hex = digest.to_string();
    folder.join("objects").join(&hex[..2]).join(&hex[2..])
}

fn new(most: u64) -> (TempDir, Store) {
    let folder = tempfile::Builder::new().prefix("ws-files-").tempdir().unwrap();
    let store = Store::open(folder.path(), most).unwrap();
    (folder, store)
}

#[test]
fn what_was_put_in_comes_out_and_only_its_owner_can_read_it() {
    let (folder, store) = new(Store::MOST);
    let large: Vec<u8> = (0..1_000_000u32).flat_map(u32::to_le_bytes).collect();
    let (digest, length) = store.put_from(&mut large.as_slice(), Durable::Later).unwrap();
    store.sync().unwrap();
    assert_eq!((digest, length), (Digest::of(&large), 4_000_000));
    assert_eq!(store.read(&digest).unwrap(), Some(large));
    assert_eq!(store.put(b"").unwrap(), Digest::of(b""));
    assert_eq!(store.read(&Digest::of(b"")).unwrap(), Some(Vec::new()));
    assert_eq!(store.read(&Digest::of(b"other")).unwrap(), None);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder.path().join("objects")), mode(&place(folder.path(), &digest))), (0o700, 0o600));
    assert_eq!(fs::read_dir(folder.path().join("passing")).unwrap().count(), 0);
}

#[test]
fn a_damaged_object_counts_as_not_there_and_can_be_put_in_again() {
    let (folder, store) = new(Store::MOST);
    let digest = store.put(b"content").unwrap();
    fs::write(place(folder.path(), &digest), "CONTENT").unwrap();
    // Putting it in again mends it, although something of that name and length is there.
    store.put(b"content").unwrap();
    assert_eq!(store.read(&digest).unwrap(), Some(b"content".to_vec()));
    fs::write(place(folder.path(), &digest), "short").unwrap();
    assert_eq!(store.read(&digest).unwrap(), None);
    assert!(!place(folder.path(), &digest).exists());
}

#[test]
fn when_there_is_too_much_the_least_recently_used_goes_first() {
    let (folder, store) = new(100_000);
    let text = |number: u8| vec![number; 10_000];
    let mut digests = Vec::new();
    for number in 0..9 {
        let digest = store.put(&text(number)).unwrap();
        let past = SystemTime::now() - Duration::from_secs(1000 - u64::from(number));
        let file = fs::File::options().append(true).open(place(folder.path(), &digest)).unwrap();
        file.set_modified(past).unwrap();
        digests.push(digest);
    }
    // The oldest is used once more, so it is no longer the first to go.
    assert!(store.read(&digests[0]).unwrap().is_some());
    for number in 9..12 {
        digests.push(store.put(&text(number)).unwrap());
    }
    let held: Vec<usize> = (0..digests.len()).filter(|number| store.has(&digests[*number])).collect();
    assert_eq!(held, [0, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
}

#[test]
fn a_store_that_nobody_has_counted_for_an_hour_makes_room_when_it_is_opened() {
    let (folder, store) = new(Store::MOST);
    let (old, young) = (store.put(&[1; 1000]).unwrap(), store.put(&[2; 1000]).unwrap());
    let date = |path: &Path, hours: u64| {
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
    };
    date(&place(folder.path(), &old), 1);
    Store::open(folder.path(), 1500).unwrap();
    assert!(store.has(&old), "it was counted a moment ago");
    date(&folder.path().join("counted"), 2);
    Store::open(folder.path(), 1500).unwrap();
    assert_eq!((store.has(&old), store.has(&young)), (false, true));
}

#[test]
fn several_at_once_may_put_in_the_same_and_take_it_out() {
    let (folder, _) = new(Store::MOST);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = Store::open(folder.path(), Store::MOST).unwrap();
                for number in 0..50u8 {
                    let digest = store.put(&[number; 100]).unwrap();
                    assert_eq!(store.read(&digest).unwrap(), Some(vec![number; 100]));
                }
            });
        }
    });
    assert_eq!(fs::read_dir(folder.path().join("passing")).unwrap().count(), 0);
}

#[test]
fn a_store_that_cannot_be_written_says_what_the_system_said() {
    let (folder, store) = new(Store::MOST);
    fs::remove_dir_all(folder.path().join("passing")).unwrap();
    let Err(Fault::System { why, .. }) = store.put(b"x") else { panic!("it was kept without a place for it") };
    assert!(why.contains("No such file"), "{why}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Store::open(&file, Store::MOST), Err(Fault::System { .. })));
}

#[test]
fn what_a_dead_process_was_writing_is_swept_away_after_a_day() {
    let (folder, _) = new(Store::MOST);
    let (old, young) = (folder.path().join("passing/1-0-0"), folder.path().join("passing/2-0-0"));
    fs::write(&old, "x").unwrap();
    fs::write(&young, "x").unwrap();
    let file = fs::File::options().append(true).open(&old).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(48 * 3600)).unwrap();
    Store::open(folder.path(), Store::MOST).unwrap();
    assert_eq!((old.exists(), young.exists()), (false, true));
}

#[test]
fn a_full_disk_is_a_fault_and_leaves_nothing_half_written() {
    struct Full;
    impl std::io::Read for Full {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
    }
    let (folder, store) = new(Store::MOST);
    assert!(matches!(store.put_from(&mut Full, Durable::AtOnce), Err(Fault::System { .. })));
    assert_eq!(fs::read_dir(folder.path().join("passing")).unwrap().count(), 0);
}
