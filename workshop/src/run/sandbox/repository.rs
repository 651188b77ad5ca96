//! The repository of a folder of work that is a worktree or a submodule: it lies outside the folder, and git reads it there.
//!
//! It may be read and not written, so that `git status` and `git log` work in commands and `git commit` does not. Which it is
//! says a file in the folder, and a command could write another name into that; so it is believed only where the repository
//! itself, which no command can change, says that this folder belongs to it.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of git outside the folder of work that belong to it.
pub fn elsewhere(folder: &Path) -> Vec<PathBuf> {
    let Some(own) = pointed(&folder.join(".git"), folder, "gitdir:") else { return Vec::new() };
    if own.starts_with(folder) || !knows(&own, folder) {
        return Vec::new();
    }
    let common = pointed(&own.join("commondir"), &own, "");
    [own].into_iter().chain(common).collect()
}

/// The place that a file names, from a folder on.
fn pointed(file: &Path, from: &Path, label: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    from.join(text.trim().strip_prefix(label)?.trim()).canonicalize().ok()
}

/// Whether a folder of git says that this folder of work is its own: a worktree's by the file `gitdir`, a submodule's by a
/// setting.
fn knows(own: &Path, folder: &Path) -> bool {
    let is_folder = |path: PathBuf| path.canonicalize().is_ok_and(|path| path == folder);
    let back = pointed(&own.join("gitdir"), own, "").and_then(|pointer| pointer.parent().map(Path::to_owned));
    let settings = fs::read_to_string(own.join("config")).unwrap_or_default();
    let mut lines = settings.lines().filter_map(|line| line.split_once('='));
    let worktree = lines.find(|(key, _)| key.trim() == "worktree").map(|(_, value)| own.join(value.trim()));
    back.is_some_and(is_folder) || worktree.is_some_and(is_folder)
}
