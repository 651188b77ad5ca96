//! Looks for everything in a folder that git would take for a repository.
//!
//! That is more than `.git` at the top: nested repositories, submodules with their folders below `.git/modules` (whose names
//! may have several parts), worktrees, files that say where a repository is, and folders that look like one from inside. What
//! lies higher is looked at first, and looking is bounded: a command must not wait for a walk through everything.

use std::collections::VecDeque;

use cap_std::fs::Dir;

use super::super::folder_entry::open_folder;
use super::super::ignored::join;

/// How many entries are looked at.
const ENTRIES: usize = 100_000;
/// How deep.
const DEPTH: usize = 32;

/// What was found, relative to the folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GitRepositories {
    /// Git's folders.
    pub folders: Vec<String>,
    /// Files and links that are called `.git`.
    pub pointers: Vec<String>,
}

/// What a folder on the walk may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    /// A folder of the person's work.
    Work,
    /// What is called `.git`: a repository whatever is in it, since a command may complete it later.
    Repository,
    /// `modules` or `worktrees` in a repository.
    Shelf,
    /// Something below one of those: a repository, or a part of the name of one.
    Shelved,
}

impl FolderKind {
    fn is_repository(self, entries: &Entries) -> bool {
        match self {
            Self::Work => entries.look_like_a_repository(),
            Self::Repository => true,
            Self::Shelf => false,
            Self::Shelved => {
                entries.has_file("HEAD")
                    || entries.has_file("config")
                    || entries.folders.iter().any(|name| name == "hooks")
            }
        }
    }

    /// What a folder in one of this kind may be.
    fn below(self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::Work, ".git") => Some(Self::Repository),
            (Self::Work, _) => Some(Self::Work),
            (Self::Shelf | Self::Shelved, _) => Some(Self::Shelved),
            (Self::Repository, _) => None,
        }
    }
}

/// Everything below a folder that git would take for a repository.
pub(super) fn repositories(home: &Dir) -> GitRepositories {
    let mut found = GitRepositories::default();
    let mut left = ENTRIES;
    let Ok(top) = home.try_clone() else { return found };
    let mut ahead = VecDeque::from([(top, String::new(), FolderKind::Work, 0)]);
    while let Some((dir, path, ground, depth)) = ahead.pop_front() {
        let entries = Entries::of(&dir, &mut left);
        let is_repository = ground.is_repository(&entries);
        for name in entries.folders.iter().filter(|_| depth < DEPTH) {
            let is_shelf = name == "modules" || name == "worktrees";
            let kind = if is_repository { is_shelf.then_some(FolderKind::Shelf) } else { ground.below(name) };
            if let (Some(kind), Ok(below)) = (kind, open_folder(&dir, name)) {
                ahead.push_back((below, join(&path, name), kind, depth + 1));
            }
        }
        if !is_repository && entries.has_file(".git") {
            found.pointers.push(join(&path, ".git"));
        }
        if is_repository {
            found.folders.push(path);
        }
    }
    found
}

/// The names in one folder.
struct Entries {
    folders: Vec<String>,
    others: Vec<String>,
}

impl Entries {
    fn of(dir: &Dir, left: &mut usize) -> Self {
        let mut all = Self { folders: Vec::new(), others: Vec::new() };
        for entry in dir.entries().into_iter().flatten().flatten() {
            if *left == 0 {
                break;
            }
            *left -= 1;
            // A name that is no text cannot be put back by it; git's own are.
            let Ok(name) = entry.file_name().into_string() else { continue };
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => all.folders.push(name),
                false => all.others.push(name),
            }
        }
        all.folders.sort();
        all
    }

    fn has_file(&self, name: &str) -> bool {
        self.others.iter().any(|other| other == name)
    }

    /// By what git itself goes by.
    fn look_like_a_repository(&self) -> bool {
        let has_folder = |name: &str| self.folders.iter().any(|folder| folder == name);
        let is_whole = has_folder("objects") && has_folder("refs");
        self.has_file("HEAD") && (is_whole || self.has_file("commondir"))
    }
}
