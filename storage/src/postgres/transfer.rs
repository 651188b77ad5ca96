//! Everything in a database on a server, out to a file and in from one.
//!
//! Tables and columns have the same names in both dialects; what the file has and the server has not, or the other way
//! round, has a default and is left out. All is read as of one moment, and written in one transaction.

use std::path::Path;

use deadpool_postgres::Transaction;
use enza_runtime::seams::store::Failure;
use rusqlite::Connection;
use rusqlite::types::Value;
use tokio::sync::mpsc;
use tokio_postgres::types::ToSql;
use tokio_postgres::{IsolationLevel, Row};

use super::connection::{config, pool};
use super::migrate::{make, version};
use crate::backup::{BackupFailure, CHUNK, Column, Kind, Table, tables};
use crate::columns::Columns;
use crate::fault::{Fault, unexpected};
use crate::migrations::{POSTGRES, newest, pending};
use crate::open::{Durability, run_blocking};
use crate::sqlite::{make_empty, open_whole};

/// A column's name and type, as the server has them.
type Types = Vec<(String, String)>;

/// Writes every row to a new file; says no where there are no tables of ours.
pub(crate) async fn export(url: &str, to: &Path) -> Result<bool, Failure> {
    Ok(write_out(url, to).await?)
}

async fn write_out(url: &str, to: &Path) -> Result<bool, Fault> {
    let pool = pool(config(url, Durability::Full)?)?;
    let mut connection = pool.get().await?;
    let moment =
        connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start().await?;
    let Some(found) = version(&moment).await? else { return Ok(false) };
    pending(POSTGRES, found)?;
    if found < newest(POSTGRES) {
        return Err(Failure::Other(
            "the tables are of an older version; start enza once to bring them up to date".to_owned(),
        )
        .into());
    }
    let file = make_empty(to)?;
    for table in tables(&file)? {
        let types = types(&moment, &table.name).await?;
        let table = shared(table, &types);
        let list: Vec<_> = table.columns.iter().map(|column| read_as(column, &types)).collect();
        let sql = format!("SELECT {} FROM \"{}\"", list.join(", "), table.name);
        let statement = moment.prepare(&sql).await?;
        let portal = moment.bind(&statement, &[]).await?;
        loop {
            let rows = moment.query_portal(&portal, CHUNK as i32).await?;
            if rows.is_empty() {
                break;
            }
            let rows = rows.iter().map(|row| values(row, &table.columns)).collect::<Result<_, _>>()?;
            table.write(&file, rows)?;
        }
        if let Some(column) = counted(&moment, &table.name).await? {
            let last = last_given(&moment, &table.name, &column).await?;
            file.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [&table.name])?;
            file.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (&table.name, last))?;
        }
    }
    file.execute_batch("COMMIT")?;
    Ok(true)
}

/// Puts every row of a file in, in place of what is there. The file's names go into statements: it has been compared with
/// our own tables (`sqlite::stranger`).
pub(crate) async fn import(url: &str, from: &Path, replace: bool) -> Result<(), BackupFailure> {
    let failed = |fault: Fault| BackupFailure::Failed(fault.0);
    let pool = pool(config(url, Durability::Full)?)?;
    let mut connection = pool.get().await.map_err(|why| failed(why.into()))?;
    let transaction = connection.transaction().await.map_err(|why| failed(why.into()))?;
    if version(&transaction).await.map_err(failed)?.is_some() {
        if !replace {
            return Err(BackupFailure::Taken);
        }
        if others(&transaction).await.map_err(failed)? > 0 {
            return Err(BackupFailure::InUse);
        }
    }
    read_in(&transaction, from).await.map_err(failed)?;
    transaction.commit().await.map_err(|why| failed(why.into()))
}

/// Other connections of ours to this database.
async fn others(transaction: &Transaction<'_>) -> Result<i64, Fault> {
    const OTHERS: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
         AND application_name = 'enza' AND pid <> pg_backend_pid()";
    transaction.query_one(OTHERS, &[]).await?.number(0)
}

async fn read_in(transaction: &Transaction<'_>, from: &Path) -> Result<(), Fault> {
    let path = from.to_owned();
    let (all, counts) = run_blocking(move || {
        let look = || -> Result<_, Fault> {
            let file = open_whole(&path)?;
            let mut counts = file.prepare("SELECT name, seq FROM sqlite_sequence")?;
            let counts = counts.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
            let counts: Vec<(String, i64)> = counts.collect::<Result<_, _>>()?;
            Ok((tables(&file)?, counts))
        };
        Ok(look()?)
    })
    .await?;
    let names: Vec<_> = all.iter().map(|table| format!("\"{}\"", table.name)).collect();
    transaction.batch_execute(&format!("DROP TABLE IF EXISTS {}, enza_schema CASCADE", names.join(", "))).await?;
    make(transaction).await?;
    transaction.batch_execute("DELETE FROM identity").await?;
    let (send, mut chunks) = mpsc::channel(2);
    let path = from.to_owned();
    let to_read = all.clone();
    let reading = tokio::task::spawn_blocking(move || read_chunks(&path, &to_read, &send));
    while let Some((place, rows)) = chunks.recv().await {
        put(transaction, &all[place], rows).await?;
    }
    reading.await.map_err(|why| unexpected(format!("reading stopped: {why}")))??;
    for (table, last) in counts {
        if let Some(column) = counted(transaction, &table).await? {
            const SET: &str = "SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1))";
            transaction.execute(SET, &[&table, &column, &last]).await?;
        }
    }
    Ok(())
}

