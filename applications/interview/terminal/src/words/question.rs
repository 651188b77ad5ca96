//! A question as a person sees it: how far it is, which field, what can be chosen, and what was said so far.
//!
//! The agents' own words stand between; nothing here changes them. Every line keeps to the width of the screen, in
//! Japanese too.

use enza_interview::{Field, FieldRecord, Kind, State, show};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use enza_terminal::screen::{Columns, Screen, fold, pad, width};

use super::words;
use crate::run::{are_numbered, listed};

/// A question, with how far the interview has come.
pub fn question(screen: &Screen, state: &State, question: &str, now: Timestamp) -> String {
    let lines = fold(question, screen.width()).join("\n");
    let Some((field, record)) = state.current() else { return format!("\n{lines}") };
    let (mut at, mut of) = (0, 0);
    for one in listed(state) {
        of += 1;
        at = if one.id() == record.id() { of } else { at };
    }
    let place = words(screen.lang).fill("question.question", &[("of", &of), ("at", &at)]);
    let head = title(screen, Some(&place), state, record);
    format!("\n{head}\n{lines}{}", choices(screen, state, field, record, now))
}

/// A field to be filled in.
pub fn entry(screen: &Screen, state: &State, record: &FieldRecord, now: Timestamp) -> String {
    let field = state.field_of(record);
    format!("\n{}{}", title(screen, None, state, record), choices(screen, state, field, record, now))
}

/// What is known so far, numbered, with marks.
pub fn table(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let current = state.current().map(|(_, record)| record.id());
    let mut columns = Columns::bare();
    for (place, record) in listed(state).enumerate() {
        let mark = match (current == Some(record.id()), record.is_done()) {
            (true, _) => "→",
            (false, true) if record.is_incomplete() => "!",
            (false, true) => "✓",
            (false, false) => "·",
        };
        let label = enza_terminal::screen::clip(&state.label(record), screen.width() / 2);
        columns.row([mark.to_owned(), (place + 1).to_string(), label, value(lang, state, record)]);
    }
    columns.lines(screen.width()).join("\n")
}

/// What a field has, as people read it.
pub fn value(lang: Lang, state: &State, record: &FieldRecord) -> String {
    let remark = match (record.is_incomplete(), record.is_set_aside()) {
        (true, _) => words(lang).say("question.incomplete"),
        (false, true) => words(lang).say("question.for_later"),
        (false, false) => "",
    };
    let value = match (record.value(), record.absence()) {
        (Some(value), _) => show(state.field_of(record), value, state.lang()),
        (None, Some(absence)) if record.is_done() => absence.say(lang).to_owned(),
        (None, Some(_) | None) => String::new(),
    };
    format!("{value}{remark}")
}

/// Nothing is left to ask, and a field can be chosen.
pub fn choice(screen: &Screen, state: &State, question: &str) -> String {
    let back = words(screen.lang).say("question.choose");
    let lines = |text: &str| fold(text, screen.width()).join("\n");
    format!("\n{}\n\n{}\n{}", lines(question), table(screen, state), screen.paint.faint(&lines(back)))
}

/// Which field is to be answered again.
pub fn which(screen: &Screen, state: &State) -> String {
    let ask = words(screen.lang).say("question.which");
    format!("{}\n{}", screen.paint.faint(ask), table(screen, state))
}

/// There is no such field.
pub fn no_such_field(screen: &Screen, state: &State, name: &str) -> String {
    let said = words(screen.lang).fill("question.no_such_field", &[("name", &name)]);
    format!("{}\n{}", screen.paint.warn(&said), table(screen, state))
}

/// The label of a field, with what goes before it and whether it may be left empty.
fn title(screen: &Screen, before: Option<&str>, state: &State, record: &FieldRecord) -> String {
    let before = before.map(|text| format!("{text}  ")).unwrap_or_default();
    let optional = if state.field_of(record).required { "" } else { words(screen.lang).say("question.optional") };
    let room = screen.width().saturating_sub(width(&before) + width(optional));
    let indent = " ".repeat(width(&before));
    let label = fold(&state.label(record), room);
    let label: Vec<String> = label.iter().map(|line| screen.paint.strong(line)).collect();
    format!("{}{}{}", screen.paint.faint(&before), label.join(&format!("\n{indent}")), screen.paint.faint(optional))
}

