//! Shows tables of the domain on a server: makes views and indexes, removes those that are no longer declared, reads rows.
//!
//! The server keeps statements in a form of its own, so what we made bears a comment with our mark and the digest of the
//! statement; one of another digest is made anew. Nothing else is touched. An advisory lock lets one worker do it while
//! others wait and then find it done.

use deadpool_postgres::{GenericClient, Pool, Transaction};
use enza_kernel::conversation::Digest;
use enza_kernel::table::Cell;
use enza_runtime::seams::store::TableRow;
use tokio_postgres::types::ToSql;

use super::connection::all;
use super::migrate::LOCK;
use crate::columns::{Columns, table_row};
use crate::fault::{Fault, unexpected};
use crate::shown_tables::{MARK, ObjectKind, ShownObject, TableReading};

/// Something in the database that is ours or stands where something of ours should.
struct FoundObject {
    name: String,
    /// Our comment, if it is ours.
    ours: Option<(ObjectKind, String)>,
}

fn comment(one: &ShownObject) -> String {
    format!("{MARK} {}", Digest::of(one.sql.as_bytes()))
}

async fn found(client: &impl GenericClient, wanted: &[ShownObject]) -> Result<Vec<FoundObject>, Fault> {
    const FOUND: &str = "SELECT c.relname::text, c.relkind::text, d.description \
         FROM pg_class c LEFT JOIN pg_description d \
         ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0 \
         WHERE c.relnamespace = current_schema()::regnamespace \
         AND (c.relname::text = ANY ($1) OR starts_with(d.description, $2)) ORDER BY c.relkind DESC, c.relname";
    let names: Vec<_> = wanted.iter().map(|one| one.name.as_str()).collect();
    let rows = client.query(FOUND, &[&names, &MARK]).await?;
    let read = |row: &tokio_postgres::Row| {
        let kind = match row.text(1)?.as_str() {
            "v" => Some(ObjectKind::View),
            "i" => Some(ObjectKind::Index),
            _ => None,
        };
        let comment = row.maybe_text(2)?.filter(|comment| comment.starts_with(MARK));
        Ok(FoundObject { name: row.text(0)?, ours: kind.zip(comment) })
    };
    rows.iter().map(read).collect()
}

/// What is to be removed, and what is to be made.
struct Changes<'a> {
    to_drop: Vec<String>,
    to_make: Vec<&'a ShownObject>,
}

fn changes<'a>(found: &[FoundObject], wanted: &'a [ShownObject]) -> Changes<'a> {
    let is_wanted = |name: &str, ours: &(ObjectKind, String)| {
        wanted.iter().any(|one| one.name == name && one.kind == ours.0 && comment(one) == ours.1)
    };
    let stays = |one: &&FoundObject| one.ours.as_ref().is_none_or(|ours| is_wanted(&one.name, ours));
    let gone = |one: &FoundObject| one.ours.as_ref().map(|(kind, _)| kind.drop(&one.name));
    Changes {
        to_drop: found.iter().filter(|one| !stays(one)).filter_map(gone).collect(),
        to_make: wanted.iter().filter(|one| !found.iter().filter(stays).any(|other| other.name == one.name)).collect(),
    }
}

/// Makes what is missing and removes what is no longer wanted.
pub(super) async fn show(pool: &Pool, wanted: &[ShownObject]) -> Result<(), Fault> {
    let mut connection = pool.get().await?;
    // Where nothing is to be done nothing is locked.
    let now = found(&connection, wanted).await?;
    let Changes { to_drop, to_make } = changes(&now, wanted);
    for one in wanted.iter().filter(|one| now.iter().any(|other| other.name == one.name && other.ours.is_none())) {
        tracing::warn!(name = one.name, "a name of the database is taken; what it should show is not shown");
    }
    if to_drop.is_empty() && to_make.is_empty() {
        return Ok(());
    }
    let transaction = connection.transaction().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    change(&transaction, wanted).await?;
    Ok(transaction.commit().await?)
}

async fn change(transaction: &Transaction<'_>, wanted: &[ShownObject]) -> Result<(), Fault> {
    let found = found(transaction, wanted).await?;
    let Changes { to_drop, to_make } = changes(&found, wanted);
    for statement in to_drop {
        transaction.batch_execute(&statement).await?;
    }
    for one in to_make {
        let (kind, name, comment) = (one.kind.word(), &one.name, comment(one));
        transaction.batch_execute(&one.sql).await?;
        transaction.batch_execute(&format!("COMMENT ON {kind} \"{name}\" IS '{comment}'")).await?;
    }
    Ok(())
}

/// Removes everything of ours: a migration may change what it is made from. Something that somebody else has built upon it
/// stays, with what it is built upon, and is the migration's to meet.
pub(super) async fn hide_all(transaction: &mut Transaction<'_>) -> Result<(), Fault> {
    let point = transaction.savepoint("shown").await?;
    match change(&point, &[]).await {
        Ok(()) => Ok(point.commit().await?),
        Err(Fault(why)) => {
            tracing::warn!(%why, "views of tables stay as they are while the database is brought up to date");
            Ok(point.rollback().await?)
        }
    }
}

/// Rows of a table that is shown.
pub(super) async fn rows(pool: &Pool, reading: &TableReading) -> Result<Vec<TableRow>, Fault> {
    let value = |cell: &Cell| -> Result<Box<dyn ToSql + Sync + Send>, Fault> {
        match cell {
            Cell::Null => Err(unexpected("nothing is never bound")),
            Cell::Integer(number) => Ok(Box::new(*number)),
            Cell::Real(number) => Ok(Box::new(*number)),
            Cell::Text(text) => Ok(Box::new(text.clone())),
        }
    };
    let values = reading.bound.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    let with: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    all(pool, &reading.sql, &with).await?.iter().map(table_row).collect()
}
