//! The floor: the very rows that a run of the engine appends, written by plain SQL in one loop.
//!
//! The appends are recorded from a real run in memory first; then a bare connection writes them to a
//! file with the same tables and settings, so many of them to a synced transaction. No engine, no
//! threads, no channel: what remains is the disk and SQLite.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, HeldLease, Leases, Log, OwnerSpent,
    Recorded, Reservation, Reserved, Rows, SessionCatalog, SessionId, SessionRow, SnapshotUse, Store, StoredSession,
    TableQuery, TableRow, UsageQuery, UsageRow,
};
use enza_storage::{Durability, Memory, Sqlite};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::measure::{cpu, round};
use crate::workload::{Texts, engine, open, turn};

pub async fn run(database: &str, sessions: usize, per: usize, group: usize) -> Value {
    let appends = record(sessions, per).await;
    let (opening, rest): (Vec<_>, Vec<_>) = appends.into_iter().partition(|append| append.opening.is_some());
    let mut connection = prepare(database);
    write(&mut connection, &opening, 1_000);
    let (cpu_before, start) = (cpu(), Instant::now());
    let commits = write(&mut connection, &rest, group);
    let elapsed = start.elapsed().as_secs_f64();
    let turns = (sessions * per) as f64;
    json!({
        "fw": "bare", "cmd": "bare", "saver": "sqlite", "turns": turns,
        "group": group, "appends": rest.len(), "commits": commits,
        "turns_per_s": round(turns / elapsed),
        "commits_per_turn": round(commits as f64 / turns),
        "cpu_ms_per_turn": round((cpu() - cpu_before).as_secs_f64() * 1e3 / turns),
    })
}

/// Appends of a real run, turn by turn over all sessions, as they would reach a busy store.
async fn record(sessions: usize, per: usize) -> Vec<Append> {
    let recorder = Arc::new(Recorder { base: Memory::new(), appends: Mutex::default() });
    let texts = Texts::new();
    let engine = engine(recorder.clone(), &texts);
    let ids: Vec<_> = (0..sessions).map(|number| SessionId::of(format!("s{number}"))).collect();
    for id in &ids {
        open(&engine, id).await;
    }
    for _ in 0..per {
        for id in &ids {
            turn(&engine, id, &texts).await;
        }
    }
    engine.close().await;
    std::mem::take(&mut *recorder.appends.lock().expect("appends"))
}

/// A file with Enza's own tables and settings, opened by a bare connection.
fn prepare(database: &str) -> Connection {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{database}{suffix}"));
    }
    drop(Sqlite::open(database.as_ref(), Durability::Full).expect("a file"));
    let connection = Connection::open(database).expect("the file");
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;").expect("settings");
    connection.set_prepared_statement_cache_capacity(32);
    connection
}

/// Writes appends in groups; says how many transactions that took.
fn write(connection: &mut Connection, appends: &[Append], group: usize) -> usize {
    let groups = appends.chunks(group.max(1));
    let count = groups.len();
    for group in groups {
        connection.prepare_cached("BEGIN IMMEDIATE").expect("SQL").execute([]).expect("begun");
        for append in group {
            write_one(connection, append).expect("written");
        }
        connection.prepare_cached("COMMIT").expect("SQL").execute([]).expect("committed");
    }
    count
}

fn write_one(connection: &Connection, append: &Append) -> rusqlite::Result<()> {
    let head = append.expected.plus(append.events.len()).0 as i64;
    let at = append.events.last().map_or(0, |event| event.at.0);
    let (id, phase, title) = (append.session.as_str(), append.standing.phase.word(), &append.standing.title);
    let waiting_for = &append.standing.waiting_for;
    if let Some(opening) = &append.opening {
        connection
            .prepare_cached(
                "INSERT INTO sessions (id, application, owner, head, phase, title, waiting_for, opened_at, changed_at) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
            )?
            .execute(params![id, opening.application, opening.owner, head, phase, title, waiting_for, at])?;
    }
    let key: i64 =
        connection.prepare_cached("SELECT key FROM sessions WHERE id = ?1")?.query_row([id], |row| row.get(0))?;
    if append.opening.is_none() {
        connection
            .prepare_cached(
                "UPDATE sessions SET head = ?1, phase = ?2, title = ?3, waiting_for = ?4, changed_at = ?5, \
                 lease_worker = ?6, lease_until = ?7 WHERE key = ?8 AND head = ?9",
            )?
            .execute(params![
                head,
                phase,
                title,
                waiting_for,
                at,
                "bare",
                at + 15_000,
                key,
                append.expected.0 as i64
            ])?;
    }
    let mut insert = connection
        .prepare_cached("INSERT INTO events (session, seq, at, kind, version, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for (seq, event) in (append.expected.0 as i64 + 1..).zip(&append.events) {
        let stored = &event.stored;
        insert.execute(params![key, seq, event.at.0, stored.kind, stored.version, stored.body])?;
    }
    if let Some(timers) = &append.timers {
        connection.prepare_cached("DELETE FROM timers WHERE session = ?1")?.execute([key])?;
        for timer in timers {
            connection
                .prepare_cached("INSERT INTO timers (session, name, at) VALUES (?1, ?2, ?3)")?
                .execute(params![key, timer.name, timer.at.0])?;
        }
    }
    for spent in &append.usage {
        connection
            .prepare_cached(
                "INSERT INTO usage (session, owner, day, application, model, calls, input, output, cache_read, \
                 cache_write, cost) VALUES (?1, 'bench', ?2, 'bench', ?3, ?4, ?5, ?6, 0, 0, 0) \
                 ON CONFLICT (session, owner, day, application, model) DO UPDATE SET calls = calls + excluded.calls, \
                 input = input + excluded.input, output = output + excluded.output",
            )?
            .execute(params![
                key,
                at / 86_400_000,
                spent.model,
                spent.calls as i64,
                spent.usage.input as i64,
                spent.usage.output as i64
            ])?;
    }
    Ok(())
}

/// A store in memory that keeps a copy of every append.
struct Recorder {
    base: Memory,
    appends: Mutex<Vec<Append>>,
}

#[async_trait]
impl Log for Recorder {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.appends.lock().expect("appends").push(append.clone());
        self.base.append(append).await
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
        self.base.load(session, snapshots).await
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        self.base.events(session, after, limit).await
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        self.base.accepted(session, key).await
    }
}

#[async_trait]
impl SessionCatalog for Recorder {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        self.base.find(session).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        self.base.list(filter).await
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        self.base.fork(fork).await
    }

    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        self.base.delete_noted(session, line).await
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        self.base.rows(table, of).await
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        self.base.table_rows(query).await
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        self.base.spent(owner, day).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        self.base.usage(query).await
    }
}

#[async_trait]
impl Files for Recorder {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
        self.base.reserve(room).await
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        self.base.write_part(file, place, bytes).await
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        self.base.finish(file, digest, size).await
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        self.base.discard(file).await
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        self.base.file_size(session, digest).await
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        self.base.read_part(session, digest, place).await
    }
}

#[async_trait]
impl Leases for Recorder {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        self.base.claim(worker, now, until, limit).await
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        self.base.renew(worker, sessions, until).await
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        self.base.release(worker, sessions).await
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        self.base.next_wake().await
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        self.base.overlong(worker, now, beyond, limit).await
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        self.base.take_over(worker, held, until).await
    }
}

#[async_trait]
impl Store for Recorder {
    fn describe(&self) -> String {
        "recorder".to_owned()
    }

    async fn try_write(&self, now: Timestamp) -> Result<(), Failure> {
        self.base.try_write(now).await
    }

    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        self.base.show_tables(tables).await
    }
}
