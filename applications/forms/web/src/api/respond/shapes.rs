//! The shapes of what respondents send and are told, as programs read them and as the document describes them.

use std::collections::BTreeMap;

use enza_interview::Absence;
use enza_kernel::floor::Line;
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::actions::respond::{FieldMark, FieldView, GuestInterview, QuickAnswer};

/// How to begin.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"consented": true, "prefill": {"name": "Ada"}, "timezone": "Europe/London"}))]
pub struct BeginInterview {
    /// Whether the respondent agrees to the form's consent text.
    pub(super) consented: bool,
    /// What is known beforehand, by field id.
    pub(super) prefill: BTreeMap<String, String>,
    /// The languages that the respondent likes, as in `Accept-Language`, which counts where nothing is said.
    pub(super) languages: Option<String>,
    /// The respondent's time zone, by its IANA name.
    pub(super) timezone: Option<String>,
    /// Sent twice with the same key, one interview begins. At least 16 characters that nobody can guess.
    pub(super) key: Option<String>,
}

/// An interview that was begun.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketGiven {
    /// What lets the respondent back in. Whoever has it is the respondent.
    pub(super) ticket: String,
    /// Where a browser finds the interview.
    pub(super) address: String,
}

/// An interview as its respondent sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Interview {
    /// The form's title.
    pub(super) title: String,
    /// The form's version.
    pub(super) version: Option<u64>,
    /// `greeting`, `planning`, `interviewing`, `confirming`, `choosing`, `delivering`, `delivered` or `abandoned`.
    #[schema(value_type = String)]
    pub(super) stage: enza_interview::Stage,
    /// Whether the next question is being prepared.
    pub(super) working: bool,
    /// Whether it cannot go on by itself.
    pub(super) stuck: bool,
    /// The language in which the respondent is spoken to, as BCP 47.
    pub(super) language: String,
    /// The open question.
    pub(super) question: Option<String>,
    /// Ways to answer it without writing.
    pub(super) offers: Vec<OfferToAnswer>,
    /// Fields done.
    pub(super) done: usize,
    /// Fields in all, of those that apply.
    pub(super) total: usize,
    /// The gate that waits for a yes.
    pub(super) gate: Option<String>,
    /// The fields that apply, in the order in which they are asked.
    pub(super) fields: Vec<FieldSeen>,
}

/// A way to answer without writing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferToAnswer {
    /// Say this.
    Text(String),
    /// Give no answer, for this reason.
    #[schema(value_type = String)]
    Absence(Absence),
    /// Keep what was said.
    Keep,
}

/// A field as its respondent sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldSeen {
    /// Its name in values.
    pub(super) field_id: String,
    /// What it is called.
    pub(super) label: String,
    /// What kind of answer it wants.
    pub(super) kind: String,
    /// Whether the form cannot be submitted without it.
    pub(super) required: bool,
    /// What can be chosen.
    pub(super) options: Vec<String>,
    /// The value, in the spelling in which it is kept.
    pub(super) value: Option<String>,
    /// The same as a person reads it.
    pub(super) shown: Option<String>,
    /// `missing`, `incomplete`, `checking`, `needs_more`, or why there is no value.
    pub(super) remark: Option<String>,
    /// Whether it is spoken of now.
    pub(super) current: bool,
}

/// An answer: a text, or the reason for giving none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "Three of us, on Friday."}))]
pub struct AnswerGiven {
    /// The words.
    pub(super) text: Option<String>,
    /// `skipped`, `declined`, `unknown` or `not_applicable`.
    #[schema(value_type = Option<String>)]
    pub(super) absence: Option<Absence>,
    /// Sent twice with the same key, it is said once.
    pub(super) key: Option<String>,
}

/// What to write into fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"answers": {"date": "2026-11-03"}}))]
pub struct FieldsFilled {
    /// By field id. An empty text leaves an optional field empty.
    pub(super) answers: BTreeMap<String, String>,
    /// Sent twice with the same key, it is done once.
    pub(super) key: Option<String>,
}

/// A field to turn to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldChanged {
    /// As `fields` of the interview lists it.
    pub(super) field_id: String,
}

/// A language to be spoken to in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"language": "ja"}))]
pub struct LanguageWanted {
    /// Its BCP 47 tag.
    pub(super) language: String,
}

/// The gate to say yes to.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Confirmed {
    /// The gate; the open one where nothing is said.
    pub(super) gate: Option<String>,
}

/// What was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct Messages {
    /// The lines, in order.
    pub(super) messages: Vec<MessageSaid>,
    /// After which event to go on; null at the end.
    pub(super) next: Option<u64>,
}

/// A line of the conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageSaid {
    /// Its place.
    pub(super) seq: u64,
    /// When, in milliseconds since 1970.
    pub(super) at: i64,
    /// The line.
    #[schema(value_type = Object)]
    pub(super) line: Line,
}

/// Where to begin, and how many.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesFrom {
    /// After this event; from the first where nothing is said.
    pub(super) after: Option<u64>,
    /// How many, 20 where nothing is said.
    #[param(minimum = 1, maximum = 100)]
    pub(super) limit: Option<usize>,
}

impl Interview {
    /// Of a respondent's own.
    pub fn of(guest: &GuestInterview, lang: Lang) -> Self {
        let state = &guest.state;
        let (done, total) = state.progress();
        let offer = |way: QuickAnswer| match way {
            QuickAnswer::Reply(text) => OfferToAnswer::Text(text),
            QuickAnswer::Keep(_) => OfferToAnswer::Keep,
            QuickAnswer::Skip(absence, _) => OfferToAnswer::Absence(absence),
        };
        Self {
            title: state.form().title.clone(),
            version: state.version(),
            stage: state.stage(),
            working: guest.is_working(),
            stuck: state.failure().is_some(),
            language: state.locale().language,
            question: state.question().map(str::to_owned),
            offers: guest.ways(lang).into_iter().map(offer).collect(),
            done,
            total,
            gate: state.gate().map(|gate| gate.id.clone()),
            fields: guest.entries().iter().map(|entry| field(entry, lang)).collect(),
        }
    }
}

fn field(entry: &FieldView<'_>, lang: Lang) -> FieldSeen {
    let remark = entry.mark().map(|mark| match mark {
        FieldMark::Missing => "missing",
        FieldMark::Incomplete => "incomplete",
        FieldMark::Checking => "checking",
        FieldMark::SentBack => "needs_more",
        FieldMark::Absent(absence) => absence.word(),
    });
    FieldSeen {
        field_id: entry.id().to_owned(),
        label: entry.label.clone(),
        kind: entry.field.kind.to_string(),
        required: entry.field.required,
        options: entry.field.options.iter().map(|option| option.shown().to_owned()).collect(),
        value: entry.record.value().map(str::to_owned),
        shown: entry.shown(lang),
        remark: remark.map(str::to_owned),
        current: entry.is_current,
    }
}
