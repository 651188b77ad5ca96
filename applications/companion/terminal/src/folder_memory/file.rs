//! The file itself: read by anyone at any time, changed by one at a time.
//!
//! Whoever changes it holds the lock beside it, which the system takes back from a process that ends. What is written is
//! put in place whole, so that readers need no lock.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;

use super::{FolderMemory, ProhibitionStatus};

/// Where it is kept.
pub(super) fn at(kept_in: &Path, folder: &str) -> PathBuf {
    kept_in.join(format!("{}.json", Digest::of(folder.as_bytes())))
}

/// What was carried over; nothing where there is nothing, or nothing that can be read.
pub fn read(kept_in: &Path, folder: &str) -> FolderMemory {
    parsed(&at(kept_in, folder)).ok().flatten().unwrap_or_default()
}

/// Changes it, and gives what the change gives. Nobody else changes it meanwhile.
pub(super) fn change<T>(kept_in: &Path, folder: &str, change: impl FnOnce(&mut FolderMemory) -> T) -> io::Result<T> {
    std::fs::create_dir_all(kept_in)?;
    let path = at(kept_in, folder);
    let lock = File::create(path.with_extension("lock"))?;
    lock.lock()?;
    let before = match parsed(&path) {
        Ok(before) => before,
        Err(why) if is_spoilt(&why) => {
            // Someone may want to mend it by hand.
            let _ = std::fs::rename(&path, path.with_extension("json.unreadable"));
            None
        }
        // What cannot be read now may be read later: it is not written over.
        Err(why) => return Err(why),
    };
    let mut carried = before.clone().unwrap_or_default();
    carried.folder = folder.to_owned();
    let given = change(&mut carried);
    carried.memory.constraints = carried.forbidden();
    if before.as_ref() != Some(&carried) {
        put(&path, &carried)?;
    }
    Ok(given)
}

/// Writes it beside and puts that in its place.
fn put(path: &Path, carried: &FolderMemory) -> io::Result<()> {
    let beside = path.with_extension(format!("json.{}", std::process::id()));
    let mut file = File::create(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(carried)?)?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}

/// Whether what stands in the file is not what was written there.
fn is_spoilt(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// What it says; none where it is not there.
fn parsed(path: &Path) -> io::Result<Option<FolderMemory>> {
    let text = match std::fs::read_to_string(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let mut carried: FolderMemory = serde_json::from_str(&text)?;
    // Where nobody wrote down when something was said, any later word counts.
    if carried.words.is_empty() {
        let word = |text: &String| ProhibitionStatus { text: text.clone(), at: Timestamp(0), holds: true };
        carried.words = carried.memory.constraints.iter().map(word).collect();
    }
    Ok(Some(carried))
}
