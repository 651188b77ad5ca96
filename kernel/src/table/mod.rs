//! Tables of the domain, declared as data: what a table that follows events is called outside, its columns, its indexes.
//!
//! An application says in `Application::rows` which rows an event changes; here it says what shape they have, and each
//! database shows them as a view of that name. Such a table is read, never written. What its cells are is said once, in
//! `DomainTable::cell`: every store shows the same, whatever is in the JSON behind it.
//!
//! Constraints are rules of the log that decides them: no database refuses an append for one. Which declarations can be
//! shown is said in `fault`, whether rows are as they were declared in `misfit`.

mod fault;
mod misfit;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use fault::{ShownTableFault, faults, is_of_the_store};
pub use misfit::{Misfit, Misfitting};

/// A table as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainTable {
    pub name: &'static str,
    /// The `Row::table` that it shows.
    pub of: &'static str,
    pub columns: &'static [Column],
    pub indexes: &'static [Index],
}

/// A column of a table that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
    /// Whether every row has something here. A rule of the log; a view has no such constraint.
    pub is_required: bool,
    pub source: Source,
}

/// What a column holds. What is of another kind in a row shows as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text as it is; objects and lists as their JSON.
    Text,
    /// A whole number of at most `DIGITS` digits.
    Integer,
    /// Any number.
    Real,
    /// Yes or no, as 1 or 0.
    Flag,
}

/// Where a column's content comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A field of the row's content; one inside another is named after it and a slash, as in `profile/name`.
    Field(&'static str),
    /// The name of the session whose events wrote the row.
    Session,
    /// The row's key.
    Key,
}

/// An index of a table that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    pub name: &'static str,
    /// One to `INDEX_COLUMNS` columns. Of the text of fields that are in an index, `INDEXED_TEXT` characters are shown: it is
    /// for ids and other short words, and no text may be too long for a database to take the row in.
    pub columns: &'static [&'static str],
    /// Whether no two rows, of whichever sessions, may have the same in these columns. A rule of the log: a database makes
    /// a plain index of it.
    pub is_unique: bool,
}

/// Digits of a whole number, at most.
pub const DIGITS: u32 = 18;
/// Columns of an index, at most.
pub const INDEX_COLUMNS: usize = 3;
/// Characters of an indexed text.
pub const INDEXED_TEXT: usize = 200;
/// The character U+0000 as JSON writes it. Not every database can show it.
pub const NUL: &str = r"\u0000";
/// What is shown in its place.
pub const SHOWN_NUL: &str = r"\ufffd";

impl Column {
    /// A column of text, from the field of its name.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text, is_required: false, source: Source::Field(name) }
    }

    /// A column of whole numbers, from the field of its name.
    pub const fn integer(name: &'static str) -> Self {
        Self { kind: ColumnKind::Integer, ..Self::text(name) }
    }

    /// A column of numbers, from the field of its name.
    pub const fn real(name: &'static str) -> Self {
        Self { kind: ColumnKind::Real, ..Self::text(name) }
    }

    /// A column of yes and no, from the field of its name.
    pub const fn flag(name: &'static str) -> Self {
        Self { kind: ColumnKind::Flag, ..Self::text(name) }
    }

    /// The same, and every row has something here.
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The same, from elsewhere.
    pub const fn from(self, source: Source) -> Self {
        Self { source, ..self }
    }
}

impl Index {
    /// An index over these columns.
    pub const fn over(name: &'static str, columns: &'static [&'static str]) -> Self {
        Self { name, columns, is_unique: false }
    }

    /// The same, where no two rows may be alike in these columns.
    pub const fn unique(self) -> Self {
        Self { is_unique: true, ..self }
    }
}

/// What stands in a row under a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    /// The order of cells of one column: nothing comes first, text goes by its bytes.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => one.cmp(other),
            (Self::Real(one), Self::Real(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Null | Self::Integer(_) | Self::Real(_) | Self::Text(_), _) => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Integer(_) => 1,
            Self::Real(_) => 2,
            Self::Text(_) => 3,
        }
    }
}

impl DomainTable {
    /// Its own name and those of its indexes.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.indexes.iter().map(|index| index.name))
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether a column is in an index.
    pub fn is_indexed(&self, column: &Column) -> bool {
        self.indexes.iter().any(|index| index.columns.contains(&column.name))
    }

    /// What a row shows under a column.
    pub fn cell(&self, column: &Column, session: &str, key: &str, content: &Value) -> Cell {
        let field = match column.source {
            Source::Session => return Cell::Text(session.to_owned()),
            Source::Key => return Cell::Text(key.to_owned()),
            Source::Field(path) => content.pointer(&format!("/{path}")),
        };
        let Some(value) = field else { return Cell::Null };
        match column.kind {
            ColumnKind::Text => text_of(value).map_or(Cell::Null, |text| {
                Cell::Text(if self.is_indexed(column) { text.chars().take(INDEXED_TEXT).collect() } else { text })
            }),
            ColumnKind::Integer => {
                let whole = value.as_i64().filter(|number| number.unsigned_abs() < 10_u64.pow(DIGITS));
                whole.map_or(Cell::Null, Cell::Integer)
            }
            ColumnKind::Real => value.as_f64().map_or(Cell::Null, Cell::Real),
            ColumnKind::Flag => value.as_bool().map_or(Cell::Null, |yes| Cell::Integer(yes.into())),
        }
    }
}

fn text_of(value: &Value) -> Option<String> {
    let json = value.to_string().replace(NUL, SHOWN_NUL);
    match value {
        Value::String(_) => serde_json::from_str(&json).ok(),
        Value::Array(_) | Value::Object(_) => Some(json),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
