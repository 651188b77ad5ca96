//! Summaries out of the speakers' own words: one that rolls along from turn to turn, one at the end. 200 to 400 characters
//! where so much was said.

use std::fmt::Display;

use enza_kernel::limits::length;
use enza_kernel::text::Lang;

use super::{named, speakers, words};
use crate::modes::without_confidence;
use crate::sentences::{content_words, excerpt, sentences};
use crate::voice::{Utterance, is_objection};

const SHORTEST: usize = 200;
const LONGEST: usize = 400;

/// What a turn's summary says of everything up to it. `said` is the whole debate so far; the previous summary lends a few
/// words where there is room.
pub fn turn_summary(lang: Lang, turn: u32, said: &[Utterance], previous: Option<&str>) -> String {
    let names = speakers(said);
    let answers = said.iter().filter(|one| !named(one, &names).is_empty()).count();
    let mut text = Text::new(lang, words(lang).fill("summary.rolling", &[("turn", &turn)]));
    let last: Vec<&Utterance> = said.iter().filter(|one| one.turn == turn).collect();
    // So many words each that everybody of the turn has room.
    let each = (330 / last.len().max(1)).saturating_sub(lang.pick(14, 12)).clamp(14, 90);
    for one in &last {
        text.add("summary.spoke", &[("name", &one.speaker), ("quote", &telling(one, each))]);
    }
    text.add("summary.answers", &[("count", &answers)]);
    if let Some(earlier) = previous.map(sentences).and_then(|said| said.into_iter().nth(1)) {
        text.add("summary.before", &[("quote", &excerpt(&earlier, 60))]);
    }
    text.filled_from(said)
}

/// What a debate was about, how it went, who objected, how it ended.
pub fn summary(lang: Lang, topic: &str, said: &[Utterance]) -> String {
    let names = speakers(said);
    let turns = said.iter().map(|one| one.turn).max().unwrap_or_default();
    let title = excerpt(topic, 40);
    let pieces: [(&str, &dyn Display); 3] = [("topic", &title), ("seats", &names.len()), ("turns", &turns)];
    let mut text = Text::new(lang, words(lang).fill("summary.issue", &pieces));
    let most = lang.pick(48, 84);
    let mut tell = |key: &str, one: Option<&Utterance>, quote: Option<String>| {
        if let Some(one) = one {
            let quote = quote.unwrap_or_else(|| telling(one, most));
            text.add(key, &[("name", &one.speaker), ("quote", &quote)]);
        }
    };
    tell("summary.began", said.first(), None);
    tell("summary.course", most_central(said, turns), None);
    let objection = said.iter().rev().find_map(|one| {
        let sentence = sentences(&one.text).into_iter().find(|sentence| is_objection(lang, sentence))?;
        Some((one, excerpt(&sentence, most)))
    });
    if let Some((one, quote)) = objection {
        tell("summary.against", Some(one), Some(quote));
    }
    tell("summary.ended", said.iter().rfind(|one| one.turn == turns && turns > 1), None);
    text.filled_from(said)
}

/// The statement of the middle turns that shares most words with all the others.
fn most_central(said: &[Utterance], turns: u32) -> Option<&Utterance> {
    let all: Vec<_> = said.iter().map(|one| content_words(&one.text)).collect();
    let shared = |nth: usize| -> usize { all.iter().map(|other| all[nth].intersection(other).count()).sum() };
    let inner = (0..said.len()).filter(|nth| said[*nth].turn > 1 && said[*nth].turn < turns.max(3));
    inner.max_by_key(|nth| shared(*nth)).map(|nth| &said[nth])
}

/// The sentence of a statement that says most in the fewest letters.
fn telling(one: &Utterance, most: usize) -> String {
    let said = sentences(without_confidence(&one.text));
    let weight = |sentence: &String| {
        let heavy = content_words(sentence).len().min(6) * 10;
        let is_cut = length(sentence) > most + 1;
        // What quotes something else says little for itself.
        let is_cited = sentence.contains(['“', '『', '「']);
        heavy.saturating_sub(usize::from(is_cut) * 25 + usize::from(is_cited) * 30)
    };
    said.iter().max_by_key(|sentence| weight(sentence)).map(|sentence| excerpt(sentence, most)).unwrap_or_default()
}

/// A summary that grows until it is long enough and stops before it is too long.
struct Text {
    lang: Lang,
    so_far: String,
}

impl Text {
    fn new(lang: Lang, so_far: String) -> Self {
        Self { lang, so_far }
    }

    fn add(&mut self, key: &str, pieces: &[(&str, &dyn Display)]) {
        let more = words(self.lang).fill(key, pieces);
        let longer = [self.so_far.as_str(), more.as_str()].join(self.lang.pick("", " "));
        if length(&longer) <= LONGEST {
            self.so_far = longer;
        }
    }

    /// Further sentences of the debate, newest first, until the summary is long enough.
    fn filled_from(mut self, said: &[Utterance]) -> String {
        for one in said.iter().rev() {
            for sentence in sentences(without_confidence(&one.text)) {
                let quote = excerpt(&sentence, 60);
                if length(&self.so_far) < SHORTEST && !quote.is_empty() && !self.so_far.contains(&quote) {
                    self.add("summary.spoke", &[("name", &one.speaker), ("quote", &quote)]);
                }
            }
        }
        if length(&self.so_far) < SHORTEST {
            self.add("summary.few", &[]);
        }
        self.so_far
    }
}
