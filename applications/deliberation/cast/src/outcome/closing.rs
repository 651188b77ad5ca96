//! What follows a debate: three closing statements to choose among, who would choose which, and a topic to go on with.

use enza_kernel::limits::length;
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::common::{Mentioned, spoken_of};
use super::words;
use crate::chance::drawn;
use crate::persona::Persona;
use crate::sentences::{content_words, excerpt};
use crate::voice::Utterance;

/// A closing statement that the seats can rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub text: String,
    /// The numbers of the statements it comes from.
    pub statements: Vec<u32>,
}

/// A topic that grew out of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextTopic {
    /// At most 30 characters.
    pub title: String,
    /// At most 120 characters.
    pub description: String,
}

const CANDIDATES: usize = 3;
const LONGEST_TITLE: usize = 30;
const LONGEST_DESCRIPTION: usize = 120;

/// Three closing statements: one from each kind of thing that was spoken of most, filled up with ones that always hold.
pub fn closing_candidates(lang: Lang, topic: &str, said: &[Utterance]) -> Vec<Candidate> {
    let spoken = spoken_of(lang, topic, said);
    let mut found: Vec<Candidate> = ["step", "people", "worry", "words"]
        .into_iter()
        .filter_map(|kind| {
            let most = best(&spoken, kind)?;
            let text = words(lang).fill(&format!("closing.{kind}"), &[("facet", &most.facet)]);
            Some(Candidate { text, statements: most.statements.iter().copied().collect() })
        })
        .collect();
    for key in ["closing.plain", "closing.doubt", "closing.small"] {
        found.push(Candidate { text: words(lang).say(key).to_owned(), statements: Vec::new() });
    }
    found.truncate(CANDIDATES);
    found
}

/// The one of a kind that was spoken of most with the least against it.
fn best<'a>(spoken: &'a [Mentioned], kind: &str) -> Option<&'a Mentioned> {
    let weight = |one: &&Mentioned| one.statements.len() as i64 - 2 * one.against.len() as i64;
    // The first of those that weigh the same.
    spoken.iter().filter(|one| one.kind == kind).rev().max_by_key(weight)
}

/// In which order a debater would take the candidates: by the words that its values and its own statements share with
/// each, and by what it spoke of itself.
pub fn ranking(persona: &Persona, own: &[Utterance], candidates: &[Candidate], seed: &str) -> Vec<usize> {
    let mut mine = content_words(persona.thinking_style());
    for one in own {
        mine.extend(content_words(&one.text));
    }
    let weight = |candidate: &Candidate| {
        let shared = content_words(&candidate.text).intersection(&mine).count() as u64;
        let sources = candidate.statements.iter().filter(|number| own.iter().any(|one| one.number == **number)).count();
        let values = persona.core_values().join("/");
        (shared * 2 + sources as u64 * 3) * 100 + drawn(&[seed, &values, &candidate.text]) % 250
    };
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|nth| std::cmp::Reverse(weight(&candidates[*nth])));
    order
}

/// A topic to go on with: what was objected to most, otherwise what was spoken of most.
pub fn next_topic(lang: Lang, topic: &str, said: &[Utterance]) -> NextTopic {
    let mut spoken = spoken_of(lang, topic, said);
    spoken.sort_by_key(|one| std::cmp::Reverse(one.against.len()));
    let name = excerpt(topic, 28);
    for one in spoken.iter().filter(|one| one.kind != "words") {
        let title = words(lang).fill(&format!("next.{}", one.kind), &[("facet", &one.facet)]);
        let description = words(lang).fill("next.about", &[("topic", &name), ("facet", &one.facet)]);
        if length(&title) <= LONGEST_TITLE && length(&description) <= LONGEST_DESCRIPTION {
            return NextTopic { title, description };
        }
    }
    NextTopic {
        title: words(lang).say("next.fallback").to_owned(),
        description: words(lang).fill("next.about_fallback", &[("topic", &name)]),
    }
}
