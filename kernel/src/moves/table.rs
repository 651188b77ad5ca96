//! A table that has passed its checks, and the questions one asks of it.
//!
//! There is no other way to a `Table` than `Table::parse`, so whoever holds one may rely on what `check` promises.

use serde::{Deserialize, Serialize};

use super::fault::TableFault;
use super::{check, diagram, read};
use crate::application::Reason;
use crate::text::{Lang, Said};
use crate::words::words;

/// Which moves are allowed between the states of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub(super) name: String,
    pub(super) states: Vec<String>,
    pub(super) start: String,
    pub(super) ends: Vec<String>,
    pub(super) moves: Vec<Move>,
    pub(super) errors: Vec<Move>,
    pub(super) most_per_utterance: Option<u32>,
}

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The state it leaves.
    pub from: String,
    /// The state it enters.
    pub to: String,
    /// What brings it about, where the table says so.
    pub on: Option<String>,
}

/// Which list of a table a move belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveKind {
    /// As planned: `[[move]]`.
    Ordinary,
    /// Because something failed: `[[error]]`.
    Error,
}

/// A move that the table does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{table}: no move from {from} to {to}; from {from} one may go to {}", one_of(allowed))]
pub struct NotAllowed {
    /// The table that was asked.
    pub table: String,
    /// The state to be left.
    pub from: String,
    /// The state to be entered.
    pub to: String,
    /// Where one may go instead, in the order of the table.
    pub allowed: Vec<String>,
}

impl Table {
    /// Reads and checks a table.
    ///
    /// ```
    /// let table = enza_kernel::moves::Table::parse(r#"
    ///     name = "door"
    ///     states = ["closed", "open"]
    ///     start = "closed"
    ///     ends = ["open"]
    ///     [[move]]
    ///     from = "closed"
    ///     to = "open"
    /// "#).unwrap();
    /// assert!(table.allows("closed", "open"));
    /// assert!(!table.allows("open", "closed"));
    /// ```
    pub fn parse(toml: &str) -> Result<Self, TableFault> {
        let raw = read::read(toml)?;
        check::check(raw)
    }

    /// Whether there is an ordinary move.
    pub fn allows(&self, from: &str, to: &str) -> bool {
        self.has(MoveKind::Ordinary, from, to)
    }

    /// Passes an ordinary move, or says where one may go instead.
    pub fn step(&self, from: &str, to: &str) -> Result<(), NotAllowed> {
        self.pass(MoveKind::Ordinary, from, to)
    }

    /// Passes an error move, or says which error moves there are.
    pub fn error_step(&self, from: &str, to: &str) -> Result<(), NotAllowed> {
        self.pass(MoveKind::Error, from, to)
    }

    /// Passes a move of either list.
    pub fn pass(&self, way: MoveKind, from: &str, to: &str) -> Result<(), NotAllowed> {
        if self.has(way, from, to) {
            return Ok(());
        }
        Err(NotAllowed {
            table: self.name.clone(),
            from: from.to_owned(),
            to: to.to_owned(),
            allowed: self.next(way, from).into_iter().map(str::to_owned).collect(),
        })
    }

    /// Where one may go from a state, each name once, in the order of the table.
    pub fn next(&self, way: MoveKind, from: &str) -> Vec<&str> {
        let mut names = Vec::new();
        for one in self.list(way).iter().filter(|one| one.from == from) {
            if !names.contains(&one.to.as_str()) {
                names.push(one.to.as_str());
            }
        }
        names
    }

    /// What the table is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where everything begins.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Where everything may end.
    pub fn ends(&self) -> &[String] {
        &self.ends
    }

    /// Whether a state is an end.
    pub fn is_end(&self, state: &str) -> bool {
        self.ends.iter().any(|end| end == state)
    }

    /// Every state, as declared.
    pub fn states(&self) -> &[String] {
        &self.states
    }

    /// The ordinary moves, as declared.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The error moves, as declared.
    pub fn errors(&self) -> &[Move] {
        &self.errors
    }

    /// The most ordinary moves that one utterance may make, where there is such a limit.
    pub fn most_per_utterance(&self) -> Option<u32> {
        self.most_per_utterance
    }

    /// The table as a Mermaid state diagram.
    pub fn to_mermaid(&self) -> String {
        diagram::mermaid(self)
    }

    fn has(&self, way: MoveKind, from: &str, to: &str) -> bool {
        self.list(way).iter().any(|one| one.from == from && one.to == to)
    }

    fn list(&self, way: MoveKind) -> &[Move] {
        match way {
            MoveKind::Ordinary => &self.moves,
            MoveKind::Error => &self.errors,
        }
    }
}

impl Reason for NotAllowed {
    fn code(&self) -> &'static str {
        "move-not-allowed"
    }

    fn say(&self, lang: Lang) -> Said {
        let Self { table, from, to, allowed } = self;
        let words = words(lang);
        let hint = if allowed.is_empty() {
            words.fill("moves.nowhere", &[("from", from)])
        } else {
            words.fill("moves.allowed", &[("from", from), ("allowed", &lang.list(allowed))])
        };
        Said::new(words.fill("moves.not_allowed", &[("table", table), ("from", from), ("to", to)]), hint)
    }
}

fn one_of(names: &[String]) -> String {
    if names.is_empty() { "nowhere".to_owned() } else { names.join(", ") }
}
