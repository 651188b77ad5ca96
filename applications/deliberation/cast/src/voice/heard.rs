//! Answering what was heard: whose words are taken up, and what in them.
//!
//! A speaker of the last turn is answered, most of all one who named this debater. What is taken up is something both can
//! see: people, a step, a worry or a source that the other spoke of; where there is none, a few of the other's own words.

use std::collections::BTreeSet;

use enza_kernel::limits::{length, one_line};
use enza_kernel::text::Lang;

use super::choice::Line;
use super::facets::{FacetKind, Facets};
use super::pools::{Lines, agrees, pools};
use super::{Speaking, Utterance};
use crate::coach::Tone;
use crate::modes::{Aim, without_confidence};
use crate::sentences::{excerpt, sentences};

/// How long a name may be within a sentence.
const LONGEST_NAME: usize = 20;

/// Whether an answer agrees or objects, where that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Agree,
    Object,
}

/// Every line that could answer somebody, and whom each of them answers.
pub(crate) struct Answers<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) names: Vec<String>,
}

/// What could be answered, and to whom.
pub(crate) fn answers<'a>(speaking: &Speaking, facets: &Facets, tone: Tone, side: Option<Side>) -> Answers<'a> {
    let mut found = Answers { lines: Vec::new(), names: Vec::new() };
    // At the end everybody says who has moved them, unless a side was asked for.
    if speaking.aim == Aim::Close && side.is_none() {
        found.add_closing(speaking);
        return found;
    }
    for heard in latest(speaking) {
        let text = without_confidence(&heard.text);
        let against = distance(speaking, heard);
        let mut taken_up = false;
        for (kind, facet) in facets.found_in(text) {
            taken_up = true;
            let list = match kind {
                FacetKind::People => &pools().react_people,
                FacetKind::Step => &pools().react_step,
                FacetKind::Worry => &pools().react_worry,
            };
            found.add(speaking, heard, list, Some((kind.piece(), facet.to_owned())), (tone, side, against));
        }
        for title in sources(speaking.lang, text) {
            found.add(speaking, heard, &pools().react_source, Some(("title", title)), (tone, side, against + 40));
        }
        if !taken_up {
            let quote = quotable(speaking.lang, text);
            found.add(speaking, heard, &pools().react_quote, Some(("quote", quote)), (tone, side, against));
        }
    }
    found
}

impl Answers<'_> {
    fn add_closing(&mut self, speaking: &Speaking) {
        for (nth, name) in names_heard(speaking).into_iter().enumerate() {
            for line in pools().react_close.pick(speaking.lang) {
                let mut line = Line::new(line, vec![("name", name.clone())]);
                line.against = nth as u64 * 20;
                self.lines.push(line);
                self.names.push(name.clone());
            }
        }
    }

    fn add(
        &mut self,
        speaking: &Speaking,
        heard: &Utterance,
        list: &'static Lines,
        taken_up: Option<(&'static str, String)>,
        (tone, side, against): (Tone, Option<Side>, u64),
    ) {
        let lines = list.pick(speaking.lang);
        for (nth, line) in lines.iter().enumerate() {
            let is_agreeing = agrees(nth, lines.len());
            let is_wanted = match side {
                Some(Side::Agree) => is_agreeing,
                Some(Side::Object) => !is_agreeing,
                None => true,
            };
            if !is_wanted {
                continue;
            }
            let name = short(&heard.speaker);
            let mut settled = vec![("name", name.clone())];
            settled.extend(taken_up.clone());
            let mut line = Line::new(line, settled);
            line.against = against + leaning(tone, is_agreeing);
            self.lines.push(line);
            self.names.push(name);
        }
    }
}

/// Who bridges rather agrees, who is firm rather objects.
fn leaning(tone: Tone, is_agreeing: bool) -> u64 {
    match (tone, is_agreeing) {
        (Tone::Bridging | Tone::Listening, false) | (Tone::Firm, true) => 80,
        (Tone::Bridging | Tone::Listening, true) | (Tone::Firm, false) => 0,
        (Tone::Concrete | Tone::Inventive | Tone::Plain, true | false) => 0,
    }
}

/// What was said in the last turn in which anybody spoke.
fn latest(speaking: &Speaking) -> Vec<&Utterance> {
    let last = speaking.heard.iter().map(|heard| heard.turn).max();
    speaking.heard.iter().filter(|heard| Some(heard.turn) == last).collect()
}

/// Who named us is answered first; whom we have just answered comes last.
fn distance(speaking: &Speaking, heard: &Utterance) -> u64 {
    let names_us = !speaking.name.is_empty() && heard.text.contains(&short(&speaking.name));
    let just_answered = speaking.own.last().is_some_and(|own| own.text.contains(&short(&heard.speaker)));
    u64::from(!names_us) * 60 + u64::from(just_answered) * 120
}

/// Everybody who was heard, those whom this debater has named most often first.
pub(crate) fn names_heard(speaking: &Speaking) -> Vec<String> {
    let names: BTreeSet<String> = speaking.heard.iter().map(|heard| short(&heard.speaker)).collect();
    let mut names: Vec<(usize, String)> = names
        .into_iter()
        .map(|name| (speaking.own.iter().filter(|own| own.text.contains(&name)).count(), name))
        .collect();
    names.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    names.into_iter().map(|(_, name)| name).collect()
}

pub(crate) fn short(name: &str) -> String {
    one_line(name, LONGEST_NAME)
}

/// The titles of knowledge that a statement cites, as our own sentences cite them.
fn sources(lang: Lang, text: &str) -> Vec<String> {
    let (opening, closing) = lang.pick(("『", '』'), ("“", '”'));
    let mut titles = Vec::new();
    for (at, mark) in text.match_indices(opening) {
        let before = text[..at].trim_end();
        let is_cited = lang.pick(true, ["note", "offer", "from", "brings"].iter().any(|word| before.ends_with(word)));
        let title = text[at + mark.len()..].split(closing).next().unwrap_or_default();
        if is_cited && (1..=30).contains(&length(title)) && !titles.contains(&title.to_owned()) {
            titles.push(title.to_owned());
        }
    }
    titles
}

/// A few words that can stand in quotes: the shortest whole sentence that says something.
fn quotable(lang: Lang, text: &str) -> String {
    let (fewest, most) = lang.pick((8, 30), (16, 56));
    let whole =
        sentences(text).into_iter().map(|sentence| excerpt(&sentence, most)).filter(|words| !words.ends_with('…'));
    let best = whole.filter(|words| length(words) >= fewest).min_by_key(|words| length(words));
    best.unwrap_or_else(|| excerpt(text, most))
}
