//! Makes room in the store: what was used least recently goes first.
//!
//! How much there is gets counted only now and then, since a count walks over all objects: after this process alone has
//! put in a sixteenth of what the store may hold, and when a store is opened that nobody has counted for an hour. So a
//! store may be over its limit for a while. What was put in last goes last, so what was just prepared can be made.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::Store;

/// What a process left behind when it died goes after this long. Nothing takes a day to be written.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a store may go uncounted.
const UNCOUNTED: Duration = Duration::from_secs(60 * 60);

impl Store {
    /// Notes that this much has come in, and lets old objects go where there is too much.
    pub(super) fn make_room(&self, came: u64) {
        let unseen = self.unseen.fetch_add(came, Ordering::Relaxed) + came;
        if unseen > self.most / 16 {
            self.unseen.store(0, Ordering::Relaxed);
            self.let_go();
        }
    }

    /// Counts, if nobody has for a while: a process that is soon over may never come to it otherwise.
    pub(super) fn count_now_and_then(&self) {
        let counted = self.folder.join("counted");
        let age = fs::metadata(&counted).and_then(|about| about.modified()).ok().and_then(|then| then.elapsed().ok());
        if age.is_none_or(|age| age > UNCOUNTED) && fs::write(&counted, "").is_ok() {
            self.let_go();
        }
    }

    /// Lets go of the oldest until a tenth of the store is free, if it holds too much.
    fn let_go(&self) {
        let mut objects = self.objects();
        let mut held: u64 = objects.iter().map(|object| object.bytes).sum();
        if held <= self.most {
            return;
        }
        objects.sort_by_key(|object| object.used);
        // The newest stays, however large: it is about to be needed.
        objects.pop();
        for object in objects {
            if held <= self.most - self.most / 10 {
                return;
            }
            // Another process may have been quicker.
            if fs::remove_file(&object.place).is_ok() {
                held -= object.bytes;
            }
        }
    }

    fn objects(&self) -> Vec<Object> {
        let rooms = fs::read_dir(self.folder.join("objects")).into_iter().flatten().flatten();
        let places = rooms.flat_map(|room| fs::read_dir(room.path()).into_iter().flatten().flatten());
        let objects = places.filter_map(|entry| {
            let about = entry.metadata().ok()?;
            Some(Object { place: entry.path(), bytes: about.len(), used: about.modified().ok()? })
        });
        objects.collect()
    }

    /// Removes what dead processes were writing.
    pub(super) fn sweep(&self) {
        for entry in fs::read_dir(self.folder.join("passing")).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|then| then.elapsed().ok());
            if age.is_some_and(|age| age > STALE) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

struct Object {
    place: PathBuf,
    bytes: u64,
    used: SystemTime,
}
