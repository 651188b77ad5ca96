//! Choosing a sentence: which lines could be said, filled in with what, and which of them nobody has said.
//!
//! Every possible sentence belongs to one seat, by its digest: two debaters who speak at the same time, knowing nothing of
//! each other's words, cannot say the same one.

use std::collections::BTreeMap;

use enza_kernel::limits::length;
use enza_kernel::text::Lang;
use enza_kernel::words::{fill, pieces};

use super::facets::{FacetKind, Facets};
use super::pools::is_made_of;
use super::{Speaking, Utterance};
use crate::chance::drawn;
use crate::sentences::sentences;

/// A line that could be said, with pieces that are settled already.
pub(crate) struct Line<'a> {
    pub(crate) line: &'a str,
    pub(crate) settled: Vec<(&'a str, String)>,
    /// What speaks against it: 0 where nothing does.
    pub(crate) against: u64,
}

impl<'a> Line<'a> {
    pub(crate) fn new(line: &'a str, settled: Vec<(&'a str, String)>) -> Self {
        Self { line, settled, against: 0 }
    }
}

/// A sentence that was chosen.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) text: String,
    /// Which of the lines it was made of.
    pub(crate) nth: usize,
}

/// What was said so far, by whom, and what is being said.
pub(crate) struct Choice<'a> {
    speaking: &'a Speaking,
    facets: &'a Facets,
    own: Vec<String>,
    heard: Vec<String>,
    /// The sentences of this statement so far.
    pub(crate) now: Vec<String>,
}

impl<'a> Choice<'a> {
    pub(crate) fn new(speaking: &'a Speaking, facets: &'a Facets) -> Self {
        let split = |said: &[Utterance]| said.iter().flat_map(|one| sentences(&one.text)).collect();
        Self { speaking, facets, own: split(&speaking.own), heard: split(&speaking.heard), now: Vec::new() }
    }

    /// The best of these lines that has room; none where nothing fits.
    pub(crate) fn choose(&self, what: &str, lines: &[Line<'_>], room: usize) -> Option<Chosen> {
        let mut made: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for line in lines {
            made.entry(line.line).or_insert_with(|| self.uses_of(line.line));
        }
        let mut best: Option<(u64, Chosen)> = None;
        for (nth, line) in lines.iter().enumerate() {
            let (own, others) = made[line.line];
            for (text, facets) in self.filled(line) {
                if length(&text) > room || self.was_said(&text) {
                    continue;
                }
                let cost = own * 1000
                    + others.min(9) * 30
                    + self.rotation(what, nth, lines.len()) * 20
                    + facets
                    + line.against
                    + u64::from(!self.is_mine(&text)) * 100_000
                    + drawn(&[&self.speaking.seed, &self.speaking.name, &text]) % 50;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, Chosen { text, nth }));
                }
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// How often a line was used before: by this debater, and by the others.
    fn uses_of(&self, line: &str) -> (u64, u64) {
        let count = |said: &[String]| said.iter().filter(|sentence| is_made_of(sentence, line)).count() as u64;
        (count(&self.own) + count(&self.now), count(&self.heard))
    }

    /// Every sentence that a line can become, with what speaks against what was put in.
    fn filled(&self, line: &Line<'_>) -> Vec<(String, u64)> {
        let mut made = vec![(line.line.to_owned(), 0)];
        for kind in FacetKind::ALL {
            if !pieces(line.line).contains(kind.piece()) || line.settled.iter().any(|(piece, _)| *piece == kind.piece()) {
                continue;
            }
            let options = self.facets.of_kind(kind);
            made = made
                .into_iter()
                .flat_map(|(text, cost)| {
                    options.iter().enumerate().map(move |(nth, facet)| {
                        let text = text.replace(&format!("{{{}}}", kind.piece()), facet);
                        (text, cost + self.against(kind, nth, facet))
                    })
                })
                .collect();
        }
        let settled: Vec<(&str, &str)> = line.settled.iter().map(|(piece, text)| (*piece, text.as_str())).collect();
        made.into_iter().map(|(text, cost)| (self.begun(&fill(&text, &settled)), cost)).collect()
    }

    /// A sentence does not name twice what this statement has named, and keeps to the topic's own where it can. Everyone
    /// has a favourite among the steps, so that a debater can be known by what it wants.
    fn against(&self, kind: FacetKind, nth: usize, facet: &str) -> u64 {
        let is_named = self.now.iter().any(|sentence| sentence.to_lowercase().contains(&facet.to_lowercase()));
        let Speaking { seed, name, seat, .. } = self.speaking;
        let count = self.facets.own[kind as usize].max(1);
        let favourite = (usize::try_from(drawn(&[seed, "favourite"]) % 97).unwrap_or_default() + *seat as usize) % count;
        let is_away = kind == FacetKind::Step && nth != favourite && !name.is_empty();
        u64::from(is_named) * 600 + u64::from(self.facets.is_common(kind, nth)) * 60 + u64::from(is_away) * 40
    }

    /// Lists are dealt round, so that those who speak at the same time use different lines.
    fn rotation(&self, what: &str, nth: usize, of: usize) -> u64 {
        let Speaking { seed, seat, turn, .. } = self.speaking;
        let start = usize::try_from(drawn(&[seed, what]) % 97).unwrap_or_default();
        let mine = (start + *seat as usize + *turn as usize * 3) % of.max(1);
        ((nth + of - mine) % of.max(1)) as u64
    }

    fn was_said(&self, text: &str) -> bool {
        let said = [&self.own, &self.heard, &self.now];
        sentences(text).iter().any(|one| said.iter().any(|list| list.contains(one)))
    }

    /// Whether a sentence was dealt to this seat.
    fn is_mine(&self, text: &str) -> bool {
        let seats = u64::from(self.speaking.seats.max(1));
        drawn(&["seat", text]) % seats == u64::from(self.speaking.seat) % seats
    }

    /// An English sentence begins with a capital.
    fn begun(&self, text: &str) -> String {
        let mut letters = text.chars();
        match (self.speaking.lang, letters.next()) {
            (Lang::En, Some(first)) => first.to_uppercase().chain(letters).collect(),
            (Lang::En, None) | (Lang::Ja, _) => text.to_owned(),
        }
    }
}
