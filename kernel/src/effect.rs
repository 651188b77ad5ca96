//! Everything a session may owe the outside, and everything that may come of it.
//!
//! The two enums are the complete contract between decisions and the world. An effect has a key that
//! stays the same however often it is attempted; a tool that must not run twice is started by an event
//! before it runs, so that after a crash nobody has to guess.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversation::{Digest, Reply};
use crate::errand::{Errand, FoundRow};
use crate::time::{Seq, Timestamp};

/// The name of an effect within its session: the event that made it due, and a number where one event made several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Key {
    /// The event that made it due.
    pub seq: Seq,
    /// Which of that event's effects.
    pub ordinal: u16,
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.seq, self.ordinal)
    }
}

/// Work that a session owes the outside now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Call a language model.
    AskModel(AskModel),
    /// Run a tool that touches the world.
    RunTool(RunTool),
    /// Have another session do something, or look something up.
    RunErrand(Errand),
    /// Wake the session at a time.
    Wake(Wake),
}

/// A model call. The prompt is not here: it is rendered from state when the call is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskModel {
    pub key: Key,
    /// The thread that waits for the reply.
    pub thread: String,
    /// The agent that speaks in it.
    pub agent: String,
    /// Tokens set aside before the call; a reply never costs more.
    pub reserve: u64,
}

/// A tool run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunTool {
    pub key: Key,
    pub tool: String,
    pub arguments: Value,
    /// Whether it may be run again.
    pub safety: Safety,
    /// The mark of the attempt whose start is recorded.
    pub started: Option<String>,
    /// Tokens of the model call that may follow its end at once; 0 where none does.
    pub reserve: u64,
}

/// Whether a tool may be run a second time when nobody knows how the first ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Safety {
    /// Running it again changes nothing: a look-up, or a write that carries its own key.
    Repeatable,
    /// Running it again changes nothing, but running it once does: what led to it is in the log before it runs, since after
    /// a crash it might be decided otherwise, and what was done would stay done.
    Settled,
    /// Its start is recorded before it runs; with a start and no end, a person is told.
    Once,
}

/// A timer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wake {
    /// Its name; setting it again moves it.
    pub name: String,
    pub at: Timestamp,
}

/// What came of an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The model replied.
    Replied {
        reply: Reply,
        /// The last event that the prompt had seen.
        asked_at: Seq,
        prompt: Digest,
    },
    /// The model could not be had, after every retry worth making.
    Unanswered { why: String },
    /// The model has no room for so long a prompt. It was charged nothing.
    TooLong { why: String },
    /// Calls that may have been charged and of which nothing came: a process died with them under way, or they were given
    /// up because nobody waited for them any more. They count as spent, whether or not the effect is still due.
    CallsLost {
        /// How many tokens to count.
        tokens: u64,
    },
    /// The tool is about to run: record it.
    Starting {
        /// The attempt's own mark, by which its worker knows it again.
        mark: String,
    },
    /// The tool returned.
    Returned { text: String },
    /// The tool failed; it says whether anything was done.
    ToolFailed {
        /// What went wrong.
        why: String,
    },
    /// The tool was started by a process that died, and must not be repeated: nobody knows how it ended.
    Unknown,
    /// What an errand asked for is in the other session's log, by this time or an earlier one.
    Delivered {
        /// The last event that it led to there.
        at: Seq,
    },
    /// An errand was not taken: the other session said no, is not there, or may not be asked. Nothing came of it.
    Declined {
        /// The outward code of the refusal.
        code: String,
        /// For whoever reads the log.
        why: String,
    },
    /// What a look found.
    Found {
        rows: Vec<FoundRow>,
        /// Drawn at random: for whoever chooses among the rows by lot, or gives something a name that nobody can guess.
        draw: [u64; 2],
    },
    /// The timer rang.
    Rang,
}

impl Effect {
    /// The effect's name within its session. Timers go by their own names and have none.
    pub fn key(&self) -> Option<Key> {
        match self {
            Self::AskModel(ask) => Some(ask.key),
            Self::RunTool(run) => Some(run.key),
            Self::RunErrand(errand) => Some(errand.key),
            Self::Wake(_) => None,
        }
    }
}

impl Outcome {
    /// Whether it says what was spent and nothing else: that counts even if the effect is no longer due.
    pub fn is_only_a_cost(&self) -> bool {
        match self {
            Self::CallsLost { .. } => true,
            Self::Replied { .. }
            | Self::Unanswered { .. }
            | Self::TooLong { .. }
            | Self::Starting { .. }
            | Self::Returned { .. }
            | Self::ToolFailed { .. }
            | Self::Unknown
            | Self::Delivered { .. }
            | Self::Declined { .. }
            | Self::Found { .. }
            | Self::Rang => false,
        }
    }
}
