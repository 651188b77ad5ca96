//! One file that git runs or reads settings from, as it was; and how it is put back.
//!
//! What it holds is in the store, by its digest. No link is followed on the way to it.

use std::io::{self, Write as _};
use std::path::PathBuf;

use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt as _, PermissionsExt as _};
use enza_kernel::conversation::Digest;
use serde::{Deserialize, Serialize};

use super::super::folder_entry::{open_file, open_folder};
use crate::store::{Durable, Store};

/// A larger file is neither a hook nor a list of settings.
const LARGEST: u64 = 8 << 20;

/// What a name stood for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SavedFile {
    File { digest: Digest, mode: u32 },
    Link(PathBuf),
    Other,
}

impl SavedFile {
    /// What a path stands for now; none where there is nothing.
    pub fn at(folder: &Dir, path: &str, store: &Store) -> Option<Self> {
        let (folder, name) = around(folder, path).ok()?;
        let about = folder.symlink_metadata(name).ok()?;
        if about.is_symlink() {
            return folder.read_link_contents(name).ok().map(Self::Link);
        }
        if !about.is_file() || about.len() > LARGEST {
            return Some(Self::Other);
        }
        let (mut file, about) = open_file(&folder, name).ok()?;
        let (digest, _) = store.put_from(&mut file, Durable::Later).ok()?;
        Some(Self::File { digest, mode: about.mode() & 0o777 })
    }

    pub fn is_link(&self) -> bool {
        matches!(self, Self::Link(_))
    }

    /// What the file held; none where it was none.
    pub fn text(&self, store: &Store) -> Option<String> {
        match self {
            Self::File { digest, .. } => String::from_utf8(store.read(digest).ok()??).ok(),
            Self::Link(_) | Self::Other => None,
        }
    }

    /// Makes the path stand for this again.
    pub fn write(&self, folder: &Dir, path: &str, store: &Store) -> io::Result<()> {
        let held = match self {
            Self::File { digest, mode } => {
                let bytes = store.read(digest).ok().flatten();
                Some((bytes.ok_or_else(|| io::Error::other("it is no longer kept"))?, *mode))
            }
            Self::Link(_) => None,
            Self::Other => return Err(io::Error::other("it was not kept")),
        };
        let _ = remove(folder, path);
        if let Some((folders, _)) = path.rsplit_once('/') {
            make_folders(folder, folders)?;
        }
        let (folder, name) = around(folder, path)?;
        match (self, held) {
            (Self::Link(to), _) => folder.symlink_contents(to, name),
            (_, Some((bytes, mode))) => {
                let mut options = OpenOptions::new();
                let mut file = folder.open_with(name, options.write(true).create_new(true).mode(mode))?;
                file.write_all(&bytes)?;
                file.set_permissions(cap_std::fs::Permissions::from_mode(mode))?;
                file.sync_all()
            }
            (_, None) => Ok(()),
        }
    }
}

/// Takes a name away, whatever it is.
pub(super) fn remove(folder: &Dir, path: &str) -> io::Result<()> {
    let (folder, name) = around(folder, path)?;
    match folder.symlink_metadata(name)?.is_dir() {
        true => folder.remove_dir_all(name),
        false => folder.remove_file(name),
    }
}

/// The names in a folder, as many as are looked at.
pub(super) fn names(folder: &Dir, most: usize) -> Vec<String> {
    let entries = folder.entries().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.take(most).collect()
}

/// What the system knows a folder by.
pub(super) fn identity(dir: &Dir) -> Option<(u64, u64)> {
    dir.dir_metadata().ok().map(|about| (about.dev(), about.ino()))
}

fn make_folders(folder: &Dir, path: &str) -> io::Result<()> {
    let mut here = folder.try_clone()?;
    for part in path.split('/') {
        let _ = here.create_dir(part);
        here = open_folder(&here, part)?;
    }
    Ok(())
}

fn around<'a>(folder: &Dir, path: &'a str) -> io::Result<(Dir, &'a str)> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut here = folder.try_clone()?;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        here = open_folder(&here, part)?;
    }
    Ok((here, name))
}
