//! What was done, by whom.
//!
//! Lines are added and read, and never changed or removed. The database numbers them.

use async_trait::async_trait;
use enza_runtime::seams::register::{AuditEntry, AuditLog, NewAuditEntry};
use enza_runtime::seams::store::Failure;
use rusqlite::params;

use crate::columns::register::{NOTED, noted};
use crate::columns::{at_most, whole};
use crate::fault::Fault;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::all;
use crate::sqlite::writer::WriteTransaction;

#[async_trait]
impl AuditLog for Sqlite {
    async fn note(&self, note: &NewAuditEntry) -> Result<(), Failure> {
        let note = note.clone();
        self.writer.write(move |desk| add(desk, &note)).await
    }

    async fn notes(&self, person: Option<&str>, before: Option<u64>, limit: usize) -> Result<Vec<AuditEntry>, Failure> {
        let (person, before) = (person.map(str::to_owned), before.map_or(i64::MAX, whole));
        let whose = if person.is_some() { "by_whom = ?1" } else { "?1 IS NULL" };
        let sql = format!("SELECT {NOTED} FROM journal WHERE {whose} AND line < ?2 ORDER BY line DESC LIMIT ?3");
        self.readers
            .read(move |reader| all(reader, &sql, params![person, before, at_most(limit)], |row| noted(row)))
            .await
    }
}

pub(in crate::sqlite) fn add(desk: &WriteTransaction, note: &NewAuditEntry) -> Result<(), Fault> {
    const ADD: &str = "INSERT INTO journal (at, by_whom, act, on_what, from_where) VALUES (?1, ?2, ?3, ?4, ?5)";
    let with = params![note.at.0, note.by, note.act, note.on, note.from];
    desk.connection.prepare_cached(ADD)?.execute(with)?;
    Ok(())
}
