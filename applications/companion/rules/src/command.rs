//! What a person may ask the companion to do.

pub use enza_kernel::gate::Pick;
use enza_kernel::gate::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent_state::Delta;
use super::consent::{Rule, Scope};
use super::memory::Memory;
use super::settings::{Mode, Settings};
use enza_work::Offered;

/// A command. The first of a session is `open`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Begin to work on a folder.
    Open(Box<Open>),
    /// Say something. While work is under way it waits for its turn, unless it says otherwise.
    Say {
        /// What is said.
        text: String,
        /// When it is heard.
        #[serde(default)]
        when: When,
        /// Files that were named with it, each with its content.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<Attached>,
    },
    /// Answer a gate.
    Answer {
        /// The id under which it was put to the person.
        gate: String,
        /// Yes or no.
        verdict: Verdict,
        /// What the person had to say about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// How long it counts.
        #[serde(default)]
        scope: Scope,
        /// Where not everything is taken as it is: file by file, by its place in the gate.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        picks: Vec<Pick>,
        /// Commands and tools that are left out, by their place in the gate.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<u32>,
    },
    /// Accept the result of a task that was reviewed; or its plan, which is carried out then.
    Accept,
    /// Commit what was changed and is not committed yet, where the folder is under git.
    Commit {
        /// The message; without one, what the work was about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// Call the session something.
    Rename {
        /// The new title, up to 100 characters.
        title: String,
    },
    /// Stop what is under way. Without a task, what is in front.
    Stop {
        /// Its number among the session's tasks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<u32>,
    },
    /// Let the task in front go on in the background.
    Background,
    /// Bring a task to the front.
    Front {
        /// Its number among the session's tasks.
        task: u32,
    },
    /// Take back every change from a turn on.
    TakeBack {
        /// The first turn that is taken back.
        turn: u32,
    },
    /// Clear the task in front and begin anew; nothing on disk and nothing in the log is lost.
    Reset,
    /// Try again after a failure.
    Retry,
    /// Change how it behaves.
    SetMode {
        /// What it may do without asking from now on.
        mode: Mode,
    },
    /// Keep a rule.
    Remember {
        /// What is allowed or denied, and where.
        rule: Rule,
        /// For how long.
        #[serde(default)]
        scope: Scope,
    },
    /// Forget a rule of this session.
    ForgetRule {
        /// Its place in the list.
        place: u32,
    },
    /// Forbid something in one's own words.
    Forbid {
        /// The words.
        text: String,
    },
    /// Lift what was forbidden.
    Lift {
        /// Its place in the list.
        place: u32,
    },
    /// Change what it holds in mind.
    Mind(Delta),
    /// Allow more tokens.
    RaiseBudget {
        /// How many in all.
        tokens: u64,
    },
    /// Shorten the conversation that is held in mind.
    Compact,
    /// End the session.
    Close,
}

/// How a session is opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    /// The folder of work, absolute.
    pub folder: String,
    /// The language of prompts and messages.
    pub language: enza_kernel::text::Lang,
    /// How it behaves.
    #[serde(default)]
    pub settings: Settings,
    /// What a project tells its helpers, the nearest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Instruction>,
    /// The names of what is in the folder, one on each line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub map: String,
    /// What was carried over from earlier sessions in this folder.
    #[serde(default)]
    pub memory: Memory,
    /// A short name for the session, for prompts.
    #[serde(default)]
    pub name: String,
    /// Tools of connected servers: name and what they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Offered>,
    /// Whether a person can be asked. Where none can, what needs consent is denied.
    #[serde(default = "yes")]
    pub attended: bool,
}

fn yes() -> bool {
    true
}

/// A file that tells helpers how a project works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instruction {
    /// Where it is, relative to the folder.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// A file that a person named with `@`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attached {
    /// The file.
    pub path: String,
    /// Its content, or as much as fits.
    pub text: String,
}

/// When a message is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// When the work under way comes to its next rest.
    #[default]
    Turn,
    /// At once: what is under way is stopped.
    Now,
    /// Beside the work, which goes on.
    Aside,
}
