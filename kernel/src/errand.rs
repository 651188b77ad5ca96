//! What one session has another do, or looks up in the tables of others.
//!
//! An errand is owed like any other effect and has a key, so that after a crash it may be run again: the other session
//! accepts it once. What led to it is in the log before it is run, since what came of it elsewhere stays. A refusal is
//! an outcome like any other. A fork runs no errands: what its parent sent is not sent again, and nothing that is only
//! tried reaches anyone.
//!
//! A rule that spans two sessions is decided by one of their logs: the one that is asked. Running errands, and saying who
//! sent them, belongs to the runtime.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::Key;

/// An errand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    pub key: Key,
    pub what: ErrandKind,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrandKind {
    /// Have a session decide a command.
    Tell { session: String, command: Value },
    /// Open a session of the same owner with its first command.
    Open {
        /// Its name, which nobody can guess unless the application means it to be known.
        session: String,
        application: String,
        /// The session it is to belong to, if any.
        of: Option<String>,
        command: Value,
    },
    /// Read rows of a table that sessions write.
    Look(Look),
}

/// A question to a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Look {
    pub table: String,
    /// The rows of this session alone.
    pub session: Option<String>,
    /// Fields that have exactly this value.
    pub equals: Vec<(String, Value)>,
    /// Fields that are a number, and at least this one.
    pub at_least: Vec<(String, i64)>,
    /// At most so many, by session and key.
    pub most: usize,
}

impl Look {
    /// Every row of a table.
    pub fn at(table: impl Into<String>) -> Self {
        Self { table: table.into(), session: None, equals: Vec::new(), at_least: Vec::new(), most: 1_000 }
    }

    /// Only rows whose field has this value.
    pub fn where_equal(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.equals.push((field.to_owned(), value.into()));
        self
    }

    /// Only rows whose field is at least this.
    pub fn where_at_least(mut self, field: &str, least: i64) -> Self {
        self.at_least.push((field.to_owned(), least));
        self
    }

    /// Whether a row is asked for.
    pub fn takes(&self, content: &Value) -> bool {
        self.equals.iter().all(|(field, value)| content.get(field) == Some(value))
            && self
                .at_least
                .iter()
                .all(|(field, least)| content.get(field).and_then(Value::as_i64).is_some_and(|number| number >= *least))
    }
}

/// A row that a look found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundRow {
    /// The session whose events wrote it.
    pub session: String,
    /// Its name within that session and the table.
    pub key: String,
    pub content: Value,
}

/// Whom an application's sessions may send on errands, and what they may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// The words of the applications whose sessions it may tell something or open.
    pub tells: &'static [&'static str],
    /// The tables it may look at.
    pub looks: &'static [&'static str],
}

impl Reach {
    /// Nobody and nothing.
    pub const NONE: Self = Self { tells: &[], looks: &[] };
}
