//! What a folder was like before a command, written down before the command begins.
//!
//! Whoever runs a command may be killed in the middle of it. The next one who looks after the session then knows from this
//! what the command changed, and can take it back. There is one record for each session, since a session runs one command at
//! a time, and it stays until the next command begins: the log may not have been told of the last one's end yet. Of many
//! sessions those of commands whose end was seen are dropped, the oldest first; one whose end nobody saw is never dropped,
//! since it is all that is known of what the command changed.
//!
//! The keeper of a command holds the record's lock for as long as anything of the command is left, so that nobody looks
//! before it is over.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use enza_kernel::conversation::Digest;
use enza_kernel::effect::Key;
use enza_work::Fault;
use serde::{Deserialize, Serialize};

use super::git_guard::GitGuard;
use super::snapshot::Snapshot;
use crate::store::Store;

/// How many sessions' records are kept of commands whose end was seen; those that were written longest ago go first.
const KEPT: usize = 32;
/// The ending of the mark beside the record of a command whose end was seen.
const SEEN: &str = "seen";
/// How long a command that is being ended is waited for.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often it is looked whether it is over.
const GLANCE: Duration = Duration::from_millis(50);

/// What a folder was like before a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The run, as an effect of its session.
    pub run: Key,
    /// What files held.
    pub snapshot: Snapshot,
    /// What git runs by itself.
    pub guarded: GitGuard,
}

impl Record {
    /// The file that is locked while a command of this session runs.
    pub fn lock(store: &Store, session: &str) -> PathBuf {
        place(store, session).with_extension("lock")
    }

    /// Writes it down for good, in the place of the session's last one.
    pub fn write(&self, store: &Store, session: &str) -> Result<(), Fault> {
        let place = place(store, session);
        let bytes = serde_json::to_vec(self).map_err(|why| fault(&place, &why.into()))?;
        // First, so that at no moment this one is taken for finished.
        match fs::remove_file(place.with_extension(SEEN)) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(fault(&place, &why)),
            Ok(()) | Err(_) => {}
        }
        store.write_beside(&place, &bytes)?;
        store.sync()?;
        forget_old(store);
        Ok(())
    }

    /// Notes that the end of the session's last command was seen, and what it changed told.
    pub fn end_was_seen(store: &Store, session: &str) {
        let mark = place(store, session).with_extension(SEEN);
        // Without the mark the record is only kept for longer.
        let _ = File::options().create(true).append(true).mode(0o600).open(mark);
    }

    /// What was written down for this run, once nothing of its command is left; none where nothing was.
    pub fn read(store: &Store, session: &str, run: Key) -> Result<Option<Self>, Fault> {
        let place = place(store, session);
        wait_for(&Self::lock(store, session)).map_err(|why| fault(&place, &why))?;
        match fs::read(&place) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok().filter(|record: &Self| record.run == run)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(fault(&place, &why)),
        }
    }
}

fn place(store: &Store, session: &str) -> PathBuf {
    store.commands().join(Digest::of(session.as_bytes()).to_string())
}

/// Waits until nobody holds the lock.
fn wait_for(lock: &PathBuf) -> io::Result<()> {
    let file = File::options().create(true).append(true).mode(0o600).open(lock)?;
    let given_up = Instant::now() + PATIENCE;
    while file.try_lock().is_err() {
        if Instant::now() >= given_up {
            return Err(io::Error::other("a command that is being ended is still there"));
        }
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

fn forget_old(store: &Store) {
    let entries = fs::read_dir(store.commands()).into_iter().flatten().flatten();
    let records = entries.filter(|entry| {
        let path = entry.path();
        path.extension().is_none() && path.with_extension(SEEN).exists()
    });
    let mut dated: Vec<_> =
        records.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    dated.sort();
    for (_, path) in dated.iter().take(dated.len().saturating_sub(KEPT)) {
        // The mark last: a crash in between leaves no record that stays for ever.
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(path.with_extension("lock"));
        let _ = fs::remove_file(path.with_extension(SEEN));
    }
}

fn fault(place: &std::path::Path, why: &io::Error) -> Fault {
    Fault::System { path: place.display().to_string(), why: why.to_string() }
}
