//! What each group says of each statement, in figures.
//!
//! The formulas are Polis'. With a agreements, n votes, and b and m the same in all other groups together:
//!
//! - probability p = (a + 1) ÷ (n + 2), so that nothing is certain and what nobody saw is even;
//! - its test, a z-score against one half: 2 · √(n + 1) · ((a + 1) ÷ (n + 1) − ½);
//! - representativeness r = p ÷ the same probability of all others;
//! - its test, the z-score of two proportions (a + 1) ÷ (n + 1) and (b + 1) ÷ (m + 1), or 0 where both are 1;
//! - group-aware consensus: the product of p over all groups.
//!
//! For disagreement the same with disagreements. Only those who are in a group are counted.

use serde::{Deserialize, Serialize};

use crate::groups::Grouping;
use crate::votes::{Vote, Votes};

/// Which of the two is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Agree,
    Disagree,
}

/// How many voted how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub agree: u32,
    pub disagree: u32,
    pub pass: u32,
    /// The sum of the three.
    pub seen: u32,
}

impl Tally {
    fn add(&mut self, vote: Vote) {
        match vote {
            Vote::Agree => self.agree += 1,
            Vote::Disagree => self.disagree += 1,
            Vote::Pass => self.pass += 1,
        }
        self.seen += 1;
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            agree: self.agree + other.agree,
            disagree: self.disagree + other.disagree,
            pass: self.pass + other.pass,
            seen: self.seen + other.seen,
        }
    }

    /// How many took a side.
    pub fn of(&self, side: Side) -> u32 {
        match side {
            Side::Agree => self.agree,
            Side::Disagree => self.disagree,
        }
    }

    /// How likely it is that the next one takes this side.
    pub fn probability(&self, side: Side) -> f64 {
        (f64::from(self.of(side)) + 1.0) / (f64::from(self.seen) + 2.0)
    }

    /// How surely more than half take this side, as a z-score.
    pub fn test(&self, side: Side) -> f64 {
        let (taken, seen) = (f64::from(self.of(side)) + 1.0, f64::from(self.seen) + 1.0);
        2.0 * seen.sqrt() * (taken / seen - 0.5)
    }

    /// How surely more take this side here than there, as a z-score.
    pub fn test_against(&self, other: &Tally, side: Side) -> f64 {
        let (taken, seen) = (f64::from(self.of(side)) + 1.0, f64::from(self.seen) + 1.0);
        let (taken_there, seen_there) = (f64::from(other.of(side)) + 1.0, f64::from(other.seen) + 1.0);
        let all = (taken + taken_there) / (seen + seen_there);
        if all == 1.0 {
            return 0.0;
        }
        (taken / seen - taken_there / seen_there) / (all * (1.0 - all) * (1.0 / seen + 1.0 / seen_there)).sqrt()
    }
}

/// How much a group leans to one side, and how much more than the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Leaning {
    pub probability: f64,
    pub probability_test: f64,
    pub representativeness: f64,
    pub representativeness_test: f64,
}

impl Leaning {
    fn of(tally: &Tally, others: &Tally, side: Side) -> Leaning {
        Leaning {
            probability: tally.probability(side),
            probability_test: tally.test(side),
            representativeness: tally.probability(side) / others.probability(side),
            representativeness_test: tally.test_against(others, side),
        }
    }

    /// The product of all four, by which representative statements are put in order.
    pub(crate) fn weight(&self) -> f64 {
        self.representativeness * self.representativeness_test * self.probability * self.probability_test
    }

    pub(crate) fn is_significant(&self, beyond: f64) -> bool {
        self.probability_test > beyond && self.representativeness_test > beyond
    }
}

/// What one group says of one statement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GroupFigures {
    pub tally: Tally,
    pub agree: Leaning,
    pub disagree: Leaning,
}

impl GroupFigures {
    /// The figures of one side.
    pub fn leaning(&self, side: Side) -> &Leaning {
        match side {
            Side::Agree => &self.agree,
            Side::Disagree => &self.disagree,
        }
    }

    /// The side on which the group differs more surely from the others.
    pub(crate) fn side(&self) -> Side {
        match self.agree.representativeness_test > self.disagree.representativeness_test {
            true => Side::Agree,
            false => Side::Disagree,
        }
    }
}

/// How much all groups agree: the product of their probabilities, which one group that does not is enough to make small.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GroupAware {
    pub agree: f64,
    pub disagree: f64,
}

/// One statement, group by group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub groups: Vec<GroupFigures>,
    pub consensus: GroupAware,
}

/// The figures of every statement, those that were taken out among them, in the order of the votes.
pub fn figures(votes: &Votes, grouping: &Grouping) -> Vec<Figures> {
    let tallies: Vec<Vec<Tally>> = (0..grouping.count).map(|group| tally(votes, grouping.members(group))).collect();
    (0..votes.statements().len()).map(|at| of_statement(&tallies, at)).collect()
}

fn of_statement(tallies: &[Vec<Tally>], at: usize) -> Figures {
    let of_group = |group: usize| {
        let others = tallies.iter().enumerate().filter(|(other, _)| *other != group);
        let others = others.fold(Tally::default(), |sum, (_, tallies)| sum.plus(tallies[at]));
        let tally = tallies[group][at];
        let leaning = |side| Leaning::of(&tally, &others, side);
        GroupFigures { tally, agree: leaning(Side::Agree), disagree: leaning(Side::Disagree) }
    };
    let groups: Vec<GroupFigures> = (0..tallies.len()).map(of_group).collect();
    let product = |side| groups.iter().map(|group| group.leaning(side).probability).product();
    let consensus = GroupAware { agree: product(Side::Agree), disagree: product(Side::Disagree) };
    Figures { groups, consensus }
}

/// How many of these participants voted how, statement by statement.
pub(crate) fn tally(votes: &Votes, participants: impl Iterator<Item = usize>) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); votes.statements().len()];
    for participant in participants {
        for (tally, vote) in tallies.iter_mut().zip(votes.row(participant)) {
            if let Some(vote) = vote {
                tally.add(*vote);
            }
        }
    }
    tallies
}
