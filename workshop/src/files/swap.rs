//! Turns one file from what it holds into what it is to hold, so that nobody's work is lost.
//!
//! The new content is written beside the file and synced, then the two change places in one step. Only then is looked at
//! what came out: if it is not what was expected, someone was quicker, and the two change places again. So there is no
//! moment between a check and a write; what remains is a program that holds the old file open and writes on into it, and
//! file systems that cannot exchange, where the check comes right before the rename.
//!
//! A process may die after every step. The names written beside a file are always the same, so `clear_up` finds what a
//! dead process left and puts it right: nothing of a person's is ever deleted by it.

use std::io::{self, Write};

use cap_std::fs::{Dir, File, Metadata, MetadataExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use enza_kernel::conversation::Digest;
use enza_work::Fault;
use rustix::fs::{Gid, RenameFlags, Uid};
use rustix::io::Errno;

use super::access::{Access, Purpose};
use super::folder_entry::{FolderEntry, fault, sync};
use super::resolve::{Links, ResolvedPath, Thing};
use crate::store::{Durable, Store};

/// What is to become of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileSwap<'a> {
    pub path: &'a str,
    pub from: Option<Digest>,
    pub to: Option<Digest>,
    /// The permission bits it is to have; none for those it has, or what is usual.
    pub mode: Option<u32>,
    /// How many folders around it go with it when they are empty.
    pub prune: u32,
}

/// What is at a path now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Now {
    /// A file that holds this, or nothing at all.
    Holds(Option<Digest>),
    /// A folder, a link, or something special.
    Other,
}

/// Why a turn came to a halt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Halt {
    Fault(Fault),
    /// As if the process had been killed; only tests do that.
    #[cfg_attr(not(test), allow(dead_code, reason = "only tests stop"))]
    Stopped,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Called after every step that a killed process could have been the last to take.
pub(super) type Beat<'a> = &'a mut dyn FnMut() -> Result<(), Halt>;

/// What is at a path now, without following links.
pub(super) fn now(reach: &Access, path: &str) -> Result<Now, Fault> {
    let found = match reach.find(path, Purpose::Writing, Links::Refused) {
        Ok(found) => found,
        Err(Fault::IsLink { .. } | Fault::NotAFolder { .. } | Fault::Special { .. }) => return Ok(Now::Other),
        Err(other) => return Err(other),
    };
    match found.thing {
        Thing::Nothing(_) => Ok(Now::Holds(None)),
        Thing::File(spot, _) => spot.digest().map(Now::Holds).map_err(|why| fault(path, &why)),
        Thing::Folder(_) => Ok(Now::Other),
    }
}

/// Turns one file. `Fault::Changed` where it does not hold what is expected; then it is as it was.
pub(super) fn turn(reach: &Access, store: &Store, turn: &FileSwap<'_>, beat: Beat<'_>) -> Result<(), Halt> {
    let (mut spot, about) = spot_of(reach, turn.path)?;
    if let (Some(from), Some(_)) = (&turn.from, &about)
        && !store.has(from)
    {
        let (mut file, _) = spot.open().map_err(|why| fault(turn.path, &why))?;
        store.put_from(&mut file, Durable::AtOnce)?;
    }
    match &turn.to {
        Some(to) => {
            spot.make_folders().map_err(|why| fault(turn.path, &why))?;
            beat()?;
            write(&spot, store, turn, to, about.as_ref(), beat)?;
        }
        None => remove(&spot, turn, beat)?,
    }
    sync(&spot.folder).map_err(|why| fault(turn.path, &why))?;
    prune(reach, turn);
    Ok(())
}

/// Removes folders around a file that is gone, as many as went with it, while they are empty.
pub(super) fn prune(reach: &Access, turn: &FileSwap<'_>) {
    let mut folder = turn.path;
    for _ in 0..turn.prune {
        let Some((around, _)) = folder.rsplit_once('/') else { return };
        folder = around;
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        let Ok(ResolvedPath { thing: Thing::Folder(above), .. }) = reach.find(above, Purpose::Writing, Links::Refused)
        else {
            return;
        };
        // The system removes a folder only when it is empty.
        if above.remove_dir(name).is_err() || sync(&above).is_err() {
            return;
        }
    }
}

