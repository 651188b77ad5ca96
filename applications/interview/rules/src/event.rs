//! What can have happened in an interview.
//!
//! Events say all that tables and transcripts need: a row is made from one event, without the state around it.
//! What was added since the first version has a default, so that older logs read as they did.

use std::collections::BTreeMap;

use enza_kernel::agent::Step;
use enza_kernel::gate::{Answer, Gate};
use enza_kernel::review::ReviewStep;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::command::{Bootstrap, DeliveryWay};
use super::findings::Finding;
use super::form::Form;
use super::plan::Plan;
use super::values::Absence;

/// A fact in the history of an interview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It began.
    Opened {
        /// The form, as it was then.
        form: Form,
        respondent: String,
        /// The most tokens that may be spent.
        budget: Option<u64>,
        /// The version under which the form was published.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<u64>,
        /// What was known of the respondent.
        #[serde(default)]
        bootstrap: Bootstrap,
        /// Whether the respondent agreed to the form's consent text.
        #[serde(default)]
        consented: bool,
        /// What the link fills in.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        prefill: BTreeMap<String, String>,
        /// How the submission is delivered.
        #[serde(default)]
        delivery: DeliveryWay,
        /// The digest of the secret by which the respondent comes back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The digest of the link by which the respondent came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link: Option<String>,
        /// How many days the respondent was told that answers are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keep_days: Option<u32>,
    },
    /// The respondent answered the greeter.
    Greeted {
        /// The answer, in the respondent's words.
        text: String,
    },
    /// Something became known of the respondent.
    Settled {
        /// All that is known now.
        bootstrap: Bootstrap,
        /// Who found it out.
        by: DecidedBy,
    },
    /// The order of the fields is decided.
    Planned {
        plan: Plan,
        by: DecidedBy,
    },
    /// A field is spoken of from now on.
    FieldTaken {
        field_id: String,
    },
    /// A field went into another state.
    FieldMoved {
        field_id: String,
        to: String,
    },
    /// The respondent answered the open question.
    AnswerGiven {
        /// The field it is about.
        field_id: String,
        /// The answer, in the respondent's words.
        text: String,
        #[serde(default)]
        source: Source,
        /// The day it was given on, where the respondent is.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        on: String,
    },
    /// The interview took a file in: from now on it can be an answer.
    FileTaken {
        /// The digest of its contents.
        digest: String,
        name: String,
        /// How many bytes it has.
        size: u64,
    },
    /// A file was given up again, since nothing came of it.
    FileLeft {
        digest: String,
    },
    /// The respondent leaves a field without a value.
    FieldDeclined {
        field_id: String,
        #[serde(default)]
        absence: Absence,
    },
    /// A required field is left for later.
    FieldSetAside {
        field_id: String,
        label: String,
    },
    /// The answers to a field were reviewed.
    Reviewed {
        field_id: String,
        finding: Finding,
        /// What follows; none where it was no answer, and does not count.
        step: Option<ReviewStep>,
        #[serde(default)]
        by: DecidedBy,
    },
    /// A field could not be completed in the rounds there are; the respondent decides how it goes on.
    HelpAsked {
        field_id: String,
        /// What the respondent is told.
        text: String,
    },
    /// A field has its value.
    FieldClosed {
        field_id: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        label: String,
        /// The value; none where the field was left empty.
        value: Option<String>,
        /// Why there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        absence: Option<Absence>,
        /// The sentence of the respondent's that it came from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sentence: Option<String>,
        /// Whether something is still lacking.
        incomplete: bool,
        lacking: Vec<String>,
    },
    /// A field is answered again.
    FieldReopened {
        field_id: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        label: String,
        /// The field whose change made the answer doubtful; none where the respondent wants it so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because_of: Option<String>,
    },
    /// A group has another item.
    ItemAdded {
        group_id: String,
        /// Which, counted from one.
        item: u32,
    },
    /// It is to be asked whether a group has another item.
    MoreAsked {
        group_id: String,
        /// The item after which it is asked; zero before the first.
        after: u32,
        /// The question, as a field's label.
        label: String,
    },
    /// Everything was asked, and required fields are without a value.
    Gathered {
        missing: Vec<String>,
    },
    /// A question was put to the respondent that only a yes or a no ends.
    GateOpened {
        purpose: GatePurpose,
        gate: Gate,
    },
    GateAnswered {
        answer: Answer,
    },
    /// The respondent said yes: the values are final, and are to be delivered.
    Submitted {
        submission: Submission,
    },
    /// The delivery is to be tried again.
    DeliveryRequeued,
    /// The delivery is about to be made.
    DeliveryStarted {
        /// The attempt's mark.
        mark: String,
    },
    DeliveryFailed {
        why: String,
        /// When it is tried again by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<Timestamp>,
    },
    /// The delivery was cut off in the middle: nobody knows whether it took place.
    DeliveryLost,
    /// The submission has arrived. The interview is over.
    Delivered {
        /// The submission's name for whoever receives it.
        id: String,
        submission: Submission,
        /// What the receiver answered; none where the respondent says that it arrived.
        receipt: Option<String>,
        /// When the respondent said yes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        submitted_at: Option<Timestamp>,
    },
    /// More may be spent.
    BudgetRaised {
        /// The new limit.
        budget: u64,
    },
    /// The interview was given up.
    Abandoned {
        why: AbandonReason,
    },
    /// Something happened in an agent's thread.
    Stepped(Step),
}

/// Who did something that an agent or a rule may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A model.
    #[default]
    Agent,
    /// A rule, without a model.
    Rule,
}

/// How an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It answers the open question.
    #[default]
    Question,
    /// It was said along with the answer to another.
    Aside,
    /// It was written into the field.
    Filled,
    /// The link brought it.
    Link,
}

/// What a gate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GatePurpose {
    /// Submit the form?
    Submit,
    /// Deliver again what may have arrived already?
    Redeliver,
}

/// Why an interview was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbandonReason {
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
    /// The version under which the form was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Where the respondent is at home.
    #[serde(default)]
    pub bootstrap: Bootstrap,
    /// Whether the respondent agreed to the form's consent text.
    #[serde(default)]
    pub consented: bool,
    /// The answers, in the order of the form.
    pub answers: Vec<SubmittedAnswer>,
}

/// A field's part in a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedAnswer {
    pub field_id: String,
    pub label: String,
    /// Its value; none where it was left empty.
    pub value: Option<String>,
    /// Why there is none; none where it was never asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence: Option<Absence>,
    /// Whether something is still lacking.
    pub incomplete: bool,
    /// The sentence of the respondent's that the value came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
}
