//! The form that an interview fills in: fields, and the facts that each field must yield.
//!
//! A form is data from outside. It is checked once, when it is published or a session is opened, and a session keeps it
//! as it was then; whatever happens to the form afterwards, a running session does not change. The ceilings here bound
//! the session's state and its prompts.
//!
//! Which files and schemas a form can be read from is `formats`; writing, publishing and sharing forms is `forms`.

mod check;
mod condition;
mod fault;
mod kind;
mod sample;

use enza_kernel::limits::Limit;
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use condition::{Condition, OneOrMore};
pub use fault::FormFault;
pub use kind::{Choice, Kind};

/// How many fields a form may have.
pub const MOST_FIELDS: usize = 50;
/// How many facts a field may ask for.
pub const MOST_FACTS: usize = 10;
/// How many options a field may offer.
pub const MOST_OPTIONS: usize = 50;
/// How many conditions a field may have.
pub const MOST_CONDITIONS: usize = 5;
/// How many groups a form may have.
pub const MOST_GROUPS: usize = 5;
/// How often a group may be repeated.
pub const MOST_ITEMS: u32 = 20;
/// How often a field may be sent back, at most, and where a form does not say.
pub const MOST_FOLLOW_UPS: u32 = 5;
/// How often a field may be sent back where the form does not say.
pub const USUAL_FOLLOW_UPS: u32 = 3;
/// What a fact says, when it is known well enough, or how to ask for it.
pub const FACT: Limit = Limit { name: "fact", graphemes: 300, bytes: 2 * 1024 };
/// What the respondent reads before the first question, or agrees to.
pub const PREAMBLE: Limit = Limit { name: "preamble", graphemes: 4_000, bytes: 32 * 1024 };

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    /// What it is called.
    pub title: String,
    /// What the respondent reads before the first question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the respondent must agree to before the first question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<String>,
    /// The language in which the form is written, and in which the agents speak until they know better.
    #[serde(default)]
    pub language: Lang,
    /// Who decides in which order the fields are asked.
    #[serde(default)]
    pub order: Order,
    /// How often a field may be sent back for more, where the field does not say.
    #[serde(default, alias = "follow_ups", skip_serializing_if = "Option::is_none")]
    pub follow_ups: Option<u32>,
    /// The fields.
    pub fields: Vec<Field>,
    /// The groups of fields that may be answered several times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// Who decides in which order the fields are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The architect.
    #[default]
    Free,
    /// Whoever wrote the form.
    Fixed,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// Its name in values and exports.
    #[serde(alias = "field_id")]
    pub field_id: String,
    /// What the respondent sees.
    pub label: String,
    /// What it is asked for; for agents and the owner alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Whether the form cannot be submitted without it.
    #[serde(default)]
    pub required: bool,
    /// What kind of answer it wants.
    #[serde(default)]
    pub kind: Kind,
    /// What can be chosen, for a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// Whether an answer beside the options will do, too.
    #[serde(default, alias = "allow_other", skip_serializing_if = "is_false")]
    pub allow_other: bool,
    /// The least number, or the earliest day or time.
    #[serde(default, deserialize_with = "kind::bound", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub min: Option<String>,
    /// The greatest number, or the latest day or time.
    #[serde(default, deserialize_with = "kind::bound", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub max: Option<String>,
    /// When it applies; all must hold. Without any, always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Condition>,
    /// The fields whose change makes this answer doubtful, so that it is asked again.
    #[serde(default, alias = "depends_on", skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// The group it is repeated in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether it is never asked, but only filled in by the link.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// Whether its value is told to no agent but the one that reviews it, and is masked in lists.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sensitive: bool,
    /// How often it may be sent back for more.
    #[serde(default, alias = "follow_ups", skip_serializing_if = "Option::is_none")]
    pub follow_ups: Option<u32>,
    /// What the answer must yield. Without any, the reviewer judges by label and intent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// A fact that an answer must yield.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fact {
    /// Its name in reviews and exports.
    #[serde(alias = "fact_key")]
    pub fact_key: String,
    /// What is to be known; for agents and the owner alone.
    pub fact: String,
    /// When it is known well enough; for the reviewer alone.
    #[serde(alias = "done_criteria")]
    pub done_criteria: String,
    /// How to ask for it; for the interviewer alone.
    #[serde(default, alias = "questioning_hints", skip_serializing_if = "Option::is_none")]
    pub questioning_hints: Option<String>,
}

/// A group of fields that is answered once for each item: each guest, each employer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// Its name in values and exports.
    #[serde(alias = "group_id")]
    pub group_id: String,
    /// What one item is called: "guest".
    pub item: String,
    /// How many items there are at least.
    #[serde(default)]
    pub min: u32,
    /// How many items there may be.
    #[serde(default = "usual_items")]
    pub max: u32,
}

impl Form {
    /// The field behind an id, and its place.
    pub fn find(&self, field_id: &str) -> Option<(usize, &Field)> {
        self.fields.iter().enumerate().find(|(_, field)| field.field_id == field_id)
    }

    /// The group behind an id.
    pub fn group(&self, group_id: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.group_id == group_id)
    }

    /// How often a field may be sent back.
    pub fn follow_ups(&self, field: &Field) -> u32 {
        field.follow_ups.or(self.follow_ups).unwrap_or(USUAL_FOLLOW_UPS)
    }

    /// The fields that say that their answers depend on this one.
    pub fn dependents<'a>(&'a self, field_id: &'a str) -> impl Iterator<Item = &'a Field> {
        self.fields.iter().filter(move |field| field.depends_on.iter().any(|one| one == field_id))
    }
}

impl Field {
    /// A field of a kind, with what every field has.
    pub fn new(field_id: &str, label: &str, kind: Kind) -> Self {
        Self { field_id: field_id.to_owned(), label: label.to_owned(), kind, ..Self::default() }
    }

    /// The same, required.
    #[must_use]
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

fn usual_items() -> u32 {
    MOST_ITEMS
}

fn is_false(flag: &bool) -> bool {
    !flag
}
