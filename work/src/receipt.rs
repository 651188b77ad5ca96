//! What the workshop gives back.

use enza_kernel::conversation::Digest;
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::{Change, Fault};
use crate::words::words;

/// What came of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Receipt {
    /// What is in a folder.
    Listed(Listing),
    /// Lines of a text.
    Read(ReadLines),
    /// Lines that were found.
    Found(SearchResult),
    /// What the proposed changes would do, file by file.
    Prepared(Vec<PreparedChange>),
    Made(Vec<Change>),
    /// What was taken back, and what was not.
    Restored(RestoreResult),
    /// A command came to its end.
    Ran(RunResult),
    /// A command was told to end.
    Halted,
    /// What a connected server's tool returned.
    Used(String),
    /// Files were committed, by the commit's name.
    Committed(String),
    /// It was not done, and nothing has changed.
    Refused(Fault),
}

impl Receipt {
    /// The files that were taken back, where that was the order.
    pub fn restored(&self) -> Option<&[String]> {
        match self {
            Self::Restored(restored) => Some(&restored.restored),
            Self::Listed(_)
            | Self::Read(_)
            | Self::Found(_)
            | Self::Prepared(_)
            | Self::Made(_)
            | Self::Ran(_)
            | Self::Halted
            | Self::Used(_)
            | Self::Committed(_)
            | Self::Refused(_) => None,
        }
    }
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// One path on each line, folders with `/` at the end.
    pub text: String,
    pub entries: u32,
    /// Whether there are more than could be named.
    pub more: bool,
}

/// Lines of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLines {
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
pub struct SearchResult {
    /// `path:line: text`, one on each line, secrets masked.
    pub text: String,
    /// How many were found.
    pub matches: u32,
    /// Whether there are more than were looked for.
    pub more: bool,
}

/// A change as it would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedChange {
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

impl PreparedChange {
    /// Other names by which the file was asked for: through a link, or by a roundabout path.
    pub fn asked_as(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::Link { asked } => Some(asked.as_str()),
            Finding::Outside
            | Finding::System
            | Finding::SecretFile
            | Finding::SecretText { .. }
            | Finding::Governs
            | Finding::Dangerous
            | Finding::UnknownEnding
            | Finding::Large { .. }
            | Finding::Binary
            | Finding::Ignored
            | Finding::HardLinked { .. }
            | Finding::Masked
            | Finding::DiffCut => None,
        })
    }

    /// Every name that the change is about: where the file is, where it goes, and how it was asked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = std::iter::once(self.change.path.as_str()).chain(self.change.to.as_deref());
        own.chain(self.asked_as())
    }
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
        kind: String,
    },
    /// It says what an agent may do, or what is done with it: whoever writes it decides for the person.
    Governs,
    /// Its ending is one that can be run by mistake.
    Dangerous,
    /// Its ending is not on the list of known ones.
    UnknownEnding,
    /// It is larger than may be written.
    Large {
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
    DiffCut,
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RestoreResult {
    /// Paths that are again as they were.
    pub restored: Vec<String>,
    /// Paths that were left as they are, each with the reason.
    pub kept: Vec<(String, NotRestored)>,
    /// Paths whose change was only seen around a command, so that it may have been a person's, each with the file that
    /// has what it held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<(String, String)>,
}

/// Why a file was not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRestored {
    /// Someone has changed it since.
    ChangedSince,
    /// What it held is no longer in the store.
    Forgotten,
    /// The system would not let it be changed.
    Unreachable,
}

/// How a command came off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    /// The command as one would type it. The rules say it, who know what was shown; older logs do not have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    pub ended: RunEnd,
    /// What it printed, standard output and error as they came, secrets masked, the middle cut where it is long.
    pub output: String,
    /// Whether something was cut.
    pub cut: bool,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// What it changed in the folder, so that it can be taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What else it may have changed.
    #[serde(default, skip_serializing_if = "SideEffects::is_nothing")]
    pub beyond: SideEffects,
    /// What it was kept from reading, where that seems to be why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_from: Option<Box<Fault>>,
}

/// What a command changed besides. Files that the project ignores are never looked at and do not count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SideEffects {
    /// Files that may not be as they were and cannot be taken back, since they were too large to be kept; the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether there may be others: the folder has more than is looked at, or could not be looked at again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub others: bool,
    /// What git runs by itself, such as hooks, that was put back as it was before the command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_back: Vec<String>,
}

impl SideEffects {
    /// Whether there is nothing of the kind.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What a person and a model are told about it.
    pub fn say(&self, lang: Lang) -> Option<String> {
        let paths = lang.list(&self.put_back);
        let put_back = words(lang).fill("receipt.put_back", &[("paths", &paths)]);
        let put_back = (!self.put_back.is_empty()).then_some(put_back);
        let lines: Vec<String> = self.lasting(lang).into_iter().chain(put_back).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn lasting(&self, lang: Lang) -> Option<String> {
        let files = lang.list(&self.files);
        match (self.files.is_empty(), self.others) {
            (true, false) => None,
            (true, true) => Some(words(lang).say("receipt.lasting_unseen").to_owned()),
            (false, false) => Some(words(lang).fill("receipt.lasting", &[("files", &files)])),
            (false, true) => Some(words(lang).fill("receipt.lasting_and_others", &[("files", &files)])),
        }
    }
}

impl RunResult {
    /// A command that was stopped before it began.
    pub fn stopped_before_it_began() -> Self {
        let (changes, beyond, output) = (Vec::new(), SideEffects::default(), String::new());
        let (command, ended) = (String::new(), RunEnd::Stopped);
        Self { command, ended, output, cut: false, millis: 0, changes, beyond, kept_from: None }
    }

    /// What a person and a model are told besides its end and what it printed.
    pub fn besides(&self, lang: Lang) -> Option<String> {
        let kept = self.kept_from.as_ref().map(|fault| fault.say(lang));
        let kept = kept.map(|said| said.in_one());
        let lines: Vec<String> = self.beyond.say(lang).into_iter().chain(kept).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// By itself, with this status.
    Status(i32),
    Signal(i32),
    /// It took too long and was stopped.
    OutOfTime,
    /// It started too many processes and was stopped.
    TooManyProcesses,
    /// It took too much memory and was stopped.
    TooMuchMemory,
    /// It took too much of the disk and was stopped.
    TooMuchDisk,
    /// A person stopped it.
    Stopped,
    /// Nobody saw how: whoever ran it was ended in the middle of it.
    Unseen,
}
