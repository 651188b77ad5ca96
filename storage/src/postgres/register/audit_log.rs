//! What was done, by whom.
//!
//! Lines are added and read, and never changed or removed. The database numbers them.

use async_trait::async_trait;
use enza_runtime::seams::register::{AuditEntry, AuditLog, NewAuditEntry};
use enza_runtime::seams::store::Failure;

use crate::columns::register::{NOTED, noted};
use crate::columns::{at_most, whole};
use crate::postgres::Postgres;
use crate::postgres::connection::all;

/// Adds a line.
pub(in crate::postgres) const ADD: &str =
    "INSERT INTO journal (at, by_whom, act, on_what, from_where) VALUES ($1, $2, $3, $4, $5)";

#[async_trait]
impl AuditLog for Postgres {
    async fn note(&self, note: &NewAuditEntry) -> Result<(), Failure> {
        all(&self.pool, ADD, &[&note.at.0, &note.by, &note.act, &note.on, &note.from]).await?;
        Ok(())
    }

    async fn notes(&self, person: Option<&str>, before: Option<u64>, limit: usize) -> Result<Vec<AuditEntry>, Failure> {
        let whose = if person.is_some() { "by_whom = $1" } else { "$1::text IS NULL" };
        let sql = format!("SELECT {NOTED} FROM journal WHERE {whose} AND line < $2 ORDER BY line DESC LIMIT $3");
        let rows = all(&self.pool, &sql, &[&person, &before.map_or(i64::MAX, whole), &at_most(limit)]).await?;
        Ok(rows.iter().map(noted).collect::<Result<_, _>>()?)
    }
}
