//! Who is at work in a folder, and what was begun there and not ended.
//!
//! A `Lock` keeps two processes from changing one folder at the same time; the system lets go of it when its holder dies.
//! A `Mark` says that certain work was begun; one that is found when the same work begins again means that it was
//! interrupted, and that what is already done of it is ours.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use enza_kernel::conversation::Digest;
use enza_work::Fault;

use super::{Store, fault};

/// Held while a folder is changed.
#[derive(Debug)]
pub struct Lock {
    _held: File,
}

/// Work that was begun.
#[derive(Debug)]
pub struct WorkMark {
    place: PathBuf,
    /// Whether it had been begun before and never ended.
    pub was_interrupted: bool,
}

impl Store {
    /// Waits until nobody else changes this folder.
    pub fn lock(&self, folder: &str) -> Result<Lock, Fault> {
        let place = self.folder.join("locks").join(Digest::of(folder.as_bytes()).to_string());
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&place);
        let file = file.and_then(|file| file.lock().map(|()| file)).map_err(|why| fault(&place, &why))?;
        Ok(Lock { _held: file })
    }

    /// Marks work as begun.
    pub fn begin(&self, work: &Digest) -> Result<WorkMark, Fault> {
        let place = self.folder.join("marks").join(work.to_string());
        let was_interrupted = place.exists();
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&place);
        file.and_then(|file| file.sync_all()).map_err(|why| fault(&place, &why))?;
        Ok(WorkMark { place, was_interrupted })
    }
}

impl WorkMark {
    /// The work has come to its end, whichever.
    pub fn end(self) {
        // A mark that stays is harmless: the work is found done, or not begun.
        let _ = fs::remove_file(&self.place);
    }
}
