//! What this crate promises, in figures that a hand can compute and in properties that hold for any votes.

mod ballots;
mod exports;
mod figures;
mod files;
mod map;
mod properties;
mod schulze;

use enza_opinion::{Statement, Vote, Votes};

/// Votes written as rows of letters, `+`, `-`, `0` and a dot for none; participants and statements are numbered.
pub fn votes(rows: &[&str]) -> Votes {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let cast = rows.iter().enumerate().flat_map(|(participant, row)| {
        row.chars().enumerate().filter_map(move |(statement, letter)| {
            let vote = match letter {
                '+' => Some(Vote::Agree),
                '-' => Some(Vote::Disagree),
                '0' => Some(Vote::Pass),
                _ => None,
            };
            vote.map(|vote| (participant.to_string(), statement.to_string(), vote))
        })
    });
    Votes::gather((0..width).map(|statement| Statement::named(statement.to_string())), cast)
}

/// Whether two figures are the same but for rounding.
pub fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}
