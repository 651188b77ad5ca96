//! Taking a text apart: its sentences, a short piece that can be quoted, the words it is made of.
//!
//! Japanese and English are told apart by their letters, not by a setting, since a debate may mix them.

use std::collections::BTreeSet;

use enza_kernel::limits::{length, one_line};

const ENDS: [char; 7] = ['。', '！', '？', '!', '?', '．', '.'];
const CLOSERS: [char; 8] = ['」', '』', '）', ')', '”', '’', '"', '】'];

/// The sentences of a text, trimmed, each with the mark at its end. What stands within quotes stays whole.
pub fn sentences(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut start, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    while at < letters.len() {
        match letters[at] {
            '「' | '『' | '“' | '【' | '[' => depth += 1,
            '」' | '』' | '”' | '】' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_line_end = letters[at] == '\n';
        if is_line_end || (depth == 0 && is_end(&letters, at)) {
            let mut end = at + 1;
            while !is_line_end && letters.get(end).is_some_and(|next| ENDS.contains(next) || CLOSERS.contains(next)) {
                end += 1;
            }
            found.push(letters[start..end].iter().collect::<String>());
            // An opening quote that nobody closed must not swallow the rest.
            (start, at, depth) = (end, end, 0);
        } else {
            at += 1;
        }
    }
    found.push(letters[start..].iter().collect());
    found.into_iter().map(|sentence| sentence.trim().to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}

/// Whether a sentence ends at this letter. A full stop within a figure or an address does not.
fn is_end(letters: &[char], at: usize) -> bool {
    match letters[at] {
        '.' | '!' | '?' => letters.get(at + 1).is_none_or(|next| next.is_whitespace() || CLOSERS.contains(next)),
        other => ENDS.contains(&other),
    }
}

/// A piece of a text that can stand in quotes: its first sentence, without the mark at its end, cut at a comma or a word
/// where it is longer than this.
pub fn excerpt(text: &str, most: usize) -> String {
    let first = sentences(text).into_iter().next().unwrap_or_default();
    let first = inner_quotes(first.trim_end_matches(|letter| ENDS.contains(&letter)).trim());
    if length(&first) <= most {
        return first;
    }
    let breaks = ['、', '，', ',', ';', '；'];
    let clause = first
        .char_indices()
        .filter(|(_, letter)| breaks.contains(letter))
        .map(|(place, _)| &first[..place])
        .rfind(|clause| length(clause) <= most);
    match clause {
        Some(clause) if length(clause) * 3 >= most * 2 => clause.to_owned(),
        _ => at_word(&one_line(&first, most)),
    }
}

/// A cut that would stand in the middle of an English word moves to the word's beginning.
fn at_word(cut: &str) -> String {
    match cut.rsplit_once(' ') {
        Some((before, rest)) if cut.ends_with('…') && rest.trim_end_matches('…').is_ascii() => {
            format!("{}…", before.trim_end_matches(','))
        }
        _ => cut.to_owned(),
    }
}

/// Quotes that can stand within quotes.
fn inner_quotes(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '「' => '『',
            '」' => '』',
            '“' => '‘',
            '”' => '’',
            other => other,
        })
        .collect()
}

/// The words that carry meaning: English ones of four letters and more in small letters, runs of kanji and of katakana.
pub(crate) fn content_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let (mut word, mut kind) = (String::new(), Script::Other);
    for letter in text.chars().chain(['\n']) {
        let script = Script::of(letter);
        if script != kind {
            if kind.is_word(&word) {
                words.insert(word.clone());
            }
            word.clear();
            kind = script;
        }
        word.extend(letter.to_lowercase());
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Kanji,
    Katakana,
    Other,
}

impl Script {
    fn of(letter: char) -> Self {
        match letter {
            letter if letter.is_ascii_alphabetic() => Self::Latin,
            '\u{4e00}'..='\u{9fff}' | '々' => Self::Kanji,
            '\u{30a1}'..='\u{30fa}' | 'ー' => Self::Katakana,
            _ => Self::Other,
        }
    }

    fn is_word(self, word: &str) -> bool {
        match self {
            Self::Latin => word.len() >= 4,
            Self::Kanji | Self::Katakana => length(word) >= 2,
            Self::Other => false,
        }
    }
}

/// How much two sets of words share: none 0, the same 1.
pub(crate) fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let shared = one.intersection(other).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}
