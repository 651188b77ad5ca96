//! Finds the one thing that a short sentence names, among things of many names.
//!
//! The longest name wins where one stands inside another ("Papua New Guinea", インドネシア). A sentence that names two
//! things names none, and so does one that says what is not the case: a wrong guess is worse than asking again.
//!
//! Which names there are is said by the tables beside this.

use std::collections::BTreeSet;

use super::fold::fold;

/// Past this, an answer tells a story, and a name in it need not be the answer.
const LONGEST: usize = 300;

/// Whether a text may be a short sentence at all. Asked first, because folding takes time in proportion to the text.
pub(super) fn is_short(text: &str) -> bool {
    text.len() <= LONGEST
}

/// What makes a sentence say what is not the case.
const DENIALS: [&str; 8] = ["not", "n't", "except", "ではな", "じゃな", "以外", "でない", "ません"];

/// The names of many things, folded, the longest first.
pub(super) struct Names {
    names: Vec<(String, usize)>,
}

impl Names {
    /// Each name with the place of what it names.
    pub(super) fn new<'a>(names: impl Iterator<Item = (&'a str, usize)>) -> Self {
        let mut names: Vec<(String, usize)> = names.map(|(name, place)| (fold(name), place)).collect();
        names.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        Self { names }
    }

    /// What the whole text is the name of.
    pub(super) fn whole(&self, text: &str) -> Option<usize> {
        let text = fold(text);
        let bare = text.trim_matches(|letter: char| letter.is_ascii_punctuation() || "。、・！？「」".contains(letter));
        self.names.iter().find(|(name, _)| *name == text || name == bare).map(|(_, place)| *place)
    }

    /// What the sentence names, if it is one thing. A name that is followed by one of `not_before` is not meant.
    pub(super) fn within(&self, text: &str, not_before: &[char]) -> Option<usize> {
        let text = fold(text);
        if denies(&text) {
            return None;
        }
        let mut taken = vec![false; text.len()];
        let mut found = BTreeSet::new();
        for (name, place) in &self.names {
            for (start, _) in text.match_indices(name.as_str()) {
                let span = start..start + name.len();
                if taken[span.clone()].contains(&true) || !stands_alone(&text, span.start, span.end) {
                    continue;
                }
                taken[span.clone()].fill(true);
                if !text[span.end..].starts_with(not_before) {
                    found.insert(*place);
                }
            }
        }
        found.pop_first().filter(|_| found.is_empty())
    }
}

fn denies(folded: &str) -> bool {
    DENIALS.iter().any(|denial| {
        folded.match_indices(denial).any(|(start, _)| {
            let end = start + denial.len();
            *denial == "n't" || stands_alone(folded, start, end)
        })
    })
}

/// Whether what stands between the two places is a word of its own, and not a part of a longer one.
pub(crate) fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
    let (first, last) = (text[start..end].chars().next(), text[start..end].chars().next_back());
    !is_joined(before, first) && !is_joined(last, after)
}

fn is_joined(one: Option<char>, other: Option<char>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let (one, other) = (script(one), script(other));
    one == other && one != Script::Loose
}

#[derive(PartialEq, Eq)]
enum Script {
    /// Written with spaces between the words.
    Spaced,
    /// Foreign words in Japanese: a run of it is one word.
    Katakana,
    /// Written without spaces, or no letter at all.
    Loose,
}

fn script(letter: char) -> Script {
    match letter {
        '\u{30A1}'..='\u{30FA}' | 'ー' => Script::Katakana,
        // Thai, Lao, Burmese, Khmer; kana and Han; Hangul, whose particles are joined to the word.
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Script::Loose,
        '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' => Script::Loose,
        other if other.is_alphanumeric() => Script::Spaced,
        _ => Script::Loose,
    }
}
