//! Where an interview stands: what its rules and its next prompts need, and no more.
//!
//! The transcript is not here; it is in the log. What is kept of a conversation is the last few exchanges about the
//! field under way, because the reviewer reads them. Everything else has a ceiling by the form's own limits.

use std::collections::BTreeMap;
use std::sync::Arc;

use enza_kernel::agent::{Cast, Failure, Standing as ThreadStanding};
use enza_kernel::effect::Key;
use enza_kernel::gate::{Gate, GateState};
use enza_kernel::moves::Mover;
use enza_kernel::review::Review;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::event::{Answered, Purpose, Submission};
use super::finding::Finding;
use super::form::{Field, Form};

/// How often a reviewer may send a field back.
pub const SENT_BACK_AT_MOST: u32 = 3;
/// How many exchanges about a field are kept: the first, the follow-ups, and one after the rounds are used up.
pub(super) const EXCHANGES_KEPT: usize = SENT_BACK_AT_MOST as usize + 2;
/// How many facts are kept of a field.
pub(super) const FACTS_KEPT: usize = 20;

/// The thread that speaks with the respondent.
pub(super) const INTERVIEWER: &str = "interviewer";
/// The agent that checks, in a thread of its own for every review.
pub(super) const REVIEWER: &str = "reviewer";

pub(super) const PENDING: &str = "pending";
pub(super) const INTERVIEWING: &str = "interviewing";
pub(super) const REVIEWING: &str = "reviewing";
pub(super) const DONE: &str = "done";

/// The state of an interview.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    pub(super) stage: Stage,
    /// Shared: every decision starts from a copy of the state, and a form may be large.
    pub(super) form: Arc<Form>,
    pub(super) respondent: String,
    /// One for each field of the form, in its order.
    pub(super) records: Vec<Record>,
    pub(super) cast: Cast,
    /// How many reviews were begun; names their threads.
    pub(super) reviews: u64,
    /// What the respondent was told when a field used up its rounds, until it is answered.
    pub(super) plea: Option<String>,
    /// The last gate, answered or not.
    pub(super) gate: Option<(Purpose, GateState)>,
    /// How many gates there were; names them.
    pub(super) gates: u64,
    pub(super) delivery: Option<Delivery>,
    /// When the respondent was last heard of.
    pub(super) seen: Timestamp,
}

/// How far the whole has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Not opened.
    #[default]
    New,
    /// Fields are being asked.
    Interviewing,
    /// All fields are done; the respondent is asked for a yes.
    Confirming,
    /// The respondent said no and is asked which answer to change.
    Choosing,
    /// Submitted, and on its way.
    Delivering,
    /// Arrived.
    Delivered,
    /// Given up.
    Abandoned,
}

/// What is known of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub(super) at: Mover,
    pub(super) review: Review,
    /// The last exchanges since the field was opened.
    pub(super) exchanges: Vec<Exchange>,
    /// Whether the last answer still waits for a review.
    pub(super) unreviewed: bool,
    /// The last result of a review.
    pub(super) finding: Option<Finding>,
    pub(super) facts: Vec<String>,
    /// The value; while the field is answered again, the one it had.
    pub(super) value: Option<String>,
    pub(super) incomplete: bool,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Exchange {
    pub question: String,
    pub answer: String,
}

/// A submission on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delivery {
    /// The submission's name for whoever receives it: the key of the first attempt.
    pub id: String,
    /// The key of this attempt.
    pub key: Key,
    pub phase: DeliveryPhase,
}

/// Where a delivery stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeliveryPhase {
    Queued,
    Started {
        /// Of the attempt that is under way.
        mark: String,
    },
    Failed,
    /// It was cut off; a gate asks what to make of it.
    Lost,
    Done,
}

impl Record {
    pub(super) fn fresh() -> Self {
        Self {
            at: Mover::at_state(PENDING),
            review: Review::new(SENT_BACK_AT_MOST),
            exchanges: Vec::new(),
            unreviewed: false,
            finding: None,
            facts: Vec::new(),
            value: None,
            incomplete: false,
        }
    }

