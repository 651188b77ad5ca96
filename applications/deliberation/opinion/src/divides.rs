//! What divides the groups.
//!
//! Our own measure, since Polis has none: the gap between the group that is most likely to agree and the one that is least,
//! as the difference of the two smoothed probabilities, between 0 and 1. A gap counts where the z-score of the two groups
//! against each other is sure; the widest come first.

use serde::{Deserialize, Serialize};

use crate::figures::{Figures, GroupFigures, Side};
use crate::votes::Votes;

/// A statement that one group agrees with and another does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divide {
    pub statement: String,
    /// The group most likely to agree, and the one least likely.
    pub most: usize,
    pub least: usize,
    pub gap: f64,
    /// The z-score of the one group's agreement against the other's.
    pub test: f64,
}

/// At most `pick` statements, the widest gap first; of equal ones the first statement.
pub(crate) fn find(votes: &Votes, figures: &[Figures], pick: usize, beyond: f64) -> Vec<Divide> {
    let of_statement = |at: usize| divide(&votes.statements()[at].id, &figures[at].groups);
    let mut found: Vec<Divide> = votes.shown().filter_map(of_statement).filter(|divide| divide.test > beyond).collect();
    found.sort_by(|one, other| other.gap.total_cmp(&one.gap));
    found.truncate(pick);
    found
}

fn divide(statement: &str, groups: &[GroupFigures]) -> Option<Divide> {
    let likely = |group: usize| groups[group].agree.probability;
    let most = (0..groups.len()).reduce(|best, group| if likely(group) > likely(best) { group } else { best })?;
    let least = (0..groups.len()).reduce(|best, group| if likely(group) < likely(best) { group } else { best })?;
    let test = groups[most].tally.test_against(&groups[least].tally, Side::Agree);
    Some(Divide { statement: statement.to_owned(), most, least, gap: likely(most) - likely(least), test })
}
