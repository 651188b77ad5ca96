//! What git runs by itself: hooks, and settings that name programs. A command must not leave behind what the person's next
//! git command would run outside all walls.
//!
//! A part of a folder cannot be closed to writing where something beside it has to be written, and git writes all over
//! `.git`. So what is there is remembered before a command and put back after it, when nothing of the command is left;
//! whatever else a command does with git, such as `git add` and `git commit`, stays. A repository that the command made
//! itself, or put in the place of another, loses its hooks and is named.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use cap_std::fs::{Dir, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _, PermissionsExt as _};

use super::ignored::join;
use super::reach::Reach;
use super::spot::{open_file, open_folder};

/// What git runs, or reads the names of programs from, in each of its folders.
const RUN: [&str; 3] = ["config", "config.worktree", "hooks"];
/// How many modules are looked at.
const MODULES: usize = 200;
/// How many hooks are looked at in one folder.
const HOOKS: usize = 500;
/// A larger file is neither a hook nor a list of settings.
const LARGEST: u64 = 8 << 20;

/// What git would run, as it was before a command.
#[derive(Debug)]
pub struct Guarded {
    folders: BTreeMap<String, GitFolder>,
    /// What stands in the place of the folder, where git's own is elsewhere.
    pointer: Option<Held>,
}

/// What came of putting it back.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct PutBack {
    /// What is again as it was.
    pub again: Vec<String>,
    /// What is new, and stays as the command left it.
    pub new: Vec<String>,
}

/// One of git's folders: `.git`, or that of a module in it.
#[derive(Debug)]
struct GitFolder {
    dir: Dir,
    identity: (u64, u64),
    held: BTreeMap<String, Held>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Held {
    File { bytes: Vec<u8>, mode: u32 },
    Link(PathBuf),
    Other,
}

impl Guarded {
    /// What git would run now.
    pub fn take(reach: &Reach) -> Self {
        let home = reach.home();
        let mut folders = BTreeMap::new();
        if let Ok(git) = open_folder(home, ".git") {
            let modules = open_folder(&git, "modules").ok();
            for name in modules.iter().flat_map(|modules| names(modules, MODULES)) {
                let module = modules.as_ref().and_then(|modules| open_folder(modules, &name).ok());
                folders.extend(module.and_then(GitFolder::of).map(|module| (format!(".git/modules/{name}"), module)));
            }
            folders.extend(GitFolder::of(git).map(|git| (".git".to_owned(), git)));
        }
        let pointer = home.symlink_metadata(".git").ok().filter(|about| !about.is_dir());
        let pointer = pointer.and_then(|about| Held::of(home, ".git", &about));
        Self { folders, pointer }
    }

    /// Puts back what a command has changed of it.
    pub fn put_back(&self, reach: &Reach) -> PutBack {
        let now = Self::take(reach);
        let mut came = PutBack::default();
        for (path, folder) in &now.folders {
            match self.folders.get(path).filter(|before| before.identity == folder.identity) {
                Some(before) => folder.become_again(path, &before.held, &mut came.again),
                None => {
                    folder.become_again(path, &folder.without_hooks(), &mut came.again);
                    came.new.push(join(path, "config"));
                }
            }
        }
        match (&self.pointer, &now.pointer) {
            (before, after) if before == after => {}
            (Some(before), Some(_)) if before.write(reach.home(), ".git").is_ok() => {
                came.again.push(".git".to_owned());
            }
            (_, _) => came.new.push(".git".to_owned()),
        }
        came
    }
}

impl GitFolder {
    fn of(dir: Dir) -> Option<Self> {
        let about = dir.dir_metadata().ok()?;
        let mut held = BTreeMap::new();
        for name in RUN {
            let Ok(about) = dir.symlink_metadata(name) else { continue };
            if !about.is_dir() {
                held.extend(Held::of(&dir, name, &about).map(|one| (name.to_owned(), one)));
                continue;
            }
            let Ok(inner) = open_folder(&dir, name) else { continue };
            for hook in names(&inner, HOOKS) {
                let Ok(about) = inner.symlink_metadata(&hook) else { continue };
                held.extend(Held::of(&inner, &hook, &about).map(|one| (format!("{name}/{hook}"), one)));
            }
        }
        Some(Self { identity: (about.dev(), about.ino()), dir, held })
    }

    /// The same without what git would run by its name. Samples, which it leaves alone, come with every new repository.
    fn without_hooks(&self) -> BTreeMap<String, Held> {
        let is_harmless = |name: &str| name.ends_with(".sample") || !name.starts_with("hooks");
        self.held.iter().filter(|(name, _)| is_harmless(name)).map(|(name, one)| (name.clone(), one.clone())).collect()
    }

    /// Takes away what is not to be there, then writes what is; a folder that became a link goes before what was in it.
    fn become_again(&self, path: &str, then: &BTreeMap<String, Held>, again: &mut Vec<String>) {
        let surplus = self.held.iter().filter(|(name, held)| then.get(*name) != Some(*held));
        let gone: Vec<&String> = surplus.map(|(name, _)| name).filter(|name| remove(&self.dir, name).is_ok()).collect();
        let lacking = then.iter().filter(|(name, held)| self.held.get(*name) != Some(*held));
        let back: Vec<&String> =
            lacking.filter(|(name, held)| held.write(&self.dir, name).is_ok()).map(|(name, _)| name).collect();
        let mut names: Vec<String> = gone.into_iter().chain(back).map(|name| join(path, name)).collect();
        names.sort();
        names.dedup();
        again.extend(names);
    }
}

impl Held {
    fn of(folder: &Dir, name: &str, about: &Metadata) -> Option<Self> {
        if about.is_symlink() {
            return folder.read_link_contents(name).ok().map(Self::Link);
        }
        if !about.is_file() || about.len() > LARGEST {
            return Some(Self::Other);
        }
        let (file, about) = open_file(folder, name).ok()?;
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(Self::File { bytes, mode: about.mode() & 0o777 })
    }

    fn write(&self, folder: &Dir, name: &str) -> io::Result<()> {
        if *self == Self::Other {
            return Err(io::Error::other("it was not kept"));
        }
        let _ = remove(folder, name);
        let (folder, name) = match name.split_once('/') {
            Some((around, name)) => {
                let _ = folder.create_dir(around);
                (open_folder(folder, around)?, name)
            }
            None => (folder.try_clone()?, name),
        };
        match self {
            Self::Link(to) => folder.symlink_contents(to, name),
            Self::File { bytes, mode } => {
                let mut options = OpenOptions::new();
                let mut file = folder.open_with(name, options.write(true).create_new(true).mode(*mode))?;
                file.write_all(bytes)?;
                file.set_permissions(cap_std::fs::Permissions::from_mode(*mode))?;
                file.sync_all()
            }
            Self::Other => Ok(()),
        }
    }
}

/// Takes a name away, whatever it is, and follows no link on the way.
fn remove(folder: &Dir, name: &str) -> io::Result<()> {
    let (folder, name) = match name.split_once('/') {
        Some((around, name)) => (open_folder(folder, around)?, name),
        None => (folder.try_clone()?, name),
    };
    match folder.symlink_metadata(name)?.is_dir() {
        true => folder.remove_dir_all(name),
        false => folder.remove_file(name),
    }
}

fn names(folder: &Dir, most: usize) -> Vec<String> {
    let entries = folder.entries().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.take(most).collect()
}
