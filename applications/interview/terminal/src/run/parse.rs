//! What a line means: an answer, or something that is typed instead of one.
//!
//! What begins with a slash and a word is a command, and one that nobody knows is not taken for an answer. A path or a
//! fraction is an answer.

use enza_interview::{Absence, Field, ReadContext, State, read};
use enza_kernel::time::Timestamp;

/// What a line means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedAnswer {
    Answer(String),
    /// No answer to this one.
    Leave(Absence),
    /// Not now.
    Later,
    Keep,
    /// Another answer to a field.
    Change(String),
    /// What is known so far.
    Fields,
    /// All that is left, one field after the other.
    Form,
    /// One step back.
    Back,
    /// Once more.
    Retry,
    /// An end without a submission.
    Abandon,
    /// An end for now.
    Quit,
    /// What can be typed.
    Help,
    /// A command that there is not.
    Nonsense(String),
}

/// Reads a line.
pub fn parse_line(line: &str) -> ParsedAnswer {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match first {
        "/skip" => ParsedAnswer::Leave(Absence::Skipped),
        "/unknown" => ParsedAnswer::Leave(Absence::Unknown),
        "/decline" => ParsedAnswer::Leave(Absence::Declined),
        "/later" => ParsedAnswer::Later,
        "/keep" => ParsedAnswer::Keep,
        "/change" => ParsedAnswer::Change(rest.trim().to_owned()),
        "/fields" => ParsedAnswer::Fields,
        "/form" => ParsedAnswer::Form,
        "/back" => ParsedAnswer::Back,
        "/retry" => ParsedAnswer::Retry,
        "/abandon" => ParsedAnswer::Abandon,
        "/quit" => ParsedAnswer::Quit,
        "/help" | "/?" => ParsedAnswer::Help,
        _ if is_command(first) => ParsedAnswer::Nonsense(first.to_owned()),
        _ => ParsedAnswer::Answer(line.to_owned()),
    }
}

fn is_command(first: &str) -> bool {
    let name = first.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase())
}

/// The field that a person means by its number in the list, its id or its label.
pub fn field_meant(state: &State, text: &str) -> Option<String> {
    let listed: Vec<_> = listed(state).collect();
    let by_number = || text.parse::<usize>().ok().and_then(|number| listed.get(number.checked_sub(1)?));
    let same = |name: &str| name.to_lowercase() == text.to_lowercase();
    let by_name = || listed.iter().find(|record| same(record.id()) || same(&state.label(record)));
    by_name().or_else(by_number).map(|record| record.id().to_owned())
}

/// The fields that a person is asked for, as the list numbers them.
pub fn listed(state: &State) -> impl Iterator<Item = &enza_interview::FieldRecord> {
    let asked = state.fields().filter(|(field, record)| !field.hidden && state.applies(record));
    asked.map(|(_, record)| record)
}

/// Whether the options can be answered by their numbers: not where an option itself looks like one.
pub fn are_numbered(field: &Field, state: &State, now: Timestamp) -> bool {
    let reads_as =
        |(place, value): (usize, &str)| value_of(field, &(place + 1).to_string(), state, now) == Some(value.to_owned());
    let values = field.options.iter().map(|option| option.value.as_str());
    !field.options.is_empty() && values.enumerate().all(reads_as)
}

/// An answer as it is sent: numbers of options become their names, so that whoever reads it later knows what was meant.
pub fn spelt_out(field: &Field, text: &str, state: &State, now: Timestamp) -> String {
    let is_numbers =
        text.chars().all(|letter| letter.is_numeric() || letter.is_whitespace() || ",、，".contains(letter));
    let value = Some(text).filter(|_| is_numbers && are_numbered(field, state, now));
    let Some(value) = value.and_then(|text| value_of(field, text, state, now)) else { return text.to_owned() };
    let names: Vec<&str> = field
        .options
        .iter()
        .filter(|option| value.split("; ").any(|one| one == option.value))
        .map(|option| option.shown())
        .collect();
    let spelt = state.form().language.list(&names);
    if value_of(field, &spelt, state, now) == Some(value) { spelt } else { text.to_owned() }
}

/// What a text is as a value of the field.
fn value_of(field: &Field, text: &str, state: &State, now: Timestamp) -> Option<String> {
    let locale = state.locale();
    read(field, text, &ReadContext { today: locale.today(now), locale: &locale }).ok()
}

#[cfg(test)]
mod tests {
    use enza_interview::{Choice, Kind};

    use super::*;

    fn choice(kind: Kind, options: &[&str]) -> Field {
        Field { options: options.iter().map(|option| Choice::plain(option)).collect(), ..Field::new("x", "X", kind) }
    }

    #[test]
    fn a_command_is_told_from_an_answer() {
        assert_eq!(parse_line(" /change  guests.1.name "), ParsedAnswer::Change("guests.1.name".to_owned()));
        assert_eq!(parse_line("/unknown"), ParsedAnswer::Leave(Absence::Unknown));
        assert_eq!(parse_line("/skpi"), ParsedAnswer::Nonsense("/skpi".to_owned()));
        assert_eq!(parse_line("/etc/passwd"), ParsedAnswer::Answer("/etc/passwd".to_owned()));
        assert_eq!(parse_line("1/2"), ParsedAnswer::Answer("1/2".to_owned()));
    }

    #[test]
    fn numbers_of_options_are_sent_as_their_names() {
        let (state, now) = (State::default(), Timestamp(0));
        let tea = choice(Kind::Choices, &["tea", "coffee, black", "water"]);
        assert_eq!(spelt_out(&tea, "2", &state, now), "coffee, black");
        assert_eq!(spelt_out(&tea, "3, 1", &state, now), "tea, water");
        assert_eq!(spelt_out(&tea, "9", &state, now), "9");
        assert_eq!(spelt_out(&tea, "tea", &state, now), "tea");
    }

    #[test]
    fn options_that_look_like_numbers_are_not_numbered() {
        let rooms = choice(Kind::Choice, &["2", "1"]);
        assert!(!are_numbered(&rooms, &State::default(), Timestamp(0)));
        assert_eq!(spelt_out(&rooms, "2", &State::default(), Timestamp(0)), "2");
    }
}
