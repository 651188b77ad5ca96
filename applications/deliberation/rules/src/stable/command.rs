//! What may be asked of a stable: by the person whose it is, and by what its debaters and its tutorial report.
//!
//! Names of new sessions are drawn by whoever sends the command, since nothing here draws a number.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::house::DebaterStatus;
use crate::brief::Brief;

/// An order to a stable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StableCommand {
    /// Begin. Whoever begins a stable is its owner.
    Open {
        #[serde(default)]
        lang: Lang,
    },
    /// Raise a debater. Begins the stable, too, where it was not begun.
    Create {
        /// The name of its session: a UUID that nobody can guess.
        debater: String,
        name: String,
        /// Keys of exactly three different values of the twenty-four.
        values: Vec<String>,
        #[serde(default)]
        lang: Lang,
        /// The name of the tutorial's session, where the debater is to sit down at once.
        #[serde(default)]
        tutorial: Option<String>,
    },
    Rename {
        debater: String,
        name: String,
    },
    /// Have a debater drawn into debates, or let it rest.
    SetStatus {
        debater: String,
        status: DebaterStatus,
    },
    /// Let a debater go for good.
    Delete {
        debater: String,
    },
    /// Sit a debater down with the three partners of the house. Once for each person.
    BeginTutorial {
        debater: String,
        /// The name of the debate's session.
        debate: String,
    },
    /// What a debater brings along. From the debater.
    Brief {
        debate: String,
        #[schemars(with = "serde_json::Value")]
        brief: Brief,
    },
    /// The tutorial is over. From the debater that sat in it.
    Ended {
        debate: String,
        outcome: TutorialOutcome,
    },
}

/// How a tutorial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TutorialOutcome {
    Completed,
    Cancelled,
}
