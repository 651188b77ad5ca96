//! Makes prepared changes, all or none.
//!
//! First every file is held against what it was when the change was shown: one that is neither that nor already as it
//! should be, and nothing is touched. Then file by file; when one fails, those before it are taken back. A process that
//! dies in the middle leaves a mark, and the same order given again finishes the work, or takes its part of it back when
//! it can no longer be finished. One that dies after it had made everything leaves no mark: if the same order cannot be
//! carried out then, because somebody has changed one of the files, it says which of the others are as it made them. How
//! one file turns without losing anybody's work is `swap`.

use std::collections::BTreeMap;

use enza_kernel::conversation::Digest;
use enza_work::{Change, Fault};

use super::access::Access;
use super::swap::{Beat, FileSwap, Halt, Now, clear_up, now, prune, turn};
use crate::store::Store;

/// Makes changes, all or none; gives them back as they are made.
pub fn make(reach: &Access, store: &Store, changes: &[Change]) -> Result<Vec<Change>, Fault> {
    match make_while(reach, store, changes, &mut || Ok(())) {
        Ok(()) => Ok(changes.to_vec()),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Stopped) => unreachable!("only tests stop"),
    }
}

/// One of the one or two files that a change is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half<'a> {
    pub change: &'a Change,
    pub path: &'a str,
    pub before: Option<Digest>,
    pub after: Option<Digest>,
}

impl<'a> Half<'a> {
    /// The files of a change, in the order in which they are turned: nothing goes before it has come elsewhere.
    pub fn of(change: &'a Change) -> Vec<Self> {
        let Change { path, before, after, .. } = change;
        match &change.to {
            None => vec![Half { change, path, before: *before, after: *after }],
            Some(to) => vec![
                Half { change, path: to, before: None, after: *after },
                Half { change, path, before: *before, after: None },
            ],
        }
    }

    /// The way forward.
    pub fn forth(&self) -> FileSwap<'a> {
        let moves = self.change.to.is_some();
        let prune = if self.after.is_none() && !moves { self.change.folders } else { 0 };
        let mode = self.change.mode.filter(|_| moves);
        FileSwap { path: self.path, from: self.before, to: self.after, mode, prune }
    }

    /// The way back.
    pub fn back(&self) -> FileSwap<'a> {
        let prune = if self.before.is_none() { self.change.folders } else { 0 };
        FileSwap { path: self.path, from: self.after, to: self.before, mode: self.change.mode, prune }
    }
}

fn make_while(reach: &Access, store: &Store, changes: &[Change], beat: Beat<'_>) -> Result<(), Halt> {
    let _lock = store.lock(reach.folder())?;
    let work = serde_json::to_vec(&(reach.folder(), changes)).unwrap_or_default();
    let mark = store.begin(&Digest::of(&work))?;
    beat()?;
    let halves: Vec<Half<'_>> = changes.iter().flat_map(Half::of).collect();
    let mut done = Vec::new();
    let made = make_all(reach, store, &halves, mark.was_interrupted, &mut done, beat);
    match made {
        Ok(()) => {
            mark.end();
            Ok(())
        }
        Err(Halt::Stopped) => Err(Halt::Stopped),
        Err(Halt::Fault(fault)) => {
            let left = take_back(reach, store, &done);
            if mark.was_interrupted {
                // Folders may have been made before the file that was to be in them.
                halves.iter().rev().for_each(|half| prune(reach, &half.back()));
            }
            mark.end();
            Err(Halt::Fault(if left.is_empty() { fault } else { Fault::HalfMade { why: Box::new(fault), left } }))
        }
    }
}

/// Checks all, then turns all; `done` names those that have to be taken back when this fails.
fn make_all<'a>(
    reach: &Access,
    store: &Store,
    halves: &[Half<'a>],
    was_interrupted: bool,
    done: &mut Vec<Half<'a>>,
    beat: Beat<'_>,
) -> Result<(), Halt> {
    for half in halves {
        clear_up(reach, &half.forth())?;
    }
    let mut waiting = Vec::new();
    let mut made: Vec<String> = Vec::new();
    let mut changed = None;
    let mut holds: BTreeMap<&str, Option<Digest>> = BTreeMap::new();
    for (place, half) in halves.iter().enumerate() {
        let there = match holds.get(half.path) {
            Some(known) => Now::Holds(*known),
            None => now(reach, half.path)?,
        };
        let later = || halves[place..].iter().filter(|later| later.path == half.path).map(|later| later.after);
        match there {
            Now::Holds(held) if held == half.before && held != half.after => {
                waiting.push(*half);
                holds.insert(half.path, half.after);
            }
            Now::Holds(held) if later().any(|after| after == held) => {
                if was_interrupted {
                    done.push(*half);
                } else if half.before != half.after {
                    made.push(half.path.to_owned());
                }
                holds.insert(half.path, held);
            }
            Now::Holds(_) | Now::Other => changed = changed.or(Some(half.path)),
        }
    }
    if let Some(path) = changed {
        let why = Fault::Changed { path: path.to_owned() };
        let fault = if made.is_empty() { why } else { Fault::HalfMade { why: Box::new(why), left: made } };
        return Err(fault.into());
    }
    for half in &waiting {
        check_kept(store, half)?;
    }
    for half in halves {
        match waiting.iter().any(|waiting| std::ptr::eq(waiting.change, half.change) && waiting.path == half.path) {
            true => {
                turn(reach, store, &half.forth(), beat).inspect_err(|halt| {
                    if *halt != Halt::Stopped {
                        prune(reach, &half.back());
                    }
                })?;
                done.push(*half);
            }
            false => prune(reach, &half.forth()),
        }
    }
    Ok(())
}

