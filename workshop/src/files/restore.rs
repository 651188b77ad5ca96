//! Takes changes back, the last first, where files are still as the changes left them.
//!
//! What a person has changed since is never touched: such a file is kept as it is and named. A change that moved a file is
//! taken back as a whole or not at all. What is already as it was counts as taken back, so doing this again is harmless.
//! A change that was only seen around a command may be a person's: what the file holds is set aside in the store before it
//! is taken back, and said where.

use std::path::PathBuf;

use enza_kernel::conversation::Digest;
use enza_work::{Change, Fault, NotRestored, RestoreResult};

use super::access::{Access, Purpose};
use super::folder_entry::fault;
use super::make::Half;
use super::resolve::{Links, ResolvedPath, Thing};
use super::swap::{Halt, Now, clear_up, now, prune, turn};
use crate::store::{Durable, Store};

/// Takes changes back.
pub fn restore(reach: &Access, store: &Store, changes: &[Change]) -> Result<RestoreResult, Fault> {
    let _lock = store.lock(reach.folder())?;
    let mut restored = RestoreResult::default();
    for (place, change) in changes.iter().enumerate().rev() {
        match restore_one(reach, store, change, &changes[..place]) {
            Ok(aside) => {
                restored.restored.push(change.path.clone());
                restored.set_aside.extend(aside.map(|place| (change.path.clone(), place.display().to_string())));
            }
            Err(kept) => restored.kept.push((change.path.clone(), kept)),
        }
    }
    Ok(restored)
}

/// Takes one change back; gives where what the file held is set aside, if it is.
fn restore_one(
    reach: &Access,
    store: &Store,
    change: &Change,
    earlier: &[Change],
) -> Result<Option<PathBuf>, NotRestored> {
    let mut halves = Half::of(change);
    halves.reverse();
    let mut waiting = Vec::new();
    for half in &halves {
        clear_up(reach, &half.back()).map_err(|why| kept(&why))?;
        let there = now(reach, half.path).map_err(|why| kept(&why))?;
        let before = earlier.iter().flat_map(Half::of).filter(|other| other.path == half.path);
        let mut earlier = before.map(|other| other.before).chain([half.before]);
        match there {
            Now::Holds(held) if held == half.after && held != half.before => waiting.push(half),
            Now::Holds(held) if earlier.any(|before| before == held) => prune(reach, &half.back()),
            Now::Holds(_) | Now::Other => return Err(NotRestored::ChangedSince),
        }
    }
    let lost = waiting.iter().filter_map(|half| half.before.as_ref()).any(|before| !store.has(before));
    if lost {
        return Err(NotRestored::Forgotten);
    }
    let held = change.after.filter(|_| change.seen && !waiting.is_empty());
    let aside = held.map(|held| set_aside(reach, store, change, &held)).transpose().map_err(|why| kept(&why))?;
    for half in waiting {
        turn(reach, store, &half.back(), &mut || Ok(())).map_err(|halt| match halt {
            Halt::Fault(why) => kept(&why),
            Halt::Stopped => unreachable!("only tests stop"),
        })?;
    }
    Ok(aside)
}

/// Makes sure that the store has what a file holds; gives the place where it is.
fn set_aside(reach: &Access, store: &Store, change: &Change, held: &Digest) -> Result<PathBuf, Fault> {
    if !store.has(held) {
        let ResolvedPath { thing: Thing::File(spot, _), .. } =
            reach.find(&change.path, Purpose::Writing, Links::Refused)?
        else {
            return Err(Fault::Changed { path: change.path.clone() });
        };
        let (mut file, _) = spot.open().map_err(|why| fault(&change.path, &why))?;
        store.put_from(&mut file, Durable::AtOnce)?;
    }
    store.used(held)
}

fn kept(why: &Fault) -> NotRestored {
    match why {
        Fault::Changed { .. } => NotRestored::ChangedSince,
        Fault::Forgotten { .. } => NotRestored::Forgotten,
        other => {
            tracing::warn!(?other, "a change could not be taken back");
            NotRestored::Unreachable
        }
    }
}
