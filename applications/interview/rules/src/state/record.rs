//! What is known of one field, or of one item of a repeated one.
//!
//! A record is named by its field's id, inside a group with the item's number before it: `guests.2.name`. Whether a
//! group has another item is asked as a field of its own, `guests.2.more`, which the record brings along.

use enza_kernel::moves::Mover;
use enza_kernel::review::Review;
use serde::{Deserialize, Serialize};

use super::{DONE, PENDING, REVIEWING};
use crate::event::Source;
use crate::findings::Finding;
use crate::form::{Condition, Field, Form, Kind};
use crate::values::Absence;

/// What is known of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldRecord {
    pub(crate) id: String,
    /// The place of the field in the form.
    pub(crate) place: usize,
    /// The item of the group, counted from one.
    pub(crate) item: Option<u32>,
    /// Whether a group has another item, where that is what is asked.
    pub(crate) own: Option<Box<Field>>,
    pub(crate) at: Mover,
    pub(crate) review: Review,
    /// The last exchanges since the field was opened.
    pub(crate) exchanges: Vec<Exchange>,
    /// The thread that reviews it now.
    pub(crate) thread: Option<String>,
    /// The last result of a review.
    pub(crate) finding: Option<Finding>,
    pub(crate) facts: Vec<String>,
    /// The value; while the field is answered again, the one it had.
    pub(crate) value: Option<String>,
    /// Why it has none.
    pub(crate) absence: Option<Absence>,
    /// The sentence that the value came from.
    pub(crate) sentence: Option<String>,
    pub(crate) incomplete: bool,
    /// Whether it is left for later.
    pub(crate) set_aside: bool,
    /// How many messages in a row were no answer to it.
    pub(crate) asides: u32,
    /// The last message that was heard about it.
    pub(crate) heard: u64,
    /// Whether the last answer still waits for a review.
    pub(crate) unreviewed: bool,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub question: String,
    pub answer: String,
    #[serde(default)]
    pub source: Source,
}

impl FieldRecord {
    /// A field that was not asked yet.
    pub(crate) fn fresh(id: String, place: usize, item: Option<u32>, follow_ups: u32) -> Self {
        Self {
            id,
            place,
            item,
            own: None,
            at: Mover::at_state(PENDING),
            review: Review::new(follow_ups),
            exchanges: Vec::new(),
            thread: None,
            finding: None,
            facts: Vec::new(),
            value: None,
            absence: None,
            sentence: None,
            incomplete: false,
            set_aside: false,
            asides: 0,
            heard: 0,
            unreviewed: false,
        }
    }

    /// The question whether a group has an item after this one. It is asked wherever the group's first field is.
    pub(crate) fn more(form: &Form, group_id: &str, after: u32, label: &str) -> Self {
        let id = format!("{group_id}.{after}.more");
        let place = form.fields.iter().position(|field| field.group.as_deref() == Some(group_id)).unwrap_or(0);
        let outside =
            |condition: &&Condition| form.find(&condition.field).is_some_and(|(_, field)| field.group.is_none());
        let when = form.fields[place].when.iter().filter(outside).cloned().collect();
        let own = Field { required: true, when, ..Field::new(&id, label, Kind::YesNo) };
        Self { own: Some(Box::new(own)), ..Self::fresh(id, place, Some(after), 1) }
    }

    /// The same field before anything was said of it, but for where it stands and what it was.
    pub(crate) fn begun_again(&self) -> Self {
        let fresh = Self::fresh(self.id.clone(), self.place, self.item, self.review.limit);
        Self {
            own: self.own.clone(),
            at: self.at.clone(),
            value: self.value.clone(),
            absence: self.absence,
            sentence: self.sentence.clone(),
            incomplete: self.incomplete,
            ..fresh
        }
    }

    /// Its name in values and exports.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// `pending`, `interviewing`, `reviewing` or `done`.
    pub fn at(&self) -> &str {
        self.at.at()
    }

    /// The last result of a review, which was also given back to the interviewer.
    pub fn finding(&self) -> Option<&Finding> {
        self.finding.as_ref()
    }

    /// The value, once it has one.
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Why it has no value, where the respondent said so.
    pub fn absence(&self) -> Option<Absence> {
        self.absence
    }

    /// The sentence of the respondent's that the value came from.
    pub fn sentence(&self) -> Option<&str> {
        self.sentence.as_deref()
    }

    /// The facts that the answers yielded.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// Whether the field was closed with something lacking.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Whether it was left for later.
    pub fn is_set_aside(&self) -> bool {
        self.set_aside
    }

    /// How often it was sent back.
    pub fn follow_ups(&self) -> u32 {
        self.review.sent_back
    }

    /// Whether it is done.
    pub fn is_done(&self) -> bool {
        self.at() == DONE
    }

    pub(crate) fn is_under_review(&self) -> bool {
        self.at() == REVIEWING
    }

    /// Whether it asks for another item of its group.
    pub(crate) fn asks_for_more(&self) -> bool {
        self.own.is_some()
    }

    /// Everything that was said about it.
    pub(crate) fn said(&self) -> String {
        let mut answers: Vec<&str> = Vec::new();
        for exchange in &self.exchanges {
            // Whoever is asked again and says the same has said it once.
            if !answers.contains(&exchange.answer.as_str()) {
                answers.push(&exchange.answer);
            }
        }
        answers.join("\n")
    }
}
