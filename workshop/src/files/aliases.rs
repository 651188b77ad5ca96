//! Closed files that a command gave another name.
//!
//! A command cannot read a closed file, but it can rename it, or give it a second name, in a folder that it may write. By
//! its new name it would be open to everyone. So every file that is closed is noted before a command runs, by what the
//! system knows it by and by the name that closes it. Whatever it is called later, it stays closed for as long as that name
//! is. A number that the system gives to another file again is told apart by when the file was made.
//!
//! A file may also have had a second name before anybody looked, in the folder or in the home folder. Only one with several
//! names can, so those are looked for where it matters.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use enza_kernel::conversation::Digest;
use serde::{Deserialize, Serialize};

/// The most files that are noted for one folder; the oldest notes go first.
const MOST: usize = 10_000;

/// Which closed files there were.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Aliases {
    files: Vec<Noted>,
}

/// One closed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    file: Identity,
    /// What it was called, relative to the folder.
    path: String,
}

/// What the system knows a file by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
    /// When it was made, in nanoseconds; none where the file system does not say.
    born: Option<u64>,
}

impl Aliases {
    /// Where what is known of a folder is kept, below a place for all of them.
    pub fn place(all: &Path, folder: &Path) -> PathBuf {
        all.join(Digest::of(folder.as_os_str().as_encoded_bytes()).to_string())
    }

    /// What was noted at a place.
    pub fn read(place: &Path) -> Self {
        fs::read(place).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Notes these files of a folder besides those that were noted before.
    pub fn note(place: &Path, folder: &Path, closed: &[PathBuf]) -> std::io::Result<Self> {
        fs::create_dir_all(place.parent().unwrap_or(place))?;
        let lock = File::options().create(true).append(true).mode(0o600).open(place.with_extension("lock"))?;
        lock.lock()?;
        let mut known = Self::read(place);
        let before = known.files.len();
        for path in closed {
            let Ok(about) = fs::symlink_metadata(path) else { continue };
            let below = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
            let noted = Noted { file: Identity::of(&about), path: below };
            if about.is_file() && !known.files.contains(&noted) {
                known.files.push(noted);
            }
        }
        if known.files.len() > before {
            known.files.drain(..known.files.len().saturating_sub(MOST));
            let beside = place.with_extension("new");
            let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
            file.write_all(&serde_json::to_vec(&known)?)?;
            fs::rename(&beside, place)?;
        }
        Ok(known)
    }

    /// The same, and those of these closed files that have several names now.
    pub fn and_linked(mut self, folder: &Path, closed: impl IntoIterator<Item = PathBuf>) -> Self {
        for path in closed {
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_file() && about.nlink() > 1 {
                let path = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                self.files.push(Noted { file: Identity::of(&about), path });
            }
        }
        self
    }

    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The names by which this file was closed.
    pub fn of(&self, file: Identity) -> impl Iterator<Item = &str> {
        let same = move |noted: &&Noted| noted.file.is(file);
        self.files.iter().filter(same).map(|noted| noted.path.as_str())
    }
}

impl Identity {
    pub fn of(about: &fs::Metadata) -> Self {
        Self::new(about.dev(), about.ino(), about.created().ok())
    }

    pub fn new(device: u64, inode: u64, born: Option<SystemTime>) -> Self {
        let since = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        Self { device, inode, born: since.and_then(|since| u64::try_from(since.as_nanos()).ok()) }
    }

    fn is(&self, other: Self) -> bool {
        let is_as_old = self.born.is_none() || other.born.is_none() || self.born == other.born;
        (self.device, self.inode) == (other.device, other.inode) && is_as_old
    }
}
