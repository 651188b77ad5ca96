//! Reads: a few connections that only read, on threads that may be blocked; short looks happen where they are asked for.
//!
//! One read is one transaction: what it sees is the database as of one moment, however many statements it takes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Failure, Recorded, SessionId, SessionRow, Snapshot, SnapshotUse, StoredSession};
use rusqlite::{Connection, Params, Row, params};
use tokio::sync::Semaphore;

use super::connection::{at, open_to_read};
use super::open_files::OpenGuard;
use crate::ancestry::{Ancestor, reaches, stretches};
use crate::columns::{SESSION, at_most, seq, session_key, session_row, snapshot, wake, whole};
use crate::fault::Fault;
use crate::open::run_blocking;
use crate::read_log::LogReader;

/// Reads at once, at most. More would only take turns on the processor.
const AT_ONCE: usize = 4;

/// The connections that read.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    turns: Semaphore,
    /// The one that is asked whether anything has changed; its answers compare only with each other.
    lookout: Mutex<Option<Connection>>,
    /// A read may outlive the store that it was asked of.
    _open_here: Arc<OpenGuard>,
}

impl Readers {
    /// Connections to this file, opened as they are needed.
    pub fn new(path: &Path, open_here: Arc<OpenGuard>) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::default(),
            turns: Semaphore::new(AT_ONCE),
            lookout: Mutex::default(),
            _open_here: open_here,
        }
    }

    /// Reads in one transaction.
    pub async fn read<T, F>(self: &Arc<Self>, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        let _turn = self.turns.acquire().await.map_err(|why| Failure::Other(why.to_string()))?;
        let readers = Arc::clone(self);
        run_blocking(move || readers.read_here(work).map_err(|fault| at(&readers.path, fault.0))).await
    }

    /// Reads with one statement that looks at little, here and now: a look into pages that are in memory takes less time
    /// than handing it to another thread. Where all connections are taken it waits its turn like any other.
    pub async fn glance<T, F>(self: &Arc<Self>, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(connection) = idle else { return self.read(work).await };
        let seen = work(&connection).map_err(|fault| at(&self.path, fault.0))?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(seen)
    }

    /// A number that every commit changes, whoever makes it.
    pub fn edition(&self) -> Result<u64, Failure> {
        let mut lookout = self.lookout.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = self.look_out(lookout.take()).map_err(|fault| at(&self.path, fault.0))?;
        let (connection, edition) = seen;
        *lookout = Some(connection);
        Ok(edition)
    }

    fn look_out(&self, connection: Option<Connection>) -> Result<(Connection, u64), Fault> {
        let connection = connection.map_or_else(|| open_to_read(&self.path), Ok)?;
        let version: i64 = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        Ok((connection, version.unsigned_abs()))
    }

    /// Reads in one transaction, on this thread.
    pub fn read_here<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = idle.map_or_else(|| open_to_read(&self.path), Ok)?;
        let transaction = connection.transaction()?;
        let read = work(&transaction)?;
        transaction.finish()?;
        // One that failed is closed instead: it may be in any state.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(read)
    }
}

/// A session's key and row.
pub(super) fn find(reader: &Connection, session: &SessionId) -> Result<Option<(i64, SessionRow)>, Fault> {
    let sql = format!("SELECT {SESSION} FROM sessions s LEFT JOIN sessions p ON p.key = s.parent WHERE s.id = ?1");
    first(reader, &sql, [session.as_str()], |row| Ok((session_key(row)?, session_row(row)?)))
}

/// A session with everything needed to go on with it.
pub(super) fn load(
    reader: &Connection,
    session: &SessionId,
    use_of: SnapshotUse,
) -> Result<Option<StoredSession>, Fault> {
    let Some((key, row)) = find(reader, session)? else { return Ok(None) };
    let line = line(reader, key, &row)?;
    let snapshot = match use_of {
        SnapshotUse::Never => None,
        SnapshotUse::Version(version) => newest_snapshot(reader, &line, row.head, version)?,
    };
    let after = snapshot.as_ref().map_or(Seq::START, |one| one.seq);
    let events = read_line(reader, &line, LogReader::new(session, after, usize::MAX, due(after, row.head)), row.head)?;
    let timers = all(reader, "SELECT name, at FROM timers WHERE session = ?1 ORDER BY name", [key], |row| wake(row))?;
    Ok(Some(StoredSession { row, snapshot, events, timers }))
}

