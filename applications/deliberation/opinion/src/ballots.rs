//! Ballots of ranked choice, and the two forms of file they come in.
//!
//! A row for each voter, `voter,rank1,rank2,…`, with the candidates in order of preference and equals joined by ` = `; or a
//! row for each opinion, `voter,candidate,rank`, where the smaller number is preferred and the same number means equal. The
//! header decides. What a voter leaves out comes after everything they named, all of it equal. A row that names nobody is a
//! ballot that counts and says nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::{Column, Expected, ReadError, Row, Rows, Table};
use crate::votes::OrderedName;

/// What one voter would rather have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballot {
    pub voter: String,
    /// Candidates by their places in the list; those in one tier are equal to the voter.
    pub tiers: Vec<Vec<usize>>,
}

/// All ballots on one list of candidates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ballots {
    /// In an order of their own, so that nothing depends on who was named first.
    pub candidates: Vec<String>,
    pub ballots: Vec<Ballot>,
}

impl Ballots {
    /// From each voter's tiers of names. Candidates whom nobody names come in `known`. A name that stands on a ballot twice
    /// counts where it stands first.
    pub fn gather(
        known: impl IntoIterator<Item = String>,
        cast: impl IntoIterator<Item = (String, Vec<Vec<String>>)>,
    ) -> Self {
        let cast: Vec<(String, Vec<Vec<String>>)> = cast.into_iter().collect();
        let named = cast.iter().flat_map(|(_, tiers)| tiers.iter().flatten()).map(|name| OrderedName::of(name));
        let all: BTreeSet<OrderedName> = known.into_iter().map(|name| OrderedName::of(&name)).chain(named).collect();
        let candidates: Vec<String> = all.into_iter().map(|name| name.text).collect();
        let places: BTreeMap<&str, usize> =
            candidates.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let ballot = |(voter, tiers): (String, Vec<Vec<String>>)| {
            let mut seen = BTreeSet::new();
            let mut tier = |names: Vec<String>| -> Vec<usize> {
                names
                    .iter()
                    .filter_map(|name| places.get(name.as_str()).copied())
                    .filter(|at| seen.insert(*at))
                    .collect()
            };
            let tiers = tiers.into_iter().map(&mut tier).filter(|tier| !tier.is_empty()).collect();
            Ballot { voter, tiers }
        };
        let ballots = cast.into_iter().map(ballot).collect();
        Ballots { candidates, ballots }
    }

    /// Reads a file of either form.
    pub fn read(file: &[u8]) -> Result<Ballots, ReadError> {
        let table = Table::read(file, Rows::MayEndEarly)?;
        let voter = table.column("voter")?;
        match (table.optional("candidate"), table.optional("rank")) {
            (Some(candidate), Some(rank)) => by_opinion(&table, &voter, &candidate, &rank),
            (Some(_), None) => Err(table.column("rank").err().unwrap_or(ReadError::Empty)),
            (None, Some(_)) => Err(table.column("candidate").err().unwrap_or(ReadError::Empty)),
            (None, None) => by_voter(&table, &voter),
        }
    }
}

fn by_voter(table: &Table, voter: &Column) -> Result<Ballots, ReadError> {
    let mut columns = vec![table.column("rank1")?];
    columns.extend((2..).map_while(|rank| table.optional(&format!("rank{rank}"))));
    let (mut voters, mut cast) = (BTreeMap::new(), Vec::new());
    for row in &table.rows {
        let name = row.name(voter)?;
        if let Some(first) = voters.insert(name.clone(), row.line) {
            return Err(ReadError::Twice { line: row.line, column: voter.name.clone(), name, first });
        }
        cast.push((name, tiers(row, &columns)?));
    }
    Ok(Ballots::gather([], cast))
}

fn tiers(row: &Row, columns: &[Column]) -> Result<Vec<Vec<String>>, ReadError> {
    let mut seen = BTreeSet::new();
    let mut tiers = Vec::new();
    for column in columns.iter().filter(|column| !row.cell(column).trim().is_empty()) {
        let mut tier = Vec::new();
        for candidate in row.cell(column).split(" = ").map(str::trim) {
            if candidate.is_empty() {
                return Err(row.bad(column, Expected::Name));
            }
            if !seen.insert(candidate.to_owned()) {
                let (line, column) = (row.line, column.name.clone());
                return Err(ReadError::TwiceOnBallot { line, column, candidate: candidate.to_owned() });
            }
            tier.push(candidate.to_owned());
        }
        tiers.push(tier);
    }
    Ok(tiers)
}

fn by_opinion(table: &Table, voter: &Column, candidate: &Column, rank: &Column) -> Result<Ballots, ReadError> {
    let mut order = Vec::new();
    let mut by_voter: BTreeMap<String, BTreeMap<String, Option<u32>>> = BTreeMap::new();
    for row in &table.rows {
        let (name, choice) = (row.name(voter)?, row.name(candidate)?);
        let given = match row.cell(rank).trim() {
            "" => None,
            number => {
                let number = number.parse().ok().filter(|number| *number > 0);
                Some(number.ok_or_else(|| row.bad(rank, Expected::Rank))?)
            }
        };
        if !by_voter.contains_key(&name) {
            order.push(name.clone());
        }
        if by_voter.entry(name).or_default().insert(choice.clone(), given).is_some() {
            return Err(ReadError::TwiceOnBallot { line: row.line, column: candidate.name.clone(), candidate: choice });
        }
    }
    let known: Vec<String> = by_voter.values().flat_map(|choices| choices.keys().cloned()).collect();
    let ballot = |name: String| {
        let mut tiers: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (choice, rank) in &by_voter[&name] {
            if let Some(rank) = rank {
                tiers.entry(*rank).or_default().push(choice.clone());
            }
        }
        (name, tiers.into_values().collect())
    };
    Ok(Ballots::gather(known, order.into_iter().map(ballot)))
}
