//! What differs between two texts, as hunks: values that can be counted, printed and chosen.
//!
//! Hunks are numbered from 1 in the order of the text, and the same two texts always give the same hunks: a person
//! chooses by number, and the number is looked up again when the change is made. So no deadline cuts a comparison short.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use super::lines::split;

/// How many lines that stay are shown around those that change.
const CONTEXT: usize = 3;

/// A line of a hunk, with its ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffLine {
    /// It stays.
    Keep(String),
    /// It goes.
    Drop(String),
    /// It comes.
    Add(String),
}

/// Lines that change, with those around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Which lines of the text before, from 0.
    pub before: Range<usize>,
    /// Which lines of the text after, from 0.
    pub after: Range<usize>,
    /// The lines, those that go before those that come.
    pub lines: Vec<DiffLine>,
}

/// How many lines come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Lines that come.
    pub added: u32,
    /// Lines that go.
    pub removed: u32,
}

/// What differs between two texts. Texts that are the same have no hunks.
pub fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let (before, after) = (split(before), split(after));
    let ops = capture_diff_slices(Algorithm::Myers, &before, &after);
    let groups = group_diff_ops(ops, CONTEXT).into_iter();
    let changing = groups.filter(|group| group.iter().any(|op| op.tag() != DiffTag::Equal));
    changing.map(|group| hunk(&group, &before, &after)).collect()
}

fn hunk(ops: &[DiffOp], before: &[&str], after: &[&str]) -> Hunk {
    let span = |of: fn(&DiffOp) -> Range<usize>| {
        ops.first().map_or(0, |op| of(op).start)..ops.last().map_or(0, |op| of(op).end)
    };
    Hunk { before: span(DiffOp::old_range), after: span(DiffOp::new_range), lines: lines(ops, before, after) }
}

/// The lines of one text turning into those of another, without leaving any out.
pub(super) fn turning(before: &[&str], after: &[&str]) -> Vec<DiffLine> {
    lines(&capture_diff_slices(Algorithm::Myers, before, after), before, after)
}

fn lines(ops: &[DiffOp], before: &[&str], after: &[&str]) -> Vec<DiffLine> {
    let mut lines = Vec::new();
    for op in ops {
        let old = before[op.old_range()].iter().map(|line| (*line).to_owned());
        if op.tag() == DiffTag::Equal {
            lines.extend(old.map(DiffLine::Keep));
            continue;
        }
        lines.extend(old.map(DiffLine::Drop));
        lines.extend(after[op.new_range()].iter().map(|line| DiffLine::Add((*line).to_owned())));
    }
    lines
}

/// The text with only these hunks made, by their numbers from 1: with all of them it is `after`, with none `before`.
/// A number that no hunk has counts for nothing.
pub fn choose(before: &str, after: &str, accepted: &BTreeSet<u32>) -> String {
    let (old, new) = (split(before), split(after));
    let mut chosen = String::with_capacity(before.len().max(after.len()));
    let mut done = 0;
    for (number, hunk) in (1..).zip(hunks(before, after)) {
        chosen.extend(old[done..hunk.before.start].iter().copied());
        let taken = if accepted.contains(&number) { &new[hunk.after] } else { &old[hunk.before.clone()] };
        chosen.extend(taken.iter().copied());
        done = hunk.before.end;
    }
    chosen.extend(old[done..].iter().copied());
    chosen
}

impl Counts {
    /// How many lines come and go in these hunks.
    pub fn of(hunks: &[Hunk]) -> Self {
        let mut counts = Self::default();
        for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
            match line {
                DiffLine::Keep(_) => {}
                DiffLine::Drop(_) => counts.removed += 1,
                DiffLine::Add(_) => counts.added += 1,
            }
        }
        counts
    }
}

impl Hunk {
    /// The hunk as a unified diff shows it, from its `@@` on.
    pub fn unified(&self) -> String {
        let mut text = format!("@@ -{} +{} @@\n", shown(&self.before), shown(&self.after));
        for line in &self.lines {
            let (mark, line) = match line {
                DiffLine::Keep(line) => (' ', line),
                DiffLine::Drop(line) => ('-', line),
                DiffLine::Add(line) => ('+', line),
            };
            text.push(mark);
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
        text
    }
}

/// A range as `@@` names it: from 1, the count left out where it is 1, and an empty range by the line before it.
fn shown(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}
