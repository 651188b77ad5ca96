//! What the files of a folder held before a command, and what it changed.
//!
//! Files that are not ignored and not too large go into the store, so that what a command does can be taken back. An index
//! beside the store remembers what was read when, so that a second look at a large folder reads only what has changed.
//! A time is believed only where it is clearly older than the look, since two writes within one tick of the clock look
//! alike. What was too large or too much cannot be taken back, and is named where it is not known to be as it was; changes of
//! permissions cannot be taken back either.
//!
//! Two looks tell that a file changed, never who changed it: the command, or a person who saved it meanwhile. The system
//! tells that to nobody without privileges. So every change is marked as seen, and what it leaves is set aside when it is
//! taken back (`restore`). What the project ignores is what it ignored at the first look, whatever the command wrote into
//! its lists: the second look goes to every file of the first, and takes nothing for new that was passed over then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::fs::{Dir, Metadata, MetadataExt};
use enza_kernel::conversation::Digest;
use enza_work::{Change, Fault};
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::folder_entry::{open_file, open_folder};
use super::ignored::{Ignored, join};
use super::walk::{Entry, Kind, Walk};
use crate::store::{Durable, Store};

/// How much of a folder is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many files and folders.
    pub entries: u32,
    /// The largest file, in bytes.
    pub file: u64,
    /// All files together, in bytes.
    pub all: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 50_000, file: 5_000_000, all: 256 << 20 }
    }
}

/// What the files of a folder held at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    files: BTreeMap<String, Seen>,
    folders: BTreeSet<String>,
    /// What the project ignores, each by its topmost name.
    ignored: BTreeSet<String>,
    /// Files that were too large, or came after there was too much.
    pub unseen: Vec<String>,
    /// What the system said about those of them that could be opened.
    stamps: BTreeMap<String, Stamp>,
    /// When the look began, in nanoseconds since 1970.
    at: i128,
    /// Whether there were more entries than were looked at.
    pub cut: bool,
    /// How many files had to be read; the others were known.
    pub read: u32,
}

/// What has changed since a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Since {
    /// What can be taken back.
    pub changes: Vec<Change>,
    /// Files that were looked at in neither or only one of the two snapshots, and that may not be as they were.
    pub unseen: Vec<String>,
    /// Whether there were more entries than were looked at.
    pub cut: bool,
}

/// One file as it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    stamp: Stamp,
    mode: u32,
    digest: Digest,
}

/// What the system says about a file that changes whenever its content does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: i128,
    changed: i128,
}

/// How much older than the look a time must be, in nanoseconds. Coarse file systems count in steps of two seconds.
const CLEARLY: i128 = 2_500_000_000;

impl Snapshot {
    /// Looks at the folder of an order; `at` is the moment at which the look begins.
    pub fn take(reach: &Access, store: &Store, limits: Limits, at: SystemTime) -> Result<Self, Fault> {
        Self::take_with(reach, store, limits, at, &[])
    }

    /// The same, and these files in any case.
    fn take_with(
        reach: &Access,
        store: &Store,
        limits: Limits,
        at: SystemTime,
        also: &[&String],
    ) -> Result<Self, Fault> {
        let index = store.index(&Digest::of(reach.folder().as_bytes()));
        let known =
            std::fs::read(&index).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let at = at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos().cast_signed());
        let seen = Self { at, ..Self::default() };
        let snapshot = Look { store, limits, known: &known, all: 0, seen }.over(reach.home(), also)?;
        store.sync()?;
        // A file that is younger than the look is left out, and so read again the next time.
        let sure: BTreeMap<_, _> = snapshot.files.iter().filter(|(_, seen)| seen.stamp.is_older_than(at)).collect();
        store.write_beside(&index, &serde_json::to_vec(&sure).unwrap_or_default())?;
        Ok(snapshot)
    }

    /// What has changed since this snapshot was taken; `at` is now.
    pub fn changes_since(&self, reach: &Access, store: &Store, limits: Limits, at: SystemTime) -> Result<Since, Fault> {
        let after = Self::take_with(reach, store, limits, at, &self.files.keys().collect::<Vec<_>>())?;
        let unseen: BTreeSet<&String> = self.unseen.iter().chain(&after.unseen).collect();
        let names: BTreeSet<&String> = self.files.keys().chain(after.files.keys()).collect();
        let was_ignored = |name: &&String| {
            let mut above = name.match_indices('/').map(|(end, _)| &name[..end]).chain([name.as_str()]);
            !self.files.contains_key(*name) && above.any(|path| self.ignored.contains(path))
        };
        let known = names.into_iter().filter(|name| !unseen.contains(name) && !was_ignored(name));
        let changes = known.filter_map(|name| {
            let (was, is) = (self.files.get(name), after.files.get(name));
            // With too many entries to look at, one that is missing may only not have been reached.
            let is_sure = (was.is_some() || !self.cut) && (is.is_some() || !after.cut);
            let around = match (was, is) {
                (None, Some(_)) => folders_missing(name, &self.folders),
                (Some(_), None) => folders_missing(name, &after.folders),
                (Some(_), Some(_)) | (None, None) => 0,
            };
            let change = Change {
                path: name.clone(),
                to: None,
                before: was.map(|seen| seen.digest),
                after: is.map(|seen| seen.digest),
                mode: was.map(|seen| seen.mode),
                folders: around,
                seen: true,
            };
            (is_sure && change.before != change.after).then_some(change)
        });
        let changes = changes.collect();
        let unseen = unseen.into_iter().filter(|name| !self.is_same(&after, name)).cloned().collect();
        Ok(Since { changes, unseen, cut: self.cut || after.cut })
    }

    /// Whether a file that was not read is as it was, by what the system says about it on both sides.
    fn is_same(&self, after: &Self, name: &str) -> bool {
        let was = self.stamp(name).filter(|stamp| stamp.is_older_than(self.at));
        was.is_some() && was == after.stamp(name)
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        self.files.get(name).map(|seen| seen.stamp).or_else(|| self.stamps.get(name).copied())
    }
}

