//! What a project tells its tools to leave alone: `.gitignore`, `.ignore`, `.enzaignore`, in every folder.
//!
//! The files are read through the folder's handle, like everything else. Deeper folders have the last word, and in one
//! folder the file named last here. `.git` is always left alone, and so is what we write beside files ourselves.

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::folder_entry::{FolderEntry, open_folder};
use super::swap::is_beside;

/// Later ones win over earlier ones.
const FILES: &[&str] = &[".gitignore", ".ignore", ".enzaignore"];
/// A longer list of patterns is no list of patterns.
const LONGEST: u64 = 256 * 1024;

/// The rules from the top of a folder down to where a walk is.
pub(super) struct Ignored {
    layers: Vec<(String, Gitignore)>,
}

impl Ignored {
    /// No rules yet.
    pub fn nothing() -> Self {
        Self { layers: Vec::new() }
    }

    /// The rules on the way from the top down to a folder below it, without those of that folder itself.
    pub fn down_to(top: &Dir, path: &str) -> Self {
        let mut rules = Self::nothing();
        let mut here = top.try_clone().ok();
        let mut walked = String::new();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let Some(dir) = here else { return rules };
            rules.enter(&dir, &walked);
            here = open_folder(&dir, part).ok();
            walked = join(&walked, part);
        }
        rules
    }

    /// Adds the rules of a folder.
    pub fn enter(&mut self, dir: &Dir, path: &str) {
        let mut builder = GitignoreBuilder::new("");
        for name in FILES {
            let spot = dir.try_clone().map(|dir| FolderEntry::new(dir, Vec::new(), (*name).to_owned()));
            let text = spot.ok().and_then(|spot| spot.read(name, LONGEST).ok()).unwrap_or_default();
            for line in String::from_utf8_lossy(&text).lines() {
                // A line that is no pattern says nothing.
                let _ = builder.add_line(None, line);
            }
        }
        self.layers.push((path.to_owned(), builder.build().unwrap_or_else(|_| Gitignore::empty())));
    }

    /// Drops the rules of the folder that was entered last.
    pub fn leave(&mut self) {
        self.layers.pop();
    }

    /// Whether an entry of the folder that was entered last is to be left alone.
    pub fn names(&self, path: &str, is_folder: bool) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        // On a file system that does not tell the case, git's folder may be called otherwise.
        if name.eq_ignore_ascii_case(".git") || is_beside(name) {
            return true;
        }
        for (folder, rules) in self.layers.iter().rev() {
            let below = path.strip_prefix(folder.as_str()).unwrap_or(path).trim_start_matches('/');
            match rules.matched(below, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

/// Whether a path below the top, or a folder on the way to it, is to be left alone.
pub(super) fn is_ignored(top: &Dir, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    (1..=parts.len()).any(|end| {
        let here = parts[..end].join("/");
        Ignored::down_to(top, &here).names(&here, end < parts.len())
    })
}

/// A path and a name below it.
pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{}/{name}", path.trim_end_matches('/')) }
}
