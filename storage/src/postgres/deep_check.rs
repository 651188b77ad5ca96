//! Checks everything in a database on a server, as of one moment: every log from its first event, every file.

use deadpool_postgres::Transaction;
use enza_runtime::seams::store::Failure;
use tokio_postgres::types::ToSql;
use tokio_postgres::{IsolationLevel, Row};

use super::catalog::link_at;
use super::connection::{config, pool};
use super::migrate::version;
use crate::backup::CHUNK;
use crate::checksum::read;
use crate::columns::Columns;
use crate::deep_check::{Compare, DeepCheck, Defect, OF_SESSIONS, PARTS, SESSION, Walk};
use crate::fault::Fault;
use crate::migrations::{POSTGRES, newest, pending};
use crate::open::Durability;

/// Rows that are read at once.
const PAGE: i64 = 500;

/// Checks everything; `None` where there are no tables of ours, or older ones.
pub(crate) async fn inspect_deep(
    url: &str,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<Option<DeepCheck>, Failure> {
    Ok(look(url, progress).await?)
}

async fn look(url: &str, progress: &(dyn Fn(u64, u64) + Send + Sync)) -> Result<Option<DeepCheck>, Fault> {
    let pool = pool(config(url, Durability::Full)?)?;
    let mut connection = pool.get().await?;
    let moment =
        connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start().await?;
    let Some(version) = version(&moment).await? else { return Ok(None) };
    pending(POSTGRES, version)?;
    if version < newest(POSTGRES) {
        return Ok(None);
    }
    let mut found = DeepCheck::default();
    follow_all(&moment, progress, &mut found).await?;
    let mut files = Compare::default();
    each(&moment, PARTS, &[], |row| files.take(row, &mut found)).await?;
    files.finish(&mut found);
    for table in OF_SESSIONS {
        let sql = format!(
            "SELECT count(*) FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.key = t.session)"
        );
        let rows = moment.query_one(&sql, &[]).await?.number(0)?.cast_unsigned();
        if rows > 0 {
            found.complain(Defect::Orphans { table, rows });
        }
    }
    Ok(Some(found))
}

async fn follow_all(
    moment: &Transaction<'_>,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
    found: &mut DeepCheck,
) -> Result<(), Fault> {
    const EVENTS: &str = "SELECT seq, at, kind, version, body, link FROM events WHERE session = $1 ORDER BY seq";
    const SNAPSHOT: &str = "SELECT seq, version, body, checksum FROM snapshots WHERE session = $1";
    let total = moment.query_one("SELECT count(*) FROM sessions", &[]).await?.number(0)?.cast_unsigned();
    let page = format!("SELECT {SESSION} FROM sessions WHERE key > $1 ORDER BY key LIMIT $2");
    let mut last = 0;
    loop {
        let sessions = moment.query(&page, &[&last, &PAGE]).await?;
        for row in &sessions {
            let mut walk = Walk::begin(row)?;
            last = walk.key;
            if let Some((parent, seq)) = walk.parent() {
                // A link that is none is complained of where its own event is read.
                walk.goes_on_from(read(link_at(moment, parent, seq).await?).unwrap_or_default());
            }
            each(moment, EVENTS, &[&last], |row| walk.take(row, found)).await?;
            for row in moment.query(SNAPSHOT, &[&walk.key]).await? {
                walk.take_snapshot(&row, found)?;
            }
            walk.end(found);
            progress(found.sessions, total);
        }
        if sessions.is_empty() {
            return Ok(());
        }
    }
}

/// Reads an answer a page at a time.
pub(super) async fn each(
    moment: &Transaction<'_>,
    sql: &str,
    with: &[&(dyn ToSql + Sync)],
    mut take: impl FnMut(&Row) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let statement = moment.prepare_cached(sql).await?;
    let portal = moment.bind(&statement, with).await?;
    loop {
        let rows = moment.query_portal(&portal, CHUNK as i32).await?;
        if rows.is_empty() {
            return Ok(());
        }
        rows.iter().try_for_each(&mut take)?;
    }
}
