//! Where git's settings lead: folders of hooks (`core.hooksPath`), further settings (`include.path`), and links in the place
//! of either, as far as they lie in the folder of work. What lies outside it no command can change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::access::Access;
use super::super::path::{normal, parts};
use super::saved_file::SavedFile;
use super::{GitFolder, open_below};
use crate::store::Store;

/// How often settings lead to further settings.
const DEPTH: usize = 8;

/// Paths in the folder that git's settings lead to, and whether each is a folder of hooks.
pub(super) fn led_to(reach: &Access, store: &Store, folders: &BTreeMap<String, GitFolder>) -> BTreeSet<(String, bool)> {
    let mut leads = Leads { reach, store, found: BTreeSet::new() };
    for (path, folder) in folders {
        // Of a repository in its own folder; others say themselves where their work is.
        let work = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
        for (name, held) in &folder.held {
            match held {
                SavedFile::Link(to) => {
                    let around = format!("{path}/{name}");
                    let around = around.rsplit_once('/').map_or("", |(around, _)| around);
                    leads.lead(around, &to.to_string_lossy(), name.starts_with("hooks"));
                }
                SavedFile::File { .. } if name.starts_with("config") => leads.follow(path, work, held, DEPTH),
                SavedFile::File { .. } | SavedFile::Other => {}
            }
        }
    }
    leads.found
}

struct Leads<'a> {
    reach: &'a Access,
    store: &'a Store,
    found: BTreeSet<(String, bool)>,
}

impl Leads<'_> {
    /// Follows what settings say that lie in the folder `around`; hooks are run in `work`.
    fn follow(&mut self, around: &str, work: &str, held: &SavedFile, depth: usize) {
        let Some(text) = held.text(self.store).filter(|_| depth > 0) else { return };
        let settings = settings(&text);
        let other = settings.iter().find(|(key, _)| key == "core.worktree").map(|(_, to)| to.clone());
        let other = other.and_then(|to| self.inside(around, &to));
        let work = other.as_deref().unwrap_or(work);
        for (key, value) in &settings {
            match key.as_str() {
                "core.hookspath" => self.lead(work, value, true),
                key if key.starts_with("include") && key.ends_with(".path") => {
                    let Some(path) = self.inside(around, value) else { continue };
                    if self.found.insert((path.clone(), false))
                        && let Some(held) = SavedFile::at(self.reach.home(), &path, self.store)
                    {
                        let around = path.rsplit_once('/').map_or("", |(around, _)| around);
                        self.follow(around, work, &held, depth - 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes note of a path, from a folder on.
    fn lead(&mut self, from: &str, to: &str, is_hooks: bool) {
        let Some(path) = self.inside(from, to) else { return };
        let is_folder = open_below(self.reach.home(), &path).is_some();
        // The whole folder of work is no folder of hooks: what lies in it is the work itself.
        if !path.is_empty() && path != from {
            self.found.insert((path, is_hooks && is_folder));
        }
    }

    /// The path that is meant from a folder on, if it lies in the folder of work and not in git's own.
    fn inside(&self, from: &str, to: &str) -> Option<String> {
        let folder = self.reach.folder();
        let meant = if to.starts_with('/') { normal(to) } else { normal(&format!("{folder}/{from}/{to}")) };
        let below = Path::new(&meant).strip_prefix(folder).ok()?.to_str()?.to_owned();
        (!to.starts_with('~')).then(|| parts(&below).join("/"))
    }
}

/// Every setting of a file of git's, as `section.key` in small letters and its value; a section's own name in quotes is left
/// out. What cannot be understood is passed over, as are the odder ways of writing that git never writes itself.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.replace("\\\n", "").lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = rest.split_once(']') else { continue };
            section = name.split(['"', ' ']).next().unwrap_or_default().to_lowercase();
            line = after.trim();
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with(['#', ';'])) else { continue };
        found.push((format!("{section}.{}", key.trim().to_lowercase()), plain(value)));
    }
    found
}

/// A value without its quotes, escapes and what follows as a comment.
fn plain(value: &str) -> String {
    let mut plain = String::new();
    let mut is_quoted = false;
    let mut letters = value.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '\\' => plain.extend(letters.next()),
            '#' | ';' if !is_quoted => break,
            other => plain.push(other),
        }
    }
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_writes_them() {
        let text = "[core]\n\thooksPath = \"my hooks\" # here\n[includeIf \"gitdir:~/w/\"] path=a\\\\b\n; x = y\n[user]\n\tname = A\n";
        let expected = [("core.hookspath", "my hooks"), ("includeif.path", "a\\b"), ("user.name", "A")];
        assert_eq!(settings(text), expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
