//! The seam to storage: what a store promises, whichever database is behind it.
//!
//! One suite (`storage/tests/contract/`) holds every implementation to these promises. A store never
//! interprets an event: it keeps bytes in order and says no when the order was decided on an older head.
//! What is kept of sessions as things is in `catalog`, the files they take in in `files`, what can break in `failure`.
//!
//! Choosing what to append, when to wait for it and what to do after a conflict belongs to the engine.

mod catalog;
mod failure;
mod files;
mod table_query;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::application::{Application, Entry, Row, Standing, Stored, Unreadable, restore};
use enza_kernel::conversation::Usage;
use enza_kernel::effect::Wake;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};
use serde::{Deserialize, Serialize};

use super::register::NewAuditEntry;

pub use catalog::{
    Deleted, Family, Filter, Fork, Forked, OwnerSpent, Rows, SessionRow, TableRow, UsageQuery, UsageRow,
};
pub use failure::Failure;
pub use files::{FileKey, FileUsage, Files, PART, Quota, Quotas, Reservation, Reserved};
pub use table_query::{Condition, Relation, ResolvedQuery, Sort, TableQuery};

/// A session's name. Unguessable where it was made by `SessionId::new` of the edge; here only a word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub Arc<str>);

impl SessionId {
    /// A name from text.
    pub fn of(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The log of every session, and what is kept beside it in the same transaction.
#[async_trait]
pub trait Log: Send + Sync {
    /// Appends events decided on `expected`, with everything that goes with them, or changes nothing.
    ///
    /// When this returns `Appended`, the events are as durable as the store was told to make them, and every later
    /// read sees them. Of two appends on the same head exactly one is `Appended`; the other is a `Conflict`. An append
    /// whose idempotency key the session has accepted before is a `Duplicate`, whatever its head. One that opens a session
    /// of another that is not there is a `Conflict`, so that no family is left without the session it belongs to. After a
    /// `Failure` the append may or may not have taken place: read before trying again.
    async fn append(&self, append: Append) -> Result<Appended, Failure>;

    /// The session's row, newest usable snapshot and the events after it, read as of one moment.
    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure>;

    /// At most `limit` events after `after`, in order; a fork's come from its parent up to where it left.
    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure>;

    /// Where the command with this idempotency key ended, if the session has accepted it.
    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure>;
}

/// Sessions as things: found, listed, forked, deleted.
#[async_trait]
pub trait SessionCatalog: Send + Sync {
    /// One session's row.
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure>;

    /// Sessions by last change, newest first.
    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure>;

    /// A number that every change to any session changes, whoever makes it: what was read since the same number was seen
    /// is still so. None where the store cannot tell without reading.
    async fn edition(&self) -> Result<Option<u64>, Failure> {
        Ok(None)
    }

    /// Makes `child`, whose log is the parent's up to `at` and its own after that. Copies no event. Table rows, timers
    /// and idempotency keys start empty: the engine writes what the state at `at` calls for.
    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure>;

    /// Removes a session and everything kept for it, its files included. One with forks stays: its events are theirs too.
    /// So does one that others belong to.
    async fn delete(&self, session: &SessionId) -> Result<Deleted, Failure> {
        self.delete_noted(session, None).await
    }

    /// The same, with a line for the journal that is written in the same transaction: there is one exactly if this call
    /// removed the session, whatever crashes when.
    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure>;

    /// The rows that `Append::rows` wrote to a table, by session and key.
    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure>;

    /// The rows of a table as it is shown that a question is about, in its order and then by session and key. The values of
    /// the question are bound. Needs no view: `Store::show_tables` need not have been called.
    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure>;

    /// What an owner has spent in all and on one day. Read before every model call of an owner with a budget.
    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure>;

    /// What `Append::usage` wrote, in lines: summed by owner, day, application, model and session, in that order. What
    /// a deleted session spent stays, under no session; a fork starts with nothing spent.
    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure>;
}

/// Who works on what, when several workers share a store.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Leases to `worker` at most `limit` sessions that owe work and that nobody holds: those whose phase is
    /// `Working`, and those with a timer due at `now`. A lease of which `until` has passed is nobody's.
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure>;

    /// Moves the end of this worker's leases on these sessions to `until`. Leases it has lost stay lost.
    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure>;

    /// Gives up this worker's leases on these sessions.
    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure>;

    /// The earliest timer of a session that is nobody's, if any.
    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure>;

    /// Leases of other workers on sessions that owe work at `now`, as `claim` means it, that are said to end after
    /// `beyond`: the clock of whoever took them is, or was, ahead. At most `limit`, the latest end first.
    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure>;

    /// Moves a lease to `worker`, if it is still exactly the one that was seen; says whether it was.
    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure>;

    /// The time by a clock that all workers of this store share, where there is one that is not their own.
    async fn shared_time(&self) -> Result<Option<Timestamp>, Failure> {
        Ok(None)
    }
}

/// A whole store.
#[async_trait]
pub trait Store: Log + SessionCatalog + Files + Leases {
    /// What it is, for people: `sqlite /path/enza.db, durability full`.
    fn describe(&self) -> String;

