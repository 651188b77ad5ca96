//! Where an interview stands: what its rules and its next prompts need, and no more.
//!
//! The transcript is not here; it is in the log. What is kept of a conversation is the last few exchanges about the
//! fields under way, because the reviewer reads them. Everything else has a ceiling by the form's own limits.

mod applicable;
mod delivery;
mod record;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use enza_kernel::agent::{ThreadFailure, ThreadState as ThreadStanding, Threads};
use enza_kernel::gate::{Gate, GateState};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::command::{Bootstrap, DeliveryWay};
use super::event::{GatePurpose, Submission, SubmittedAnswer};
use super::form::{Field, Form};
use super::locale::{FALLBACK_ZONE, Locale};
use super::plan::Plan;

pub(super) use applicable::record_id;
pub(super) use delivery::{Delivery, DeliveryPhase};
pub(super) use record::Exchange;
pub use record::FieldRecord;
pub use view::{AgentStackEntry, FactDefinition, FormField, MainSessionState, SessionForm};

/// How many exchanges about a field are kept.
pub(super) const EXCHANGES_KEPT: usize = 6;
/// How many facts are kept of a field.
pub(super) const FACTS_KEPT: usize = 20;

/// How many files are known, beside those that are answers.
pub(super) const FILES_KEPT: usize = 100;

/// The agent that finds out where the respondent is at home.
pub(super) const GREETER: &str = "greeter";
/// The agent that decides the order of the fields.
pub(super) const ARCHITECT: &str = "architect";
/// The agent that speaks with the respondent about the fields.
pub const INTERVIEWER: &str = "interviewer";
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
    pub(super) version: Option<u64>,
    /// The digest of the secret by which the respondent comes back.
    pub(super) key: Option<String>,
    /// The digest of the link by which the respondent came.
    pub(super) link: Option<String>,
    /// How many days the respondent was told that answers are kept.
    pub(super) keep_days: Option<u32>,
    /// The digests of files that were taken in, in the order in which they came.
    pub(super) files: Vec<String>,
    pub(super) respondent: String,
    pub(super) consented: bool,
    pub(super) bootstrap: Bootstrap,
    /// How often the greeter was answered.
    pub(super) greetings: u32,
    pub(super) prefill: BTreeMap<String, String>,
    pub(super) plan: Option<Plan>,
    /// What is known of every field, in the order in which they are asked; hidden ones last.
    pub(super) records: Vec<FieldRecord>,
    /// The field that is spoken of.
    pub(super) current: Option<String>,
    /// Whether the field that is spoken of has an answer that the interviewer has not taken up yet.
    pub(super) answered: bool,
    /// How many messages the respondent sent.
    pub(super) utterances: u64,
    /// The day on which the respondent last said something, where the respondent is.
    pub(super) today: String,
    pub(super) cast: Threads,
    /// How many reviews were begun; names their threads.
    pub(super) reviews: u64,
    /// What the respondent was told when a field used up its rounds, until it is answered.
    pub(super) plea: Option<String>,
    /// The last gate, answered or not.
    pub(super) gate: Option<(GatePurpose, GateState)>,
    /// How many gates there were; names them.
    pub(super) gates: u64,
    pub(super) delivery_way: DeliveryWay,
    pub(super) delivery: Option<Delivery>,
    pub(super) opened: Timestamp,
    /// When something last happened.
    pub(super) changed: Timestamp,
    /// When somebody last cared for the interview: from then on it waits.
    pub(super) seen: Timestamp,
    /// When the respondent last answered.
    pub(super) spoke: Timestamp,
}

/// How far the whole has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Not opened.
    #[default]
    New,
    /// The greeter finds out where the respondent is at home.
    Greeting,
    /// The architect decides the order.
    Planning,
    /// Fields are being asked.
    Interviewing,
    /// All fields are done; the respondent is asked for a yes.
    Confirming,
    /// Everything was asked; the respondent looks at the whole and chooses what to change, or what to answer after all.
    Choosing,
    /// Submitted, and on its way.
    Delivering,
    /// Arrived.
    Delivered,
    /// Given up.
    Abandoned,
}

impl Stage {
    /// Whether agents are to be heard.
    pub(super) fn is_spoken(self) -> bool {
        matches!(self, Self::Greeting | Self::Planning | Self::Interviewing)
    }

    /// Whether it can still be changed.
    pub fn is_open(self) -> bool {
        self.is_spoken() || matches!(self, Self::Confirming | Self::Choosing)
    }

