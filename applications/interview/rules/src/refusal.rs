//! Why an interview says no, and what to do next, in both languages.

use enza_kernel::application::Reason;
use enza_kernel::budget::Exceeded;
use enza_kernel::gate::GateRefusal;
use enza_kernel::limits::TextRefusal;
use enza_kernel::moves::NotMoved;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

use super::form::FormFault;
use super::phrase::{listed, quoted};
use super::values::ValueFault;
use crate::words::words;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What a session of any kind may refuse.
    Common(CommonRefusal),
    /// The form cannot be asked.
    Form(FormFault),
    /// Only the respondent can.
    NotYours {
        who: String,
    },
    Text(TextRefusal),
    /// No question is open.
    NoQuestion,
    /// The agents are at work; the respondent's turn comes later.
    NotYourTurn,
    /// An agent has failed and must be told to try again first.
    Stuck,
    /// A required field cannot be left empty.
    Required {
        /// The field's label.
        label: String,
    },
    /// The form has no such field.
    UnknownField {
        field_id: String,
    },
    /// The text is no value of the field's kind.
    Unread {
        field_id: String,
        label: String,
        unread: ValueFault,
    },
    /// Nobody can say of a file that it came in but whoever keeps it.
    FileNotTaken,
    /// The reviewer has not used up its rounds.
    NotYet,
    /// The form asks for consent, and there is none.
    ConsentMissing,
    /// A language or a country that nobody knows.
    UnknownPlace {
        text: String,
    },
    /// Nothing waits for a confirmation.
    NotConfirming,
    /// Required fields are not done.
    FieldsMissing {
        labels: Vec<String>,
    },
    /// The gate does not accept the answer.
    Gate(GateRefusal),
    /// The next call does not fit the budget.
    Budget(Exceeded),
    /// The budget can only be raised.
    BudgetNotHigher {
        /// What it is now; none for no limit.
        limit: Option<u64>,
    },
    /// What is submitted cannot be changed.
    AlreadySubmitted,
    /// The interview was given up.
    Abandoned,
    /// The field cannot go there.
    Move(NotMoved),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Form(fault) => fault.code(),
            Self::NotYours { .. } => "interview-not-yours",
            Self::Text(unfit) => unfit.code(),
            Self::NoQuestion => "no-question-open",
            Self::NotYourTurn => "not-your-turn",
            Self::Stuck => "agent-failed",
            Self::Required { .. } => "field-required",
            Self::UnknownField { .. } => "field-unknown",
            Self::Unread { .. } => "answer-unread",
            Self::FileNotTaken => "file-not-taken",
            Self::NotYet => "not-yet",
            Self::ConsentMissing => "consent-missing",
            Self::UnknownPlace { .. } => "place-unknown",
            Self::NotConfirming => "not-confirming",
            Self::FieldsMissing { .. } => "fields-missing",
            Self::Gate(refusal) => refusal.code(),
            Self::Budget(exceeded) => exceeded.code(),
            Self::BudgetNotHigher { .. } => "budget-not-higher",
            Self::AlreadySubmitted => "already-submitted",
            Self::Abandoned => "interview-abandoned",
            Self::Move(stay) => stay.code(),
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Form(fault) => fault.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Gate(refusal) => refusal.say(lang),
            Self::Budget(exceeded) => exceeded.say(lang),
            Self::Move(stay) => stay.say(lang),
            Self::NotYours { who } => words(lang).said("refusal.not_yours", &[("who", &who)]),
            Self::NoQuestion => words(lang).said("refusal.no_question", &[]),
            Self::NotYourTurn => words(lang).said("refusal.not_your_turn", &[]),
            Self::Stuck => words(lang).said("refusal.stuck", &[]),
            Self::Required { label } => Said::new(
                {
                    let name = quoted(lang, label);
                    words(lang).fill("refusal.required", &[("quoted", &name)])
                },
                words(lang).say("refusal.required_hint"),
            ),
            Self::UnknownField { field_id } => words(lang).said("refusal.unknown_field", &[("field_id", &field_id)]),
            Self::Unread { label, unread, .. } => Said::new(
                {
                    let name = quoted(lang, label);
                    words(lang).fill("refusal.unread", &[("quoted", &name)])
                },
                unread.say(lang),
            ),
            Self::FileNotTaken => words(lang).said("refusal.file_not_taken", &[]),
            Self::NotYet => words(lang).said("refusal.not_yet", &[]),
            Self::ConsentMissing => words(lang).said("refusal.consent_missing", &[]),
            Self::UnknownPlace { text } => words(lang).said("refusal.unknown_place", &[("text", &text)]),
            Self::NotConfirming => words(lang).said("refusal.not_confirming", &[]),
            Self::FieldsMissing { labels } => words(lang)
                .said("refusal.fields_missing", &[("labels", &listed(lang, labels.iter().map(String::as_str)))]),
            Self::BudgetNotHigher { limit } => Said::new(
                words(lang).say("refusal.budget_not_higher"),
                match limit {
                    Some(limit) => words(lang).fill("refusal.budget_hint", &[("limit", &limit)]),
                    None => words(lang).say("refusal.budget_unlimited_hint").to_owned(),
                },
            ),
            Self::AlreadySubmitted => words(lang).said("refusal.already_submitted", &[]),
            Self::Abandoned => words(lang).said("refusal.abandoned", &[]),
        }
    }
}
