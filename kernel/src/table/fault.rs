//! Whether tables can be shown as they were declared.
//!
//! Names go into SQL text, into one database with the store's own tables and with those of other applications: only plain
//! ones that are nobody else's get through. Stores rely on it and show nothing of what has a fault.

use super::{Column, ColumnKind, DomainTable, INDEX_COLUMNS, Index, Source};

/// Why tables cannot be shown as they were declared. A bug of the application.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShownTableFault {
    #[error(
        "{0:?} is no name for a table, a column or an index: it takes small letters, digits and _, a letter first, 63 at most"
    )]
    Name(String),
    #[error("the store has something of its own that is called {0}")]
    StoreName(String),
    /// Views and indexes share their names.
    #[error("two tables or indexes are called {0}")]
    Twice(String),
    #[error("the table {0} has no columns")]
    Bare(&'static str),
    #[error("the table {table} has two columns called {column}")]
    ColumnTwice { table: &'static str, column: &'static str },
    #[error("the column {column} of {table} comes from {path:?}, which is no path of fields")]
    Path { table: &'static str, column: &'static str, path: &'static str },
    #[error("the column {column} of {table} comes from a name, and so is text and always there")]
    NotText { table: &'static str, column: &'static str },
    #[error("the index {index} has {found} columns; it may have 1 to {INDEX_COLUMNS}")]
    IndexWidth { index: &'static str, found: usize },
    #[error("the index {index} is over {column}, which is no column of {table}, or is named twice")]
    IndexColumn { table: &'static str, index: &'static str, column: &'static str },
}

/// What is wrong with tables that are to be shown in one database, of whichever applications.
pub fn faults(tables: &[DomainTable]) -> Vec<ShownTableFault> {
    let mut faults: Vec<_> = tables.iter().flat_map(faults_of).collect();
    let mut names: Vec<_> = tables.iter().flat_map(DomainTable::names).collect();
    names.sort_unstable();
    let twice = names.chunk_by(PartialEq::eq).filter(|same| same.len() > 1);
    faults.extend(twice.map(|same| ShownTableFault::Twice(same[0].to_owned())));
    faults
}

fn faults_of(table: &DomainTable) -> Vec<ShownTableFault> {
    let mut faults = Vec::new();
    for name in table.names().chain(table.columns.iter().map(|column| column.name)) {
        if !is_plain(name) {
            faults.push(ShownTableFault::Name(name.to_owned()));
        }
    }
    let taken = table.names().filter(|name| is_of_the_store(name));
    faults.extend(taken.map(|name| ShownTableFault::StoreName(name.to_owned())));
    if table.columns.is_empty() {
        faults.push(ShownTableFault::Bare(table.name));
    }
    for (place, column) in table.columns.iter().enumerate() {
        if table.columns[..place].iter().any(|other| other.name == column.name) {
            faults.push(ShownTableFault::ColumnTwice { table: table.name, column: column.name });
        }
        faults.extend(source_fault(table, column));
    }
    faults.extend(table.indexes.iter().flat_map(|index| index_faults(table, index)));
    faults
}

fn source_fault(table: &DomainTable, column: &Column) -> Option<ShownTableFault> {
    let (table, name) = (table.name, column.name);
    match column.source {
        Source::Field(path) if path.split('/').all(is_field) => None,
        Source::Field(path) => Some(ShownTableFault::Path { table, column: name, path }),
        Source::Session | Source::Key if column.kind == ColumnKind::Text => None,
        Source::Session | Source::Key => Some(ShownTableFault::NotText { table, column: name }),
    }
}

fn index_faults(table: &DomainTable, index: &Index) -> Vec<ShownTableFault> {
    let mut faults = Vec::new();
    if index.columns.is_empty() || index.columns.len() > INDEX_COLUMNS {
        faults.push(ShownTableFault::IndexWidth { index: index.name, found: index.columns.len() });
    }
    for (place, column) in index.columns.iter().enumerate() {
        if table.column(column).is_none() || index.columns[..place].contains(column) {
            faults.push(ShownTableFault::IndexColumn { table: table.name, index: index.name, column });
        }
    }
    faults
}

/// A name that every database takes as it is.
fn is_plain(name: &str) -> bool {
    let may = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    name.len() <= 63 && name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(may)
}

/// A field's name. One that begins with a digit could be taken for a place in a list.
fn is_field(name: &str) -> bool {
    let may = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && name.chars().all(may)
}

/// What the stores call their own tables; `storage/tests/shown_tables` compares it with the migrations.
const STORE_NAMES: &[&str] = &[
    "accepted",
    "answers",
    "blobs",
    "content_parts",
    "contents",
    "events",
    "files",
    "identity",
    "journal",
    "named",
    "passes",
    "people",
    "rows",
    "sessions",
    "settings",
    "snapshots",
    "timers",
    "usage",
];

/// Whether a store may want a name for itself: that of a table of its own, one that begins with it as those of indexes do,
/// or one that a database keeps for itself.
pub fn is_of_the_store(name: &str) -> bool {
    const PREFIXES: &[&str] = &["enza_", "sqlite_", "pg_"];
    let is_after =
        |table: &&str| name.strip_prefix(*table).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || STORE_NAMES.iter().any(is_after)
}
