//! What the rules tell a person, as it is recorded; its words are in `words`.

use serde::{Deserialize, Serialize};

use super::agent_state::Mismatch;

/// What the rules tell a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Something in mind does not go together.
    Mismatch(Mismatch),
    /// The model said itself that it should not.
    Doubt(String),
    /// Operations were not done.
    Denied {
        /// What, in one line each with the reason.
        lines: Vec<String>,
    },
    /// An operation failed.
    Failed {
        /// What happened, with the next step.
        text: String,
    },
    /// The same was tried again and again.
    Loop,
    /// Recovery was tried as often as it may be.
    GivenUp {
        /// What went wrong last.
        error: String,
        /// How often that was; none where a review found it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recoveries: Option<u32>,
    },
    /// The model was called as often in a row as it may be.
    RoundsSpent { rounds: u32 },
    /// A model call failed.
    NoModel { why: String },
    /// Nobody knows whether a command ran.
    Unknown {
        what: String,
        /// The first files that changed until it was cut off.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<String>,
    },
    /// A file changed after it was shown.
    ChangedSince { path: String },
    /// What may not be changed was changed, and it was put back.
    PutBack { paths: Vec<String> },
    /// The project's checks fail, so that the work is not done, whatever the model says.
    ChecksFailed { checks: Vec<String> },
    /// The budget has no room for another call.
    BudgetEnded {
        spent: u64,
        /// Of how many tokens.
        limit: u64,
        /// What the next call can take.
        need: u64,
    },
    /// A bare choice is taken for what the model had offered.
    Took {
        /// The offer, in one line.
        offer: String,
    },
    /// The result waits to be accepted.
    AwaitsAcceptance,
    /// A plan waits to be accepted, and is carried out then.
    PlanAwaits,
    /// The model goes on without doing anything.
    Idle,
    /// Something that was forbidden could not be kept: there is no more room for any.
    NotKept { text: String },
    /// What may never be left out of a prompt takes more room than the settings give it (G36).
    TooLong {
        layer: String,
        /// By how many tokens.
        tokens: u64,
    },
    /// The model left out which prompt comes next.
    PatternMissing,
}
