//! What git runs by itself: hooks, and settings that name programs. A command must not leave behind what the person's next
//! git command would run outside all walls.
//!
//! All repositories in the folder are looked for (`find`): its own, nested ones, those of submodules and worktrees, and bare
//! ones; and what their settings lead to (`settings`). What is there is remembered before a command and put back after it,
//! when nothing of the command is left; whatever else a command does with git, such as `git add` and `git commit`, stays. A
//! repository that the command made itself, or put in the place of another, loses its hooks and is named.
//!
//! While a command runs, the folder's own repository is also closed to it as far as mounts can (`closes`): an editor may ask
//! git for the state of the folder at any moment. Others are not, since tests make and remove repositories all the time.

mod find;
mod saved_file;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::folder_entry::open_folder;
use super::ignored::join;
use crate::store::Store;
use find::GitRepositories;
use saved_file::{SavedFile, names, remove};

/// What git runs, or is led to by, in each of its folders.
const RUN: [&str; 4] = ["commondir", "config", "config.worktree", "hooks"];
/// How many hooks are looked at in one folder.
const HOOKS: usize = 500;
/// The folder's own repository.
const OWN: &str = ".git";

/// What git would run, as it was before a command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GitGuard {
    folders: BTreeMap<String, GitFolder>,
    /// What stands in the place of one, where it is elsewhere.
    pointers: BTreeMap<String, SavedFile>,
    /// Folders of hooks and files of settings besides, which settings and links lead to.
    led_to: BTreeMap<String, SavedFile>,
    /// Those of them that are folders: what is new there is no hook of the person's.
    hooks: BTreeSet<String>,
}

/// What came of putting it back.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct PutBack {
    pub again: Vec<String>,
    /// What is new, and stays as the command left it.
    pub new: Vec<String>,
}

/// What a command is kept from changing while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closes {
    /// Folders that cannot be moved away.
    pub fixed: Vec<PathBuf>,
    /// Paths that cannot be changed.
    pub kept: Vec<PathBuf>,
}

/// One of git's folders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct GitFolder {
    identity: (u64, u64),
    held: BTreeMap<String, SavedFile>,
}

impl GitGuard {
    /// What git would run now. What files hold is kept in the store.
    pub fn take(reach: &Access, store: &Store) -> Self {
        let home = reach.home();
        let GitRepositories { folders, pointers } = find::repositories(home);
        let mut all = Self::default();
        for path in folders {
            let Some(dir) = open_below(home, &path) else { continue };
            all.folders.extend(GitFolder::of(&dir, store).map(|folder| (path, folder)));
        }
        for path in pointers {
            all.pointers.extend(SavedFile::at(home, &path, store).map(|held| (path, held)));
        }
        for (path, is_folder) in settings::led_to(reach, store, &all.folders) {
            if !is_folder {
                all.led_to.extend(SavedFile::at(home, &path, store).map(|held| (path, held)));
                continue;
            }
            for name in open_below(home, &path).iter().flat_map(|dir| names(dir, HOOKS)) {
                let hook = join(&path, &name);
                all.led_to.extend(SavedFile::at(home, &hook, store).map(|held| (hook, held)));
            }
            all.hooks.insert(path);
        }
        all
    }

    /// What of the folder's own repository a command is kept from changing.
    pub fn closes(&self, folder: &Path) -> Closes {
        let is_own = |path: &str| path == OWN || path.strip_prefix(OWN).is_some_and(|rest| rest.starts_with('/'));
        let mut closes = Closes::default();
        if self.folders.contains_key(OWN) {
            closes.fixed.push(folder.join(OWN));
        }
        for (path, git) in self.folders.iter().filter(|(path, _)| is_own(path)) {
            let names: BTreeSet<&str> = git
                .held
                .iter()
                .filter(|(_, held)| !held.is_link())
                .filter_map(|(name, _)| name.split('/').next())
                .collect();
            closes.kept.extend(names.into_iter().map(|name| folder.join(path).join(name)));
        }
        let pointer = self.pointers.get(OWN).filter(|pointer| !pointer.is_link());
        closes.kept.extend(pointer.map(|_| folder.join(OWN)));
        closes
    }

