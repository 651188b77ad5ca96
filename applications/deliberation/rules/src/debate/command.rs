//! What may be asked of a debate, by whom it may be asked, and what it is opened with.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Brief;

/// What may be asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DebateCommand {
    /// Opens it. Only a topic can, or a stable for a tutorial.
    #[schemars(skip)]
    Open {
        topic: TopicCard,
        /// The key of a mode.
        mode: String,
        turns: u32,
        seats: Vec<Brief>,
        /// How long a turn waits for directions, in milliseconds.
        window: u64,
        settings: DebateSettings,
    },
    /// A debater's owner has deleted it. Only the debater itself can.
    #[schemars(skip)]
    Withdraw { debater: String },
    /// A word of steering for one turn, by the debater's owner.
    Direct { debater: String, turn: u32, text: String },
    /// Other words, as long as the turn waits.
    ChangeDirection { direction: String, text: String },
    /// Takes a direction back, as long as the turn waits.
    WithdrawDirection { direction: String },
    /// An owner looks at the turn that is open.
    Arrive,
    /// An owner wants the turn to begin. It does when everyone who has arrived says so.
    SpeakNow,
    /// The host has the open turn begin.
    Advance,
    /// The host ends it without an outcome.
    Cancel,
    /// What somebody thinks of a statement.
    Vote { statement: String, choice: Choice },
    /// Draws a statement twice more: without its direction, and with nothing changed. By the debater's owner.
    DrawWithout { turn: u32, seat: String },
    /// Goes on as if another direction had been given, or none. Only the house can, as the first command of a quiet fork.
    #[schemars(skip)]
    Counterfactual { turn: u32, seat: String, direction: Option<String> },
}

/// What a debate is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TopicCard {
    /// The topic's session.
    pub id: String,
    pub title: String,
    pub description: String,
    /// What is spoken in the debate.
    pub lang: Lang,
}

/// What else a debate is opened with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DebateSettings {
    /// The debate's own session.
    pub debate: String,
    /// Who may advance and cancel it.
    pub host: String,
    /// What chance is drawn from.
    #[serde(default)]
    pub seed: String,
    /// Tokens it may spend; no limit where there is none.
    #[serde(default)]
    pub budget: Option<u64>,
    #[serde(default)]
    pub is_tutorial: bool,
}

/// What somebody thinks of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    Agree,
    Disagree,
    Pass,
}
