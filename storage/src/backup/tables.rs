//! The tables of a backup file: what they are called, what is in them, and in which order they can be filled.
//!
//! They are read from the file itself, so that a table added by a later migration is in every backup without anyone
//! thinking of it. A backup has the shape of our SQLite files, whichever database it was taken of.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::fault::Fault;

/// Rows that are handed on at once. A part of a file takes a quarter of a mebibyte.
pub(crate) const CHUNK: usize = 64;

/// A table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub name: String,
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Text,
    Bytes,
}

/// Every table, each after those that it refers to.
pub(crate) fn tables(file: &Connection) -> Result<Vec<Table>, Fault> {
    const NAMES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
         ORDER BY name";
    let mut left = words(file, NAMES, [])?;
    let mut found: Vec<Table> = Vec::new();
    while !left.is_empty() {
        let mut later = Vec::new();
        for name in &left {
            let needs = words(file, "SELECT \"table\" FROM pragma_foreign_key_list(?1)", [name])?;
            if needs
                .iter()
                .any(|other| other != name && left.contains(other) && !found.iter().any(|t| t.name == *other))
            {
                later.push(name.clone());
            } else {
                found.push(Table { name: name.clone(), columns: columns(file, name)? });
            }
        }
        if later.len() == left.len() {
            // Two that refer to each other come in the order of their names.
            for name in later.drain(..) {
                found.push(Table { columns: columns(file, &name)?, name });
            }
        }
        left = later;
    }
    Ok(found)
}

fn columns(file: &Connection, table: &str) -> Result<Vec<Column>, Fault> {
    let mut statement = file.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid")?;
    let read = |row: &rusqlite::Row<'_>| {
        let kind = match row.get::<_, String>(1)?.as_str() {
            "INTEGER" => Kind::Number,
            "BLOB" => Kind::Bytes,
            _ => Kind::Text,
        };
        Ok(Column { name: row.get(0)?, kind })
    };
    Ok(statement.query_map([table], read)?.collect::<Result<_, _>>()?)
}

fn words(file: &Connection, sql: &str, with: impl rusqlite::Params) -> Result<Vec<String>, Fault> {
    let mut statement = file.prepare(sql)?;
    Ok(statement.query_map(with, |row| row.get(0))?.collect::<Result<_, _>>()?)
}

impl Table {
    /// The same with only the columns of these names.
    pub fn with_only(mut self, names: &[String]) -> Self {
        self.columns.retain(|column| names.contains(&column.name));
        self
    }

    fn names(&self) -> String {
        let quoted: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        quoted.join(", ")
    }

    /// Reads every row, a chunk at a time. Sessions come in the order in which they were opened: each may refer to
    /// earlier ones.
    pub fn read(
        &self,
        file: &Connection,
        mut take: impl FnMut(Vec<Vec<Value>>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let order = if self.name == "sessions" { " ORDER BY key" } else { "" };
        let mut statement = file.prepare(&format!("SELECT {} FROM \"{}\"{order}", self.names(), self.name))?;
        let mut rows = statement.query([])?;
        let mut chunk = Vec::new();
        while let Some(row) = rows.next()? {
            chunk.push((0..self.columns.len()).map(|place| row.get(place)).collect::<Result<_, _>>()?);
            if chunk.len() == CHUNK {
                take(std::mem::take(&mut chunk))?;
            }
        }
        if chunk.is_empty() { Ok(()) } else { take(chunk) }
    }

    /// Writes rows.
    pub fn write(&self, file: &Connection, rows: Vec<Vec<Value>>) -> Result<(), Fault> {
        let places = vec!["?"; self.columns.len()].join(", ");
        let mut insert =
            file.prepare_cached(&format!("INSERT INTO \"{}\" ({}) VALUES ({places})", self.name, self.names()))?;
        for row in rows {
            insert.execute(params_from_iter(row))?;
        }
        Ok(())
    }
}
