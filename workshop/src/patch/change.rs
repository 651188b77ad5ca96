//! A change to one file with both its sides, and how it is shown.

use std::collections::BTreeSet;

use super::diff::{Counts, Hunk, choose, hunks};
use super::quote::quoted;

/// A change to one file, with both its sides whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    /// Where it goes, if it moves.
    pub to: Option<String>,
    /// What it holds before; none where there is no file.
    pub before: Option<String>,
    /// What it holds after; none where there is no file.
    pub after: Option<String>,
}

impl FileChange {
    /// The change with only these hunks, by their numbers from 1. With none of them a file that would have come does
    /// not come, and one that would have gone stays. Where there are no hunks (an empty file comes, or a file only
    /// moves), there is nothing to choose, and the change stays as it is.
    #[must_use]
    pub fn choose(&self, accepted: &BTreeSet<u32>) -> Self {
        let numbers: BTreeSet<u32> = (1..).zip(self.hunks()).map(|(number, _)| number).collect();
        let after = if accepted.is_superset(&numbers) {
            self.after.clone()
        } else if accepted.is_disjoint(&numbers) {
            self.before.clone()
        } else {
            Some(choose(self.text_before(), self.text_after(), accepted))
        };
        Self { after, ..self.clone() }
    }

    /// What differs between the two sides; a missing file is as an empty one.
    pub fn hunks(&self) -> Vec<Hunk> {
        hunks(self.text_before(), self.text_after())
    }

    /// How many lines come and go.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.hunks())
    }

    /// The change as a unified diff in the manner of git; empty where nothing changes.
    pub fn unified(&self) -> String {
        let mut text = self.header();
        let hunks = self.hunks();
        if !hunks.is_empty() {
            text += &format!("--- {}\n", side("a/", &self.path, self.before.is_some()));
            text += &format!("+++ {}\n", side("b/", self.target(), self.after.is_some()));
        }
        text.extend(hunks.iter().map(Hunk::unified));
        text
    }

    /// What the names and hunks do not say: that a file comes, goes or moves.
    fn header(&self) -> String {
        let (path, target) = (&self.path, self.target());
        let said = match (&self.before, &self.after) {
            (None, Some(_)) => "new file mode 100644\n".to_owned(),
            (Some(_), None) => "deleted file mode 100644\n".to_owned(),
            (Some(_), Some(_)) if path != target => {
                format!("rename from {}\nrename to {}\n", quoted(path), quoted(target))
            }
            (Some(_), Some(_)) | (None, None) => return String::new(),
        };
        format!("diff --git {} {}\n{said}", quoted(&format!("a/{path}")), quoted(&format!("b/{target}")))
    }

    /// What the file is called afterwards.
    pub fn target(&self) -> &str {
        self.to.as_deref().unwrap_or(&self.path)
    }

    fn text_before(&self) -> &str {
        self.before.as_deref().unwrap_or_default()
    }

    fn text_after(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }
}

/// One of the two names above the hunks. After a name with a space comes a tab, so that no one reads the rest as a date.
fn side(prefix: &str, path: &str, is_there: bool) -> String {
    match is_there {
        false => "/dev/null".to_owned(),
        true if path.contains(' ') => format!("{}\t", quoted(&format!("{prefix}{path}"))),
        true => quoted(&format!("{prefix}{path}")),
    }
}
