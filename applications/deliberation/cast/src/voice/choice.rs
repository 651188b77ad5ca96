//! Choosing a sentence: which lines could be said, filled in with what, and which of them nobody has said.
//!
//! Every possible sentence belongs to one seat, by its digest: two debaters who speak at the same time, knowing nothing of
//! each other's words, cannot say the same one.

use std::collections::{BTreeMap, BTreeSet};

use enza_kernel::limits::length;
use enza_kernel::text::Lang;
use enza_kernel::words::{fill, pieces};

use super::facets::{FacetKind, Facets};
use super::pools::{fixed_parts, is_made_of, pools};
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

/// Whether a sentence that was dealt to another seat will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borrowing {
    Never,
    /// With words in front that are this seat's own.
    Framed,
    /// Where what is put in makes it this seat's own.
    AsItIs,
}

/// What was said so far, by whom, and what is being said.
pub(crate) struct Choice<'a> {
    speaking: &'a Speaking,
    facets: &'a Facets,
    said: BTreeSet<String>,
    /// In small letters, to be compared with lines.
    own: Vec<String>,
    heard: Vec<String>,
    /// What happens where no sentence of one's own is left.
    pub(crate) borrowing: Borrowing,
    /// The sentences of this statement so far.
    pub(crate) now: Vec<String>,
}

impl<'a> Choice<'a> {
    pub(crate) fn new(speaking: &'a Speaking, facets: &'a Facets) -> Self {
        let split = |said: &[Utterance]| said.iter().flat_map(|one| sentences(&one.text)).collect::<Vec<_>>();
        let (own, heard) = (split(&speaking.own), split(&speaking.heard));
        let said = own.iter().chain(&heard).cloned().collect();
        let folded = |said: Vec<String>| said.into_iter().map(|sentence| sentence.to_lowercase()).collect();
        Self {
            speaking,
            facets,
            said,
            own: folded(own),
            heard: folded(heard),
            borrowing: Borrowing::Never,
            now: Vec::new(),
        }
    }

