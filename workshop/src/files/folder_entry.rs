//! One name in one open folder: the only thing that is ever opened, written or removed.
//!
//! The folder is a handle, so it stays the same folder whatever happens to the paths that led to it, and the name is a
//! single part that is never followed when it is a link. Only ordinary files are opened; a pipe would wait for ever.

use std::io::{self, Read};

use cap_std::fs::{Dir, File, Metadata, OpenOptions, OpenOptionsExt};
use enza_kernel::conversation::Digest;
use enza_work::Fault;
use rustix::fs::{Mode, OFlags};

use crate::store::digest_of;

/// One name in one open folder.
pub(super) struct FolderEntry {
    pub folder: Dir,
    /// Folders below it that are not there yet, on the way to the name.
    pub missing: Vec<String>,
    pub name: String,
}

impl FolderEntry {
    pub fn new(folder: Dir, missing: Vec<String>, name: String) -> Self {
        Self { folder, missing, name }
    }

    /// Makes the folders that are missing on the way, so that the name can be written.
    pub fn make_folders(&mut self) -> io::Result<()> {
        for name in std::mem::take(&mut self.missing) {
            match self.folder.create_dir(&name) {
                Ok(()) => sync(&self.folder)?,
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(why),
            }
            self.folder = open_folder(&self.folder, &name)?;
        }
        Ok(())
    }

    /// Opens the file; a link or anything that is no ordinary file is an error.
    pub fn open(&self) -> io::Result<(File, Metadata)> {
        if !self.missing.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        open_file(&self.folder, &self.name)
    }

    /// All bytes of the file, if there are no more than `most`.
    pub fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, Fault> {
        let (file, about) = self.open().map_err(|why| fault(path, &why))?;
        let too_large = |bytes| Fault::TooLarge { path: path.to_owned(), bytes, most };
        if about.len() > most {
            return Err(too_large(about.len()));
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(|why| fault(path, &why))?;
        // It may have grown while it was read.
        if bytes.len() as u64 > most { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
    }

    /// The digest of what the name holds now; none where there is nothing.
    pub fn digest(&self) -> io::Result<Option<Digest>> {
        match self.open() {
            Ok((mut file, _)) => digest_of(&mut file).map(Some),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(why),
        }
    }
}

/// Opens an ordinary file by one name in an open folder.
pub(super) fn open_file(folder: &Dir, name: &str) -> io::Result<(File, Metadata)> {
    let unblocked = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(unblocked.bits().cast_signed());
    let file = folder.open_with(name, &options)?;
    let about = file.metadata()?;
    if about.is_file() { Ok((file, about)) } else { Err(io::Error::other("it is no ordinary file")) }
}

/// Opens a folder by one name in an open folder, and no link.
pub(super) fn open_folder(folder: &Dir, name: &str) -> io::Result<Dir> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let opened = rustix::fs::openat(folder, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(opened.into()))
}

/// Makes sure that the names in a folder outlive a loss of power.
pub(super) fn sync(folder: &Dir) -> io::Result<()> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(folder, ".", flags, Mode::empty())?;
    Ok(rustix::fs::fsync(opened)?)
}

/// What the system said about a path.
pub(super) fn fault(path: &str, why: &io::Error) -> Fault {
    let path = path.to_owned();
    // What a link that was not to be followed is called by the system.
    if why.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return Fault::IsLink { path };
    }
    match why.kind() {
        io::ErrorKind::NotFound => Fault::Missing { path },
        io::ErrorKind::IsADirectory => Fault::IsFolder { path },
        io::ErrorKind::NotADirectory => Fault::NotAFolder { path },
        io::ErrorKind::InvalidFilename => Fault::UnusablePath { path },
        _ => Fault::System { path, why: why.to_string() },
    }
}
