//! A field as its agents read it, and what is known around it.

use std::fmt::Write as _;

use enza_kernel::prompt::fence;
use enza_kernel::text::Lang;

use crate::form::{Field, Kind};
use crate::state::{FieldRecord, State};

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
        let _ = writeln!(out, "{}: {intent}", lang.pick("目的", "Intent"));
    }
    let _ = writeln!(out, "{}: {}", lang.pick("種類", "Kind"), kind(state, field));
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
        (Some(_), true) => lang.pick("(記入済み)", "(given)").to_owned(),
        (Some(value), false) => excerpt(value, VALUE_TOLD),
        (None, _) => lang.pick("(未記入)", "(left empty)").to_owned(),
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
    if required { lang.pick("必須", "required") } else { lang.pick("任意", "optional") }
}

/// The kind, and how its values are spelt.
fn kind(state: &State, field: &Field) -> String {
    let lang = state.lang();
    let bounds = bounds(lang, field);
    match field.kind {
        Kind::Text => lang.pick("短い文", "a short text").to_owned(),
        Kind::LongText => lang.pick("文章", "a text").to_owned(),
        Kind::Number => {
            lang.pick(format!("数。数字だけで書く{bounds}"), format!("a number, written in digits{bounds}"))
        }
        Kind::Integer => {
            lang.pick(format!("整数。数字だけで書く{bounds}"), format!("a whole number, written in digits{bounds}"))
        }
        Kind::Date => {
            let today = &state.today;
            lang.pick(
                format!("日付。2026-11-03 のように書く。今日は {today}{bounds}"),
                format!("a day, written as 2026-11-03; today is {today}{bounds}"),
            )
        }
        Kind::Time => {
            lang.pick(format!("時刻。14:30 のように書く{bounds}"), format!("a time of day, written as 14:30{bounds}"))
        }
        Kind::Choice => {
            lang.pick(format!("次の一つ: {}", options(lang, field)), format!("one of: {}", options(lang, field)))
        }
        Kind::Choices => lang.pick(
            format!("次のいくつでも(; で区切る): {}", options(lang, field)),
            format!("any of these, with ; between them: {}", options(lang, field)),
        ),
        Kind::Email => lang.pick("メールアドレス", "an e-mail address").to_owned(),
        Kind::Phone => lang.pick("電話番号", "a telephone number").to_owned(),
        Kind::YesNo => lang.pick("はい・いいえ。yes か no と書く", "yes or no").to_owned(),
        Kind::File => {
            lang.pick("ファイル。回答者が画面から送る", "a file, which the respondent sends on the screen").to_owned()
        }
    }
}

fn options(lang: Lang, field: &Field) -> String {
    let shown = field.options.iter().take(OPTIONS_TOLD).map(|option| match &option.label {
        Some(label) => format!("{} ({label})", option.value),
        None => option.value.clone(),
    });
    let other = field.allow_other.then(|| lang.pick("そのほか", "or something else").to_owned());
    shown.chain(other).collect::<Vec<_>>().join(", ")
}

fn bounds(lang: Lang, field: &Field) -> String {
    match (&field.min, &field.max) {
        (Some(min), Some(max)) => lang.pick(format!("({min}から{max}まで)"), format!(", {min} to {max}")),
        (Some(min), None) => lang.pick(format!("({min}以上)"), format!(", {min} or more")),
        (None, Some(max)) => lang.pick(format!("({max}以下)"), format!(", {max} or less")),
        (None, None) => String::new(),
    }
}