    /// The best of these lines that has room; none where nothing fits.
    pub(crate) fn choose(&self, what: &str, lines: &[Line<'_>], room: usize) -> Option<Chosen> {
        let options = FacetKind::ALL.map(|kind| self.options(kind));
        let mut used: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let mut best: Option<(u64, Chosen)> = None;
        for (nth, line) in lines.iter().enumerate() {
            let (own, others) = *used.entry(line.line).or_insert_with(|| self.uses_of(line.line));
            let rotation = self.rotation(what, nth, lines.len());
            let base = own * 1000 + others.min(9) * 30 + rotation * 20 + line.against;
            for (text, facets) in self.filled(line, &options) {
                // What cannot win is not looked at any closer.
                let least = best.as_ref().map_or(u64::MAX, |(least, _)| *least);
                if base + facets >= least || length(&text) > room {
                    continue;
                }
                let Some((text, strange)) = self.owned(text) else { continue };
                if length(&text) > room || self.was_said(&text) {
                    continue;
                }
                let cost = base + facets + strange + drawn(&[&self.speaking.seed, &self.speaking.name, &text]) % 50;
                if cost < least {
                    best = Some((cost, Chosen { text, nth }));
                }
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// A sentence as this seat may say it, and what speaks against it; none where it is another seat's.
    fn owned(&self, text: String) -> Option<(String, u64)> {
        const STRANGE: u64 = 100_000;
        match self.borrowing {
            _ if self.is_mine(&text) => Some((text, 0)),
            Borrowing::Never => None,
            Borrowing::AsItIs => Some((text, STRANGE)),
            Borrowing::Framed => {
                let frames = pools().added.pick(self.speaking.lang);
                let frame = &frames[self.speaking.seat as usize % frames.len()];
                Some((format!("{frame}{text}"), STRANGE))
            }
        }
    }

    /// How often a line was used before: by this debater, and by the others.
    fn uses_of(&self, line: &str) -> (u64, u64) {
        let fixed = fixed_parts(line);
        let count = |said: &[String]| said.iter().filter(|sentence| is_made_of(sentence, &fixed)).count() as u64;
        let now: Vec<String> = self.now.iter().map(|sentence| sentence.to_lowercase()).collect();
        // A turn of phrase does not come twice in one statement, unless there is nothing else.
        (count(&self.own) + count(&now) * 50, count(&self.heard))
    }

    /// Every sentence that a line can become, with what speaks against what was put in.
    fn filled(&self, line: &Line<'_>, options: &[Vec<(&str, u64)>; 3]) -> Vec<(String, u64)> {
        let mut made = vec![(line.line.to_owned(), 0)];
        for kind in FacetKind::ALL {
            if !pieces(line.line).contains(kind.piece()) || line.settled.iter().any(|(piece, _)| *piece == kind.piece())
            {
                continue;
            }
            let options = &options[kind as usize];
            let mark = format!("{{{}}}", kind.piece());
            // An English sentence does not end in ": that".
            let names = line.line.contains(&format!(": {mark}"));
            let again = pools().again(kind).pick(self.speaking.lang);
            let put_in = |(text, cost): (String, u64)| {
                options
                    .iter()
                    .filter(|(facet, _)| !(names && facet == again))
                    .map(|(facet, against)| (text.replace(&mark, facet), cost + against))
                    .collect::<Vec<_>>()
            };
            made = made.into_iter().flat_map(put_in).collect();
        }
        let settled: Vec<(&str, &str)> = line.settled.iter().map(|(piece, text)| (*piece, text.as_str())).collect();
        made.into_iter().map(|(text, cost)| (self.begun(&fill(&text, &settled)), cost)).collect()
    }

    /// What can be put in for a kind. A statement stays with what it speaks of: what was named just before is taken up
    /// again without its name, and something else comes in only where nothing fits. Everyone has a favourite among the
    /// steps, so that a debater can be known by what it wants.
    fn options(&self, kind: FacetKind) -> Vec<(&str, u64)> {
        let Speaking { lang, seed, seat, .. } = self.speaking;
        let count = self.facets.own[kind as usize].max(1);
        let favourite =
            (usize::try_from(drawn(&[seed, "favourite"]) % 97).unwrap_or_default() + *seat as usize) % count;
        let again = self.focus(kind).map(|_| (pools().again(kind).pick(*lang).as_str(), 0));
        let strange = if again.is_some() { 150 } else { 0 };
        let named = self.facets.of_kind(kind).iter().enumerate().map(|(nth, facet)| {
            let common = u64::from(self.facets.is_common(kind, nth)) * 60;
            let away = u64::from(kind == FacetKind::Step && nth != favourite) * 40;
            let twice = u64::from(self.is_named(facet)) * 600;
            (facet.as_str(), strange + common + away + twice)
        });
        named.chain(again).collect()
    }

    /// What this statement speaks of: the last of its kind, unless it was taken up again already.
    fn focus(&self, kind: FacetKind) -> Option<usize> {
        let again = pools().again(kind).pick(self.speaking.lang);
        // "that" stands in many an English sentence; where it is doubtful, the thing is named.
        let is_again = |sentence: &&String| sentence.to_lowercase().contains(again.as_str());
        if self.now.iter().any(|sentence| is_again(&sentence)) {
            return None;
        }
        let last = self.now.last()?.to_lowercase();
        self.facets.of_kind(kind).iter().position(|facet| last.contains(&facet.to_lowercase()))
    }

    fn is_named(&self, facet: &str) -> bool {
        self.now.iter().any(|sentence| sentence.to_lowercase().contains(&facet.to_lowercase()))
    }

    /// Lists are dealt round, so that those who speak at the same time use different lines.
    fn rotation(&self, what: &str, nth: usize, of: usize) -> u64 {
        let Speaking { seed, seat, turn, .. } = self.speaking;
        let start = usize::try_from(drawn(&[seed, what]) % 97).unwrap_or_default();
        let mine = (start + *seat as usize + *turn as usize * 3) % of.max(1);
        ((nth + of - mine) % of.max(1)) as u64
    }

    fn was_said(&self, text: &str) -> bool {
        sentences(text).iter().any(|one| self.said.contains(one) || self.now.contains(one))
    }

    /// Whether all its sentences were dealt to this seat.
    fn is_mine(&self, text: &str) -> bool {
        let (seat, seats) = (u64::from(self.speaking.seat), u64::from(self.speaking.seats.max(1)));
        sentences(text).iter().all(|one| drawn(&["seat", one]) % seats == seat % seats)
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
