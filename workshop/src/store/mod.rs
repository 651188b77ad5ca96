//! Keeps what files held before and after changes, by digest.
//!
//! A folder `objects/ab/cdef…`, readable by its owner alone. An object is written beside its place, synced and renamed,
//! so that one which is there is whole; it is checked all the same whenever it is read, and one that is damaged counts as
//! not there and goes. When there is more than the store may hold, what was used least recently goes first. Several
//! processes may use one store at once. `keep` says how room is made, `marks` who is at work in a folder.

mod evict;
mod marks;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use enza_kernel::conversation::Digest;
use enza_work::Fault;
use sha2::{Digest as _, Sha256};

pub use marks::{Lock, WorkMark};

/// Contents by their digests.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    most: u64,
    /// How much this process has put in since it last looked how much there is.
    unseen: AtomicU64,
}

/// Whether an object must outlive a loss of power at once, or with the next `sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durable {
    /// Before `put` is back.
    AtOnce,
    /// With the next `sync`.
    Later,
}

impl Store {
    /// How much a store holds where nothing else is said, in bytes.
    pub const MOST: u64 = 1 << 30;

    /// Opens the store in a folder, and makes it where there is none.
    pub fn open(folder: &Path, most: u64) -> Result<Self, Fault> {
        let store = Self { folder: folder.to_owned(), most, unseen: AtomicU64::new(0) };
        for room in ["objects", "passing", "locks", "marks", "index", "commands"] {
            let room = folder.join(room);
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&room).map_err(|why| fault(&room, &why))?;
        }
        store.sweep();
        store.count_now_and_then();
        Ok(store)
    }

    /// The most that one order may have kept, in bytes. Room is made by what was used least recently, so what half of the
    /// store holds is never pushed out by the other half.
    pub fn most_at_once(&self) -> u64 {
        self.most / 2
    }

    /// Keeps some bytes.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, Fault> {
        self.put_from(&mut &*bytes, Durable::AtOnce).map(|(digest, _)| digest)
    }

    /// Keeps what a reader gives, however long; says its digest and length.
    pub fn put_from(&self, from: &mut dyn Read, durable: Durable) -> Result<(Digest, u64), Fault> {
        let (passing, mut file) = self.passing()?;
        let kept = copy(from, &mut file).and_then(|(digest, length)| {
            if durable == Durable::AtOnce {
                file.sync_all()?;
            }
            Ok((digest, length))
        });
        let placed = kept.and_then(|(digest, length)| {
            self.place(&passing, &digest, length, durable)?;
            Ok((digest, length))
        });
        match placed {
            Ok((digest, length)) => {
                self.make_room(length);
                Ok((digest, length))
            }
            Err(why) => {
                // What could not be kept must not fill the disk either.
                let _ = fs::remove_file(&passing);
                Err(fault(&self.folder, &why))
            }
        }
    }

    /// Makes sure that everything put in `Later` outlives a loss of power.
    pub fn sync(&self) -> Result<(), Fault> {
        let objects = self.folder.join("objects");
        let synced = File::open(&objects).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
        synced.map_err(|why| fault(&objects, &why))
    }

    /// Whether an object seems to be there. Only reading it tells whether it is whole.
    pub fn has(&self, digest: &Digest) -> bool {
        self.place_of(digest).exists()
    }

    /// Where an object is that is there, for a person who wants it back. It counts as used just now, so that it stays.
    pub fn used(&self, digest: &Digest) -> Result<PathBuf, Fault> {
        let place = self.place_of(digest);
        touch(&place);
        match place.exists() {
            true => Ok(place),
            false => Err(Fault::Forgotten { path: place.display().to_string() }),
        }
    }

    /// What is kept under a digest; none where it is not there or no longer whole.
    pub fn read(&self, digest: &Digest) -> Result<Option<Vec<u8>>, Fault> {
        let mut bytes = Vec::new();
        Ok(self.copy_to(digest, &mut bytes)?.map(|_| bytes))
    }

    /// Copies what is kept under a digest; none where it is not there or was not whole: then what was written is worthless.
    pub fn copy_to(&self, digest: &Digest, to: &mut dyn Write) -> Result<Option<u64>, Fault> {
        let place = self.place_of(digest);
        let mut file = match File::open(&place) {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(fault(&place, &why)),
        };
        let (found, length) = copy(&mut file, to).map_err(|why| fault(&place, &why))?;
        if found != *digest {
            tracing::warn!(%digest, "an object in the store is damaged and was removed");
            let _ = fs::remove_file(&place);
            return Ok(None);
        }
        touch(&place);
        Ok(Some(length))
    }

    /// Where files that are neither contents nor marks are kept, such as what a folder looked like.
    pub(crate) fn index(&self, name: &Digest) -> PathBuf {
        self.folder.join("index").join(name.to_string())
    }

    /// Where it is kept what folders were like before commands.
    pub(crate) fn commands(&self) -> PathBuf {
        self.folder.join("commands")
    }

    /// Writes a small file of the store's own, whole or not at all.
    pub(crate) fn write_beside(&self, place: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let (passing, mut file) = self.passing()?;
        let written = file.write_all(bytes).and_then(|()| fs::rename(&passing, place));
        written.map_err(|why| {
            let _ = fs::remove_file(&passing);
            fault(place, &why)
        })
    }

    /// A new file that nobody else writes to.
    fn passing(&self) -> Result<(PathBuf, File), Fault> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
            let path = self.folder.join("passing").join(format!("{}-{number}-{moment}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(file) => return Ok((path, file)),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(fault(&path, &why)),
            }
        }
    }

    fn place(&self, passing: &Path, digest: &Digest, length: u64, durable: Durable) -> io::Result<()> {
        let place = self.place_of(digest);
        let is_there = fs::metadata(&place).is_ok_and(|found| found.len() == length);
        if is_there && digest_of(&mut File::open(&place)?)? == *digest {
            touch(&place);
            return fs::remove_file(passing);
        }
        let room = place.parent().expect("an object lies in a folder");
        if let Err(why) = fs::DirBuilder::new().mode(0o700).create(room)
            && why.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(why);
        }
        fs::rename(passing, &place)?;
        match durable {
            Durable::AtOnce => File::open(room)?.sync_all(),
            Durable::Later => Ok(()),
        }
    }

    fn place_of(&self, digest: &Digest) -> PathBuf {
        let hex = digest.to_string();
        self.folder.join("objects").join(&hex[..2]).join(&hex[2..])
    }
}

/// The digest of what a reader gives.
pub fn digest_of(from: &mut dyn Read) -> io::Result<Digest> {
    copy(from, &mut io::sink()).map(|(digest, _)| digest)
}

fn copy(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<(Digest, u64)> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    let mut length = 0;
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => return Ok((Digest(hash.finalize().into()), length)),
            Ok(read) => read,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            Err(why) => return Err(why),
        };
        hash.update(&piece[..read]);
        to.write_all(&piece[..read])?;
        length += read as u64;
    }
}

/// Marks an object as used just now. Where that fails it goes a little earlier.
fn touch(place: &Path) {
    if let Ok(file) = OpenOptions::new().append(true).open(place) {
        let _ = file.set_modified(SystemTime::now());
    }
}

fn fault(path: &Path, why: &io::Error) -> Fault {
    Fault::System { path: path.display().to_string(), why: why.to_string() }
}
