//! An interview as its respondent sees it: where it stands, every field that applies, and the ways to answer.
//!
//! What a field is for, its criteria, hints and facts are for agents and the owner; nothing here shows them.

use enza_interview::{Absence, Field, FieldRecord, Kind, ReadContext, Stage, State, ValueFault, read, show};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::floor::Offer;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;

use super::guest::GuestInterview;

/// What the page is about now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterviewPhase {
    /// Questions and answers.
    Talking,
    /// The respondent looks at the whole.
    Confirming,
    Submitted,
    GivenUp,
}

/// A field that applies, with what is known of it.
pub struct FieldView<'a> {
    pub field: &'a Field,
    pub record: &'a FieldRecord,
    pub label: String,
    /// Whether it is spoken of now.
    pub is_current: bool,
    state: &'a State,
}

/// What is to be said of a field beside its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldMark {
    /// It is required, and there is no answer.
    Missing,
    /// Something is lacking.
    Incomplete,
    /// It is being checked.
    Checking,
    /// Its answer was found to lack something, and it is to be asked about again.
    SentBack,
    /// There is no value, for this reason.
    Absent(Absence),
}

/// A way to answer the open question without writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuickAnswer {
    /// By saying this.
    Reply(String),
    Keep(String),
    /// By giving no answer.
    Skip(Absence, String),
}

/// What a page about an interview at this stage is about.
pub fn moment(stage: Stage) -> InterviewPhase {
    match stage {
        Stage::New | Stage::Greeting | Stage::Planning | Stage::Interviewing => InterviewPhase::Talking,
        Stage::Confirming | Stage::Choosing => InterviewPhase::Confirming,
        Stage::Delivering | Stage::Delivered => InterviewPhase::Submitted,
        Stage::Abandoned => InterviewPhase::GivenUp,
    }
}

impl GuestInterview {
    /// What the page is about now.
    pub fn moment(&self) -> InterviewPhase {
        moment(self.state.stage())
    }

    /// Every field that applies, in the order in which they are asked.
    pub fn entries(&self) -> Vec<FieldView<'_>> {
        entries(&self.state)
    }

    /// The ways to answer the open question without writing.
    pub fn ways(&self, lang: Lang) -> Vec<QuickAnswer> {
        let offers = self.floor(lang).offers.into_iter();
        let ways = offers.filter_map(|offer| match offer {
            Offer::Say { .. } => None,
            Offer::Press { label, command, .. } => {
                if let Some(text) = command.pointer("/say/text").and_then(|text| text.as_str()) {
                    return Some(QuickAnswer::Reply(text.to_owned()));
                }
                if command == "keep_as_is" {
                    return Some(QuickAnswer::Keep(label));
                }
                let absence = command.pointer("/skip/absence").cloned()?;
                Some(QuickAnswer::Skip(serde_json::from_value(absence).ok()?, label))
            }
        });
        ways.collect()
    }

    /// Whether an agent has failed and trying again may help. Where the budget is spent it does not, and more of it is
    /// the owner's to give.
    pub fn may_retry(&self) -> bool {
        match self.state.failure() {
            Some(ThreadFailure::BudgetExhausted { .. }) | None => false,
            Some(
                ThreadFailure::RoundsExhausted { .. }
                | ThreadFailure::Malformed { .. }
                | ThreadFailure::Unanswered { .. },
            ) => true,
        }
    }

    /// Why a text is no answer to a field, as the rules will see it.
    pub fn misreading(&self, entry: &FieldView<'_>, text: &str, now: Timestamp) -> Option<ValueFault> {
        let locale = self.state.locale();
        let today = locale.today(now);
        read(entry.field, text, &ReadContext { locale: &locale, today }).err()
    }

    /// Whether every required field has an answer.
    pub fn is_complete(&self) -> bool {
        self.state.required_not_done().is_empty()
    }
}

/// Every field of an interview that applies, in the order in which they are asked.
pub(super) fn entries(state: &State) -> Vec<FieldView<'_>> {
    let current = state.current().map(|(_, record)| record.id().to_owned());
    let asked = state.fields().filter(|(field, record)| !field.hidden && state.applies(record));
    let entries = asked.map(|(field, record)| FieldView {
        field,
        record,
        label: state.label(record),
        is_current: current.as_deref() == Some(record.id()),
        state,
    });
    entries.collect()
}

impl FieldView<'_> {
    /// Its name in forms and values.
    pub fn id(&self) -> &str {
        self.record.id()
    }

    /// Its value as a person reads it.
    pub fn shown(&self, lang: Lang) -> Option<String> {
        self.record.value().map(|value| show(self.field, value, lang))
    }

    /// Whether it asks for another item of a group.
    pub fn asks_for_more(&self) -> bool {
        self.field.kind == Kind::YesNo && self.id().ends_with(".more") && self.field.field_id == self.id()
    }

    /// What is to be said of it beside its value.
    pub fn mark(&self) -> Option<FieldMark> {
        let record = self.record;
        let is_sent_back = || record.finding().is_some_and(|finding| !finding.passed);
        match record.at() {
            "done" if record.is_incomplete() => Some(FieldMark::Incomplete),
            "done" => record.absence().filter(|_| record.value().is_none()).map(FieldMark::Absent),
            "reviewing" => Some(FieldMark::Checking),
            _ if is_sent_back() => Some(FieldMark::SentBack),
            _ if self.field.required => Some(FieldMark::Missing),
            _ => None,
        }
    }

    /// What was found to be lacking, where it is to be answered again.
    pub fn lacking(&self, lang: Lang) -> Option<String> {
        self.state.lacking(self.record, lang)
    }
}
