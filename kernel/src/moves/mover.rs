//! Something that stands in a state of a table and moves from there.
//!
//! A `Mover` is kept in an application's state: `may` is asked when deciding, `take` is called when the recorded move
//! is taken in. `take` never fails, since what is recorded has happened. The mover also counts the ordinary moves of
//! the current utterance; the application says when a new one begins.

use serde::{Deserialize, Serialize};

use super::table::{MoveKind, NotAllowed, Table};
use crate::application::Reason;
use crate::text::{Lang, Said};
use crate::words::words;

/// Where something stands, and how often it moved in this utterance.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mover {
    at: String,
    moved: u32,
}

/// Why something stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotMoved {
    /// The table has no such move.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The utterance has used up its moves.
    #[error("{table}: an utterance may make at most {most} moves")]
    TooMany {
        /// The table that was asked.
        table: String,
        /// How many moves an utterance may make.
        most: u32,
    },
}

impl Mover {
    /// Stands at the table's start.
    pub fn at_start(table: &Table) -> Self {
        Self::at_state(table.start())
    }

    /// Stands at a state.
    pub fn at_state(state: impl Into<String>) -> Self {
        Self { at: state.into(), moved: 0 }
    }

    /// Takes in a recorded move.
    pub fn take(&mut self, way: MoveKind, to: impl Into<String>) {
        self.at = to.into();
        match way {
            MoveKind::Ordinary => self.moved += 1,
            MoveKind::Error => {}
        }
    }

    /// Takes in that a new utterance began.
    pub fn begin_utterance(&mut self) {
        self.moved = 0;
    }

    /// Whether a move may be made now. Error moves are not counted: a failure must always find its way.
    pub fn may(&self, table: &Table, way: MoveKind, to: &str) -> Result<(), NotMoved> {
        table.pass(way, &self.at, to)?;
        match (way, table.most_per_utterance()) {
            (MoveKind::Ordinary, Some(most)) if self.moved >= most => {
                Err(NotMoved::TooMany { table: table.name().to_owned(), most })
            }
            (MoveKind::Ordinary | MoveKind::Error, Some(_) | None) => Ok(()),
        }
    }

    /// The state it stands in.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// The ordinary moves made in this utterance.
    pub fn moved(&self) -> u32 {
        self.moved
    }
}

impl Reason for NotMoved {
    fn code(&self) -> &'static str {
        match self {
            Self::NotAllowed(refusal) => refusal.code(),
            Self::TooMany { .. } => "moves-exhausted",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::NotAllowed(refusal) => refusal.say(lang),
            Self::TooMany { table, most } => words(lang).said("moves.too_many", &[("table", &table), ("most", &most)]),
        }
    }
}
