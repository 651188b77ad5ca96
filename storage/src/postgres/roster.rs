//! Who works on what: leases, and the next timer.

use deadpool_postgres::Pool;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::SessionId;

use super::connection::{all, first};
use crate::columns::{Columns, at_most};
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

/// The earliest timer of a session that nobody holds.
pub(super) async fn next_wake(pool: &Pool) -> Result<Option<Timestamp>, Fault> {
    const NEXT: &str = "SELECT t.at FROM timers t JOIN sessions s ON s.key = t.session \
         WHERE s.lease_worker IS NULL ORDER BY t.at LIMIT 1";
    first(pool, NEXT, &[]).await?.map(|row| row.number(0).map(Timestamp)).transpose()
}

fn names(sessions: &[SessionId]) -> Vec<&str> {
    sessions.iter().map(SessionId::as_str).collect()
}
