//! The form that an interview fills in: fields, and the facts that each field must yield.
//!
//! A form is data from outside. It is checked once, when the session is opened, and is kept as it was then; whatever
//! happens to the form afterwards, a running session does not change. The ceilings here bound the session's state and
//! its prompts.
//!
//! Writing, publishing and sharing forms belongs to others.

use std::collections::BTreeSet;

use enza_kernel::application::Reason;
use enza_kernel::limits::{self, Limit, Unfit};
use enza_kernel::text::{Lang, Said};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many fields a form may have.
pub const MOST_FIELDS: usize = 50;
/// How many facts a field may ask for.
pub const MOST_FACTS: usize = 10;
/// What a fact says, when it is known well enough, or how to ask for it.
pub const FACT: Limit = Limit { name: "fact", graphemes: 300, bytes: 2 * 1024 };

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    /// What it is called.
    pub title: String,
    /// The language in which the agents speak.
    #[serde(default)]
    pub language: Lang,
    /// The fields, in the order in which they are asked.
    pub fields: Vec<Field>,
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
    /// What it is asked for.
    #[serde(default)]
    pub intent: Option<String>,
    /// Whether the form can be submitted without it.
    pub required: bool,
    /// What the answer must yield. Without any, the reviewer judges by label and intent.
    #[serde(default)]
    pub facts: Vec<Fact>,
}

/// A fact that an answer must yield.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fact {
    /// Its name in reviews and exports.
    #[serde(alias = "fact_key")]
    pub fact_key: String,
    /// What is to be known.
    pub fact: String,
    /// When it is known well enough; for the reviewer alone.
    #[serde(alias = "done_criteria")]
    pub done_criteria: String,
    /// How to ask for it; for the interviewer alone.
    #[serde(default, alias = "questioning_hints")]
    pub questioning_hints: Option<String>,
}

/// What is wrong with a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormFault {
    /// The text is not a form: not JSON, a key too many or one too few.
    Unreadable {
        /// What the parser said.
        why: String,
    },
    /// It has no field, or too many.
    FieldCount {
        /// How many it has.
        count: usize,
    },
    /// Two fields have the same id.
    RepeatedField {
        /// The id.
        field_id: String,
    },
    /// A field asks for too many facts.
    FactCount {
        /// The field.
        field_id: String,
        /// How many it asks for.
        count: usize,
    },
    /// Two facts of a field have the same key.
    RepeatedFact {
        /// The field.
        field_id: String,
        /// The key.
        fact_key: String,
    },
    /// An id or a key has characters that ids do not have.
    BadId {
        /// The id.
        id: String,
    },
    /// A text is empty or too long.
    Text {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        unfit: Unfit,
    },
}

impl Form {
    /// Reads a form from JSON and checks it.
    pub fn parse(json: &str) -> Result<Self, FormFault> {
        let form: Self =
            serde_json::from_str(json).map_err(|error| FormFault::Unreadable { why: error.to_string() })?;
        form.checked()
    }

    /// The form with the space around its texts gone, if it can be asked.
    pub fn checked(self) -> Result<Self, FormFault> {
        if self.fields.is_empty() || self.fields.len() > MOST_FIELDS {
            return Err(FormFault::FieldCount { count: self.fields.len() });
        }
        let mut seen = BTreeSet::new();
        for field in &self.fields {
            if !seen.insert(field.field_id.trim()) {
                return Err(FormFault::RepeatedField { field_id: field.field_id.clone() });
            }
        }
        let fields = self.fields.iter().enumerate().map(|(place, field)| field.checked(place));
        Ok(Self {
            title: text(limits::TITLE, "title", &self.title)?,
            language: self.language,
            fields: fields.collect::<Result<_, _>>()?,
        })
    }

    /// The field behind an id, and its place.
    pub fn find(&self, field_id: &str) -> Option<(usize, &Field)> {
        self.fields.iter().enumerate().find(|(_, field)| field.field_id == field_id)
    }
}

