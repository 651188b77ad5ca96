//! Which statements show what a group is about.
//!
//! Polis' choice: statements on which the group both takes a side surely and differs surely from the others, the weightiest
//! first; before them the best one that the group agrees with, so that a group is not shown by what it is against alone; and
//! if nothing is sure, the one on which it differs most, so that no group is shown by nothing.

use serde::{Deserialize, Serialize};

use crate::figures::{Figures, GroupFigures, Side};
use crate::votes::Votes;

/// A statement that stands for a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Representative {
    pub statement: String,
    /// What the group says of it more than others do.
    pub side: Side,
    /// How many of the group took that side, of how many who voted on it.
    pub taken: u32,
    pub seen: u32,
    pub probability: f64,
    pub probability_test: f64,
    pub representativeness: f64,
    pub representativeness_test: f64,
    /// It was put first as the best one that the group agrees with.
    pub is_best_agreed: bool,
}

/// At most `pick` statements for a group, those it agrees with first.
pub(crate) fn select(
    votes: &Votes,
    figures: &[Figures],
    group: usize,
    pick: usize,
    beyond: f64,
) -> Vec<Representative> {
    let candidates: Vec<Candidate> =
        votes.shown().map(|at| Candidate { at, figures: &figures[at].groups[group] }).collect();
    let is_sure = |candidate: &&Candidate| {
        candidate.figures.agree.is_significant(beyond) || candidate.figures.disagree.is_significant(beyond)
    };
    let mut sure: Vec<&Candidate> = candidates.iter().filter(is_sure).collect();
    let best_agreed = best_agreed(&candidates, beyond);
    let head = match best_agreed {
        Some(best) => Some(best),
        None if sure.is_empty() => most_different(&candidates),
        None => None,
    };
    sure.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    let rest = sure.into_iter().filter(|candidate| head.is_none_or(|head| head.at != candidate.at));
    let chosen = head.into_iter().chain(rest).take(pick);
    let mut chosen: Vec<Representative> = chosen
        .map(|candidate| candidate.shown(votes, best_agreed.is_some_and(|best| best.at == candidate.at)))
        .collect();
    chosen.sort_by_key(|representative| representative.side);
    chosen
}

struct Candidate<'a> {
    at: usize,
    figures: &'a GroupFigures,
}

impl Candidate<'_> {
    fn weight(&self) -> f64 {
        self.figures.leaning(self.figures.side()).weight()
    }

    fn shown(&self, votes: &Votes, is_best_agreed: bool) -> Representative {
        let side = self.figures.side();
        let leaning = self.figures.leaning(side);
        Representative {
            statement: votes.statements()[self.at].id.clone(),
            side,
            taken: self.figures.tally.of(side),
            seen: self.figures.tally.seen,
            probability: leaning.probability,
            probability_test: leaning.probability_test,
            representativeness: leaning.representativeness,
            representativeness_test: leaning.representativeness_test,
            is_best_agreed,
        }
    }
}

fn best_agreed<'a>(candidates: &'a [Candidate<'a>], beyond: f64) -> Option<&'a Candidate<'a>> {
    let mut best: Option<&Candidate> = None;
    for candidate in candidates {
        let (tally, agree) = (&candidate.figures.tally, &candidate.figures.agree);
        if tally.agree == 0 && tally.disagree == 0 {
            continue;
        }
        let is_better = match best.map(|best| best.figures.agree) {
            // Once one is found that the others agree with less, weight decides; before that, agreement alone.
            Some(best) if best.representativeness > 1.0 => agree.weight() > best.weight(),
            Some(best) => agree.probability * agree.probability_test > best.probability * best.probability_test,
            None => agree.probability_test > beyond || (agree.representativeness > 1.0 && agree.probability > 0.5),
        };
        if is_better {
            best = Some(candidate);
        }
    }
    best
}

/// The statement on which the group differs most surely, to whichever side; of several, the first.
fn most_different<'a>(candidates: &'a [Candidate<'a>]) -> Option<&'a Candidate<'a>> {
    let test = |candidate: &Candidate| {
        let (agree, disagree) = (candidate.figures.agree, candidate.figures.disagree);
        agree.representativeness_test.max(disagree.representativeness_test)
    };
    candidates.iter().reduce(|best, candidate| if test(candidate) > test(best) { candidate } else { best })
}