    /// Puts back what a command has changed of it.
    pub fn put_back(&self, reach: &Access, store: &Store) -> PutBack {
        let home = reach.home();
        let now = Self::take(reach, store);
        let mut came = PutBack::default();
        let paths: BTreeSet<&String> = self.folders.keys().chain(now.folders.keys()).collect();
        for path in paths {
            let Some(dir) = open_below(home, path) else { continue };
            let Some(folder) = GitFolder::of(&dir, store) else { continue };
            let before = self.folders.get(path).filter(|before| before.identity == folder.identity);
            match before {
                Some(before) => become_again(&dir, path, &folder.held, &before.held, store, &mut came.again),
                None => {
                    become_again(&dir, path, &folder.held, &folder.without_hooks(), store, &mut came.again);
                    came.new.push(join(path, "config"));
                }
            }
        }
        self.put_pointers_back(&now, home, store, &mut came);
        self.put_back_what_is_led_to(home, store, &mut came.again);
        came
    }

    fn put_pointers_back(&self, now: &Self, home: &Dir, store: &Store, came: &mut PutBack) {
        let paths: BTreeSet<&String> = self.pointers.keys().chain(now.pointers.keys()).collect();
        for path in paths {
            match (self.pointers.get(path), now.pointers.get(path)) {
                (before, after) if before == after => {}
                // One that was deleted with all around it, or became a folder, is git's no longer, or was looked at above.
                (Some(_), None) => {}
                (Some(before), Some(_)) if before.write(home, path, store).is_ok() => came.again.push(path.clone()),
                (_, _) => came.new.push(path.clone()),
            }
        }
    }

    /// These are looked at by their names, since settings may lead elsewhere by now.
    fn put_back_what_is_led_to(&self, home: &Dir, store: &Store, again: &mut Vec<String>) {
        for path in &self.hooks {
            for name in open_below(home, path).iter().flat_map(|dir| names(dir, HOOKS)) {
                let hook = join(path, &name);
                if !self.led_to.contains_key(&hook) && remove(home, &hook).is_ok() {
                    again.push(hook);
                }
            }
        }
        for (path, before) in &self.led_to {
            if SavedFile::at(home, path, store).as_ref() != Some(before) && before.write(home, path, store).is_ok() {
                again.push(path.clone());
            }
        }
    }
}

impl GitFolder {
    fn of(dir: &Dir, store: &Store) -> Option<Self> {
        let identity = saved_file::identity(dir)?;
        let mut held = BTreeMap::new();
        for name in RUN {
            match open_folder(dir, name) {
                Ok(inner) => {
                    // Samples, which git leaves alone, come with every new repository.
                    for hook in names(&inner, HOOKS).into_iter().filter(|name| !name.ends_with(".sample")) {
                        held.extend(SavedFile::at(&inner, &hook, store).map(|one| (format!("{name}/{hook}"), one)));
                    }
                }
                Err(_) => held.extend(SavedFile::at(dir, name, store).map(|one| (name.to_owned(), one))),
            }
        }
        Some(Self { identity, held })
    }

    /// The same without what git would run by its name.
    fn without_hooks(&self) -> BTreeMap<String, SavedFile> {
        let held = self.held.iter().filter(|(name, _)| !name.starts_with("hooks"));
        held.map(|(name, one)| (name.clone(), one.clone())).collect()
    }
}

/// Takes away what is not to be there, then writes what is; a folder that became a link goes before what was in it.
fn become_again(
    dir: &Dir,
    path: &str,
    now: &BTreeMap<String, SavedFile>,
    then: &BTreeMap<String, SavedFile>,
    store: &Store,
    again: &mut Vec<String>,
) {
    let surplus = now.iter().filter(|(name, held)| then.get(*name) != Some(*held));
    let gone: Vec<&String> = surplus.map(|(name, _)| name).filter(|name| remove(dir, name).is_ok()).collect();
    let lacking = then.iter().filter(|(name, held)| now.get(*name) != Some(*held));
    let back = lacking.filter(|(name, held)| held.write(dir, name, store).is_ok()).map(|(name, _)| name);
    let names: BTreeSet<String> = gone.into_iter().chain(back).map(|name| join(path, name)).collect();
    again.extend(names);
}

/// Opens a folder below another, through no link.
fn open_below(home: &Dir, path: &str) -> Option<Dir> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    parts.try_fold(home.try_clone().ok()?, |folder, part| open_folder(&folder, part).ok())
}