/// How many folders around a file are not among these.
fn folders_missing(name: &str, folders: &BTreeSet<String>) -> u32 {
    let mut missing = 0;
    let mut path = name;
    while let Some((around, _)) = path.rsplit_once('/') {
        if folders.contains(around) {
            return missing;
        }
        missing += 1;
        path = around;
    }
    missing
}

/// One look at a folder.
struct Look<'a> {
    store: &'a Store,
    limits: Limits,
    known: &'a BTreeMap<String, Seen>,
    all: u64,
    seen: Snapshot,
}

impl Look<'_> {
    fn over(mut self, home: &Dir, also: &[&String]) -> Result<Snapshot, Fault> {
        let mut walk = Walk::new(self.limits.entries, u32::MAX, Some(Ignored::nothing()));
        let walked = walk.over(home, "", &mut |entry| match entry.kind {
            Kind::Folder => {
                self.seen.folders.insert(entry.path.to_owned());
                ControlFlow::Continue(())
            }
            Kind::File => match self.look_at(entry) {
                Ok(()) => ControlFlow::Continue(()),
                Err(why) => ControlFlow::Break(why),
            },
            Kind::Link | Kind::Special => ControlFlow::Continue(()),
        });
        self.seen.cut = walk.cut;
        self.seen.ignored = std::mem::take(&mut walk.ignores);
        if let ControlFlow::Break(why) = walked {
            return Err(why);
        }
        let unseen: BTreeSet<String> = self.seen.unseen.iter().cloned().collect();
        for path in also.iter().filter(|path| !unseen.contains(**path)) {
            if !self.seen.files.contains_key(*path) {
                self.go_to(home, path)?;
            }
        }
        Ok(self.seen)
    }

    /// Looks at one file that the walk did not come to, if it is there.
    fn go_to(&mut self, home: &Dir, path: &str) -> Result<(), Fault> {
        let Ok(mut folder) = home.try_clone() else { return Ok(()) };
        let (around, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut walked = String::new();
        for part in around.split('/').filter(|part| !part.is_empty()) {
            let Ok(below) = open_folder(&folder, part) else { return Ok(()) };
            walked = join(&walked, part);
            self.seen.folders.insert(walked.clone());
            folder = below;
        }
        if !folder.symlink_metadata(name).is_ok_and(|about| about.is_file()) {
            return Ok(());
        }
        self.look_at(&Entry { path, folder: &folder, name, kind: Kind::File })
    }

    fn look_at(&mut self, entry: &Entry<'_>) -> Result<(), Fault> {
        // One that is gone meanwhile, or may not be read, was not seen.
        let Ok((mut file, about)) = open_file(entry.folder, entry.name) else {
            self.seen.unseen.push(entry.path.to_owned());
            return Ok(());
        };
        let stamp = Stamp::of(&about);
        if stamp.bytes > self.limits.file || self.all + stamp.bytes > self.limits.all {
            self.seen.unseen.push(entry.path.to_owned());
            self.seen.stamps.insert(entry.path.to_owned(), stamp);
            return Ok(());
        }
        self.all += stamp.bytes;
        let known = self.known.get(entry.path).filter(|known| known.stamp == stamp && self.store.has(&known.digest));
        let digest = match known {
            Some(known) => known.digest,
            None => {
                self.seen.read += 1;
                self.store.put_from(&mut file, Durable::Later)?.0
            }
        };
        self.seen.files.insert(entry.path.to_owned(), Seen { stamp, mode: about.mode() & 0o777, digest });
        Ok(())
    }
}

impl Stamp {
    fn of(about: &Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Self {
            device: about.dev(),
            inode: about.ino(),
            bytes: about.len(),
            modified: nanos(about.mtime(), about.mtime_nsec()),
            changed: nanos(about.ctime(), about.ctime_nsec()),
        }
    }

    fn is_older_than(&self, look: i128) -> bool {
        self.modified.max(self.changed) + CLEARLY < look
    }
}
