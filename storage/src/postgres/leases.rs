//! Who works on what: leases, and the next timer.

use deadpool_postgres::Pool;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{HeldLease, SessionId};
use tokio_postgres::types::ToSql;

use super::connection::{all, first};
use crate::columns::{Columns, at_most, held};
use crate::fault::Fault;

/// Leases sessions that owe work and that nobody holds. A row that another worker is just claiming is passed over.
pub(super) async fn claim(
    pool: &Pool,
    worker: &str,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<SessionId>, Fault> {
    const CLAIM: &str = "WITH owing AS MATERIALIZED ( \
         SELECT key FROM sessions \
         WHERE key IN (SELECT key FROM sessions WHERE phase = 'working' \
                       UNION SELECT session FROM timers WHERE at <= $2) \
         AND (lease_worker IS NULL OR lease_until <= $2) ORDER BY key LIMIT $4 FOR UPDATE SKIP LOCKED) \
         UPDATE sessions s SET lease_worker = $1, lease_until = $3 FROM owing WHERE s.key = owing.key RETURNING s.id";
    let rows = all(pool, CLAIM, &[&worker, &now.0, &until.0, &at_most(limit)]).await?;
    rows.iter().map(|row| row.text(0).map(SessionId::of)).collect()
}

/// Moves the end of this worker's leases.
pub(super) async fn renew(pool: &Pool, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Fault> {
    const RENEW: &str = "WITH mine AS MATERIALIZED ( \
         SELECT key FROM sessions WHERE id = ANY ($1) AND lease_worker = $2 ORDER BY key FOR UPDATE) \
         UPDATE sessions s SET lease_until = $3 FROM mine WHERE s.key = mine.key";
    all(pool, RENEW, &[&names(sessions), &worker, &until.0]).await?;
    Ok(())
}

/// Gives up this worker's leases.
pub(super) async fn release(pool: &Pool, worker: &str, sessions: &[SessionId]) -> Result<(), Fault> {
    const RELEASE: &str = "WITH mine AS MATERIALIZED ( \
         SELECT key FROM sessions WHERE id = ANY ($1) AND lease_worker = $2 ORDER BY key FOR UPDATE) \
         UPDATE sessions s SET lease_worker = NULL, lease_until = NULL FROM mine WHERE s.key = mine.key";
    all(pool, RELEASE, &[&names(sessions), &worker]).await?;
    Ok(())
}

/// Leases of others on sessions that owe work, said to end after `beyond`.
pub(super) async fn overlong(
    pool: &Pool,
    worker: &str,
    now: Timestamp,
    beyond: Timestamp,
    limit: usize,
) -> Result<Vec<HeldLease>, Fault> {
    const OVERLONG: &str = "SELECT id, lease_worker, lease_until FROM sessions \
         WHERE key IN (SELECT key FROM sessions WHERE phase = 'working' \
                       UNION SELECT session FROM timers WHERE at <= $1) \
         AND lease_worker <> $2 AND lease_until > $3 ORDER BY lease_until DESC LIMIT $4";
    let rows = all(pool, OVERLONG, &[&now.0, &worker, &beyond.0, &at_most(limit)]).await?;
    rows.iter().map(held).collect()
}

/// Moves a lease to this worker, if it is as it was seen.
pub(super) async fn take_over(pool: &Pool, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Fault> {
    const TAKE: &str = "UPDATE sessions SET lease_worker = $1, lease_until = $2 \
         WHERE id = $3 AND lease_worker = $4 AND lease_until = $5 RETURNING key";
    let with: [&(dyn ToSql + Sync); 5] = [&worker, &until.0, &held.session.as_str(), &held.worker, &held.until.0];
    Ok(first(pool, TAKE, &with).await?.is_some())
}

/// The time by the server's clock.
pub(super) async fn time(pool: &Pool) -> Result<Option<Timestamp>, Fault> {
    const TIME: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    first(pool, TIME, &[]).await?.map(|row| row.number(0).map(Timestamp)).transpose()
}

/// Writes the time to a row of its own.
pub(super) async fn try_write(pool: &Pool, now: Timestamp) -> Result<(), Fault> {
    all(pool, "UPDATE identity SET written_at = $1", &[&now.0]).await?;
    Ok(())
}

/// The earliest timer of a session that nobody holds.
pub(super) async fn next_wake(pool: &Pool) -> Result<Option<Timestamp>, Fault> {
    const NEXT: &str = "SELECT t.at FROM timers t JOIN sessions s ON s.key = t.session \
         WHERE s.lease_worker IS NULL ORDER BY t.at LIMIT 1";
    first(pool, NEXT, &[]).await?.map(|row| row.number(0).map(Timestamp)).transpose()
}

fn names(sessions: &[SessionId]) -> Vec<&str> {
    sessions.iter().map(SessionId::as_str).collect()
}