impl Field {
    fn checked(&self, place: usize) -> Result<Self, FormFault> {
        let at = |part: &str| format!("fields[{place}].{part}");
        let field_id = id(&at("fieldId"), &self.field_id)?;
        if self.facts.len() > MOST_FACTS {
            return Err(FormFault::FactCount { field_id, count: self.facts.len() });
        }
        let mut seen = BTreeSet::new();
        for fact in &self.facts {
            if !seen.insert(fact.fact_key.trim()) {
                return Err(FormFault::RepeatedFact { field_id, fact_key: fact.fact_key.clone() });
            }
        }
        let facts = self.facts.iter().enumerate().map(|(nth, fact)| fact.checked(&at(&format!("facts[{nth}]"))));
        Ok(Self {
            field_id,
            label: text(limits::TITLE, &at("label"), &self.label)?,
            intent: optional(limits::NOTE, &at("intent"), self.intent.as_deref())?,
            required: self.required,
            facts: facts.collect::<Result<_, _>>()?,
        })
    }
}

impl Fact {
    fn checked(&self, place: &str) -> Result<Self, FormFault> {
        Ok(Self {
            fact_key: id(&format!("{place}.factKey"), &self.fact_key)?,
            fact: text(FACT, &format!("{place}.fact"), &self.fact)?,
            done_criteria: text(FACT, &format!("{place}.doneCriteria"), &self.done_criteria)?,
            questioning_hints: optional(FACT, &format!("{place}.questioningHints"), self.questioning_hints.as_deref())?,
        })
    }
}

fn text(limit: Limit, place: &str, text: &str) -> Result<String, FormFault> {
    limit.check(text).map_err(|unfit| FormFault::Text { place: place.to_owned(), unfit })
}

/// An empty text says as little as a missing one.
fn optional(limit: Limit, place: &str, text: Option<&str>) -> Result<Option<String>, FormFault> {
    let Some(text) = text else { return Ok(None) };
    let text = limit.check_optional(text).map_err(|unfit| FormFault::Text { place: place.to_owned(), unfit })?;
    Ok((!text.is_empty()).then_some(text))
}

/// Ids are names for machines: they become keys of rows and of exports.
fn id(place: &str, id: &str) -> Result<String, FormFault> {
    let id = text(limits::NAME, place, id)?;
    if id.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter)) {
        Ok(id)
    } else {
        Err(FormFault::BadId { id })
    }
}

impl Reason for FormFault {
    fn code(&self) -> &'static str {
        "form-faulty"
    }

    fn say(&self, lang: Lang) -> Said {
        let message = match self {
            Self::Unreadable { why } => {
                lang.pick(format!("フォームを読めません: {why}"), format!("The form cannot be read: {why}."))
            }
            Self::FieldCount { count } => lang.pick(
                format!("項目は1個から{MOST_FIELDS}個までですが、{count}個あります。"),
                format!("A form has 1 to {MOST_FIELDS} fields; this one has {count}."),
            ),
            Self::RepeatedField { field_id } => lang.pick(
                format!("項目のID「{field_id}」が重複しています。"),
                format!("Two fields have the id {field_id:?}."),
            ),
            Self::FactCount { field_id, count } => lang.pick(
                format!("項目「{field_id}」の事実は{MOST_FACTS}個までですが、{count}個あります。"),
                format!("The field {field_id:?} may ask for {MOST_FACTS} facts; it asks for {count}."),
            ),
            Self::RepeatedFact { field_id, fact_key } => lang.pick(
                format!("項目「{field_id}」の事実のキー「{fact_key}」が重複しています。"),
                format!("Two facts of the field {field_id:?} have the key {fact_key:?}."),
            ),
            Self::BadId { id } => {
                lang.pick(format!("「{id}」はIDとして使えません。"), format!("{id:?} cannot be used as an id."))
            }
            Self::Text { place, unfit } => format!("{place}: {}", unfit.say(lang).message),
        };
        let hint = match self {
            Self::BadId { .. } => {
                lang.pick("英数字と _ - . だけを使ってください。", "Use letters, digits and _ - . only.").to_owned()
            }
            Self::Text { unfit, .. } => unfit.say(lang).hint,
            Self::Unreadable { .. }
            | Self::FieldCount { .. }
            | Self::RepeatedField { .. }
            | Self::FactCount { .. }
            | Self::RepeatedFact { .. } => lang
                .pick("フォームを直してから、もう一度開いてください。", "Correct the form and open it again.")
                .to_owned(),
        };
        Said::new(message, hint)
    }
}
