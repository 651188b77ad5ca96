//! Finds by rule which answer a message takes back: "three people, not two", 訪問日は12日ではなく11日です.
//!
//! Only numbers, days, times and addresses, whose spelling gives them away, and only with words that take something
//! back. The field must be meant beyond doubt: by a word of its label, by its present value, or because it is the one
//! that holds an address. Whatever is not beyond doubt is left to the reviewer.

use std::ops::Range;

use super::review::read_context;
use crate::form::Kind;
use crate::locale::fold;
use crate::state::{FieldRecord, State};
use crate::values;

/// A longer message says more than that something was wrong.
const LONGEST: usize = 240;
/// No value has more words than this, nor more letters where there are no spaces.
const MOST_WORDS: usize = 4;
const MOST_LETTERS: usize = 16;
/// Words that stand in many labels and mean no field.
const COMMON: &str =
    "your|what|when|which|where|with|will|would|have|does|that|this|there|about|please|many|much|from|for|the|and";

/// The finished answer that a message corrects, with the words that take its place.
pub(crate) fn find(state: &State, text: &str) -> Option<(String, String)> {
    if text.chars().count() > LONGEST || !values::retracts(text) {
        return None;
    }
    let spans = spans(text);
    let finished = state.records.iter().filter(|record| record.is_done() && state.applies(record));
    let mut meant: Vec<(usize, &FieldRecord, &str)> =
        finished.filter_map(|record| meaning(state, record, text, &spans)).collect();
    meant.sort_by_key(|(weight, ..)| std::cmp::Reverse(*weight));
    match meant.as_slice() {
        [(_, record, words)] => Some((record.id().to_owned(), (*words).to_owned())),
        [(first, record, words), (second, ..), ..] if first > second => {
            Some((record.id().to_owned(), (*words).to_owned()))
        }
        _ => None,
    }
}

/// Whether a message holds a value for this field beside what it corrects.
pub(crate) fn holds_more(state: &State, id: &str, text: &str, corrected: &(String, String)) -> bool {
    let (other, words) = corrected;
    let old = state.record(other).and_then(FieldRecord::value);
    let spans = spans(text);
    let values = state.record(id).map(|record| values_in(state, record, text, &spans)).unwrap_or_default();
    values.iter().any(|(span, value)| !words.contains(&text[(*span).clone()]) && Some(value.as_str()) != old)
}

/// How surely a message means this field, and its new value in the message's words.
fn meaning<'a, 't>(
    state: &'a State,
    record: &'a FieldRecord,
    text: &'t str,
    spans: &[Range<usize>],
) -> Option<(usize, &'a FieldRecord, &'t str)> {
    let by_address = state.field_of(record).kind == Kind::Email;
    let present = record.value()?;
    let read = values_in(state, record, text, spans);
    let names_present = read.iter().any(|(_, value)| value == present);
    let new: Vec<_> = read.iter().filter(|(_, value)| value != present).collect();
    let (whole, value) = new.iter().max_by_key(|(span, _)| span.len())?;
    let is_plain =
        new.iter().all(|(span, other)| other == value || (whole.start <= span.start && span.end <= whole.end));
    let weight = overlap(&state.label(record), text) + 2 * usize::from(names_present) + usize::from(by_address);
    (is_plain && weight > 0).then(|| (weight, record, &text[(*whole).clone()]))
}

/// Everything in a text that is a value of the field, where its kind can be told by its spelling.
fn values_in<'s>(
    state: &State,
    record: &FieldRecord,
    text: &str,
    spans: &'s [Range<usize>],
) -> Vec<(&'s Range<usize>, String)> {
    let field = state.field_of(record);
    let tells =
        matches!(field.kind, Kind::Email | Kind::Number | Kind::Integer | Kind::Date | Kind::Time | Kind::Phone);
    if field.hidden || !tells {
        return Vec::new();
    }
    let locale = state.locale();
    let reading = read_context(state, &locale);
    spans.iter().filter_map(|span| Some((span, values::read(field, &text[span.clone()], &reading).ok()?))).collect()
}

/// How many letters of a label's telling words stand in a text.
fn overlap(label: &str, text: &str) -> usize {
    let (label, text) = (fold(label), fold(text));
    let words = label.split(|letter: char| !letter.is_ascii_alphabetic());
    let telling = words.filter(|word| word.len() >= 4 && !COMMON.split('|').any(|common| common == *word));
    let in_words = telling.filter(|word| text.contains(word)).map(str::len).max().unwrap_or(0);
    let signs: Vec<char> = label.chars().collect();
    let is_telling = |sign: &char| !sign.is_ascii() && sign.is_alphanumeric() && !('ぁ'..='ん').contains(sign);
    let runs = signs.split(|sign| !is_telling(sign)).filter(|run| run.len() >= 2);
    let in_signs = runs.flat_map(|run| (2..=run.len()).flat_map(move |length| run.windows(length)));
    let longest = in_signs.filter(|part| text.contains(&part.iter().collect::<String>())).map(<[char]>::len).max();
    in_words.max(longest.unwrap_or(0))
}

/// Every stretch of a text that could be a value: a few words, or a few letters from a number on.
fn spans(text: &str) -> Vec<Range<usize>> {
    let marks = |letter: char| letter.is_whitespace() || ",;!?()（）、。「」".contains(letter);
    let mut words = Vec::new();
    let mut start = None;
    for (place, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (marks(letter), start) {
            (false, None) => start = Some(place),
            (true, Some(from)) => {
                let word = text[from..place].trim_end_matches(['.', ':']);
                words.push(from..from + word.len());
                start = None;
            }
            (true, None) | (false, Some(_)) => {}
        }
    }
    let several =
        (1..=MOST_WORDS).flat_map(|count| words.windows(count).map(|few| few[0].start..few[few.len() - 1].end));
    let numeral = |letter: char| letter.is_numeric() || "一二三四五六七八九十".contains(letter);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let begins = letters.iter().enumerate().filter(|(at, (_, letter))| {
        numeral(*letter)
            && !at.checked_sub(1).is_some_and(|before| numeral(letters[before].1) || letters[before].1.is_ascii())
    });
    let after = begins.flat_map(|(at, (from, _))| {
        letters[at..].iter().take(MOST_LETTERS).map(|(place, letter)| *from..place + letter.len_utf8())
    });
    several.chain(after).collect()
}
