//! What the workshop gives back.

use enza_kernel::conversation::Digest;
use serde::{Deserialize, Serialize};

use super::{Change, Fault};

/// What came of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Receipt {
    /// What is in a folder.
    Listed(Listed),
    /// Lines of a text.
    Read(Read),
    /// Lines that were found.
    Found(Found),
    /// What the proposed changes would do, file by file.
    Prepared(Vec<Prepared>),
    /// The changes are made.
    Made(Vec<Change>),
    /// What was taken back, and what was not.
    Restored(Restored),
    /// A command came to its end.
    Ran(Ran),
    /// What a connected server's tool returned.
    Used(String),
    /// It was not done, and nothing has changed.
    Refused(Fault),
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// One path on each line, folders with `/` at the end.
    pub text: String,
    /// How many there are.
    pub entries: u32,
    /// Whether there are more than could be named.
    pub more: bool,
}

/// Lines of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// The file.
    pub path: String,
    /// The digest of the whole file.
    pub digest: Digest,
    /// The lines, secrets masked.
    pub text: String,
    /// The first line, from 1.
    pub from: u32,
    /// How many lines the file has.
    pub of: u32,
    /// Whether there are lines after these.
    pub more: bool,
}

/// Lines that were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// `path:line: text`, one on each line, secrets masked.
    pub text: String,
    /// How many were found.
    pub matches: u32,
    /// Whether there are more than were looked for.
    pub more: bool,
}

/// A change as it would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepared {
    /// The change.
    pub change: Change,
    /// A unified diff, cut where it grows past what an order gives back.
    pub diff: String,
    /// How many hunks there are, cut or not.
    pub hunks: u32,
    /// Lines that come.
    pub added: u32,
    /// Lines that go.
    pub removed: u32,
    /// What a person should know about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// Something about a change that a person should know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It is outside the folder of work.
    Outside,
    /// It belongs to the system.
    System,
    /// Its name says that it holds secrets.
    SecretFile,
    /// It would write what looks like a secret.
    SecretText {
        /// Of which kind.
        kind: String,
    },
    /// Its ending is one that can be run by mistake.
    Dangerous,
    /// Its ending is not on the list of known ones.
    UnknownEnding,
    /// It is larger than may be written.
    Large {
        /// How large.
        bytes: u64,
    },
    /// It is no text.
    Binary,
    /// The project tells its tools to leave this file alone.
    Ignored,
    /// It was asked for through a link; the change says what it is really called.
    Link {
        /// The path with the link in it.
        asked: String,
    },
    /// The same file has other names, perhaps outside the folder. They keep what it holds before.
    HardLinked {
        /// How many names it has.
        names: u64,
    },
    /// It would write the mask where a secret was read.
    Masked,
    /// The diff was cut.
    DiffCut,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Restored {
    /// Paths that are again as they were.
    pub restored: Vec<String>,
    /// Paths that were left as they are, each with the reason.
    pub kept: Vec<(String, Kept)>,
}

/// Why a file was not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Someone has changed it since.
    ChangedSince,
    /// What it held is no longer in the store.
    Forgotten,
    /// The system would not let it be changed.
    Unreachable,
}

/// How a command came off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What it printed, standard output and error as they came, secrets masked, the middle cut where it is long.
    pub output: String,
    /// Whether something was cut.
    pub cut: bool,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// What it changed in the folder, so that it can be taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By itself, with this status.
    Status(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long and was stopped.
    OutOfTime,
    /// It started too many processes and was stopped.
    TooManyProcesses,
}