/// Puts right what a process left beside a file when it died in the middle of this turn.
pub(super) fn clear_up(reach: &Access, turn: &FileSwap<'_>) -> Result<(), Fault> {
    let Ok((spot, _)) = spot_of(reach, turn.path) else { return Ok(()) };
    if !spot.missing.is_empty() {
        return Ok(());
    }
    let beside = Beside::of(&spot.name);
    let _ = spot.folder.remove_file(&beside.fresh);
    let aside = FolderEntry::new(
        spot.folder.try_clone().map_err(|why| fault(turn.path, &why))?,
        Vec::new(),
        beside.swap.clone(),
    );
    let system = |why: io::Error| fault(turn.path, &why);
    let Some(held) = aside.digest().map_err(system)? else { return Ok(()) };
    if Some(held) == turn.from || Some(held) == turn.to {
        return spot.folder.remove_file(&beside.swap).map_err(system);
    }
    // Someone's own content came out and was not put back any more.
    let there = spot.digest().map_err(system)?;
    match there {
        None => rename_new(&spot.folder, &beside.swap, &spot.name).map_err(system),
        Some(_) if there == turn.to => {
            exchange(&spot.folder, &beside.swap, &spot.name).map_err(system)?;
            spot.folder.remove_file(&beside.swap).map_err(system)
        }
        Some(_) => {
            tracing::warn!(path = turn.path, beside = %beside.swap, "an older version was left beside a file");
            Ok(())
        }
    }
}

/// Whether a name is one that is written beside a file, and no file of anybody's.
pub(super) fn is_beside(name: &str) -> bool {
    name.starts_with(".enza-") && (name.ends_with(".new") || name.ends_with(".swap"))
}

fn spot_of(reach: &Access, path: &str) -> Result<(FolderEntry, Option<Metadata>), Fault> {
    let changed = || Fault::Changed { path: path.to_owned() };
    let found = match reach.find(path, Purpose::Writing, Links::Refused) {
        Ok(found) => found,
        Err(Fault::IsLink { .. } | Fault::NotAFolder { .. } | Fault::Special { .. }) => return Err(changed()),
        Err(other) => return Err(other),
    };
    match found.thing {
        Thing::Nothing(spot) => Ok((spot, None)),
        Thing::File(spot, about) => Ok((spot, Some(about))),
        Thing::Folder(_) => Err(changed()),
    }
}

fn write(
    spot: &FolderEntry,
    store: &Store,
    turn: &FileSwap<'_>,
    to: &Digest,
    about: Option<&Metadata>,
    beat: Beat<'_>,
) -> Result<(), Halt> {
    let beside = Beside::of(&spot.name);
    let folder = &spot.folder;
    let system = |why: io::Error| fault(turn.path, &why);
    let changed = || Halt::Fault(Fault::Changed { path: turn.path.to_owned() });
    if let Err(why) = write_beside(folder, &beside.fresh, store, turn, to, about) {
        let _ = folder.remove_file(&beside.fresh);
        return Err(why.into());
    }
    beat()?;
    rename_new(folder, &beside.fresh, &beside.swap).map_err(system)?;
    beat()?;
    let turned = match turn.from {
        None => rename_new(folder, &beside.swap, &spot.name),
        Some(from) => exchange_where(spot, &beside.swap, &from),
    };
    if let Err(why) = turned {
        let _ = folder.remove_file(&beside.swap);
        return match why.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound => Err(changed()),
            _ => Err(system(why).into()),
        };
    }
    beat()?;
    let Some(from) = turn.from else { return Ok(()) };
    let aside = FolderEntry::new(folder.try_clone().map_err(system)?, Vec::new(), beside.swap.clone());
    match aside.digest() {
        // On a file system that cannot exchange, nothing is left aside.
        Ok(None) => Ok(()),
        Ok(Some(held)) if held == from => {
            folder.remove_file(&beside.swap).map_err(system)?;
            beat()
        }
        // A person's content, or no ordinary file at all: it goes back where it was.
        Ok(Some(_)) | Err(_) => {
            exchange(folder, &beside.swap, &spot.name).map_err(system)?;
            if aside.digest().is_ok_and(|held| held == Some(*to)) {
                folder.remove_file(&beside.swap).map_err(system)?;
            }
            Err(changed())
        }
    }
}

