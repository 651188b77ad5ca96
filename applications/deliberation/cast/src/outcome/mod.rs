//! What a debate has come to, by rule: summaries, a verdict, where people met and where they parted, what could follow.
//!
//! Everything said here is counted or quoted, and carries the numbers of the statements it rests on. A judge by rule sees
//! names of debaters, never of their owners.

mod closing;
mod common;
mod judge;
mod summaries;

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

pub use closing::{Candidate, NextTopic, closing_candidates, next_topic, ranking};
pub use common::{Common, Point, consensus_and_dissent};
pub use judge::{Axis, AxisScore, Verdict, verdict};
pub use summaries::{summary, turn_summary};

use crate::voice::Utterance;

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../data/outcome.toml")]));

fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// Everybody who has spoken, in the order of their first words.
fn speakers(said: &[Utterance]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for one in said {
        if !names.contains(&one.speaker.as_str()) {
            names.push(&one.speaker);
        }
    }
    names
}

/// Whom a statement names besides its own speaker.
fn named<'a>(one: &Utterance, names: &[&'a str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| *name != one.speaker && one.text.contains(name)).collect()
}
