//! What a person may decide at a gate beyond yes and no.
//!
//! Made from state with every floor and never recorded: the log keeps the question and the answer, and an older gate gets
//! its leeway as a new one does. A file is named by its place in the application's own list, so that an answer means the
//! same file however few of them are shown.

use serde::Serialize;

use crate::conversation::Digest;

/// What may be decided beyond yes and no; nothing by default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Leeway {
    /// The files that would be changed, in order.
    pub files: Vec<FileAsked>,
    /// What would be done besides, each of which can be left out.
    pub operations: Vec<OperationAsked>,
    /// Whether the gate asks for more than these files: then a yes that takes none of them still does something.
    pub asks_more: bool,
    /// What an answer stands for where it counts for longer than once, one line each; empty where it cannot.
    pub lasting: Vec<String>,
}

/// Something besides a change of files that would be done: a command, the use of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationAsked {
    /// Its place, as an answer names it.
    pub place: u32,
    /// What is done, in one line.
    pub text: String,
}

/// A file that would be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileAsked {
    /// Its place, as a pick names it.
    pub place: u32,
    pub path: String,
    /// Where it goes, if it moves.
    pub to: Option<String>,
    /// Lines that come.
    pub added: u32,
    /// Lines that go.
    pub removed: u32,
    /// How many hunks there are, shown or not.
    pub hunks: u32,
    /// The change as a unified diff, as much of it as is kept.
    pub diff: String,
    /// What a person should know of it.
    pub remarks: Vec<String>,
    /// How finely it can be taken.
    pub picking: Picking,
    /// What the file would hold, where a person may write it anew.
    pub content: Option<Digest>,
}

/// How finely a file can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Picking {
    /// All of it or nothing.
    Whole,
    Hunks,
}