/// What can be chosen, what it was before, and how to write it.
fn choices(screen: &Screen, state: &State, field: &Field, record: &FieldRecord, now: Timestamp) -> String {
    let mut out = String::new();
    let numbered = are_numbered(field, state, now);
    let column = if numbered { field.options.len().to_string().len() + 2 } else { 2 };
    for (place, option) in field.options.iter().enumerate() {
        let mark = if numbered { (place + 1).to_string() } else { "-".to_owned() };
        let lines = fold(option.shown(), screen.width().saturating_sub(column + 2));
        let lines = lines.join(&format!("\n  {}", " ".repeat(column)));
        out += &format!("\n  {}{lines}", screen.paint.strong(&pad(&mark, column)));
    }
    if let Some(known) = record.value() {
        let known = show(field, known, state.lang());
        let text = words(screen.lang).fill("question.it_was", &[("known", &known)]);
        out += &faint(screen, &text);
    }
    out + &faint(screen, &hint(screen.lang, field, numbered))
}

fn faint(screen: &Screen, text: &str) -> String {
    fold(text, screen.width().saturating_sub(2))
        .iter()
        .map(|line| format!("\n  {}", screen.paint.faint(line)))
        .collect()
}

/// How an answer can be written.
fn hint(lang: Lang, field: &Field, numbered: bool) -> String {
    let other = if field.allow_other { words(lang).say("question.hint") } else { "" };
    let how = match field.kind {
        Kind::Text | Kind::LongText => return String::new(),
        Kind::Number => words(lang).say("question.hint_new"),
        Kind::Integer => words(lang).say("question.hint_integer"),
        Kind::Date => words(lang).say("question.hint_date"),
        Kind::Time => words(lang).say("question.hint_time"),
        Kind::Choice if numbered => words(lang).say("question.hint_choice_numbered"),
        Kind::Choice => words(lang).say("question.hint_choice"),
        Kind::Choices if numbered => words(lang).say("question.hint_choices_numbered"),
        Kind::Choices => words(lang).say("question.hint_choices"),
        Kind::Email => words(lang).say("question.hint_email"),
        Kind::Phone => words(lang).say("question.hint_phone"),
        Kind::YesNo => words(lang).say("question.hint_yes_no"),
        Kind::File => words(lang).say("question.hint_file"),
    };
    format!("{how}{}{other}", bounds(lang, field))
}

/// The least and the most that a field allows.
fn bounds(lang: Lang, field: &Field) -> String {
    let shown = |bound: &Option<String>| bound.as_deref().map(|bound| show(field, bound, lang));
    let is_number = field.kind.is_numeric();
    match (shown(&field.min), shown(&field.max)) {
        (Some(min), Some(max)) => words(lang).fill("question.bounds_both", &[("min", &min), ("max", &max)]),
        (Some(min), None) if is_number => words(lang).fill("question.bounds_least", &[("min", &min)]),
        (Some(min), None) => words(lang).fill("question.bounds_earliest", &[("min", &min)]),
        (None, Some(max)) => words(lang).fill("question.bounds_most", &[("max", &max)]),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use enza_interview::Choice;
    use enza_kernel::testing::prose;

    use super::*;

    /// Kind, numbers, bounds and other answers are put together into one line under a question.
    #[test]
    fn the_hint_under_a_question_reads_well_in_every_case() {
        let bounds = [(None, None), (Some("1"), None), (None, Some("6")), (Some("1"), Some("6"))];
        let cases = Kind::ALL.into_iter().flat_map(|kind| bounds.map(|bounds| (kind, bounds)));
        for ((kind, (min, max)), lang) in cases.flat_map(|case| [(case, Lang::Ja), (case, Lang::En)]) {
            for (allow_other, numbered) in [(true, true), (true, false), (false, true), (false, false)] {
                let bound = |bound: Option<&str>| bound.filter(|_| kind.has_bounds()).map(str::to_owned);
                let options = vec![Choice::plain("Fish."), Choice::plain("Meat?")];
                let (min, max) = (bound(min), bound(max));
                let field = Field { allow_other, options, min, max, ..Field::new("f", "F", kind) };
                let said = hint(lang, &field, numbered);
                assert_eq!(prose::faults(&said), Vec::<String>::new(), "{kind}: {said}");
            }
        }
    }
}
