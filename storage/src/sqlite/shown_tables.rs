//! Shows tables of the domain in a file: makes views and indexes, removes those that are no longer declared, reads rows.
//!
//! What we made is told by the mark in its statement, which SQLite keeps to the letter; one whose statement is no longer
//! what we would write is made anew. Nothing else is touched.

use std::path::Path;

use enza_runtime::seams::store::{Failure, TableRow};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::connection::at;
use super::database_file::open_whole;
use super::reader::all;
use crate::columns::{Columns, table_row};
use crate::fault::Fault;
use crate::shown_tables::{MARK, ObjectKind, ShownObject, TableReading};
use enza_kernel::table::Cell;

/// What stands in a file and is ours.
fn shown(reader: &Connection) -> Result<Vec<ShownObject>, Fault> {
    const SHOWN: &str = "SELECT type = 'view', name, sql FROM sqlite_schema \
         WHERE type IN ('view', 'index') AND instr(sql, '\" /* ' || ?1 || ' */') > 0 ORDER BY type DESC, name";
    all(reader, SHOWN, [MARK], |row| {
        let kind = if row.flag(0)? { ObjectKind::View } else { ObjectKind::Index };
        Ok(ShownObject { kind, name: row.text(1)?, sql: row.text(2)? })
    })
}

/// Whether all is as it should be, or as far as anyone else's names leave room for it.
pub(super) fn is_shown(reader: &Connection, wanted: &[ShownObject]) -> Result<bool, Fault> {
    let found = shown(reader)?;
    let is_there = |one: &ShownObject| Ok::<_, Fault>(found.contains(one) || is_taken(reader, &found, one)?);
    for one in wanted {
        if !is_there(one)? {
            return Ok(false);
        }
    }
    Ok(found.iter().all(|one| wanted.contains(one)))
}

/// Whether somebody else has something of this name.
fn is_taken(reader: &Connection, ours: &[ShownObject], one: &ShownObject) -> Result<bool, Fault> {
    const NAMED: &str = "SELECT count(*) FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE";
    let named: i64 = reader.prepare_cached(NAMED)?.query_row([&one.name], |row| row.get(0))?;
    Ok(named > 0 && !ours.iter().any(|other| other.name == one.name))
}

/// Makes what is missing and removes what is no longer wanted, in the transaction that is open.
pub(super) fn show(connection: &Connection, wanted: &[ShownObject]) -> Result<(), Fault> {
    let mut found = shown(connection)?;
    for one in found.extract_if(.., |one| !wanted.contains(one)) {
        connection.execute_batch(&one.kind.drop(&one.name))?;
    }
    for one in wanted.iter().filter(|one| !found.contains(one)) {
        if is_taken(connection, &found, one)? {
            tracing::warn!(name = one.name, "a name of the database is taken; what it should show is not shown");
        } else {
            connection.execute_batch(&one.sql)?;
        }
    }
    Ok(())
}

/// Removes everything of ours: a migration may change what it is made from.
pub(super) fn hide_all(connection: &Connection) -> Result<(), Fault> {
    show(connection, &[])
}

/// Removes our views from a file that nobody else has open, and that may be anyone's: a backup has none. A view does
/// nothing until somebody reads it, and so nothing of the file runs.
pub(crate) fn take_off_views(path: &Path) -> Result<(), Failure> {
    let taken_off = || -> Result<(), Fault> {
        let mut views = shown(&open_whole(path)?)?;
        views.retain(|one| one.kind == ObjectKind::View);
        if views.is_empty() {
            return Ok(());
        }
        let mut file = Connection::open(path)?;
        let transaction = file.transaction()?;
        for one in views {
            transaction.execute_batch(&one.kind.drop(&one.name))?;
        }
        Ok(transaction.commit()?)
    };
    taken_off().map_err(|fault| at(path, fault.0))
}

/// Rows of a table that is shown.
pub(super) fn rows(reader: &Connection, reading: &TableReading) -> Result<Vec<TableRow>, Fault> {
    let value = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::Integer(*number),
        Cell::Real(number) => Value::Real(*number),
        Cell::Text(text) => Value::Text(text.clone()),
    };
    all(reader, &reading.sql, params_from_iter(reading.bound.iter().map(value)), |row| table_row(row))
}
