//! What the workshop is told to do.
//!
//! Paths are relative to the folder of work, with `/` between their parts; one that is absolute or leads out of the
//! folder is done only where it is granted, letter by letter.

use enza_kernel::conversation::Digest;
use enza_kernel::effect::Key;
use serde::{Deserialize, Serialize};

use super::hazard::ExtensionLists;

/// One piece of work in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The folder of work, absolute.
    pub folder: String,
    pub task: Job,
    /// How far it may go.
    pub bounds: Bounds,
    /// Paths outside the folder, and secret ones inside, that a person has granted for exactly this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Name what is in a folder. Repeatable.
    List {
        /// The folder; empty for the folder of work itself.
        path: String,
        /// How many levels down.
        depth: u32,
    },
    /// Read lines of a text. Repeatable.
    Read {
        path: String,
        /// The first line, from 1.
        from: u32,
        /// How many lines at most.
        lines: u32,
    },
    /// Find lines in files that are not ignored. Repeatable.
    Search {
        pattern: String,
        /// Whether it is a regular expression.
        regex: bool,
        /// Where; empty for everywhere.
        path: String,
    },
    /// Work out what changes would do, and keep both sides in the store. Touches nothing in the folder. Repeatable.
    Prepare {
        /// In the order in which they are to be made; each sees what the ones before it did.
        proposals: Vec<Proposal>,
    },
    /// Work out what remains of prepared changes where a person took some of their hunks, or wrote their own. Touches
    /// nothing in the folder. Repeatable.
    Choose {
        /// File by file.
        chosen: Vec<ChosenChange>,
    },
    /// Make changes, all or none. Repeatable: a file that is already as it should be is left alone.
    Make {
        /// As they were prepared, and perhaps with fewer hunks.
        changes: Vec<Change>,
    },
    /// Take changes back, the last first, where the file is still as they left it. Repeatable.
    Restore { changes: Vec<Change> },
    /// Run a command. Once.
    Run(Run),
    /// End a command that is under way, with everything it has started. The command gives its own receipt. Repeatable: one
    /// that is over is left alone, one that is about to begin does not.
    Halt {
        /// The name of its run as an effect.
        run: Key,
    },
    /// Say what a command left behind whose end nobody saw, and put back what git runs by itself. Repeatable.
    Recover {
        /// The name of its run as an effect.
        run: Key,
    },
    /// Commit files, and nothing else, where the folder is under git. Once.
    Commit { paths: Vec<String>, message: String },
}

/// A change as a model proposes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The whole of a file, whether it is there or not.
    Write { path: String, content: String },
    /// A file that is not there yet.
    Create { path: String, content: String },
    /// Something at the end of a file, on lines of its own.
    Append { path: String, content: String },
    /// Pieces of a file, each found exactly once, or replaced wherever it stands.
    Edit {
        path: String,
        /// What takes the place of what.
        replacements: Vec<Replacement>,
    },
    /// A patch over any number of files: a unified diff, search/replace blocks, or `*** Begin Patch`.
    Patch { text: String },
    /// A file, or a folder with everything in it, that is to go.
    Delete { path: String },
    /// A file that is to be called otherwise.
    Move {
        path: String,
        /// Where it goes; nothing may be there.
        to: String,
    },
}

/// One piece of a file and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    pub old: String,
    pub new: String,
    /// Whether it is replaced wherever it stands; else it has to stand there once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// A change to one file, known by its two sides. Its paths are what the file is really called, without links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub path: String,
    /// Where it goes, if it moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What it holds before; none where there is no file.
    pub before: Option<Digest>,
    /// What it holds after; none where there is no file.
    pub after: Option<Digest>,
    /// Its permission bits before, so that a file that comes back is as it was; none where there is no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
    /// How many of the folders around it come with it, or go with it: taken away when they are empty.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub folders: u32,
    /// Whether it was only found by looking at the folder before and after a command. The command may have made it, and
    /// so may a person who saved the file meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What a person took of a prepared change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenChange {
    /// The change as it was prepared.
    pub change: Change,
    /// The hunks that are taken, from 1; none given for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<u32>>,
    /// The whole new content, as the person wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub command: Invocation,
    /// The folder it runs in, below the folder of work; empty for that itself.
    #[serde(default)]
    pub at: String,
    /// The longest it may take, in seconds.
    pub seconds: u32,
    /// Whether it may use the network.
    pub network: bool,
}

/// A program with its arguments, or a line for the shell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Invocation {
    /// A program and its arguments, handed over as they are.
    Words(Vec<String>),
    /// A line that the shell reads.
    Line(String),
}

/// How far the workshop may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The largest file that may be written, in bytes.
    pub write: u64,
    /// The largest file that may be read, in bytes.
    pub read: u64,
    /// The most that an order gives back in text, in bytes.
    pub output: u64,
    /// Folders outside the folder of work that may be read, absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// Patterns of paths in the folder that are not read unless they are granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// What the endings of names say.
    #[serde(default, skip_serializing_if = "ExtensionLists::are_usual")]
    pub endings: ExtensionLists,
    /// How much of the machine a command may take.
    #[serde(default, skip_serializing_if = "ResourceLimits::is_usual")]
    pub most: ResourceLimits,
    /// Whether a command is run where the kernel cannot keep it from changing permissions, owners and times of files outside
    /// the folder: the person was told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsealed: bool,
}

/// How much of the machine a command may take, with everything it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Memory, in bytes.
    pub memory: u64,
    /// Processes at once.
    pub processes: u32,
    /// Room on the disk, in bytes.
    pub disk: u64,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self { memory: 8 << 30, processes: 256, disk: 16 << 30 }
    }
}

impl ResourceLimits {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            write: 1_000_000,
            read: 5_000_000,
            output: 32_000,
            readable: Vec::new(),
            closed: Vec::new(),
            endings: ExtensionLists::default(),
            most: ResourceLimits::default(),
            unsealed: false,
        }
    }
}

impl Order {
    /// The name of the tool for work that may be done again, in tool runs.
    pub const REPEATABLE: &'static str = "workshop";
    /// The name of the tool for work that may not.
    pub const ONCE: &'static str = "workshop_once";
}