    /// Writes the time to a row of its own, to see whether anything can be written.
    async fn try_write(&self, now: Timestamp) -> Result<(), Failure>;

    /// Shows these tables to whoever reads the database by SQL: a view each, of its name and columns, and their indexes. What
    /// was made so before and is no longer declared, or otherwise, goes; what anyone else made under such a name stays, and
    /// is told in the log. Changes nothing where all is as it should be, however many call it at once. Views follow the rows
    /// and are no part of a backup. No index ever keeps a row out.
    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure>;

    /// Brings what is kept apart for speed to its place, as far as nobody else needs it there. Called at an orderly end; the
    /// store can still be used.
    async fn tidy_up(&self) -> Result<(), Failure> {
        Ok(())
    }
}

/// One append, with everything that must happen with it or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    pub session: SessionId,
    /// What the session is, where this append opens it; `expected` is then 0.
    pub opening: Option<SessionOpening>,
    /// The head on which the events were decided.
    pub expected: Seq,
    /// The events, at `expected + 1` and on.
    pub events: Vec<NewEvent>,
    /// A client's key for the command behind these events, and the place of the last event it led to.
    pub accepted: Option<Accepted>,
    /// Where the session stands after them.
    pub standing: Standing,
    /// The timers that are now set, where that has changed: these replace all others of the session.
    pub timers: Option<Vec<Wake>>,
    /// Table rows that the events change.
    pub rows: Vec<Row>,
    /// What the events spent, by model.
    pub usage: Vec<Spent>,
    /// The state after the events, where a snapshot is due; it replaces the one before.
    pub snapshot: Option<Snapshot>,
    /// The lease this append takes, keeps or gives up.
    pub lease: Lease,
}

/// What a new session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOpening {
    /// The application's word.
    pub application: String,
    pub owner: String,
    /// The session it belongs to, if it is one of a family.
    pub of: Option<SessionId>,
}

impl SessionOpening {
    /// A session of its own.
    pub fn new(application: impl Into<String>, owner: impl Into<String>) -> Self {
        Self { application: application.into(), owner: owner.into(), of: None }
    }

    /// The same, belonging to another session.
    pub fn of(self, session: &SessionId) -> Self {
        Self { of: Some(session.clone()), ..self }
    }
}

/// An event on its way to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    pub at: Timestamp,
    pub stored: Stored,
}

/// A command's idempotency key and where the command ended in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The client's key.
    pub key: String,
    /// The place of the last event of the command.
    pub seq: Seq,
}

/// What was spent on one model. The owner and the application are the session's, the day is that of the last event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// Who replied, as `Reply::model` says; empty where nobody knows.
    pub model: String,
    /// The tokens, and their cost.
    pub usage: Usage,
    /// How many calls.
    pub calls: u64,
}

/// A state as of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The last event in it.
    pub seq: Seq,
    /// The version of its shape.
    pub version: u16,
    pub body: Vec<u8>,
}

/// What an append does to the session's lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lease {
    /// Work is owed: `worker` takes or keeps the lease until `until`. If another worker holds a lease that has not
    /// ended at `now`, the append is a conflict.
    Hold {
        worker: String,
        /// The time of the append.
        now: Timestamp,
        /// The end of the lease.
        until: Timestamp,
    },
    /// Nothing is owed any more: the lease ends, whoever held it.
    Free,
    /// Another worker holds the session and goes on holding it; a person's word is added all the same.
    Leave,
}

/// A lease that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLease {
    pub session: SessionId,
    pub worker: String,
    /// When it is said to end. Renewing moves it.
    pub until: Timestamp,
}

/// What became of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is in the log; the head is now here.
    Appended(Seq),
    /// It was decided on another head than the log's, another worker holds the session, or the session it is to belong
    /// to is not there. Nothing was written.
    Conflict {
        /// The log's head.
        head: Seq,
    },
    /// The session has accepted this idempotency key before. Nothing was written.
    Duplicate {
        /// Where the first one ended.
        seq: Seq,
    },
}

/// Which snapshot a load may start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotUse {
    /// None: every event from the first.
    Never,
    /// The newest, if it has this state version.
    Version(u16),
}

/// A session as loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSession {
    pub row: SessionRow,
    /// Where to start from, if there is a snapshot.
    pub snapshot: Option<Snapshot>,
    /// Every event after the snapshot, or from the first.
    pub events: Vec<Recorded>,
    pub timers: Vec<Wake>,
}

/// An event in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    pub seq: Seq,
    pub at: Timestamp,
    #[serde(flatten)]
    pub stored: Stored,
}

impl Recorded {
    /// The event in today's shape, for whoever knows the application it is of.
    pub fn event<A: Application>(&self) -> Result<A::Event, Unreadable> {
        restore::<A>(&self.stored)
    }

    /// The same, as the application's functions take it.
    pub fn entry<A: Application>(&self) -> Result<Entry<A::Event>, Unreadable> {
        Ok(Entry { seq: self.seq, at: self.at, event: self.event::<A>()? })
    }
}

/// How long a worker holds a session without renewing.
pub const LEASE: Duration = Duration::from_secs(15);
