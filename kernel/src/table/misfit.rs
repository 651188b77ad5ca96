//! Whether rows are as their table was declared: required columns, kinds, and what only one row may have.
//!
//! Nothing refuses a row for it. It is for the tests of an application, whose rules are what keeps the promise.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::{Cell, Column, DomainTable, Source};

/// A row that is not as it was declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    pub session: String,
    pub key: String,
    pub what: Misfitting,
}

/// What is not as it was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfitting {
    /// Nothing, or nothing of this kind, stands under a required column.
    Missing(&'static str),
    /// Something of another kind stands under a column.
    Kind(&'static str),
    /// An earlier row has the same in the columns of this unique index.
    Duplicate(&'static str),
}

impl fmt::Display for Misfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { session, key, what } = self;
        match what {
            Misfitting::Missing(column) => write!(out, "the row {key} of {session} has nothing under {column}"),
            Misfitting::Kind(column) => write!(out, "the row {key} of {session} has another kind under {column}"),
            Misfitting::Duplicate(index) => write!(out, "the row {key} of {session} is not the only one by {index}"),
        }
    }
}

impl DomainTable {
    /// What of these rows (their session, key and content) is not as it was declared.
    pub fn misfits<'r>(&self, rows: impl IntoIterator<Item = (&'r str, &'r str, &'r Value)>) -> Vec<Misfit> {
        let mut found = Vec::new();
        let mut seen: BTreeMap<&str, Vec<Vec<Cell>>> = BTreeMap::new();
        for (session, key, content) in rows {
            let misfit = |what| Misfit { session: session.to_owned(), key: key.to_owned(), what };
            let is_empty = |column: &Column| self.cell(column, session, key, content) == Cell::Null;
            for column in self.columns.iter().filter(|column| is_empty(column)) {
                let Source::Field(path) = column.source else { continue };
                if column.is_required {
                    found.push(misfit(Misfitting::Missing(column.name)));
                } else if content.pointer(&format!("/{path}")).is_some_and(|value| !value.is_null()) {
                    found.push(misfit(Misfitting::Kind(column.name)));
                }
            }
            for index in self.indexes.iter().filter(|index| index.is_unique) {
                let columns = index.columns.iter().filter_map(|name| self.column(name));
                let cells: Vec<_> = columns.map(|column| self.cell(column, session, key, content)).collect();
                let others = seen.entry(index.name).or_default();
                // As in SQL, nothing is not the same as nothing.
                if !cells.contains(&Cell::Null) && others.contains(&cells) {
                    found.push(misfit(Misfitting::Duplicate(index.name)));
                }
                others.push(cells);
            }
        }
        found
    }
}