    /// Whether the respondent has said the last yes.
    pub fn is_submitted(self) -> bool {
        matches!(self, Self::Delivering | Self::Delivered)
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

    /// The version under which the form was published.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// The digest of the secret by which a respondent without an account comes back.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Who answers.
    pub fn respondent(&self) -> &str {
        &self.respondent
    }

    /// What is known of where the respondent is at home.
    pub fn bootstrap(&self) -> &Bootstrap {
        &self.bootstrap
    }

    /// The digest of the link by which the respondent came.
    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// How many days the respondent was told that answers are kept.
    pub fn keep_days(&self) -> Option<u32> {
        self.keep_days
    }

    /// When the respondent last answered something; before the first answer, when the interview began.
    pub fn last_answer(&self) -> Timestamp {
        self.spoke
    }

    /// Where the respondent is at home, as far as is known.
    pub fn locale(&self) -> Locale {
        let Bootstrap { language, country, timezone } = self.bootstrap.clone();
        Locale {
            language: language.unwrap_or_else(|| self.form.language.to_string()),
            country,
            timezone: timezone.unwrap_or_else(|| FALLBACK_ZONE.to_owned()),
        }
    }

    /// The language in which rules speak: the respondent's where it is one of ours.
    pub fn lang(&self) -> Lang {
        match &self.bootstrap.language {
            Some(tag) => Lang::of_locale(tag),
            None => self.form.language,
        }
    }

    /// What the respondent is asked now, if it is the respondent's turn to say something.
    pub fn question(&self) -> Option<&str> {
        if !self.stage.is_spoken() || self.is_reviewing() {
            return None;
        }
        if let Some(plea) = &self.plea {
            return Some(plea);
        }
        let thread = if self.stage == Stage::Greeting { GREETER } else { INTERVIEWER };
        self.cast.threads.get(thread)?.open_question()?.arguments.get("question")?.as_str()
    }

    /// Fields done, and fields in all, of those that apply.
    pub fn progress(&self) -> (usize, usize) {
        let counted = || self.fields().filter(|(field, record)| !field.hidden && self.applies(record));
        (counted().filter(|(_, record)| record.is_done()).count(), counted().count())
    }

    /// The gate that waits for an answer.
    pub fn gate(&self) -> Option<&Gate> {
        self.gate.as_ref().and_then(|(_, gate)| gate.open())
    }

    /// The values of the fields that apply and have one, by id.
    pub fn values(&self) -> BTreeMap<&str, &str> {
        let real = self.records.iter().filter(|record| !record.asks_for_more());
        real.filter_map(|record| Some((record.id.as_str(), self.value_of(record)?))).collect()
    }

    /// Every field with what is known of it, in the order in which they are asked.
    pub fn fields(&self) -> impl Iterator<Item = (&Field, &FieldRecord)> {
        self.records.iter().map(|record| (self.field_of(record), record))
    }

    /// The field that is spoken of.
    pub fn current(&self) -> Option<(&Field, &FieldRecord)> {
        let record = self.record(self.current.as_deref()?)?;
        Some((self.field_of(record), record))
    }

    /// What is known of a field.
    pub fn record(&self, id: &str) -> Option<&FieldRecord> {
        self.records.iter().find(|record| record.id == id)
    }

    /// The field behind a record.
    pub fn field_of<'a>(&'a self, record: &'a FieldRecord) -> &'a Field {
        record.own.as_deref().unwrap_or(&self.form.fields[record.place])
    }

    /// What a field is called on screen; inside a group, with the item.
    pub fn label(&self, record: &FieldRecord) -> String {
        let field = self.field_of(record);
        let group = field.group.as_deref().and_then(|group| self.form.group(group));
        match (group, record.item) {
            (Some(group), Some(item)) => {
                let (label, name) = (&field.label, &group.item);
                self.form.language.pick(format!("{label}({name}{item})"), format!("{label} ({name} {item})"))
            }
            (Some(_), None) | (None, Some(_) | None) => field.label.clone(),
        }
    }

    /// What a review found to be lacking of a field that is to be answered again, as a person reads it.
    pub fn lacking(&self, record: &FieldRecord, lang: Lang) -> Option<String> {
        let finding = record.finding().filter(|finding| !finding.passed && !record.is_done())?;
        let lacking = finding.lacking();
        // What a rule has said, it says again in the reader's language; what an agent has said is its own.
        let last = record.exchanges.last().map_or("", |last| last.answer.as_str());
        let locale = self.locale();
        let unread =
            super::values::read(self.field_of(record), last, &super::flow::review::read_context(self, &locale)).err();
        let by_rule = unread.filter(|unread| [Lang::Ja, Lang::En].iter().any(|lang| lacking == [unread.say(*lang)]));
        by_rule.map(|unread| unread.say(lang)).or_else(|| super::words::lacking(lang, &lacking))
    }

    /// What is submitted, or would be.
    pub fn submission(&self) -> Submission {
        let real = self.records.iter().filter(|record| !record.asks_for_more());
        let answers = real.map(|record| {
            let applies = self.applies(record);
            let value = self.value_of(record).map(str::to_owned);
            SubmittedAnswer {
                field_id: record.id.clone(),
                label: self.label(record),
                absence: if applies { record.absence } else { Some(super::values::Absence::NotApplicable) },
                incomplete: applies && record.incomplete,
                sentence: record.sentence.clone().filter(|_| value.is_some()),
                value,
            }
        });
        Submission {
            title: self.form.title.clone(),
            version: self.version,
            bootstrap: self.bootstrap.clone(),
            consented: self.consented,
            answers: answers.collect(),
        }
    }

    /// The agents' threads, what they used and what they may use.
    pub fn threads(&self) -> &Threads {
        &self.cast
    }

    /// Why an agent cannot go on, if one cannot.
    pub fn failure(&self) -> Option<&ThreadFailure> {
        self.cast.threads.values().find_map(|thread| match &thread.standing {
            ThreadStanding::Failed { failure } => Some(failure),
            ThreadStanding::Resting | ThreadStanding::Asking { .. } | ThreadStanding::Acting { .. } => None,
        })
    }

    /// The labels of required fields that are not done.
    pub fn required_not_done(&self) -> Vec<String> {
        let open = self.fields().filter(|(field, record)| field.required && !record.is_done() && self.applies(record));
        open.map(|(_, record)| self.label(record)).collect()
    }

    /// Whether a review is under way.
    pub(super) fn is_reviewing(&self) -> bool {
        self.records.iter().any(FieldRecord::is_under_review)
    }

    pub(super) fn record_mut(&mut self, id: &str) -> Option<&mut FieldRecord> {
        self.records.iter_mut().find(|record| record.id == id)
    }
}
