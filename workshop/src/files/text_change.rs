//! The one place where changes of texts come from: pieces of a file, patches, and diffs as people read them.
//!
//! What is read and written stays with `overlay`; here are only texts, and all of it is `patch`.

use enza_work::{Fault, Replacement};

use crate::patch::{self, FileChange};

/// A file as a patch would leave it.
pub(super) struct Patched {
    pub path: String,
    pub to: Option<String>,
    pub after: Option<String>,
}

/// What a patch would do to the files that `read` gives.
pub(super) fn patched(text: &str, read: impl Fn(&str) -> Option<String>) -> Result<Vec<Patched>, Fault> {
    let changes = patch::apply(&patch::read(text)?, read)?;
    Ok(changes.into_iter().map(|FileChange { path, to, after, .. }| Patched { path, to, after }).collect())
}

/// A text with lines of its own at the end.
pub(super) fn appended(text: &str, content: &str) -> String {
    patch::append(text, content)
}

/// A text with pieces of it replaced.
pub(super) fn edited(path: &str, text: &str, replacements: &[Replacement]) -> Result<String, Fault> {
    patch::edit(path, text, replacements)
}

/// A diff and how much it says.
#[derive(Debug, Default)]
pub(super) struct Diff {
    pub text: String,
    pub hunks: u32,
    pub added: u32,
    pub removed: u32,
}

/// The difference between two texts; none where there is no file.
pub(super) fn diff(path: &str, to: Option<&str>, before: Option<&str>, after: Option<&str>) -> Diff {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let change = FileChange { path: path.to_owned(), to: owned(to), before: owned(before), after: owned(after) };
    let hunks = change.hunks().len() as u32;
    let counts = change.counts();
    Diff { text: change.unified(), hunks, added: counts.added, removed: counts.removed }
}
