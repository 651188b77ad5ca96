//! What is wrong with a table, line by line.
//!
//! Flaws carry the facts; the words for them, in both languages, are all in this file.

use std::fmt;

use crate::application::Reason;
use crate::text::{Lang, Said};
use crate::words::words;

/// Everything that was found wrong with one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFault {
    /// The table's name, where it could be read.
    pub table: Option<String>,
    /// The problems, by line; never empty.
    pub problems: Vec<Problem>,
}

/// One flaw and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    pub flaw: Flaw,
}

/// The kinds of value that a table is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `"pending"`
    Name,
    /// `["pending", "done"]`
    Names,
    /// `[[move]]`
    Tables,
    /// `3`
    Count,
}

/// What can be wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The text is not TOML.
    NotToml { why: String },
    /// A key that tables do not have.
    UnknownKey { key: String },
    /// A key that must be there is not.
    MissingKey { key: &'static str },
    /// The value of a key is of another kind.
    WrongKind { key: &'static str, expected: Kind },
    /// A name that is not among the states.
    UnknownState { state: String },
    /// A state is listed twice.
    RepeatedState { state: String },
    /// A move is listed twice.
    RepeatedMove {
        /// The state it leaves.
        from: String,
        /// The state it enters.
        to: String,
    },
    /// No move leads from the start to this state.
    Unreachable { state: String },
    /// No ordinary move leads on from this state to an end.
    NoWayToAnEnd { state: String },
}

impl TableFault {
    pub(super) fn new(table: Option<String>, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.line);
        Self { table, problems }
    }

    fn name(&self, lang: Lang) -> String {
        self.table.clone().unwrap_or_else(|| words(lang).say("table.nameless").to_owned())
    }
}

impl Reason for TableFault {
    fn code(&self) -> &'static str {
        "table-faulty"
    }

    fn say(&self, lang: Lang) -> Said {
        let lines: Vec<String> = self.problems.iter().map(|problem| problem.say(lang)).collect();
        let name = self.name(lang);
        words(lang).said("table.faulty", &[("name", &name), ("lines", &lines.join("\n"))])
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "table of moves {:?}", self.name(Lang::En))?;
        self.problems.iter().try_for_each(|problem| write!(out, "\n  {}", problem.say(Lang::En)))
    }
}

impl std::error::Error for TableFault {}

impl Problem {
    fn say(&self, lang: Lang) -> String {
        let line = self.line;
        let flaw = self.flaw.say(lang);
        words(lang).fill("table.line", &[("line", &line), ("flaw", &flaw)])
    }
}

impl Kind {
    fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Name => words(lang).say("table.kind_name"),
            Self::Names => words(lang).say("table.kind_names"),
            Self::Tables => words(lang).say("table.kind_tables"),
            Self::Count => words(lang).say("table.kind_count"),
        }
    }
}

impl Flaw {
    fn say(&self, lang: Lang) -> String {
        match self {
            Self::NotToml { why } => words(lang).fill("table.not_toml", &[("why", &why)]),
            Self::UnknownKey { key } => words(lang).fill("table.unknown_key", &[("key", &key)]),
            Self::MissingKey { key } => words(lang).fill("table.missing_key", &[("key", &key)]),
            Self::WrongKind { key, expected } => {
                let kind = expected.say(lang);
                words(lang).fill("table.wrong_kind", &[("key", &key), ("kind", &kind)])
            }
            Self::UnknownState { state } => words(lang).fill("table.unknown_state", &[("state", &state)]),
            Self::RepeatedState { state } => words(lang).fill("table.repeated_state", &[("state", &state)]),
            Self::RepeatedMove { from, to } => words(lang).fill("table.repeated_move", &[("from", &from), ("to", &to)]),
            Self::Unreachable { state } => words(lang).fill("table.unreachable", &[("state", &state)]),
            Self::NoWayToAnEnd { state } => words(lang).fill("table.no_way_to_an_end", &[("state", &state)]),
        }
    }
}
