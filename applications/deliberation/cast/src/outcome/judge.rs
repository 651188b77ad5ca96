//! The verdict by rule: seven axes from 1 to 10, each from something that was counted, with an example.
//!
//! A strict judge: what is counted moves a score between 2 and 7, most debates landing between 3 and 6. More than that
//! needs nearly everything that could be counted, and less needs that nobody spoke.

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::common::consensus_and_dissent;
use super::{named, speakers, words};
use crate::sentences::{content_words, excerpt, overlap, sentences};
use crate::voice::{Utterance, is_objection};

/// What a debate is judged on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    Quality,
    Cooperation,
    Convergence,
    Novelty,
    Inclusiveness,
    Transformation,
    CrossReference,
}

/// The score of an axis, why, and where it can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisScore {
    pub axis: Axis,
    /// From 1 to 10.
    pub score: u8,
    /// What was counted.
    pub reason: String,
    /// A few words of a statement that shows it; blank where there is none.
    pub example: String,
    /// The number of that statement.
    pub statement: Option<u32>,
}

/// What a judge says of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub axes: Vec<AxisScore>,
    pub summary: String,
    pub highlights: Vec<String>,
    pub consensus: String,
}

impl Axis {
    pub const ALL: [Self; 7] = [
        Self::Quality,
        Self::Cooperation,
        Self::Convergence,
        Self::Novelty,
        Self::Inclusiveness,
        Self::Transformation,
        Self::CrossReference,
    ];

    /// Its word in data.
    pub fn word(self) -> &'static str {
        match self {
            Self::Quality => "quality",
            Self::Cooperation => "cooperation",
            Self::Convergence => "convergence",
            Self::Novelty => "novelty",
            Self::Inclusiveness => "inclusiveness",
            Self::Transformation => "transformation",
            Self::CrossReference => "cross_reference",
        }
    }

    /// What people read.
    pub fn label(self, lang: Lang) -> &'static str {
        words(lang).of("axis_name", self.word())
    }
}

/// What was counted for an axis: how much of it, from 0 to 1, the two figures that are told, and the statement to show.
struct Counted<'a> {
    share: f64,
    count: usize,
    all: usize,
    shown: Option<&'a Utterance>,
}

/// The verdict on a whole debate about a topic.
pub fn verdict(lang: Lang, topic: &str, said: &[Utterance]) -> Verdict {
    let axes: Vec<AxisScore> = Axis::ALL.into_iter().map(|axis| score(lang, axis, said)).collect();
    let best = axes.iter().max_by_key(|one| one.score);
    let worst = axes.iter().min_by_key(|one| one.score);
    let summary = best.zip(worst).map(|(best, worst)| {
        let (high, low) = (best.axis.label(lang), worst.axis.label(lang));
        words(lang).fill(
            "verdict.summary",
            &[
                ("best", &high),
                ("most", &best.score),
                ("worst", &low),
                ("least", &worst.score),
                ("weakness", &worst.reason),
            ],
        )
    });
    let mut highlights: Vec<String> = Vec::new();
    for example in axes.iter().filter(|one| one.score >= 4).map(|one| &one.example) {
        if !example.is_empty() && !highlights.contains(example) && highlights.len() < 3 {
            highlights.push(example.clone());
        }
    }
    let common = consensus_and_dissent(lang, topic, said).consensus;
    let consensus = common.first().map_or_else(
        || words(lang).say("consensus.none").to_owned(),
        |point| words(lang).fill("consensus.some", &[("point", &point.text)]),
    );
    Verdict { axes, summary: summary.unwrap_or_default(), highlights, consensus }
}

fn score(lang: Lang, axis: Axis, said: &[Utterance]) -> AxisScore {
    if said.is_empty() {
        let reason = words(lang).say("axis.none").to_owned();
        return AxisScore { axis, score: 1, reason, example: String::new(), statement: None };
    }
    let counted = match axis {
        Axis::Quality => grounds(said),
        Axis::Cooperation => taking_up(lang, said),
        Axis::Convergence => coming_together(said),
        Axis::Novelty => new_words(said),
        Axis::Inclusiveness => being_named(said),
        Axis::Transformation => changing(said),
        Axis::CrossReference => answering(said),
    };
    let Counted { share, count, all, shown } = counted;
    // Two for being there, five for what was counted; the shares stand in `reason`.
    let score = (2.0 + 5.0 * share.clamp(0.0, 1.0)).round() as u8;
    let reason = words(lang).fill(&format!("axis.{}", axis.word()), &[("count", &count), ("all", &all)]);
    let example = shown.map(|one| excerpt(&one.text, lang.pick(40, 70))).unwrap_or_default();
    AxisScore { axis, score: score.clamp(1, 10), reason, example, statement: shown.map(|one| one.number) }
}

fn part(count: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { count as f64 / all as f64 }
}

