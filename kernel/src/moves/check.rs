//! What makes a table sound: known names, no repetition, every state reached, every state with a way to an end.
//!
//! A state may be reached by an ordinary move or by an error move. The way to an end counts ordinary moves only: a
//! state that can be left by failing alone is a trap, whatever its error moves lead to. All problems are found in one
//! go, except that paths are judged only once the names are right; a misspelt name would make half the table look
//! unreachable.

use std::collections::BTreeSet;

use super::fault::{Flaw, Problem, TableFault};
use super::read::{LocatedName, Raw, RawMove};
use super::table::{Move, Table};

pub(super) fn check(raw: Raw) -> Result<Table, TableFault> {
    let mut problems = Vec::new();
    problems.extend(repeated_states(&raw));
    problems.extend(unknown_names(&raw));
    problems.extend(repeated_moves(&raw.moves));
    problems.extend(repeated_moves(&raw.errors));
    if problems.is_empty() {
        problems.extend(broken_paths(&raw));
    }
    if !problems.is_empty() {
        return Err(TableFault::new(Some(raw.name), problems));
    }
    Ok(Table {
        name: raw.name,
        states: names(raw.states),
        start: raw.start.name,
        ends: names(raw.ends),
        moves: plain(raw.moves),
        errors: plain(raw.errors),
        most_per_utterance: raw.most_per_utterance,
    })
}

fn repeated_states(raw: &Raw) -> Vec<Problem> {
    let mut problems = Vec::new();
    for list in [&raw.states, &raw.ends] {
        let mut seen = BTreeSet::new();
        for state in list {
            if !seen.insert(&state.name) {
                problems.push(Problem { line: state.line, flaw: Flaw::RepeatedState { state: state.name.clone() } });
            }
        }
    }
    problems
}

fn unknown_names(raw: &Raw) -> Vec<Problem> {
    let known: BTreeSet<&str> = raw.states.iter().map(|state| state.name.as_str()).collect();
    let of_moves = raw.moves.iter().chain(&raw.errors).flat_map(|one| [&one.from, &one.to]);
    std::iter::once(&raw.start)
        .chain(&raw.ends)
        .chain(of_moves)
        .filter(|named| !known.contains(named.name.as_str()))
        .map(|named| Problem { line: named.line, flaw: Flaw::UnknownState { state: named.name.clone() } })
        .collect()
}

fn repeated_moves(moves: &[RawMove]) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    moves
        .iter()
        .filter(|one| !seen.insert((&one.from.name, &one.to.name, &one.on)))
        .map(|one| Problem {
            line: one.line,
            flaw: Flaw::RepeatedMove { from: one.from.name.clone(), to: one.to.name.clone() },
        })
        .collect()
}

fn broken_paths(raw: &Raw) -> Vec<Problem> {
    let forward = |one: &RawMove| (one.from.name.clone(), one.to.name.clone());
    let backward = |one: &RawMove| (one.to.name.clone(), one.from.name.clone());
    let every_way: Vec<_> = raw.moves.iter().chain(&raw.errors).map(forward).collect();
    let ways_back: Vec<_> = raw.moves.iter().map(backward).collect();
    let reached = spread(std::iter::once(&raw.start), &every_way);
    let ending = spread(&raw.ends, &ways_back);
    let mut problems = Vec::new();
    for LocatedName { name, line } in &raw.states {
        if !reached.contains(name) {
            problems.push(Problem { line: *line, flaw: Flaw::Unreachable { state: name.clone() } });
        }
        if !ending.contains(name) {
            problems.push(Problem { line: *line, flaw: Flaw::NoWayToAnEnd { state: name.clone() } });
        }
    }
    problems
}

/// Every name that can be reached from the seeds along the ways.
fn spread<'a>(seeds: impl IntoIterator<Item = &'a LocatedName>, ways: &[(String, String)]) -> BTreeSet<String> {
    let mut open: Vec<String> = seeds.into_iter().map(|seed| seed.name.clone()).collect();
    let mut reached = BTreeSet::new();
    while let Some(here) = open.pop() {
        open.extend(ways.iter().filter(|(from, to)| *from == here && !reached.contains(to)).map(|(_, to)| to.clone()));
        reached.insert(here);
    }
    reached
}

fn names(named: Vec<LocatedName>) -> Vec<String> {
    named.into_iter().map(|one| one.name).collect()
}

fn plain(moves: Vec<RawMove>) -> Vec<Move> {
    moves.into_iter().map(|one| Move { from: one.from.name, to: one.to.name, on: one.on }).collect()
}
