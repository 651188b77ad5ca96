//! Looks at a database without touching it.

use enza_runtime::seams::store::Failure;

use super::connection::{config, place, pool};
use super::migrate::version;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::migrations::{POSTGRES, newest, pending};
use crate::open::{Checkup, Durability, Integrity};

/// What is in the database, or `None` where there are no tables of ours.
pub(crate) async fn inspect(url: &str) -> Result<Option<Checkup>, Failure> {
    Ok(look(url).await?)
}

async fn look(url: &str) -> Result<Option<Checkup>, Fault> {
    let config = config(url, Durability::Full)?;
    let what = format!("postgres {}", place(&config));
    let pool = pool(config)?;
    let mut connection = pool.get().await?;
    let transaction = connection.build_transaction().read_only(true).start().await?;
    let Some(version) = version(&transaction).await? else { return Ok(None) };
    pending(POSTGRES, version)?;
    const COUNTS: &str = "SELECT pg_database_size(current_database()), \
         (SELECT count(*) FROM sessions), (SELECT count(*) FROM events)";
    let counts = transaction.query_one(COUNTS, &[]).await?;
    let count = |place| counts.number(place).map(i64::cast_unsigned);
    Ok(Some(Checkup {
        what,
        version,
        known: newest(POSTGRES),
        integrity: Integrity::NotChecked,
        bytes: count(0)?,
        sessions: count(1)?,
        events: count(2)?,
    }))
}
