//! A unified diff, read for drawing: files, hunks, and lines with their numbers on both sides.
//!
//! A hunk ends where its head says, and not where a line looks like a name, since a removed line may well begin with
//! `-- `. Whatever is no hunk is kept as it stands, so nothing of a diff is ever left out. A hunk that was cut short ends
//! with the text.

use std::iter::Peekable;
use std::str::Split;

/// A file of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch<'a> {
    /// The lines above its hunks: names, what becomes of it.
    pub head: Vec<&'a str>,
    /// Its hunks, in order.
    pub hunks: Vec<Hunk<'a>>,
}

/// A stretch of a file that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// Its head, from `@@` on.
    pub head: &'a str,
    /// Its lines, in order.
    pub rows: Vec<Row<'a>>,
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    pub kind: RowKind,
    /// Its number before, where it was there.
    pub old: Option<u32>,
    /// Its number after, where it is there.
    pub new: Option<u32>,
    /// The line, without its sign.
    pub text: &'a str,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// It stays.
    Same,
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It is no line of the file, but says something about the one before.
    Remark,
}

/// Reads a diff of one or more files.
pub fn read(text: &str) -> Vec<FilePatch<'_>> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut lines = text.split('\n').peekable();
    let mut files: Vec<FilePatch<'_>> = Vec::new();
    while let Some(line) = lines.next() {
        let begins_another = files.last().is_none_or(|file| !file.hunks.is_empty());
        match Counts::of(line) {
            Some(counts) => {
                if files.is_empty() {
                    files.push(FilePatch::default());
                }
                let rows = counts.rows(&mut lines);
                files.last_mut().expect("a file").hunks.push(Hunk { head: line, rows });
            }
            None if begins_another => files.push(FilePatch { head: vec![line], hunks: Vec::new() }),
            None => files.last_mut().expect("a file").head.push(line),
        }
    }
    files
}

/// How many lines of each side are still to come, and the numbers of the next.
struct Counts {
    old: (u32, u32),
    new: (u32, u32),
}

impl Counts {
    /// Those of a hunk's head, `@@ -1,2 +1,3 @@`; none where the line is no such head.
    fn of(line: &str) -> Option<Self> {
        let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |text: &str| -> Option<(u32, u32)> {
            match text.split_once(',') {
                Some((from, count)) => Some((from.parse().ok()?, count.parse().ok()?)),
                None => Some((text.parse().ok()?, 1)),
            }
        };
        Some(Self { old: range(old)?, new: range(new)? })
    }

    fn rows<'a>(mut self, lines: &mut Peekable<Split<'a, char>>) -> Vec<Row<'a>> {
        let mut rows = Vec::new();
        while let Some(line) = lines.next_if(|line| self.is_mine(line)) {
            let (kind, text) = match line.as_bytes().first() {
                Some(b'+') => (RowKind::Added, &line[1..]),
                Some(b'-') => (RowKind::Removed, &line[1..]),
                Some(b'\\') => (RowKind::Remark, line[1..].trim_start()),
                Some(b' ') => (RowKind::Same, &line[1..]),
                Some(_) | None => (RowKind::Same, line),
            };
            let (has_old, has_new) = match kind {
                RowKind::Same => (true, true),
                RowKind::Added => (false, true),
                RowKind::Removed => (true, false),
                RowKind::Remark => (false, false),
            };
            let old = has_old.then(|| step(&mut self.old));
            let new = has_new.then(|| step(&mut self.new));
            rows.push(Row { kind, old, new, text });
        }
        rows
    }

    /// Whether the next line still belongs to the hunk.
    fn is_mine(&self, line: &str) -> bool {
        line.starts_with('\\') || self.old.1 > 0 || self.new.1 > 0
    }
}

/// The number of this line; the next one is the next.
fn step((number, left): &mut (u32, u32)) -> u32 {
    let this = *number;
    *number = number.saturating_add(1);
    *left = left.saturating_sub(1);
    this
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_look_like_names_stay_in_their_hunk_and_the_next_file_begins_after_it() {
        let text = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- comment\n same\n\\ No newline at end of file\n--- a/y\n+++ b/y\n@@ -5,0 +6 @@\n+new\n";
        let row = |kind, old, new, text| Row { kind, old, new, text };
        let expected = vec![
            FilePatch {
                head: vec!["--- a/x", "+++ b/x"],
                hunks: vec![Hunk {
                    head: "@@ -1,2 +1 @@",
                    rows: vec![
                        row(RowKind::Removed, Some(1), None, "-- comment"),
                        row(RowKind::Same, Some(2), Some(1), "same"),
                        row(RowKind::Remark, None, None, "No newline at end of file"),
                    ],
                }],
            },
            FilePatch {
                head: vec!["--- a/y", "+++ b/y"],
                hunks: vec![Hunk { head: "@@ -5,0 +6 @@", rows: vec![row(RowKind::Added, None, Some(6), "new")] }],
            },
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_is_cut_or_no_diff_at_all_is_kept_as_it_stands() {
        assert_eq!(read("@@ -1,9 +1,9 @@\n one\n")[0].hunks[0].rows.len(), 1);
        assert_eq!(read("- a list\n@@ nonsense"), [FilePatch { head: vec!["- a list", "@@ nonsense"], hunks: vec![] }]);
    }
}
