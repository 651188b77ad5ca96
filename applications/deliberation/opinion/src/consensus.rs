//! What people agree on and reject, groups or no groups.
//!
//! Polis' choice: over everyone who voted, also those in no group, a probability beyond one half and a test that is sure;
//! of those the ones with the largest product of the two.

use serde::{Deserialize, Serialize};

use crate::figures::{Side, Tally};
use crate::votes::Votes;

/// A statement that nearly everybody says the same of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    pub statement: String,
    pub taken: u32,
    pub seen: u32,
    pub probability: f64,
    pub probability_test: f64,
}

/// What nearly everybody agrees with, and what nearly everybody rejects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Consensus {
    pub agree: Vec<Agreement>,
    pub disagree: Vec<Agreement>,
}

impl Consensus {
    /// From the votes of all on each statement.
    pub(crate) fn of(votes: &Votes, all: &[Tally], pick: usize, beyond: f64) -> Consensus {
        let side = |side| one_side(votes, all, side, pick, beyond);
        Consensus { agree: side(Side::Agree), disagree: side(Side::Disagree) }
    }
}

fn one_side(votes: &Votes, all: &[Tally], side: Side, pick: usize, beyond: f64) -> Vec<Agreement> {
    let is_shared = |at: &usize| all[*at].probability(side) > 0.5 && all[*at].test(side) > beyond;
    let weight = |at: usize| all[at].probability(side) * all[at].test(side);
    let mut shared: Vec<usize> = votes.shown().filter(is_shared).collect();
    shared.sort_by(|one, other| weight(*other).total_cmp(&weight(*one)));
    let shown = |at: usize| Agreement {
        statement: votes.statements()[at].id.clone(),
        taken: all[at].of(side),
        seen: all[at].seen,
        probability: all[at].probability(side),
        probability_test: all[at].test(side),
    };
    shared.into_iter().take(pick).map(shown).collect()
}
