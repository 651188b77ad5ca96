//! What the architect writes, and the form that rules make of it.
//!
//! A sketch is small, so that a small model can write one. Ids, keys and criteria are made here by rule: ASCII words of
//! the label where there are any, the kind otherwise, and a number where that is taken. Options under a kind that has
//! none are common slips: under a text they make it a choice, elsewhere they are dropped.
//!
//! Whether the result can be asked is decided by `Form::checked`.

use std::collections::BTreeSet;

use enza_kernel::schema::Check;
use enza_kernel::text::Lang;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::words::words;
use enza_interview::{Choice, Fact, Field, Form, Kind};

/// How many fields the architect may write. The schema says the same.
const MOST_SKETCHED: usize = 20;
/// How long an id is made at most, in letters.
const LONGEST_ID: usize = 40;

/// A form in few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sketch {
    /// What the form is called.
    #[schemars(length(max = 120))]
    pub title: String,
    /// The fields, in the order in which they are asked.
    #[schemars(length(min = 1, max = 20))]
    pub fields: Vec<SketchedField>,
}

/// A field in few words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SketchedField {
    /// What the respondent sees.
    #[schemars(length(max = 80))]
    pub label: String,
    /// The kind of answer.
    #[schemars(schema_with = "kinds")]
    pub kind: Kind,
    /// Whether an answer is needed.
    pub required: bool,
    /// What it is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub intent: Option<String>,
    /// What can be chosen, for choice and choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20), inner(length(max = 60)))]
    pub options: Option<Vec<String>>,
    /// What a good answer must contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 5), inner(length(max = 120)))]
    pub facts: Option<Vec<String>>,
}

impl Check for Sketch {
    fn check(&self) -> Result<(), String> {
        let count = self.fields.len();
        if (1..=MOST_SKETCHED).contains(&count) {
            return Ok(());
        }
        Err(format!("fields: there are {count}; write 1 to {MOST_SKETCHED}"))
    }
}

impl Sketch {
    /// The form that it stands for, unchecked.
    pub(super) fn into_form(self, language: Lang) -> Form {
        let mut taken = BTreeSet::new();
        let fields = self.fields.into_iter().map(|field| {
            let field_id = distinct(&mut taken, slug(&field.label).unwrap_or_else(|| field.kind.word().to_owned()));
            field.into_field(field_id, language)
        });
        Form { fields: fields.collect(), title: self.title, language, ..Form::default() }
    }
}

impl SketchedField {
    fn into_field(self, field_id: String, language: Lang) -> Field {
        let options = options(self.options.unwrap_or_default());
        let kind = match (self.kind, options.len()) {
            (Kind::Text | Kind::LongText, 2..) => Kind::Choice,
            (kind, _) => kind,
        };
        let mut taken = BTreeSet::new();
        let facts = self.facts.unwrap_or_default().into_iter().map(|fact| Fact {
            fact_key: distinct(&mut taken, slug(&fact).unwrap_or_else(|| "fact".to_owned())),
            done_criteria: words(language).fill("sketch.goal", &[("fact", &fact)]),
            fact,
            questioning_hints: None,
        });
        Field {
            intent: self.intent,
            required: self.required,
            options: if kind.has_options() { options } else { Vec::new() },
            facts: facts.collect(),
            ..Field::new(&field_id, &self.label, kind)
        }
    }
}

/// The options, each once, without the semicolon that stands between several choices of one answer.
fn options(words: Vec<String>) -> Vec<Choice> {
    let mut seen = BTreeSet::new();
    let words = words.iter().map(|word| word.trim().replace(';', ","));
    words.filter(|word| seen.insert(word.clone())).map(|word| Choice::plain(&word)).collect()
}

/// The ASCII words of a text with at least one letter among them, as an id.
fn slug(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words = words.filter(|word| word.bytes().any(|byte| byte.is_ascii_alphabetic()));
    let mut id = String::new();
    for word in words {
        let between = if id.is_empty() { "" } else { "_" };
        if id.len() + between.len() + word.len() > LONGEST_ID {
            break;
        }
        id += between;
        id += &word.to_ascii_lowercase();
    }
    (!id.is_empty()).then_some(id)
}

/// The id, with a number where it is taken.
fn distinct(taken: &mut BTreeSet<String>, id: String) -> String {
    let numbered = (2..).map(|number| format!("{id}_{number}"));
    let free = std::iter::once(id.clone()).chain(numbered).find(|id| !taken.contains(id));
    let free = free.expect("numbers do not end");
    taken.insert(free.clone());
    free
}

/// The kinds as bare words: a small model is not helped by a description of each.
fn kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Kind::ALL.map(Kind::word) })
}
