//! The one place where changes of texts come from: pieces of a file, patches, and diffs as people read them.
//!
//! What is read and written stays with `overlay`; here are only texts.

use enza_applications::companion::work::{Fault, Replacement};
use similar::{ChangeTag, TextDiff};

/// A file as a patch would leave it.
pub(super) struct Patched {
    pub path: String,
    pub to: Option<String>,
    pub after: Option<String>,
}

/// What a patch would do to the files that `read` gives.
pub(super) fn patched(_patch: &str, _read: impl Fn(&str) -> Option<String>) -> Result<Vec<Patched>, Fault> {
    Err(Fault::UnreadablePatch { line: 1, why: "patches are not read here; use write or edit".to_owned() })
}

/// A text with pieces of it replaced, each found exactly once.
pub(super) fn edited(path: &str, text: &str, replacements: &[Replacement]) -> Result<String, Fault> {
    let mut text = text.to_owned();
    for (piece, replacement) in (1..).zip(replacements) {
        let places = text.matches(replacement.old.as_str()).take(2).count();
        if replacement.old.is_empty() || places != 1 {
            let why = if places == 0 { "it is not in the file" } else { "it is in the file more than once" };
            return Err(Fault::DoesNotApply { path: path.to_owned(), piece, why: why.to_owned() });
        }
        text = text.replacen(&replacement.old, &replacement.new, 1);
    }
    Ok(text)
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
    let texts = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let count = |tag| texts.iter_all_changes().filter(|change| change.tag() == tag).count() as u32;
    let old = if before.is_some() { format!("a/{path}") } else { "/dev/null".to_owned() };
    let new = if after.is_some() { format!("b/{}", to.unwrap_or(path)) } else { "/dev/null".to_owned() };
    let hunks = texts.unified_diff().iter_hunks().count() as u32;
    let text = texts.unified_diff().header(&old, &new).to_string();
    Diff { text, hunks, added: count(ChangeTag::Insert), removed: count(ChangeTag::Delete) }
}
