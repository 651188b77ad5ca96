//! Reads of a session and its log. A load is one transaction that sees the database as of one moment.

use deadpool_postgres::{GenericClient, Pool, Transaction};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Recorded, SessionId, SessionRow, Snapshot, SnapshotUse, StoredSession};
use tokio_postgres::IsolationLevel;

use super::connection::first;
use crate::ancestry::{Ancestor, reaches, stretches};
use crate::columns::{Columns, SESSION, at_most, seq, session_key, session_row, snapshot, wake, whole};
use crate::fault::Fault;
use crate::read_log::LogReader;

/// One session's row.
pub(super) async fn find(pool: &Pool, session: &SessionId) -> Result<Option<SessionRow>, Fault> {
    first(pool, &by_id(), &[&session.as_str()]).await?.map(|row| session_row(&row)).transpose()
}

/// A session with everything needed to go on with it.
pub(super) async fn load(
    pool: &Pool,
    session: &SessionId,
    snapshots: SnapshotUse,
) -> Result<Option<StoredSession>, Fault> {
    let mut connection = pool.get().await?;
    let moment =
        connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start().await?;
    let Some((key, row)) = find_in(&moment, session).await? else { return Ok(None) };
    let line = line(&moment, key, &row).await?;
    let snapshot = match snapshots {
        SnapshotUse::Never => None,
        SnapshotUse::Version(version) => newest_snapshot(&moment, &line, row.head, version).await?,
    };
    let after = snapshot.as_ref().map_or(Seq::START, |one| one.seq);
    let events = read_line(&moment, &line, LogReader::new(session, after, usize::MAX, 0), row.head).await?;
    let statement = moment.prepare_cached("SELECT name, at FROM timers WHERE session = $1 ORDER BY name").await?;
    let timers = moment.query(&statement, &[&key]).await?.iter().map(wake).collect::<Result<_, _>>()?;
    moment.commit().await?;
    Ok(Some(StoredSession { row, snapshot, events, timers }))
}

/// A page of a session's events.
pub(super) async fn events(pool: &Pool, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Fault> {
    let mut connection = pool.get().await?;
    let moment =
        connection.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start().await?;
    let Some((key, row)) = find_in(&moment, session).await? else { return Ok(Vec::new()) };
    if after >= row.head {
        return Ok(Vec::new());
    }
    let line = line(&moment, key, &row).await?;
    let events = read_line(&moment, &line, LogReader::new(session, after, limit, 0), row.head).await?;
    moment.commit().await?;
    Ok(events)
}

/// Where the command with this idempotency key ended.
pub(super) async fn accepted(pool: &Pool, session: &SessionId, key: &str) -> Result<Option<Seq>, Fault> {
    const ACCEPTED: &str =
        "SELECT a.seq FROM accepted a JOIN sessions s ON s.key = a.session WHERE s.id = $1 AND a.key = $2";
    first(pool, ACCEPTED, &[&session.as_str(), &key]).await?.map(|row| seq(&row, 0)).transpose()
}

fn by_id() -> String {
    format!("SELECT {SESSION} FROM sessions s LEFT JOIN sessions p ON p.key = s.parent WHERE s.id = $1")
}

async fn find_in(moment: &Transaction<'_>, session: &SessionId) -> Result<Option<(i64, SessionRow)>, Fault> {
    let statement = moment.prepare_cached(&by_id()).await?;
    let row = moment.query_opt(&statement, &[&session.as_str()]).await?;
    row.map(|row| Ok((session_key(&row)?, session_row(&row)?))).transpose()
}

async fn line(moment: &Transaction<'_>, key: i64, row: &SessionRow) -> Result<Vec<Ancestor<i64>>, Fault> {
    if row.parent.is_none() {
        return Ok(vec![Ancestor { key, forked_at: Seq::START }]);
    }
    const LINE: &str = "WITH RECURSIVE line (key, parent, forked_at, depth) AS ( \
         SELECT key, parent, parent_at, 0 FROM sessions WHERE key = $1 UNION ALL \
         SELECT s.key, s.parent, s.parent_at, depth + 1 FROM sessions s JOIN line ON s.key = line.parent) \
         SELECT key, coalesce(forked_at, 0) FROM line ORDER BY depth";
    let statement = moment.prepare_cached(LINE).await?;
    let rows = moment.query(&statement, &[&key]).await?;
    rows.iter().map(|row| Ok(Ancestor { key: row.number(0)?, forked_at: seq(row, 1)? })).collect()
}

async fn newest_snapshot(
    moment: &Transaction<'_>,
    line: &[Ancestor<i64>],
    head: Seq,
    version: u16,
) -> Result<Option<Snapshot>, Fault> {
    const NEWEST: &str =
        "SELECT seq, version, body, checksum FROM snapshots WHERE session = $1 AND version = $2 AND seq <= $3";
    let statement = moment.prepare_cached(NEWEST).await?;
    for (key, upto) in reaches(line, head) {
        let row = moment.query_opt(&statement, &[&key, &i32::from(version), &whole(upto.0)]).await?;
        let found = row.as_ref().map(snapshot).transpose()?.flatten();
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

async fn read_line(
    moment: &Transaction<'_>,
    line: &[Ancestor<i64>],
    mut log: LogReader<'_>,
    head: Seq,
) -> Result<Vec<Recorded>, Fault> {
    const STRETCH: &str = "SELECT seq, at, kind, version, CASE WHEN seq = $5 THEN '' ELSE body END, link FROM events \
         WHERE session = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4";
    let statement = moment.prepare_cached(STRETCH).await?;
    for stretch in stretches(line, log.begins_after(), head) {
        let (room, known) = (at_most(log.room()), whole(log.after().0));
        let (after, upto) = (whole(stretch.after.0), whole(stretch.upto.0));
        for row in &moment.query(&statement, &[&stretch.key, &after, &upto, &room, &known]).await? {
            log.take(row)?;
        }
        if log.room() == 0 {
            break;
        }
    }
    log.finish(head)
}
