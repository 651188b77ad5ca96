//! Patches as models write them, and diffs as people read them.
//!
//! A patch in any of three forms is read into one list of operations, and applied to texts that the caller hands over:
//! all of it or nothing. What comes out are changes with both sides whole, which can be shown as a unified diff and
//! taken hunk by hunk. A piece goes only where its lines are; where two places fit equally well, it goes nowhere.
//!
//! Everything here is pure: same texts, same answer, so hunk numbers shown to a person still mean the same hunks later.
//! Files, paths that lead astray, and the masking of secrets in what a fault quotes belong to the caller.

mod apply;
mod change;
mod diff;
mod edit;
mod fit;
mod lines;
mod locate;
mod nearest;
mod quote;
mod read;

pub use apply::apply;
pub use change::FileChange;
pub use diff::{Counts, DiffLine, Hunk, choose, hunks};
pub use edit::{append, edit};
pub use read::read;

/// What a patch asks for, whatever its form, in the order in which it is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    /// Each sees what the ones before it did.
    pub operations: Vec<Operation>,
}

/// What is to be done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// A file that is not there yet, or is there and empty.
    Create { path: String, text: String },
    /// Pieces of a file that is there.
    Update {
        path: String,
        /// Each sees what the ones before it did.
        pieces: Vec<Piece>,
    },
    /// A file that is to go.
    Delete { path: String },
    /// A file that is to be called otherwise.
    Move {
        path: String,
        /// Where it goes; nothing may be there.
        to: String,
    },
}

/// Lines that belong together, some of which stay and some of which come or go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Where the patch says that it goes.
    pub place: Anchor,
    /// Whether its last line must be the last of the file.
    pub at_end: bool,
    /// The lines, those that go before those that come.
    pub lines: Vec<DiffLine>,
}

/// Where a patch says that a piece goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// Nothing is said: it goes where its lines are, if that is one place.
    Anywhere,
    /// At this line of the file as it was before the patch, from 1, or as near to it as its lines are found. A piece
    /// without lines to look for goes before this line.
    Line(usize),
    /// Below these lines, one after the other, and after the piece before it.
    Below(Vec<String>),
}

impl Piece {
    /// The lines that must be there.
    fn old(&self) -> Vec<&str> {
        let old = self.lines.iter().filter_map(|line| match line {
            DiffLine::Keep(text) | DiffLine::Drop(text) => Some(text.as_str()),
            DiffLine::Add(_) => None,
        });
        old.collect()
    }
}