/// Whether both sides of a file are kept: what it is to hold, and what it holds, without which it could not be taken back.
/// How large it may be was asked when it was shown; what a person has approved is made.
fn check_kept(store: &Store, half: &Half<'_>) -> Result<(), Fault> {
    for side in half.before.iter().chain(&half.after) {
        let path = half.path.to_owned();
        let Some(bytes) = store.copy_to(side, &mut std::io::sink())? else { return Err(Fault::Forgotten { path }) };
        if bytes > store.most_at_once() {
            return Err(Fault::TooLarge { path, bytes, most: store.most_at_once() });
        }
    }
    Ok(())
}

/// Takes back what is done, the last first; names what could not be.
fn take_back(reach: &Access, store: &Store, done: &[Half<'_>]) -> Vec<String> {
    let mut left = Vec::new();
    for half in done.iter().rev() {
        let back = half.back();
        if let Err(why) = turn(reach, store, &back, &mut || Ok(())) {
            tracing::warn!(path = half.path, ?why, "a change could not be taken back");
            left.push(half.path.to_owned());
        }
    }
    left
}

#[cfg(test)]
mod tests {
    //! A process may die after every step; the same order given again finishes its work.

    use std::fs;
    use std::path::Path;

    use enza_work::{Bounds, Job, Order, Proposal};
    use tempfile::TempDir;

    use super::super::{prepare, restore};
    use super::*;

    struct TestFolder {
        all: TempDir,
        reach: Access,
        store: Store,
    }

    fn room() -> TestFolder {
        let all = tempfile::Builder::new().prefix("ws-files-").tempdir().unwrap();
        let work = all.path().join("work");
        fs::create_dir_all(work.join("gone/deep")).unwrap();
        for name in ["a.txt", "moved.txt", "gone/b.txt", "gone/deep/c.txt"] {
            fs::write(work.join(name), name).unwrap();
        }
        let task = Job::List { path: String::new(), depth: 1 };
        let folder = work.to_str().unwrap().to_owned();
        let order = Order { folder, task, bounds: Bounds::default(), granted: Vec::new() };
        let store = Store::open(&all.path().join("store"), Store::MOST).unwrap();
        TestFolder { reach: Access::of(&order).unwrap(), store, all }
    }

    fn changes(room: &TestFolder) -> Vec<Change> {
        let path = str::to_owned;
        let proposals = [
            Proposal::Write { path: path("a.txt"), content: path("A") },
            Proposal::Create { path: path("new/deep/n.txt"), content: path("N") },
            Proposal::Move { path: path("moved.txt"), to: path("new/m.txt") },
            Proposal::Delete { path: path("gone") },
        ];
        prepare(&room.reach, &room.store, &proposals).unwrap().into_iter().map(|prepared| prepared.change).collect()
    }

    fn tree(folder: &Path) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.path().is_dir() {
                all.extend(tree(&entry.path()).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)));
                all.push((format!("{name}/"), String::new()));
            } else {
                all.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
        all.sort();
        all
    }

    /// Dies after so many steps; says whether there were as many.
    fn make_and_die(room: &TestFolder, changes: &[Change], steps: u32) -> bool {
        let mut left = steps;
        let made = make_while(&room.reach, &room.store, changes, &mut || {
            left = left.checked_sub(1).ok_or(Halt::Stopped)?;
            Ok(())
        });
        made == Err(Halt::Stopped)
    }

    #[test]
    fn a_process_that_dies_after_any_step_leaves_work_that_the_same_order_finishes() {
        let finished = {
            let room = room();
            make(&room.reach, &room.store, &changes(&room)).unwrap();
            tree(Path::new(room.reach.folder()))
        };
        let mut steps = 0;
        loop {
            let room = room();
            let before = tree(Path::new(room.reach.folder()));
            let changes = changes(&room);
            if !make_and_die(&room, &changes, steps) {
                break;
            }
            // Dying again at the same place must not make it worse.
            make_and_die(&room, &changes, steps);
            assert_eq!(make(&room.reach, &room.store, &changes), Ok(changes.clone()), "after {steps} steps");
            assert_eq!(tree(Path::new(room.reach.folder())), finished, "after {steps} steps");
            assert_eq!(restore(&room.reach, &room.store, &changes).unwrap().kept, []);
            assert_eq!(tree(Path::new(room.reach.folder())), before, "after {steps} steps");
            steps += 1;
        }
        assert!(steps >= 20, "only {steps} steps: nothing was interrupted");
    }

    /// Saves a file by hand after so many steps, as editors do; says whether there were as many.
    fn make_while_someone_saves(room: &TestFolder, changes: &[Change], path: &Path, steps: u32) -> bool {
        let mut left = Some(steps);
        let beside = room.all.path().join("save");
        let _ = make_while(&room.reach, &room.store, changes, &mut || {
            if left == Some(0) {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&beside, "by hand").unwrap();
                fs::rename(&beside, path).unwrap();
            }
            left = left.and_then(|left| left.checked_sub(1));
            Ok(())
        });
        left.is_none()
    }

    #[test]
    fn what_someone_saves_after_any_step_is_there_when_the_work_is_over() {
        for name in ["a.txt", "moved.txt", "gone/b.txt", "new/deep/n.txt", "new/m.txt"] {
            for steps in 0.. {
                let room = room();
                let changes = changes(&room);
                let folder = Path::new(room.reach.folder());
                if !make_while_someone_saves(&room, &changes, &folder.join(name), steps) {
                    assert!(steps > 10, "only {steps} steps: nothing came in between");
                    break;
                }
                let saved = fs::read_to_string(folder.join(name)).unwrap_or_default();
                assert_eq!(saved, "by hand", "{name} after {steps} steps");
                let left: Vec<_> = tree(folder).into_iter().filter(|(name, _)| name.contains(".enza-")).collect();
                assert_eq!(left, [], "{name} after {steps} steps");
            }
        }
    }

    #[test]
    fn work_that_was_interrupted_can_be_taken_back_from_any_step() {
        for steps in 0.. {
            let room = room();
            let before = tree(Path::new(room.reach.folder()));
            let changes = changes(&room);
            let died = make_and_die(&room, &changes, steps);
            assert_eq!(restore(&room.reach, &room.store, &changes).unwrap().kept, [], "after {steps} steps");
            assert_eq!(tree(Path::new(room.reach.folder())), before, "after {steps} steps");
            if !died {
                break;
            }
        }
    }

    /// The process died after it had made everything, and before anybody heard of it.
    #[test]
    fn work_that_was_whole_and_is_asked_for_again_when_one_file_has_changed_is_told_as_half_made() {
        let room = room();
        let changes = changes(&room);
        make(&room.reach, &room.store, &changes).unwrap();
        fs::write(Path::new(room.reach.folder()).join("a.txt"), "by hand").unwrap();
        let Err(Fault::HalfMade { why, left }) = make(&room.reach, &room.store, &changes) else { panic!("not told") };
        assert_eq!(*why, Fault::Changed { path: "a.txt".to_owned() });
        let named = |path: &str| left.iter().any(|left| left == path);
        assert!(named("new/deep/n.txt") && named("new/m.txt") && named("moved.txt") && !named("a.txt"), "{left:?}");
    }

    #[test]
    fn work_that_was_interrupted_and_cannot_be_finished_is_taken_back() {
        for steps in 0.. {
            let room = room();
            let changes = changes(&room);
            let died = make_and_die(&room, &changes, steps);
            let last = Path::new(room.reach.folder()).join("gone/deep/c.txt");
            if !died || !last.exists() {
                break;
            }
            let folder = Path::new(room.reach.folder());
            fs::write(&last, "by hand").unwrap();
            let fault = Fault::Changed { path: "gone/deep/c.txt".to_owned() };
            assert_eq!(make(&room.reach, &room.store, &changes), Err(fault), "after {steps} steps");
            let names = ["a.txt", "gone/", "gone/b.txt", "gone/deep/", "gone/deep/c.txt", "moved.txt"];
            let texts = ["a.txt", "", "gone/b.txt", "", "by hand", "moved.txt"];
            let expected: Vec<_> =
                names.into_iter().zip(texts).map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
            assert_eq!(tree(folder), expected, "after {steps} steps");
        }
    }
}
