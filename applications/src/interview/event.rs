//! What can have happened in an interview.
//!
//! Events say all that tables and transcripts need: a row is made from one event, without the state around it.

use enza_kernel::agent::Step;
use enza_kernel::gate::{Answer, Gate};
use enza_kernel::review::ReviewStep;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::form::Form;

/// A fact in the history of an interview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It began.
    Opened {
        /// The form, as it was then.
        form: Form,
        /// Who answers it.
        respondent: String,
        /// The most tokens that may be spent.
        budget: Option<u64>,
    },
    /// A field went into another state.
    FieldMoved {
        /// The field.
        field_id: String,
        /// The state.
        to: String,
    },
    /// The respondent answered the open question.
    AnswerGiven {
        /// The field it is about.
        field_id: String,
        /// The answer, in the respondent's words.
        text: String,
    },
    /// The respondent left an optional field empty.
    FieldDeclined {
        /// The field.
        field_id: String,
    },
    /// The answers to a field were reviewed.
    Reviewed {
        /// The field.
        field_id: String,
        /// What was found.
        finding: Finding,
        /// What follows.
        step: ReviewStep,
    },
    /// A field could not be completed in the rounds there are; the respondent decides how it goes on.
    HelpAsked {
        /// The field.
        field_id: String,
        /// What the respondent is told.
        text: String,
    },
    /// A field has its value.
    FieldClosed {
        /// The field.
        field_id: String,
        /// The value; none where an optional field was left empty.
        value: Option<String>,
        /// Whether something is still lacking.
        incomplete: bool,
        /// What is.
        lacking: Vec<String>,
    },
    /// The respondent wants to answer a field again.
    FieldReopened {
        /// The field.
        field_id: String,
    },
    /// A question was put to the respondent that only a yes or a no ends.
    GateOpened {
        /// What it is about.
        purpose: Purpose,
        /// The question.
        gate: Gate,
    },
    /// The gate was answered.
    GateAnswered {
        /// The answer.
        answer: Answer,
    },
    /// The respondent said yes: the values are final, and are to be delivered.
    Submitted {
        /// What was submitted.
        submission: Submission,
    },
    /// The delivery is to be tried again.
    DeliveryRequeued,
    /// The delivery is about to be made.
    DeliveryStarted {
        /// The attempt's mark.
        mark: String,
    },
    /// The delivery failed.
    DeliveryFailed {
        /// Why, for the record.
        why: String,
    },
    /// The delivery was cut off in the middle: nobody knows whether it took place.
    DeliveryLost,
    /// The submission has arrived. The interview is over.
    Delivered {
        /// The submission's name for whoever receives it.
        id: String,
        /// What was delivered.
        submission: Submission,
        /// What the receiver answered; none where the respondent says that it arrived.
        receipt: Option<String>,
    },
    /// More may be spent.
    BudgetRaised {
        /// The new limit.
        budget: u64,
    },
    /// The interview was given up.
    Abandoned {
        /// By whom.
        why: Parting,
    },
    /// Something happened in an agent's thread.
    Stepped(Step),
}

/// What a gate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Submit the form?
    Submit,
    /// Deliver again what may have arrived already?
    Redeliver,
}

/// Why an interview was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parting {
    /// The respondent wanted to.
    Respondent,
    /// Nobody came back.
    Idle,
}

/// What an interview yields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The form's title.
    pub title: String,
    /// The answers, in the order of the form.
    pub answers: Vec<Answered>,
}

/// A field's part in a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The field.
    pub field_id: String,
    /// What it is called.
    pub label: String,
    /// Its value; none where it was left empty.
    pub value: Option<String>,
    /// Whether something is still lacking.
    pub incomplete: bool,
}
