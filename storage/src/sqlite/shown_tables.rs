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

#[cfg(test)]
mod tests {
    use enza_kernel::table::{Column, DomainTable, Index, Source};
    use enza_runtime::seams::store::{Rows, SessionId, Sort, TableQuery};

    use super::*;
    use crate::migrations::SQLITE;
    use crate::shown_tables::{Dialect, shown_objects, table_reading};

    const NOTES: DomainTable = DomainTable {
        name: "notes",
        of: "notes",
        columns: &[Column::text("till").from(Source::Session), Column::text("by"), Column::integer("turn")],
        indexes: &[Index::over("idx_notes_by_turn", &["by", "turn"]), Index::over("idx_notes_till", &["till", "turn"])],
    };

    fn plan(query: &TableQuery<'_>) -> Vec<String> {
        let connection = Connection::open_in_memory().unwrap();
        SQLITE.iter().for_each(|step| connection.execute_batch(step).unwrap());
        show(&connection, &shown_objects(Dialect::Sqlite, &[NOTES]).unwrap()).unwrap();
        let TableReading { sql, bound } = table_reading(Dialect::Sqlite, query).unwrap();
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        assert_eq!(statement.parameter_count(), bound.len());
        let unbound = params_from_iter(vec![None::<i64>; bound.len()]);
        let steps = statement.query_map(unbound, |row| row.get(3)).unwrap();
        steps.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_question_by_indexed_columns_reads_only_what_it_is_about() {
        let session = SessionId::of("s");
        let by = ("by", Cell::Text("ada".to_owned()));
        let turn = ("turn", Cell::Integer(1));
        let all = TableQuery::new(&NOTES);
        let indexed = "SEARCH r USING INDEX idx_notes_by_turn (<expr>=?";
        let by_turn = TableQuery { equals: vec![by.clone(), turn.clone()], ..all.clone() };
        assert_eq!(plan(&by_turn)[0], format!("{indexed} AND <expr>=?)"));
        let since = TableQuery { equals: vec![by.clone()], at_least: vec![turn.clone()], ..all.clone() };
        assert_eq!(plan(&since)[0], format!("{indexed} AND <expr>>?)"));
        let from_on = TableQuery { at_least: vec![by], ..all.clone() };
        assert_eq!(plan(&from_on)[0], "SEARCH r USING INDEX idx_notes_by_turn (<expr>>?)");
        assert_eq!(plan(&all)[0], "SEARCH r USING INDEX rows_by_table (table=?)");
        let in_family = TableQuery { of: Rows::Family(&session), ..by_turn.clone() };
        assert_eq!(plan(&in_family)[0], format!("{indexed} AND <expr>=?)"));
        let till = TableQuery { equals: vec![("till", Cell::Text("s".to_owned())), turn], ..all };
        assert_eq!(plan(&till)[1], "SEARCH r USING INDEX idx_notes_till (session=? AND <expr>=? AND table=?)");
    }

    #[test]
    fn a_page_in_the_order_of_an_index_is_sorted_by_no_more_than_the_session_and_the_key() {
        for sort in [Sort::Ascending, Sort::Descending] {
            let equals = vec![("by", Cell::Text("ada".to_owned()))];
            let plan = plan(&TableQuery { equals, order: vec![("turn", sort)], limit: 10, ..TableQuery::new(&NOTES) });
            assert_eq!(plan[0], "SEARCH r USING INDEX idx_notes_by_turn (<expr>=?)");
            let sorted: Vec<_> = plan.iter().filter(|step| step.contains("ORDER BY")).collect();
            assert_eq!(sorted, ["USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY"], "{plan:?}");
        }
    }
}