fn remove(spot: &FolderEntry, turn: &FileSwap<'_>, beat: Beat<'_>) -> Result<(), Halt> {
    let beside = Beside::of(&spot.name);
    let folder = &spot.folder;
    let system = |why: io::Error| fault(turn.path, &why);
    let changed = || Halt::Fault(Fault::Changed { path: turn.path.to_owned() });
    if !spot.missing.is_empty() {
        return Err(changed());
    }
    match rename_new(folder, &spot.name, &beside.swap) {
        Ok(()) => {}
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(changed()),
        Err(why) => return Err(system(why).into()),
    }
    beat()?;
    let aside = FolderEntry::new(folder.try_clone().map_err(system)?, Vec::new(), beside.swap.clone());
    if aside.digest().is_ok_and(|held| held == turn.from) {
        folder.remove_file(&beside.swap).map_err(system)?;
        return beat();
    }
    rename_new(folder, &beside.swap, &spot.name).map_err(system)?;
    Err(changed())
}

/// Writes the new content beside the file, whole and synced.
fn write_beside(
    folder: &Dir,
    name: &str,
    store: &Store,
    turn: &FileSwap<'_>,
    to: &Digest,
    about: Option<&Metadata>,
) -> Result<(), Fault> {
    let system = |why: io::Error| fault(turn.path, &why);
    let mode = turn.mode.or(about.map(Metadata::mode)).map(|mode| mode & 0o777);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(if mode.is_some() { 0o600 } else { 0o666 });
    let mut file = folder.open_with(name, &options).map_err(system)?;
    if store.copy_to(to, &mut Named(&mut file, turn.path))?.is_none() {
        return Err(Fault::Forgotten { path: turn.path.to_owned() });
    }
    if let Some(about) = about {
        let owner = (Uid::from_raw(about.uid()), Gid::from_raw(about.gid()));
        // Only root may give files away; everyone else owns both, or gets to own the new one.
        let _ = rustix::fs::fchown(&file, Some(owner.0), Some(owner.1));
    }
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode)).map_err(system)?;
    }
    file.sync_all().map_err(system)
}

/// Says which file could not be written, where the store would name itself.
struct Named<'a>(&'a mut File, &'a str);

impl Write for Named<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", self.1)))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The two names that are written beside a file.
struct Beside {
    fresh: String,
    swap: String,
}

impl Beside {
    fn of(name: &str) -> Self {
        let mark = &Digest::of(name.as_bytes()).to_string()[..16];
        Self { fresh: format!(".enza-{mark}.new"), swap: format!(".enza-{mark}.swap") }
    }
}

/// Renames to a name that nobody has yet.
fn rename_new(folder: &Dir, from: &str, to: &str) -> io::Result<()> {
    match rustix::fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            folder.hard_link(from, folder, to)?;
            folder.remove_file(from)
        }
        Err(why) => Err(why.into()),
    }
}

/// Lets two names change places; where the file system cannot, takes the place of a file that holds what is expected.
fn exchange_where(spot: &FolderEntry, swap: &str, from: &Digest) -> io::Result<()> {
    match exchange(&spot.folder, swap, &spot.name) {
        Err(why) if why.kind() == io::ErrorKind::Unsupported => match spot.digest()? {
            Some(held) if held == *from => spot.folder.rename(swap, &spot.folder, &spot.name),
            Some(_) | None => Err(io::ErrorKind::NotFound.into()),
        },
        done => done,
    }
}

fn exchange(folder: &Dir, one: &str, other: &str) -> io::Result<()> {
    match rustix::fs::renameat_with(folder, one, folder, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
        Err(why) => Err(why.into()),
    }
}
