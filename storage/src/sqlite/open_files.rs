//! Which database files this process has open, so that none of them is looked at from the side.
//!
//! The system drops all locks of a process on a file as soon as the process closes any handle of it. SQLite knows that of
//! its own handles; ours it cannot know. Whoever opens a database registers here first and is told whether it may look.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use enza_runtime::seams::store::Failure;

static OPEN: Mutex<Option<HashMap<PathBuf, Open>>> = Mutex::new(None);

#[derive(Debug, Default)]
struct Open {
    times: usize,
    /// Our own handle, closed only when nobody here has the file open.
    file: Option<Arc<File>>,
}

/// A database file that is open in this process, for as long as this lives.
#[derive(Debug)]
pub(super) struct OpenGuard {
    path: PathBuf,
}

impl OpenGuard {
    /// Registers a file. Where nobody here has it open, `look` is asked first, and its failure is the answer.
    pub fn register(path: &Path, look: impl FnOnce() -> Result<(), Failure>) -> Result<Self, Failure> {
        let path = whole(path);
        let mut open = open();
        let entry = open.get_or_insert_default().entry(path.clone()).or_default();
        if entry.times == 0 {
            look()?;
        }
        entry.times += 1;
        Ok(Self { path })
    }

    /// A handle of the file, to write to it past SQLite.
    pub fn file(&self) -> std::io::Result<Arc<File>> {
        let mut open = open();
        let entry = open.get_or_insert_default().entry(self.path.clone()).or_default();
        if entry.file.is_none() {
            entry.file = Some(Arc::new(File::options().read(true).write(true).open(&self.path)?));
        }
        entry.file.clone().ok_or_else(|| std::io::Error::other("no handle"))
    }
}

impl Drop for OpenGuard {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(entry) = open.as_mut().and_then(|open| open.get_mut(&self.path)) {
            entry.times = entry.times.saturating_sub(1);
            if entry.times == 0 {
                entry.file = None;
            }
        }
    }
}

/// Whether this process has a file open.
pub(super) fn is_open_here(path: &Path) -> bool {
    open().as_ref().and_then(|open| open.get(&whole(path))).is_some_and(|entry| entry.times > 0)
}

fn open() -> MutexGuard<'static, Option<HashMap<PathBuf, Open>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One name for one file: the file itself may not be there yet, its folder is.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    path.canonicalize().or_else(|_| folder.canonicalize().map(|folder| folder.join(name))).unwrap_or(path.to_owned())
}
