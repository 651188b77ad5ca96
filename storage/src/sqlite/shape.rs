//! Whether a file has the tables that Enza of its version makes, column by column, and nothing that acts by itself.
//!
//! Names from a file that somebody hands us are put into statements, and on a server they say which tables are replaced. So
//! a backup is compared with our own migrations before any name of it is used. Triggers and views are none of ours: one
//! that came with a backup would run with every write. An index that somebody added changes nothing, and may stay.

use std::collections::BTreeMap;
use std::path::Path;

use enza_runtime::seams::store::Failure;
use rusqlite::{Connection, OptionalExtension as _};

use super::connection::{at, version};
use super::database_file::open_whole;
use crate::fault::Fault;
use crate::migrations::{SQLITE, pending};

/// The columns of each table: their names and types.
type Shape = BTreeMap<String, Vec<(String, String)>>;

/// Something in a database that Enza did not make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stranger {
    /// A whole table.
    Table(String),
    /// A column of one of our tables, or one of another type than ours.
    Column {
        /// Ours.
        table: String,
        /// Its own name.
        column: String,
    },
    /// What is done by itself when somebody writes.
    Trigger(String),
    /// What only looks like a table.
    View(String),
}

/// The first thing in a file of ours that our migrations do not make, if there is any; what they make and is not there is
/// damage. Nobody else has the file open.
pub(crate) fn stranger(path: &Path) -> Result<Option<Stranger>, Failure> {
    let looked = || -> Result<Option<Stranger>, Fault> {
        let file = open_whole(path)?;
        let steps = SQLITE.len() - pending(SQLITE, version(&file)?)?.len();
        let ours = Connection::open_in_memory()?;
        for step in &SQLITE[..steps] {
            ours.execute_batch(step)?;
        }
        let (found, ours) = (shape(&file)?, shape(&ours)?);
        let stranger = acting(&file)?.or_else(|| beyond(&found, &ours));
        match beyond(&ours, &found) {
            Some(missing) if stranger.is_none() => Err(Failure::Damaged(format!("{missing:?} is missing")).into()),
            Some(_) | None => Ok(stranger),
        }
    };
    looked().map_err(|fault| at(path, fault.0))
}

fn acting(file: &Connection) -> Result<Option<Stranger>, Fault> {
    const ACTING: &str = "SELECT type = 'trigger', name FROM sqlite_schema WHERE type NOT IN ('table', 'index') \
         ORDER BY name";
    let read = |row: &rusqlite::Row<'_>| {
        let name = row.get(1)?;
        Ok(if row.get(0)? { Stranger::Trigger(name) } else { Stranger::View(name) })
    };
    Ok(file.query_row(ACTING, [], read).optional()?)
}

/// What one shape has and the other has not.
fn beyond(one: &Shape, other: &Shape) -> Option<Stranger> {
    one.iter().find_map(|(table, columns)| match other.get(table) {
        None => Some(Stranger::Table(table.clone())),
        Some(known) => columns
            .iter()
            .find(|column| !known.contains(column))
            .map(|(column, _)| Stranger::Column { table: table.clone(), column: column.clone() }),
    })
}

/// Hidden columns included. The tables that SQLite keeps for itself are not asked for; nobody else may make one of such a
/// name.
fn shape(file: &Connection) -> Result<Shape, Fault> {
    const COLUMNS: &str = "SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_xinfo(t.name) c \
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid";
    let mut statement = file.prepare(COLUMNS)?;
    let mut rows = statement.query([])?;
    let mut shape = Shape::new();
    while let Some(row) = rows.next()? {
        shape.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
    }
    Ok(shape)
}