    /// `pending`, `interviewing`, `reviewing` or `done`.
    pub fn at(&self) -> &str {
        self.at.at()
    }

    /// The last result of a review, which was also given back to the interviewer.
    pub fn finding(&self) -> Option<&Finding> {
        self.finding.as_ref()
    }

    /// Whether the field was closed with something lacking.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// How often it was sent back.
    pub fn follow_ups(&self) -> u32 {
        self.review.sent_back
    }

    pub(super) fn is_done(&self) -> bool {
        self.at() == DONE
    }
}

impl State {
    /// How far the whole has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The form, as it was when the interview was opened.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Who answers.
    pub fn respondent(&self) -> &str {
        &self.respondent
    }

    /// What the respondent is asked now, if it is the respondent's turn to say something.
    pub fn question(&self) -> Option<&str> {
        if self.stage != Stage::Interviewing {
            return None;
        }
        if let Some(plea) = &self.plea {
            return Some(plea);
        }
        self.cast.threads.get(INTERVIEWER)?.open_question()?.arguments.get("question")?.as_str()
    }

    /// Fields done, and fields in all.
    pub fn progress(&self) -> (usize, usize) {
        (self.records.iter().filter(|record| record.is_done()).count(), self.records.len())
    }

    /// The gate that waits for an answer.
    pub fn gate(&self) -> Option<&Gate> {
        self.gate.as_ref().and_then(|(_, gate)| gate.open())
    }

    /// The values of the fields that are done and were not left empty, by field id.
    pub fn values(&self) -> BTreeMap<&str, &str> {
        let done = self.fields().filter(|(_, record)| record.is_done());
        done.filter_map(|(field, record)| Some((field.field_id.as_str(), record.value.as_deref()?))).collect()
    }

    /// Every field with what is known of it, in the order of the form.
    pub fn fields(&self) -> impl Iterator<Item = (&Field, &Record)> {
        self.form.fields.iter().zip(&self.records)
    }

    /// The field under way.
    pub fn current(&self) -> Option<(&Field, &Record)> {
        self.current_place().map(|place| (&self.form.fields[place], &self.records[place]))
    }

    /// What is submitted, or would be.
    pub fn submission(&self) -> Submission {
        let answers = self.fields().map(|(field, record)| Answered {
            field_id: field.field_id.clone(),
            label: field.label.clone(),
            value: record.value.clone(),
            incomplete: record.incomplete,
        });
        Submission { title: self.form.title.clone(), answers: answers.collect() }
    }

    /// The agents' threads, what they used and what they may use.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// Why an agent cannot go on, if one cannot.
    pub fn failure(&self) -> Option<&Failure> {
        self.cast.threads.values().find_map(|thread| match &thread.standing {
            ThreadStanding::Failed { failure } => Some(failure),
            ThreadStanding::Resting | ThreadStanding::Asking { .. } | ThreadStanding::Acting { .. } => None,
        })
    }

    /// Whether the delivery failed and waits to be tried again.
    pub fn is_undelivered(&self) -> bool {
        self.delivery.as_ref().is_some_and(|delivery| delivery.phase == DeliveryPhase::Failed)
    }

    /// The labels of required fields that are not done.
    pub(super) fn required_not_done(&self) -> Vec<String> {
        let open = self.fields().filter(|(field, record)| field.required && !record.is_done());
        open.map(|(field, _)| field.label.clone()).collect()
    }

    pub(super) fn current_place(&self) -> Option<usize> {
        self.records.iter().position(|record| [INTERVIEWING, REVIEWING].contains(&record.at()))
    }

    pub(super) fn next_pending(&self) -> Option<usize> {
        self.records.iter().position(|record| record.at() == PENDING)
    }

    pub(super) fn record_of(&mut self, field_id: &str) -> Option<&mut Record> {
        let (place, _) = self.form.find(field_id)?;
        self.records.get_mut(place)
    }
}
