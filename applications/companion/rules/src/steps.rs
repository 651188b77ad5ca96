//! Where a piece of work stands: its step and, apart from that, its status.
//!
//! The step says what kind of work is done, the status how it is going; every pair can be had (DUCK-36 to DUCK-40). Steps
//! change only by the table in `steps.toml`, which a project may replace; the status is set freely. A model proposes a
//! step and never sets one.

use enza_kernel::moves::{Table, TableFault};
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::state::State;
use crate::words::words;

/// What kind of work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Step {
    /// The request is analysed and a plan is made.
    #[default]
    Planning,
    /// Operations are carried out.
    Execution,
    /// What came of them is looked at.
    Review,
    /// A person is asked.
    AwaitingApproval,
}

/// How it is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Work is under way.
    InProgress,
    /// It came off.
    Success,
    /// It failed.
    Error,
    /// A person has to say something first.
    #[default]
    RequiresUserInput,
}

/// The end of a task, in the table of moves.
pub const DONE: &str = "DONE";

impl Step {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Planning, Self::Execution, Self::Review, Self::AwaitingApproval];

    /// Its name, the same in the log, in prompts and on screens.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planning => "PLANNING",
            Self::Execution => "EXECUTION",
            Self::Review => "REVIEW",
            Self::AwaitingApproval => "AWAITING_APPROVAL",
        }
    }

    /// The step of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.word() == word)
    }

    /// What a person calls it.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Planning => words(lang).say("steps.planning"),
            Self::Execution => words(lang).say("steps.execution"),
            Self::Review => words(lang).say("steps.review"),
            Self::AwaitingApproval => words(lang).say("steps.awaiting_approval"),
        }
    }
}

impl Status {
    /// Its name, the same in the log, in prompts and on screens.
    pub fn word(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Success => "SUCCESS",
            Self::Error => "ERROR",
            Self::RequiresUserInput => "REQUIRES_USER_INPUT",
        }
    }

    /// What a person calls it.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::InProgress => words(lang).say("steps.in_progress"),
            Self::Success => words(lang).say("steps.success"),
            Self::Error => words(lang).say("steps.error"),
            Self::RequiresUserInput => words(lang).say("steps.requires_user_input"),
        }
    }
}

/// What a change of step or status leaves in the program's log, in the document's words (DUCK-47).
pub(super) fn synced(state: &State, event: &Event) -> Option<String> {
    let (Event::Heard { desk: task, .. }
    | Event::TaskBegun { desk: task, .. }
    | Event::TaskEnded { desk: task, .. }
    | Event::Moved { desk: task, .. }
    | Event::StatusSet { desk: task, .. }) = event
    else {
        return None;
    };
    let task = state.task(*task)?;
    Some(format!("State Sync Fired: {}.{}", task.step().word(), task.status.word()))
}

/// The built-in table.
pub(super) fn built_in() -> Table {
    Table::parse(include_str!("steps.toml")).expect("the built-in table is sound; a test loads it")
}

/// Why a project's own table cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepsFault {
    Table(TableFault),
    /// It lacks a step, or has one that nobody knows.
    Names,
}

/// Reads a project's own table (DUCK-79): other moves between the same steps.
pub fn table(toml: &str) -> Result<Table, StepsFault> {
    let table = Table::parse(toml).map_err(StepsFault::Table)?;
    let mut names: Vec<&str> = table.states().iter().map(String::as_str).collect();
    names.sort_unstable();
    let mut known: Vec<&str> = Step::ALL.iter().map(|step| step.word()).chain([DONE]).collect();
    known.sort_unstable();
    if names == known && table.start() == Step::Planning.word() { Ok(table) } else { Err(StepsFault::Names) }
}
