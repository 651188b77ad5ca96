//! One append, inside the writer's transaction.
//!
//! The head moves by one compare-and-set; everything else is written only after it has. What says no is found out
//! before anything is written, so that a refused append leaves the shared transaction as it was.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, Appended, Lease, SessionId, SessionOpening};
use rusqlite::{OptionalExtension, params};

use super::writer::WriteTransaction;
use crate::checksum::{Link, links, of_snapshot};
use crate::columns::{by_key, by_model, by_name, day_of, first_moment, head_after, last_moment, whole};
use crate::fault::Fault;

const MOVE: &str = "UPDATE sessions SET head = ?1, phase = ?2, title = ?3, waiting_for = ?4, \
     changed_at = coalesce(?5, changed_at), lease_worker = iif(?11, lease_worker, ?6), \
     lease_until = iif(?11, lease_until, ?7), link = coalesce(?12, link) \
     WHERE key = ?8 AND head = ?9 \
     AND (?6 IS NULL OR lease_worker IS NULL OR lease_worker = ?6 OR lease_until <= ?10)";

const OPEN: &str = "INSERT INTO sessions \
     (id, application, owner, head, phase, title, waiting_for, opened_at, changed_at, lease_worker, lease_until, \
     belongs_to, link) \
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 \
     WHERE ?12 IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE id = ?12)";

const EVENT: &str =
    "INSERT INTO events (session, seq, at, kind, version, body, link) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

const SPEND: &str = "INSERT INTO usage \
     (session, owner, day, application, model, calls, input, output, cache_read, cache_write, cost) \
     SELECT key, owner, ?2, application, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM sessions WHERE key = ?1 \
     ON CONFLICT (session, owner, day, application, model) DO UPDATE SET calls = calls + excluded.calls, \
     input = input + excluded.input, output = output + excluded.output, \
     cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write, \
     cost = cost + excluded.cost";

/// Appends, or says why not.
pub(super) fn append(desk: &mut WriteTransaction, append: &Append) -> Result<Appended, Fault> {
    let Some(key) = desk.key(&append.session)? else {
        return match &append.opening {
            Some(opening) if append.expected == Seq::START => {
                let links = links(None, append.expected, &append.events);
                match open(desk, append, opening, &links)? {
                    Some(key) => write(desk, key, append, &links),
                    None => Ok(Appended::Conflict { head: Seq::START }),
                }
            }
            Some(_) | None => Ok(Appended::Conflict { head: Seq::START }),
        };
    };
    if let Some(seq) = accepted_before(desk, key, append)? {
        return Ok(Appended::Duplicate { seq });
    }
    if append.opening.is_none() {
        let links = links(head_link(desk, key)?, append.expected, &append.events);
        if moved(desk, key, append, &links)? {
            return write(desk, key, append, &links);
        }
    }
    match head(desk, key)? {
        Some(head) => Ok(Appended::Conflict { head }),
        // Another process has deleted the session whose key we remembered. Look again, by name.
        None if desk.forget(&append.session) => self::append(desk, append),
        None => Ok(Appended::Conflict { head: Seq::START }),
    }
}

/// The new session's key; none where the session that it is to belong to is not there.
fn open(
    desk: &mut WriteTransaction,
    append: &Append,
    opening: &SessionOpening,
    links: &[Link],
) -> Result<Option<i64>, Fault> {
    let (worker, until, _) = lease(append);
    let opened = desk.connection.prepare_cached(OPEN)?.execute(params![
        append.session.as_str(),
        opening.application,
        opening.owner,
        whole(head_after(append).0),
        append.standing.phase.word(),
        append.standing.title,
        append.standing.waiting_for,
        first_moment(append).unwrap_or_default().0,
        last_moment(append).unwrap_or_default().0,
        worker,
        until,
        opening.of.as_ref().map(SessionId::as_str),
        links.last(),
    ])?;
    if opened == 0 {
        return Ok(None);
    }
    let key = desk.connection.last_insert_rowid();
    desk.remember(&append.session, key);
    Ok(Some(key))
}

fn accepted_before(desk: &WriteTransaction, key: i64, append: &Append) -> Result<Option<Seq>, Fault> {
    let Some(accepted) = &append.accepted else { return Ok(None) };
    let mut find = desk.connection.prepare_cached("SELECT seq FROM accepted WHERE session = ?1 AND key = ?2")?;
    let seq = find.query_row(params![key, accepted.key], |row| row.get::<_, i64>(0)).optional()?;
    Ok(seq.map(|seq| Seq(seq.cast_unsigned())))
}