type Chunk = (usize, Vec<Vec<Value>>);

fn read_chunks(path: &Path, all: &[Table], send: &mpsc::Sender<Chunk>) -> Result<(), Fault> {
    let file: Connection = open_whole(path)?;
    for (place, table) in all.iter().enumerate() {
        table.read(&file, |rows| {
            send.blocking_send((place, rows)).map_err(|_| unexpected("nobody takes what is read"))
        })?;
    }
    Ok(())
}

async fn put(transaction: &Transaction<'_>, table: &Table, rows: Vec<Vec<Value>>) -> Result<(), Fault> {
    let types = types(transaction, &table.name).await?;
    let kept = shared(table.clone(), &types);
    let (mut arrays, mut names, mut lists, mut chosen) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (place, column) in table.columns.iter().enumerate() {
        if !kept.columns.iter().any(|one| one.name == column.name) {
            continue;
        }
        let number = arrays.len() + 1;
        arrays.push(array(column.kind, rows.iter().map(|row| &row[place])));
        names.push(format!("\"{}\"", column.name));
        lists.push(format!("${number}::{}[]", kind_of(column.kind)));
        chosen.push(write_as(number, column, &types));
    }
    let places: Vec<_> = (1..=arrays.len()).map(|number| format!("c{number}")).collect();
    let sql = format!(
        "INSERT INTO \"{}\" ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM unnest({}) WITH ORDINALITY AS r ({}, n) ORDER BY n",
        table.name,
        names.join(", "),
        chosen.join(", "),
        lists.join(", "),
        places.join(", ")
    );
    let with: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| &**array as &(dyn ToSql + Sync)).collect();
    transaction.execute(&sql, &with).await?;
    Ok(())
}

fn array<'a>(kind: Kind, cells: impl Iterator<Item = &'a Value>) -> Box<dyn ToSql + Sync + Send> {
    match kind {
        Kind::Number => Box::new(
            cells.map(|cell| if let Value::Integer(number) = cell { Some(*number) } else { None }).collect::<Vec<_>>(),
        ),
        Kind::Text => Box::new(
            cells.map(|cell| if let Value::Text(text) = cell { Some(text.clone()) } else { None }).collect::<Vec<_>>(),
        ),
        Kind::Bytes => Box::new(
            cells
                .map(|cell| if let Value::Blob(bytes) = cell { Some(bytes.clone()) } else { None })
                .collect::<Vec<_>>(),
        ),
    }
}

fn kind_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "bigint",
        Kind::Text => "text",
        Kind::Bytes => "bytea",
    }
}

fn type_of<'a>(column: &Column, types: &'a Types) -> &'a str {
    types.iter().find(|(name, _)| *name == column.name).map_or("", |(_, kind)| kind)
}

/// How a column is asked for, so that it fits the file's kinds.
fn read_as(column: &Column, types: &Types) -> String {
    let name = format!("\"{}\"", column.name);
    match type_of(column, types) {
        "boolean" => format!("{name}::int::bigint"),
        "json" => format!("{name}::text"),
        _ => name,
    }
}

/// How a column is given back its own type.
fn write_as(place: usize, column: &Column, types: &Types) -> String {
    match type_of(column, types) {
        "boolean" => format!("c{place} <> 0"),
        "integer" => format!("c{place}::integer"),
        "json" => format!("c{place}::json"),
        _ => format!("c{place}"),
    }
}

fn shared(table: Table, types: &Types) -> Table {
    let names: Vec<_> = types.iter().map(|(name, _)| name.clone()).collect();
    table.with_only(&names)
}

fn values(row: &Row, columns: &[Column]) -> Result<Vec<Value>, Fault> {
    let value = |(place, column): (usize, &Column)| {
        Ok(match column.kind {
            Kind::Number => row.maybe_number(place)?.map_or(Value::Null, Value::Integer),
            Kind::Text => row.maybe_text(place)?.map_or(Value::Null, Value::Text),
            Kind::Bytes => row.maybe_bytes(place)?.map_or(Value::Null, Value::Blob),
        })
    };
    columns.iter().enumerate().map(value).collect()
}

async fn types(moment: &Transaction<'_>, table: &str) -> Result<Types, Fault> {
    const TYPES: &str = "SELECT column_name::text, data_type::text FROM information_schema.columns \
         WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";
    let statement = moment.prepare_cached(TYPES).await?;
    let rows = moment.query(&statement, &[&table]).await?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}

/// The column whose numbers the server gives, where the table has one.
async fn counted(moment: &Transaction<'_>, table: &str) -> Result<Option<String>, Fault> {
    const COUNTED: &str = "SELECT column_name::text FROM information_schema.columns \
         WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'";
    moment.query_opt(COUNTED, &[&table]).await?.map(|row| row.text(0)).transpose()
}

async fn last_given(moment: &Transaction<'_>, table: &str, column: &str) -> Result<i64, Fault> {
    const LAST: &str = "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0)";
    moment.query_one(LAST, &[&table, &column]).await?.number(0)
}
