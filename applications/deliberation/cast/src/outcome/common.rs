//! Where people met and where they parted, each with the statements that show it.
//!
//! What is looked for first is what the topic is about: its people, steps and worries. In statements that speak of none of
//! them, words that several speakers share take their place.

use std::collections::{BTreeMap, BTreeSet};

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::words;
use crate::sentences::{content_words, sentences};
use crate::voice::{Facets, Utterance, is_objection};

/// Something that several speakers spoke of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub text: String,
    /// The numbers of the statements behind it.
    pub statements: Vec<u32>,
    /// The numbers of those among them that object.
    pub against: Vec<u32>,
}

/// What was common and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Common {
    pub consensus: Vec<Point>,
    pub dissent: Vec<Point>,
}

/// Something that was spoken of, with everything that is known of it.
#[derive(Debug, Clone)]
pub(super) struct Mentioned {
    pub(super) facet: String,
    /// The family of its sentences: people, step, worry or words.
    pub(super) kind: &'static str,
    pub(super) statements: BTreeSet<u32>,
    pub(super) against: BTreeSet<u32>,
    speakers: BTreeSet<String>,
}

/// At most this many points of each are shown.
const MOST_POINTS: usize = 5;

/// The points on which at least two speakers agree, and those to which somebody objects; the most spoken of first.
pub fn consensus_and_dissent(lang: Lang, topic: &str, said: &[Utterance]) -> Common {
    let mut common = Common::default();
    for mentioned in spoken_of(lang, topic, said) {
        let facet = &mentioned.facet;
        let text = words(lang).fill(&format!("point.{}", mentioned.kind), &[("facet", facet)]);
        let statements: Vec<u32> = mentioned.statements.iter().copied().collect();
        let against: Vec<u32> = mentioned.against.iter().copied().collect();
        let list = if against.is_empty() { &mut common.consensus } else { &mut common.dissent };
        if mentioned.speakers.len() >= 2 && list.len() < MOST_POINTS {
            list.push(Point { text, statements, against });
        }
    }
    common
}

/// Everything that was spoken of, the most often first.
pub(super) fn spoken_of(lang: Lang, topic: &str, said: &[Utterance]) -> Vec<Mentioned> {
    let facets = Facets::of(lang, topic);
    let mut found: BTreeMap<(&'static str, String), Mentioned> = BTreeMap::new();
    for one in said {
        for sentence in sentences(&one.text) {
            for (kind, facet) in facets.found_in(&sentence) {
                note(&mut found, kind.piece(), facet, one, is_objection(lang, &sentence));
            }
        }
    }
    if found.is_empty() {
        for one in said {
            for sentence in sentences(&one.text) {
                for word in content_words(&sentence) {
                    note(&mut found, "words", &word, one, is_objection(lang, &sentence));
                }
            }
        }
        found.retain(|_, mentioned| mentioned.speakers.len() >= 2);
    }
    let mut found: Vec<Mentioned> = found.into_values().collect();
    found.sort_by(|one, other| {
        // What to do says more than what to avoid, and that more than whom it is about.
        let rank = |kind: &str| ["words", "people", "worry", "step"].iter().position(|known| *known == kind);
        let weight =
            |mentioned: &Mentioned| (rank(mentioned.kind), mentioned.speakers.len(), mentioned.statements.len());
        weight(other).cmp(&weight(one)).then_with(|| one.facet.cmp(&other.facet))
    });
    found
}

fn note(
    found: &mut BTreeMap<(&'static str, String), Mentioned>,
    kind: &'static str,
    facet: &str,
    one: &Utterance,
    objects: bool,
) {
    let mentioned = found.entry((kind, facet.to_owned())).or_insert_with(|| Mentioned {
        facet: facet.to_owned(),
        kind,
        statements: BTreeSet::new(),
        against: BTreeSet::new(),
        speakers: BTreeSet::new(),
    });
    mentioned.statements.insert(one.number);
    mentioned.speakers.insert(one.speaker.clone());
    if objects {
        mentioned.against.insert(one.number);
    }
}