fn moved(desk: &WriteTransaction, key: i64, append: &Append, links: &[Link]) -> Result<bool, Fault> {
    let (worker, until, now) = lease(append);
    let changed = desk.connection.prepare_cached(MOVE)?.execute(params![
        whole(head_after(append).0),
        append.standing.phase.word(),
        append.standing.title,
        append.standing.waiting_for,
        last_moment(append).map(|at| at.0),
        worker,
        until,
        key,
        whole(append.expected.0),
        now,
        append.lease == Lease::Leave,
        links.last(),
    ])?;
    Ok(changed == 1)
}

fn head(desk: &WriteTransaction, key: i64) -> Result<Option<Seq>, Fault> {
    let mut find = desk.connection.prepare_cached("SELECT head FROM sessions WHERE key = ?1")?;
    let head = find.query_row([key], |row| row.get::<_, i64>(0)).optional()?;
    Ok(head.map(|head| Seq(head.cast_unsigned())))
}

/// The link of the session's last event.
fn head_link(desk: &WriteTransaction, key: i64) -> Result<Option<Link>, Fault> {
    let mut find = desk.connection.prepare_cached("SELECT link FROM sessions WHERE key = ?1")?;
    Ok(find.query_row([key], |row| row.get::<_, Option<Link>>(0)).optional()?.flatten())
}

/// Writes what goes with a head that has moved.
fn write(desk: &mut WriteTransaction, key: i64, append: &Append, links: &[Link]) -> Result<Appended, Fault> {
    let connection = &desk.connection;
    let mut insert = connection.prepare_cached(EVENT)?;
    for ((seq, event), link) in (whole(append.expected.0) + 1..).zip(&append.events).zip(links) {
        let stored = &event.stored;
        insert.execute(params![key, seq, event.at.0, stored.kind, stored.version, stored.body, link])?;
    }
    drop(insert);
    if let Some(accepted) = &append.accepted {
        connection.prepare_cached("INSERT INTO accepted (session, key, seq) VALUES (?1, ?2, ?3)")?.execute(params![
            key,
            accepted.key,
            whole(accepted.seq.0)
        ])?;
    }
    if let Some(timers) = &append.timers {
        connection.prepare_cached("DELETE FROM timers WHERE session = ?1")?.execute([key])?;
        set_timers(desk, key, timers)?;
    }
    write_rows(desk, key, append)?;
    for (model, [calls, input, output, read, write, cost]) in by_model(append) {
        let line = params![key, day_of(append), model, calls, input, output, read, write, cost];
        desk.connection.prepare_cached(SPEND)?.execute(line)?;
    }
    if let Some(snapshot) = &append.snapshot {
        const SNAPSHOT: &str =
            "INSERT OR REPLACE INTO snapshots (session, seq, version, body, checksum) VALUES (?1, ?2, ?3, ?4, ?5)";
        let line = params![key, whole(snapshot.seq.0), snapshot.version, snapshot.body, of_snapshot(snapshot)];
        desk.connection.prepare_cached(SNAPSHOT)?.execute(line)?;
    }
    desk.appends += 1;
    Ok(Appended::Appended(head_after(append)))
}

/// Sets timers of a session that has none.
pub(super) fn set_timers(desk: &WriteTransaction, key: i64, timers: &[enza_kernel::effect::Wake]) -> Result<(), Fault> {
    let mut insert = desk.connection.prepare_cached("INSERT INTO timers (session, name, at) VALUES (?1, ?2, ?3)")?;
    for (name, at) in by_name(timers) {
        insert.execute(params![key, name, at.0])?;
    }
    Ok(())
}

fn write_rows(desk: &WriteTransaction, key: i64, append: &Append) -> Result<(), Fault> {
    if append.rows.is_empty() {
        return Ok(());
    }
    const PUT: &str = "INSERT OR REPLACE INTO rows (session, \"table\", key, content) VALUES (?1, ?2, ?3, ?4)";
    const REMOVE: &str = "DELETE FROM rows WHERE session = ?1 AND \"table\" = ?2 AND key = ?3";
    for ((table, name), content) in by_key(&append.rows) {
        match content {
            Some(content) => desk.connection.prepare_cached(PUT)?.execute(params![key, table, name, content])?,
            None => desk.connection.prepare_cached(REMOVE)?.execute(params![key, table, name])?,
        };
    }
    Ok(())
}

/// The worker, the end and the time of the lease that an append takes; all `None` where it takes none.
fn lease(append: &Append) -> (Option<&str>, Option<i64>, Option<i64>) {
    match &append.lease {
        Lease::Hold { worker, now, until } => (Some(worker), Some(until.0), Some(now.0)),
        Lease::Free | Lease::Leave => (None, None, None),
    }
}
