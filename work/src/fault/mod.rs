//! Why an order was not carried out.
//!
//! A fault carries the facts alone, since it is recorded and goes back to the rules: some of them ask a person on seeing
//! one, some have the change prepared anew. What is said about it is made in `saying`, in the language of whoever reads.

mod words;

use serde::{Deserialize, Serialize};

/// Why an order was not carried out. Nothing has changed, except where `HalfMade` says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The path leads out of the folder of work, to be read.
    OutsideToRead {
        path: String,
    },
    /// The path leads out of the folder of work, to be changed.
    OutsideToWrite {
        path: String,
    },
    /// The file holds secrets and was not granted.
    Secret {
        path: String,
    },
    /// A rule keeps the file closed, and it was not granted.
    Closed {
        path: String,
    },
    /// There is nothing there.
    Missing {
        path: String,
    },
    /// There is something there already.
    Exists {
        path: String,
    },
    IsFolder {
        path: String,
    },
    NotAFolder {
        path: String,
    },
    NotText {
        path: String,
    },
    TooLarge {
        path: String,
        /// How large it is, in bytes.
        bytes: u64,
        most: u64,
    },
    /// There are too many files in it.
    TooMany {
        path: String,
        most: u32,
    },
    /// A folder without files: there is nothing to delete.
    NoFiles {
        path: String,
    },
    /// The path cannot be used as it is written.
    UnusablePath {
        path: String,
    },
    /// It is a link, and not the file or folder that it leads to.
    IsLink {
        path: String,
    },
    /// It is neither a file nor a folder: a device, a pipe, a socket.
    Special {
        path: String,
    },
    /// What the file is to hold, or what it holds now, is no longer in the store.
    Forgotten {
        path: String,
    },
    /// A change failed, and some of those before it could not be taken back.
    HalfMade {
        why: Box<Fault>,
        /// The paths that stay changed.
        left: Vec<String>,
    },
    /// The file is not as it was when this was prepared.
    Changed {
        path: String,
    },
    /// A patch cannot be read.
    UnreadablePatch {
        /// The line in the patch, from 1.
        line: u32,
        why: String,
    },
    /// A patch does not fit the file.
    DoesNotApply {
        path: String,
        /// Which piece of it, from 1.
        piece: u32,
        why: String,
    },
    /// A pattern cannot be read.
    UnreadablePattern {
        why: String,
    },
    NoSuchProgram {
        name: String,
    },
    /// The folder is not under git, or git has nothing of this to commit.
    NothingToCommit {
        /// What git said, or that there is none.
        why: String,
    },
    /// Commands cannot be confined on this machine.
    NoSandbox {
        why: String,
    },
    /// A command is kept from reading a path outside the folder that the person could read.
    KeptFrom {
        path: String,
    },
    /// The kernel cannot keep a command from changing permissions and times outside the folder, and nobody was told.
    Unsealed {
        why: String,
    },
    /// A connected server's tool could not be used, or failed.
    Tool {
        /// `server/tool`.
        tool: String,
        /// What it said, or what was wrong with the server, with the next step.
        why: String,
    },
    System {
        path: String,
        why: String,
    },
}
