//! A field as its agents read it, and what is known around it.

use std::fmt::Write as _;

use enza_kernel::prompt::fence;
use enza_kernel::text::Lang;

use crate::form::{Field, Kind};
use crate::state::{FieldRecord, State};
use crate::words::words;

/// How much of a finished field's value is told again, in characters.
const VALUE_TOLD: usize = 120;
/// How many finished fields are told of beside those that matter: as many at the thirtieth field as at the third.
const FIELDS_TOLD: usize = 3;
/// How many options are told.
const OPTIONS_TOLD: usize = 30;

/// What the field wants. It goes by its label: an id that an interviewer sees, a respondent will read.
pub(super) fn definition(state: &State, record: &FieldRecord) -> String {
    let lang = state.lang();
    let field = state.field_of(record);
    let mut out = format!("{} ({})\n", state.label(record), necessity(lang, field.required));
    if let Some(intent) = &field.intent {
        let _ = writeln!(out, "{}: {intent}", words(lang).say("fields.intent"));
    }
    let _ = writeln!(out, "{}: {}", words(lang).say("fields.kind"), kind(state, field));
    for fact in &field.facts {
        let _ = writeln!(out, "- {}: {}", fact.fact_key, fact.fact);
    }
    out
}

/// How to ask, for the interviewer alone.
pub(super) fn hints(field: &Field) -> String {
    let hints = field.facts.iter().filter_map(|fact| Some((fact, fact.questioning_hints.as_ref()?)));
    hints.map(|(fact, hint)| format!("- {}: {hint}\n", fact.fact_key)).collect()
}

/// When a fact is known well enough, for the reviewer alone.
pub(super) fn criteria(field: &Field) -> String {
    field.facts.iter().map(|fact| format!("- {}: {}\n", fact.fact_key, fact.done_criteria)).collect()
}

/// What is known: of the fields that this one looks at, of this one, and for whoever speaks of the last ones.
pub(super) fn known(state: &State, record: &FieldRecord, lang: Lang, last_ones: bool) -> String {
    let field = state.field_of(record);
    let looks_at = |other: &FieldRecord| {
        let id = &state.form.fields[other.place].field_id;
        field.depends_on.contains(id) || field.when.iter().any(|condition| condition.field == *id)
    };
    let done: Vec<&FieldRecord> =
        state.records.iter().filter(|other| other.is_done() && state.applies(other)).collect();
    let last = done.len().saturating_sub(if last_ones { FIELDS_TOLD } else { 0 });
    let told = done.iter().enumerate().filter(|(place, other)| *place >= last || looks_at(other));
    let mut out: String = told.map(|(_, other)| line(state, other, lang)).collect();
    out += &record.facts().join("\n");
    if out.is_empty() { out } else { fence("facts", &out) }
}

/// One finished field.
pub(super) fn line(state: &State, record: &FieldRecord, lang: Lang) -> String {
    let field = state.field_of(record);
    let value = match (record.value(), field.sensitive) {
        (Some(_), true) => words(lang).say("fields.given").to_owned(),
        (Some(value), false) => excerpt(value, VALUE_TOLD),
        (None, _) => words(lang).say("fields.left_empty").to_owned(),
    };
    format!("{}: {value}\n", state.label(record))
}

/// The beginning of a text, on one line. Looks no further than it tells, so that a prompt costs the same however long
/// the answers were.
pub(super) fn excerpt(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{line}{rest}")
}

pub(super) fn necessity(lang: Lang, required: bool) -> &'static str {
    if required { words(lang).say("fields.required") } else { words(lang).say("fields.optional") }
}

/// The kind, and how its values are spelt.
fn kind(state: &State, field: &Field) -> String {
    let lang = state.lang();
    let bounds = bounds(lang, field);
    match field.kind {
        Kind::Text => words(lang).say("fields.text").to_owned(),
        Kind::LongText => words(lang).say("fields.long_text").to_owned(),
        Kind::Number => words(lang).fill("fields.number", &[("bounds", &bounds)]),
        Kind::Integer => words(lang).fill("fields.integer", &[("bounds", &bounds)]),
        Kind::Date => {
            let today = &state.today;
            words(lang).fill("fields.date", &[("today", &today), ("bounds", &bounds)])
        }
        Kind::Time => words(lang).fill("fields.time", &[("bounds", &bounds)]),
        Kind::Choice => words(lang).fill("fields.choice", &[("options", &options(lang, field))]),
        Kind::Choices => words(lang).fill("fields.choices", &[("options", &options(lang, field))]),
        Kind::Email => words(lang).say("fields.email").to_owned(),
        Kind::Phone => words(lang).say("fields.phone").to_owned(),
        Kind::YesNo => words(lang).say("fields.yes_no").to_owned(),
        Kind::File => words(lang).say("fields.file").to_owned(),
    }
}

fn options(lang: Lang, field: &Field) -> String {
    let shown = field.options.iter().take(OPTIONS_TOLD).map(|option| match &option.label {
        Some(label) => format!("{} ({label})", option.value),
        None => option.value.clone(),
    });
    let other = field.allow_other.then(|| words(lang).say("fields.other").to_owned());
    shown.chain(other).collect::<Vec<_>>().join(", ")
}

fn bounds(lang: Lang, field: &Field) -> String {
    match (&field.min, &field.max) {
        (Some(min), Some(max)) => words(lang).fill("fields.between", &[("min", &min), ("max", &max)]),
        (Some(min), None) => words(lang).fill("fields.at_least", &[("min", &min)]),
        (None, Some(max)) => words(lang).fill("fields.at_most", &[("max", &max)]),
        (None, None) => String::new(),
    }
}
