//! Brings the tables up to date when a worker starts.
//!
//! Several workers may start together: an advisory lock lets one of them do it while the others wait and then find it
//! done. All of it is one transaction.

use deadpool_postgres::{GenericClient, Pool, Transaction};
use enza_runtime::seams::store::Failure;

use super::shown_tables::hide_all;
use crate::fault::Fault;
use crate::migrations::{POSTGRES, newest, pending};

/// "Enza"; whoever changes the tables, or what shows them, holds it.
pub(super) const LOCK: i64 = 0x456e_7a61;

const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS enza_schema \
     (one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), version BIGINT NOT NULL)";

/// Makes or migrates the tables; where they must be there, they are not made.
pub(super) async fn migrate(pool: &Pool, must_be_there: bool) -> Result<(), Failure> {
    Ok(run(pool, must_be_there).await?)
}

async fn run(pool: &Pool, must_be_there: bool) -> Result<(), Fault> {
    let mut connection = pool.get().await?;
    let mut transaction = connection.transaction().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    let version = version(&transaction).await?;
    if version.is_none() && must_be_there {
        return Err(Failure::Missing("the tables are gone".to_owned()).into());
    }
    let steps = pending(POSTGRES, version.unwrap_or(0))?;
    if steps.is_empty() {
        return Ok(());
    }
    hide_all(&mut transaction).await?;
    take(&transaction, steps).await?;
    Ok(transaction.commit().await?)
}

/// Makes all tables, where there are none.
pub(super) async fn make(transaction: &Transaction<'_>) -> Result<(), Fault> {
    take(transaction, POSTGRES).await
}

async fn take(transaction: &Transaction<'_>, steps: &[&str]) -> Result<(), Fault> {
    transaction.batch_execute(VERSION_TABLE).await?;
    for step in steps {
        transaction.batch_execute(step).await?;
    }
    const SET: &str = "INSERT INTO enza_schema (version) VALUES ($1) \
         ON CONFLICT (one) DO UPDATE SET version = excluded.version";
    transaction.execute(SET, &[&newest(POSTGRES)]).await?;
    Ok(())
}

/// The schema version, or `None` where there are no tables of ours. Reads only.
pub(super) async fn version(client: &impl GenericClient) -> Result<Option<i64>, Fault> {
    let there: bool = client.query_one("SELECT to_regclass('enza_schema') IS NOT NULL", &[]).await?.try_get(0)?;
    if !there {
        return Ok(None);
    }
    let row = client.query_opt("SELECT version FROM enza_schema", &[]).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
