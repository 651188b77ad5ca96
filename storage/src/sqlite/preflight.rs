//! Looks at a database file, its write-ahead log and the index beside it before SQLite may touch any of them.
//!
//! Opening a file is enough for SQLite to move a log into it, cut off a broken one or make a new database. A file that we
//! are going to refuse must stay as it is, so the refusal is decided here, from bytes that are only read.
//!
//! On this system a process loses its locks on a file whenever it closes that file, even one that it opened only to
//! look. So nothing is looked at while this process has the database open (`open_files`): it has been looked at then.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use enza_runtime::seams::store::Failure;

use super::connection::APPLICATION_ID;
use super::open_files::is_open_here;
use super::wal::{self, HEAD, Log, number};
use crate::migrations::{SQLITE, pending};

/// What stands where the database should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileState {
    /// No file, or an empty one, and no log that belongs to one.
    Nothing,
    /// A database of ours of this version, or one that another process is just making.
    Ours(i64),
}

/// Looks; what cannot be opened without a loss is a failure.
pub(super) fn look(path: &Path) -> Result<FileState, Failure> {
    // Another process may move its log into the file while we look at one and then the other. Damage stays.
    const TIMES: u32 = 3;
    const A_MOMENT: Duration = Duration::from_millis(30);
    for _ in 1..TIMES {
        match look_once(path) {
            Err(Failure::LogDamaged(_) | Failure::Damaged(_)) => std::thread::sleep(A_MOMENT),
            other => return other,
        }
    }
    look_once(path)
}

fn look_once(path: &Path) -> Result<FileState, Failure> {
    let unreadable = |why: std::io::Error| Failure::ReadOnly(why.to_string());
    let (log_path, index_path) = (beside(path, "-wal"), beside(path, "-shm"));
    let bytes = match fs::metadata(path) {
        Ok(about) => about.len(),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => 0,
        Err(why) => return Err(unreadable(why)),
    };
    if bytes == 0 {
        return match fs::metadata(&log_path) {
            Ok(log) if log.len() > 0 => {
                Err(Failure::Missing("the file is empty or gone, but its write-ahead log is there".to_owned()))
            }
            Ok(_) | Err(_) => Ok(FileState::Nothing),
        };
    }
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head)).map_err(unreadable)?;
    if head.len() < HEAD || !head.starts_with(b"SQLite format 3\0") {
        return Err(Failure::Damaged("file is not a database".to_owned()));
    }
    // The index first: a process at work adds to the log before it counts what it added.
    let index = wal::read_index(&index_path);
    let log = wal::read(&log_path, page_size(&head)).map_err(unreadable)?;
    let version = ours(log.head.as_ref().unwrap_or(&head))?;
    if let Some(loss) = log.loss(index.as_ref()) {
        return Err(Failure::LogDamaged(loss));
    }
    is_whole(bytes, &head, &log)?;
    Ok(FileState::Ours(version))
}

/// The schema version, where the beginning of page 1 says that the file is ours or has no tables yet.
fn ours(head: &[u8]) -> Result<i64, Failure> {
    // The number of objects in the schema, as far as one page holds them; another kind of page means many.
    let is_bare = head[100] == 13 && head[103..105] == [0, 0];
    let version = i64::from(number(head, 60).cast_signed());
    if i64::from(number(head, 68)) != APPLICATION_ID && !(is_bare && version == 0) {
        let text = "the file is a database, but not one of Enza's; it was left as it is";
        return Err(Failure::Damaged(text.to_owned()));
    }
    pending(SQLITE, version)?;
    Ok(version)
}

