//! What a respondent may ask of an interview.

use enza_kernel::gate::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::Form;

/// An order to an interview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Begin. Whoever opens an interview is its respondent.
    Open {
        /// What is to be filled in.
        form: Form,
        /// The most tokens that may be spent; none for no limit.
        #[serde(default)]
        budget: Option<u64>,
    },
    /// Answer the open question.
    Say {
        /// The answer.
        text: String,
    },
    /// Answer the open gate.
    Confirm {
        /// The gate.
        gate: String,
        /// Yes or no.
        verdict: Verdict,
        /// A remark.
        #[serde(default)]
        note: Option<String>,
    },
    /// Answer a field again, instead of submitting.
    ChangeAnswer {
        /// The field.
        field_id: String,
    },
    /// Go back to the confirmation with nothing changed.
    Reconfirm,
    /// Leave an optional field empty.
    Skip,
    /// Let a failed agent try again.
    RetryModel,
    /// Allow more to be spent, in all.
    RaiseBudget {
        /// The new limit.
        budget: u64,
    },
    /// Try a failed delivery again.
    RetryDelivery,
    /// Give up.
    Abandon,
}
