//! A question to a table that an application shows: which rows, in which order, how many.
//!
//! It names columns as they were declared, and values that are bound, never written into SQL. `resolve` is where every
//! store finds out what is meant, so that they all refuse the same questions. Answers come in one order everywhere: what
//! is asked for, then by session and key; nothing comes before everything, and text goes by its bytes.

use enza_kernel::table::{Cell, Column, ColumnKind, DomainTable, faults};

use super::{Failure, Rows};

/// Which rows of a table to read.
#[derive(Debug, Clone, PartialEq)]
pub struct TableQuery<'a> {
    pub table: &'a DomainTable,
    pub of: Rows<'a>,
    /// Only rows that have exactly this under a column; `Cell::Null` means nothing.
    pub equals: Vec<(&'a str, Cell)>,
    /// Only rows that have this or more under a column.
    pub at_least: Vec<(&'a str, Cell)>,
    /// By these columns, the first one first.
    pub order: Vec<(&'a str, Sort)>,
    /// At most so many; 0 means all.
    pub limit: usize,
    /// After so many that are passed over.
    pub offset: usize,
}

/// Which way rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Ascending,
    Descending,
}

/// The same question with the columns that its names mean.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedQuery {
    pub conditions: Vec<Condition>,
    pub order: Vec<(&'static Column, Sort)>,
}

/// What has to stand under a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub column: &'static Column,
    pub relation: Relation,
    /// Of the column's kind; none only where it is to equal nothing.
    pub value: Cell,
}

/// How a column compares with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    AtLeast,
}

impl<'a> TableQuery<'a> {
    /// All rows of a table.
    pub fn new(table: &'a DomainTable) -> Self {
        Self { table, of: Rows::All, equals: Vec::new(), at_least: Vec::new(), order: Vec::new(), limit: 0, offset: 0 }
    }

    /// The columns that are meant, and values fit to be compared with what they show; a failure where the table cannot be
    /// shown, has no such column, or the value is of another kind.
    pub fn resolve(&self) -> Result<ResolvedQuery, Failure> {
        if let Some(fault) = faults(std::slice::from_ref(self.table)).first() {
            return Err(Failure::Other(fault.to_string()));
        }
        let equals = self.equals.iter().map(|(name, value)| self.condition(name, Relation::Equal, value));
        let at_least = self.at_least.iter().map(|(name, value)| self.condition(name, Relation::AtLeast, value));
        let order = self.order.iter().map(|(name, sort)| Ok((self.column(name)?, *sort)));
        Ok(ResolvedQuery {
            conditions: equals.chain(at_least).collect::<Result<_, _>>()?,
            order: order.collect::<Result<_, Failure>>()?,
        })
    }

    fn column(&self, name: &str) -> Result<&'static Column, Failure> {
        let unknown = || Failure::Other(format!("the table {} has no column {name}", self.table.name));
        self.table.column(name).ok_or_else(unknown)
    }

    fn condition(&self, name: &str, relation: Relation, value: &Cell) -> Result<Condition, Failure> {
        let column = self.column(name)?;
        let fits = match value {
            Cell::Null => relation == Relation::Equal,
            Cell::Integer(_) => matches!(column.kind, ColumnKind::Integer | ColumnKind::Flag),
            Cell::Real(number) => column.kind == ColumnKind::Real && number.is_finite(),
            Cell::Text(_) => column.kind == ColumnKind::Text,
        };
        if !fits {
            let table = self.table.name;
            return Err(Failure::Other(format!("the column {name} of {table} does not compare with {value:?}")));
        }
        let value = match value {
            // No column shows one, and not every database takes one.
            Cell::Text(text) => Cell::Text(text.replace('\0', "\u{fffd}")),
            Cell::Null | Cell::Integer(_) | Cell::Real(_) => value.clone(),
        };
        Ok(Condition { column, relation, value })
    }
}
