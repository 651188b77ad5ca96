//! Who works on what: leases, and the next timer.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{HeldLease, SessionId};
use rusqlite::{Connection, Row, params};

use super::reader::{all, first};
use super::writer::WriteTransaction;
use crate::columns::{Columns, at_most, held};
use crate::fault::Fault;

/// Leases sessions that owe work and that nobody holds.
pub(super) fn claim(
    desk: &WriteTransaction,
    worker: &str,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<SessionId>, Fault> {
    const LEASE: &str = "UPDATE sessions SET lease_worker = ?1, lease_until = ?2 WHERE key = ?3";
    let owing = owing(&desk.connection, now, limit)?;
    let mut lease = desk.connection.prepare_cached(LEASE)?;
    for (key, _) in &owing {
        lease.execute(params![worker, until.0, key])?;
    }
    Ok(owing.into_iter().map(|(_, id)| id).collect())
}

/// Sessions that owe work and that nobody holds. Looking before claiming keeps an idle store from writing at all.
pub(super) fn owing(reader: &Connection, now: Timestamp, limit: usize) -> Result<Vec<(i64, SessionId)>, Fault> {
    const OWING: &str = "SELECT key, id FROM sessions \
         WHERE key IN (SELECT key FROM sessions WHERE phase = 'working' \
                       UNION SELECT session FROM timers WHERE at <= ?1) \
         AND (lease_worker IS NULL OR lease_until <= ?1) ORDER BY key LIMIT ?2";
    let read = |row: &Row<'_>| Ok((row.number(0)?, SessionId::of(row.text(1)?)));
    all(reader, OWING, params![now.0, at_most(limit)], read)
}

/// Moves the end of this worker's leases.
pub(super) fn renew(
    desk: &WriteTransaction,
    worker: &str,
    sessions: &[SessionId],
    until: Timestamp,
) -> Result<(), Fault> {
    const RENEW: &str = "UPDATE sessions SET lease_until = ?1 WHERE id = ?2 AND lease_worker = ?3";
    let mut renew = desk.connection.prepare_cached(RENEW)?;
    for session in sessions {
        renew.execute(params![until.0, session.as_str(), worker])?;
    }
    Ok(())
}

/// Gives up this worker's leases.
pub(super) fn release(desk: &WriteTransaction, worker: &str, sessions: &[SessionId]) -> Result<(), Fault> {
    const RELEASE: &str =
        "UPDATE sessions SET lease_worker = NULL, lease_until = NULL WHERE id = ?1 AND lease_worker = ?2";
    let mut release = desk.connection.prepare_cached(RELEASE)?;
    for session in sessions {
        release.execute(params![session.as_str(), worker])?;
    }
    Ok(())
}

/// Leases of others on sessions that owe work, said to end after `beyond`.
pub(super) fn overlong(
    reader: &Connection,
    worker: &str,
    now: Timestamp,
    beyond: Timestamp,
    limit: usize,
) -> Result<Vec<HeldLease>, Fault> {
    const OVERLONG: &str = "SELECT id, lease_worker, lease_until FROM sessions \
         WHERE key IN (SELECT key FROM sessions WHERE phase = 'working' \
                       UNION SELECT session FROM timers WHERE at <= ?1) \
         AND lease_worker <> ?2 AND lease_until > ?3 ORDER BY lease_until DESC LIMIT ?4";
    let with = params![now.0, worker, beyond.0, at_most(limit)];
    all(reader, OVERLONG, with, |row| held(row))
}

/// Moves a lease to this worker, if it is as it was seen.
pub(super) fn take_over(
    desk: &WriteTransaction,
    worker: &str,
    held: &HeldLease,
    until: Timestamp,
) -> Result<bool, Fault> {
    const TAKE: &str = "UPDATE sessions SET lease_worker = ?1, lease_until = ?2 \
         WHERE id = ?3 AND lease_worker = ?4 AND lease_until = ?5";
    let with = params![worker, until.0, held.session.as_str(), held.worker, held.until.0];
    Ok(desk.connection.prepare_cached(TAKE)?.execute(with)? == 1)
}

/// The earliest timer of a session that nobody holds.
pub(super) fn next_wake(reader: &Connection) -> Result<Option<Timestamp>, Fault> {
    const NEXT: &str = "SELECT t.at FROM timers t JOIN sessions s ON s.key = t.session \
         WHERE s.lease_worker IS NULL ORDER BY t.at LIMIT 1";
    first(reader, NEXT, [], |row| Ok(Timestamp(row.number(0)?)))
}