/// Whether every page is in the file or in the log.
fn is_whole(bytes: u64, head: &[u8], log: &Log) -> Result<(), Failure> {
    /// SQLite never writes the page in which this byte lies: it locks there.
    const LOCK_BYTE: u32 = 1 << 30;
    let size = page_size(head);
    let lock_page = LOCK_BYTE / size + 1;
    let there = u32::try_from(bytes / u64::from(size)).unwrap_or(u32::MAX);
    // Where a program has written that did not keep the count, the count says nothing.
    let counts = number(head, 24) == number(head, 92);
    let pages = match log.committed {
        0 if counts => number(head, 28),
        0 => return Ok(()),
        _ => log.pages,
    };
    let is_missing = |page: &u32| *page != lock_page && !log.written.contains(page);
    match (there.saturating_add(1)..=pages).find(is_missing) {
        None => Ok(()),
        Some(_) => Err(Failure::Damaged(format!("the file was cut off: it has {there} of {pages} pages"))),
    }
}

/// The size of a page, from the file's header.
pub(super) fn page_size(head: &[u8]) -> u32 {
    match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65536,
        size => u32::from(size).max(512),
    }
}

/// Cuts a broken log off where it breaks, after putting a copy of it aside; says where the copy is. The database file
/// itself is not touched. None where the log is not broken. This process must not have the database open.
pub(super) fn cut_off(path: &Path) -> Result<Option<PathBuf>, Failure> {
    let trouble = |why: std::io::Error| Failure::ReadOnly(why.to_string());
    if is_in_use_elsewhere(path) {
        return Err(Failure::Unreachable("the database is open elsewhere; stop what uses it first".to_owned()));
    }
    match look(path) {
        Err(Failure::LogDamaged(_)) => {}
        other => return other.map(|_| None),
    }
    let (log_path, index_path) = (beside(path, "-wal"), beside(path, "-shm"));
    let mut head = vec![0; HEAD];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).map_err(trouble)?;
    let log = wal::read(&log_path, page_size(&head)).map_err(trouble)?;
    let copy = (1..)
        .map(|number| beside(path, &format!("-wal.broken-{number}")))
        .find(|copy| !copy.exists())
        .unwrap_or_else(|| beside(path, "-wal.broken"));
    if log_path.exists() {
        fs::copy(&log_path, &copy).and_then(|_| File::open(&copy)?.sync_all()).map_err(trouble)?;
        let file = File::options().write(true).open(&log_path).map_err(trouble)?;
        file.set_len(log.sound_bytes).and_then(|()| file.sync_all()).map_err(trouble)?;
    }
    match fs::remove_file(&index_path) {
        Ok(()) => {}
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
        Err(why) => return Err(trouble(why)),
    }
    Ok(Some(copy))
}

/// Whether anyone has the database open, here or elsewhere.
pub(super) fn is_in_use(path: &Path) -> bool {
    is_open_here(path) || is_in_use_elsewhere(path)
}

/// Whether another process has the database open: each holds a lock on one byte of the index. Not to be asked of a
/// database that this process has open.
fn is_in_use_elsewhere(path: &Path) -> bool {
    use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};
    const EVERYONE: u64 = 128;
    let Ok(index) = File::options().read(true).write(true).open(beside(path, "-shm")) else { return false };
    let alone =
        Flock { start: EVERYONE, length: 1, pid: None, typ: FlockType::WriteLock, offset_type: FlockOffsetType::Set };
    fcntl_getlk(&index, &alone).is_ok_and(|holder| holder.is_some())
}

/// The file of this name beside another.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_past_a_gigabyte_in_its_log_misses_no_page() {
        let mut head = vec![0; HEAD];
        head[16..18].copy_from_slice(&4096_u16.to_be_bytes());
        let (there, lock_page, pages) = (262_143, 262_145, 262_147);
        let written = (there + 1..=pages).filter(|page| *page != lock_page).collect();
        let mut log = Log::default();
        (log.committed, log.pages, log.written) = (4, pages, written);
        let bytes = u64::from(there) * 4096;
        assert_eq!(is_whole(bytes, &head, &log), Ok(()));
        log.written.remove(&pages);
        assert!(is_whole(bytes, &head, &log).is_err());
    }
}
