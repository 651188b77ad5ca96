//! Who voted what: participants against statements, with gaps.
//!
//! Participants and statements stand in an order of their own, numbers before words, so that nothing that is computed from
//! them depends on who came first. A statement that a moderator took out keeps its votes here; what is left out of what is
//! said by whoever computes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What a participant says of a statement. Not having seen it is no vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vote {
    Agree,
    Disagree,
    Pass,
}

impl Vote {
    /// As exported files write it: agree is 1, disagree −1, pass 0.
    pub fn value(self) -> i8 {
        match self {
            Vote::Agree => 1,
            Vote::Disagree => -1,
            Vote::Pass => 0,
        }
    }

    /// The vote that a value stands for.
    pub fn of(value: i8) -> Option<Vote> {
        match value {
            1 => Some(Vote::Agree),
            -1 => Some(Vote::Disagree),
            0 => Some(Vote::Pass),
            _ => None,
        }
    }
}

/// What is voted on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub id: String,
    pub text: Option<String>,
    /// A moderator took it out. It counts as passed by everyone where places are computed, and is shown nowhere.
    pub left_out: bool,
}

impl Statement {
    /// A statement that is in, with nothing but its name.
    pub fn named(id: impl Into<String>) -> Statement {
        Statement { id: id.into(), text: None, left_out: false }
    }
}

/// The votes of participants on statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Votes {
    participants: Vec<String>,
    statements: Vec<Statement>,
    rows: Vec<Vec<Option<Vote>>>,
}

impl Votes {
    /// Gathers what was cast, as participant, statement and vote. Of several votes of one participant on one statement the
    /// last counts. Statements that nobody voted on, and what is known of any, come in `known`.
    pub fn gather(
        known: impl IntoIterator<Item = Statement>,
        cast: impl IntoIterator<Item = (String, String, Vote)>,
    ) -> Self {
        let mut statements: BTreeMap<OrderedName, Statement> =
            known.into_iter().map(|statement| (OrderedName::of(&statement.id), statement)).collect();
        let mut by_participant: BTreeMap<OrderedName, BTreeMap<OrderedName, Vote>> = BTreeMap::new();
        for (participant, statement, vote) in cast {
            let key = OrderedName::of(&statement);
            statements.entry(key.clone()).or_insert_with(|| Statement::named(statement));
            by_participant.entry(OrderedName::of(&participant)).or_default().insert(key, vote);
        }
        let rows = by_participant
            .values()
            .map(|cast| statements.keys().map(|statement| cast.get(statement).copied()).collect())
            .collect();
        let participants = by_participant.into_keys().map(|name| name.text).collect();
        Votes { participants, statements: statements.into_values().collect(), rows }
    }

    /// Everyone who cast a vote, in order.
    pub fn participants(&self) -> &[String] {
        &self.participants
    }

    /// Everything that could be voted on, in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The votes of the participant at a place, statement by statement.
    pub fn row(&self, participant: usize) -> &[Option<Vote>] {
        &self.rows[participant]
    }

    /// How many statements the participant at a place voted on, those that were taken out among them.
    pub fn cast_by(&self, participant: usize) -> usize {
        self.rows[participant].iter().flatten().count()
    }

    /// The statements that at least one participant voted on, by their places.
    pub(crate) fn voted(&self) -> BTreeSet<usize> {
        self.rows
            .iter()
            .flat_map(|row| row.iter().enumerate())
            .filter(|(_, vote)| vote.is_some())
            .map(|(at, _)| at)
            .collect()
    }

    /// The places of the statements that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = usize> {
        self.statements.iter().enumerate().filter(|(_, statement)| !statement.left_out).map(|(at, _)| at)
    }
}

/// A name in an order that people expect: numbers by their value, then words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OrderedName {
    is_word: bool,
    number: u64,
    pub(crate) text: String,
}

impl OrderedName {
    pub(crate) fn of(text: &str) -> Self {
        let number = text.parse().ok();
        OrderedName { is_word: number.is_none(), number: number.unwrap_or_default(), text: text.to_owned() }
    }
}
