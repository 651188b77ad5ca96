//! The directions in which votes differ most, and where each participant stands along them.
//!
//! As Polis does it: a missing vote counts as the mean of its statement, components are those of the covariance, and who
//! has voted on few statements is moved away from the middle by the square root of (statements ÷ votes cast), because so
//! many missing votes hold them there. Counts are whole numbers until the last moment, so the order of participants leaves
//! no trace.

use serde::{Deserialize, Serialize};

use crate::symmetric::{self, dot};
use crate::votes::{Vote, Votes};

/// How many a map shows.
const WANTED: usize = 2;
/// Below this share of all variance a component is rounding.
const LEAST_SHARE: f64 = 1e-12;

/// A direction in which votes differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// How far each statement of the map points along it, in the order of the map's statements. Of length one, and the
    /// entry that is largest in size is positive.
    pub loadings: Vec<f64>,
    pub variance: f64,
    /// Of the variance of all votes, between 0 and 1.
    pub explained: f64,
}

pub(crate) struct Components {
    /// Of each statement; 0 where nobody voted or a moderator took it out.
    pub(crate) means: Vec<f64>,
    pub(crate) found: Vec<Component>,
    /// Whether a moderator took a statement out after somebody had voted: everyone passes.
    passed: Vec<bool>,
    /// The number of statements with a vote.
    voted: usize,
}

impl Components {
    pub(crate) fn of(votes: &Votes) -> Components {
        let all = votes.statements().len();
        let is_out = |at: &usize| votes.statements()[*at].left_out;
        let voted = votes.voted();
        let passed: Vec<bool> = (0..all).map(|at| is_out(&at) && voted.contains(&at)).collect();
        let pairs = Pairs::of(votes);
        let mean = |at: usize| if is_out(&at) { 0.0 } else { pairs.mean(at) };
        let means: Vec<f64> = (0..all).map(mean).collect();
        let covariance = pairs.covariance(votes);
        let total: f64 = (0..all).map(|at| covariance[at * all + at]).sum();
        let found = symmetric::largest(&covariance, all, WANTED)
            .into_iter()
            .filter(|pair| pair.value > LEAST_SHARE * total)
            .map(|pair| Component {
                loadings: with_sign(pair.vector),
                variance: pair.value,
                explained: pair.value / total,
            })
            .collect();
        Components { means, found, passed, voted: voted.len() }
    }

    /// Where the participant at a place stands.
    pub(crate) fn place(&self, votes: &Votes, participant: usize) -> [f64; WANTED] {
        let row = votes.row(participant);
        let away = |(at, vote): (usize, &Option<Vote>)| match vote {
            Some(vote) if !self.passed[at] => f64::from(vote.value()) - self.means[at],
            Some(_) | None => 0.0,
        };
        let away: Vec<f64> = row.iter().enumerate().map(away).collect();
        let is_in = |at: &usize| row[*at].is_some() && !self.passed[*at];
        let cast = (0..row.len()).filter(is_in).count() + self.passed.iter().filter(|passed| **passed).count();
        self.project(&away, cast)
    }

    /// Where somebody would stand who had agreed with the statement at a place, and with nothing else.
    pub(crate) fn place_of_statement(&self, at: usize) -> [f64; WANTED] {
        let mut away = vec![0.0; self.means.len()];
        away[at] = 1.0 - self.means[at];
        self.project(&away, 1)
    }

    fn project(&self, away: &[f64], cast: usize) -> [f64; WANTED] {
        let scale = (self.voted as f64 / cast.max(1) as f64).sqrt();
        let along =
            |which: usize| self.found.get(which).map_or(0.0, |component| dot(&component.loadings, away) * scale);
        [along(0), along(1)]
    }
}

/// An eigenvector may point either way; we choose, so that a map does not turn over between two runs. Of entries that only
/// rounding sets apart the first decides.
fn with_sign(mut vector: Vec<f64>) -> Vec<f64> {
    let most = vector.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let strongest = vector.iter().find(|entry| entry.abs() >= most * (1.0 - 1e-9));
    if strongest.is_some_and(|entry| *entry < 0.0) {
        vector.iter_mut().for_each(|entry| *entry = -*entry);
    }
    vector
}

/// Of every two statements, over those who voted on both: how many, the sum of the votes on the first, and of products.
struct Pairs {
    size: usize,
    both: Vec<i64>,
    sum_of_first: Vec<i64>,
    products: Vec<i64>,
}

impl Pairs {
    fn of(votes: &Votes) -> Pairs {
        let size = votes.statements().len();
        let empty = || vec![0; size * size];
        let mut pairs = Pairs { size, both: empty(), sum_of_first: empty(), products: empty() };
        for participant in 0..votes.participants().len() {
            let row = votes.row(participant).iter().enumerate();
            let cast: Vec<(usize, i64)> =
                row.filter_map(|(at, vote)| vote.map(|vote| (at, i64::from(vote.value())))).collect();
            for (first, value) in &cast {
                for (second, other) in &cast {
                    let at = first * size + second;
                    pairs.both[at] += 1;
                    pairs.sum_of_first[at] += value;
                    pairs.products[at] += value * other;
                }
            }
        }
        pairs
    }

    fn mean(&self, statement: usize) -> f64 {
        let at = statement * self.size + statement;
        match self.both[at] {
            0 => 0.0,
            cast => self.sum_of_first[at] as f64 / cast as f64,
        }
    }

    /// Where either vote is missing it stands at its mean and adds nothing.
    fn covariance(&self, votes: &Votes) -> Vec<f64> {
        let size = self.size;
        let degrees = votes.participants().len().saturating_sub(1).max(1) as f64;
        let mut covariance = vec![0.0; size * size];
        let shown: Vec<usize> = votes.shown().collect();
        for (nth, &first) in shown.iter().enumerate() {
            for &second in &shown[..=nth] {
                let (at, mirrored) = (first * size + second, second * size + first);
                let (mean, other) = (self.mean(first), self.mean(second));
                let sum = self.products[at] as f64
                    - other * self.sum_of_first[at] as f64
                    - mean * self.sum_of_first[mirrored] as f64
                    + self.both[at] as f64 * mean * other;
                covariance[at] = sum / degrees;
                covariance[mirrored] = sum / degrees;
            }
        }
        covariance
    }
}