/// Statements that give a reason, a figure or a source.
fn grounds(said: &[Utterance]) -> Counted<'_> {
    const MARKS: [&str; 10] =
        ["から、", "ので", "理由", "『", "根拠", "because", "since ", "note “", "grounds", "evidence"];
    let has = |one: &&Utterance| {
        let text = crate::modes::without_confidence(&one.text).to_lowercase();
        text.chars().any(|letter| letter.is_ascii_digit()) || MARKS.iter().any(|mark| text.contains(mark))
    };
    let count = said.iter().filter(has).count();
    Counted { share: part(count, said.len()), count, all: said.len(), shown: said.iter().find(has) }
}

/// Answers by name that do not object.
fn taking_up(lang: Lang, said: &[Utterance]) -> Counted<'_> {
    let names = speakers(said);
    let answers: Vec<&Utterance> = said.iter().filter(|one| !named(one, &names).is_empty()).collect();
    let is_kind = |one: &&&Utterance| !sentences(&one.text).iter().any(|sentence| is_objection(lang, sentence));
    let count = answers.iter().filter(is_kind).count();
    let shown = answers.iter().find(is_kind).copied();
    Counted { share: part(count, answers.len()), count, all: answers.len(), shown }
}

/// How much alike people speak in the last turn, beside the first.
fn coming_together(said: &[Utterance]) -> Counted<'_> {
    let (first, last) = ends(said);
    let (before, after) = (alike(said, first), alike(said, last));
    let percent = |share: f64| (share * 100.0).round() as usize;
    // Speakers who agree word for word would be copies: a quarter is as much as debates share.
    let share = if first == last { 0.0 } else { (after * 4.0).min(1.0) };
    Counted { share, count: percent(after), all: percent(before), shown: said.iter().rfind(|one| one.turn == last) }
}

fn ends(said: &[Utterance]) -> (u32, u32) {
    let turns = || said.iter().map(|one| one.turn);
    (turns().min().unwrap_or_default(), turns().max().unwrap_or_default())
}

/// The mean overlap of words between any two statements of a turn.
fn alike(said: &[Utterance], turn: u32) -> f64 {
    let words: Vec<_> = said.iter().filter(|one| one.turn == turn).map(|one| content_words(&one.text)).collect();
    let (mut sum, mut pairs) = (0.0, 0_u32);
    for (nth, one) in words.iter().enumerate() {
        for other in &words[nth + 1..] {
            sum += overlap(one, other);
            pairs += 1;
        }
    }
    if pairs == 0 { 0.0 } else { sum / f64::from(pairs) }
}

/// Words of the second half that the first half did not have.
fn new_words(said: &[Utterance]) -> Counted<'_> {
    let (first, last) = ends(said);
    let middle = first.midpoint(last);
    let of = |late: bool| -> std::collections::BTreeSet<String> {
        said.iter().filter(|one| (one.turn > middle) == late).flat_map(|one| content_words(&one.text)).collect()
    };
    let (before, after) = (of(false), of(true));
    let count = after.difference(&before).count();
    let newest = |one: &&Utterance| content_words(&one.text).difference(&before).count();
    let shown = said.iter().filter(|one| one.turn > middle).max_by_key(newest);
    Counted { share: part(count, after.len()), count, all: after.len(), shown }
}

/// Speakers whom others have named.
fn being_named(said: &[Utterance]) -> Counted<'_> {
    let names = speakers(said);
    let is_named = |name: &&&str| said.iter().any(|one| one.speaker != **name && one.text.contains(**name));
    let count = names.iter().filter(is_named).count();
    let shown = said.iter().max_by_key(|one| named(one, &names).len()).filter(|one| !named(one, &names).is_empty());
    // Being named once is little: all of them named is a six.
    Counted { share: part(count, names.len()) * 0.8, count, all: names.len(), shown }
}

/// Speakers whose last words share little with their first.
fn changing(said: &[Utterance]) -> Counted<'_> {
    let names = speakers(said);
    let mut moved = Vec::new();
    for name in &names {
        let own: Vec<&Utterance> = said.iter().filter(|one| one.speaker == *name).collect();
        if let [first, .., last] = own[..] {
            let shared = overlap(&content_words(&first.text), &content_words(&last.text));
            let says_so = ["動か", "変わ", "言い直", "moved", "changed", "differently"]
                .iter()
                .any(|word| last.text.contains(word));
            if shared < 0.1 && says_so {
                moved.push(last);
            }
        }
    }
    Counted {
        share: part(moved.len(), names.len()),
        count: moved.len(),
        all: names.len(),
        shown: moved.first().copied(),
    }
}

/// Statements after the first turn that name an earlier speaker.
fn answering(said: &[Utterance]) -> Counted<'_> {
    let names = speakers(said);
    let (first, _) = ends(said);
    let later: Vec<&Utterance> = said.iter().filter(|one| one.turn > first).collect();
    let answers: Vec<&Utterance> = later.iter().copied().filter(|one| !named(one, &names).is_empty()).collect();
    // Naming somebody is the least of an answer: even all of them is no more than a six.
    let share = part(answers.len(), later.len()) * 0.8;
    Counted { share, count: answers.len(), all: later.len(), shown: answers.first().copied() }
}