/// A page of a session's events.
pub(super) fn events(
    reader: &Connection,
    session: &SessionId,
    after: Seq,
    limit: usize,
) -> Result<Vec<Recorded>, Fault> {
    let Some((key, row)) = find(reader, session)? else { return Ok(Vec::new()) };
    if after >= row.head {
        return Ok(Vec::new());
    }
    let log = LogReader::new(session, after, limit, due(after, row.head));
    read_line(reader, &line(reader, key, &row)?, log, row.head)
}

/// Where the command with this idempotency key ended.
pub(super) fn accepted(reader: &Connection, session: &SessionId, key: &str) -> Result<Option<Seq>, Fault> {
    const ACCEPTED: &str =
        "SELECT a.seq FROM accepted a JOIN sessions s ON s.key = a.session WHERE s.id = ?1 AND a.key = ?2";
    first(reader, ACCEPTED, params![session.as_str(), key], |row| seq(row, 0))
}

fn line(reader: &Connection, key: i64, row: &SessionRow) -> Result<Vec<Ancestor<i64>>, Fault> {
    if row.parent.is_none() {
        return Ok(vec![Ancestor { key, forked_at: Seq::START }]);
    }
    const LINE: &str = "WITH RECURSIVE line (key, parent, forked_at, depth) AS ( \
         SELECT key, parent, parent_at, 0 FROM sessions WHERE key = ?1 UNION ALL \
         SELECT s.key, s.parent, s.parent_at, depth + 1 FROM sessions s JOIN line ON s.key = line.parent) \
         SELECT key, coalesce(forked_at, 0) FROM line ORDER BY depth";
    all(reader, LINE, [key], |row| Ok(Ancestor { key: row.get(0)?, forked_at: seq(row, 1)? }))
}

fn newest_snapshot(
    reader: &Connection,
    line: &[Ancestor<i64>],
    head: Seq,
    version: u16,
) -> Result<Option<Snapshot>, Fault> {
    const NEWEST: &str =
        "SELECT seq, version, body, checksum FROM snapshots WHERE session = ?1 AND version = ?2 AND seq <= ?3";
    for (key, upto) in reaches(line, head) {
        let found = first(reader, NEWEST, params![key, version, whole(upto.0)], |row| snapshot(row))?.flatten();
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn read_line(
    reader: &Connection,
    line: &[Ancestor<i64>],
    mut log: LogReader<'_>,
    head: Seq,
) -> Result<Vec<Recorded>, Fault> {
    const STRETCH: &str = "SELECT seq, at, kind, version, CASE WHEN seq = ?5 THEN '' ELSE body END, link FROM events \
         WHERE session = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq LIMIT ?4";
    for stretch in stretches(line, log.begins_after(), head) {
        let mut statement = reader.prepare_cached(STRETCH)?;
        let (after, upto) = (whole(stretch.after.0), whole(stretch.upto.0));
        let known = whole(log.after().0);
        let mut rows = statement.query(params![stretch.key, after, upto, at_most(log.room()), known])?;
        while let Some(row) = rows.next()? {
            log.take(row)?;
        }
        if log.room() == 0 {
            break;
        }
    }
    log.finish(head)
}

/// How many events are expected after a place.
fn due(after: Seq, head: Seq) -> usize {
    usize::try_from(head.0.saturating_sub(after.0)).unwrap_or(usize::MAX)
}

/// The first row of an answer.
pub(super) fn first<T>(
    reader: &Connection,
    sql: &str,
    with: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let mut statement = reader.prepare_cached(sql)?;
    let mut rows = statement.query(with)?;
    rows.next()?.map(read).transpose()
}

/// Every row of an answer.
pub(super) fn all<T>(
    reader: &Connection,
    sql: &str,
    with: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = reader.prepare_cached(sql)?;
    let mut rows = statement.query(with)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}
