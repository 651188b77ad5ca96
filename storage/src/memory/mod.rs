//! A store that lives as long as its process: the reference for the others, and the store of tests and simulations.
//!
//! Everything is in ordered maps under one lock, so that the same calls give the same answers in the same order. Each
//! verb is written to be read; where this and a database disagree, this is meant to be right.
//!
//! It keeps nothing across a restart. Losing or tearing writes on purpose belongs to the simulation.

mod files;
mod leases;
mod register;
mod shown_tables;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use enza_kernel::application::{Phase, Standing};
use enza_kernel::conversation::{Digest, Usage};
use enza_kernel::effect::Wake;
use enza_kernel::table::{DomainTable, faults};
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, Family, FileKey, Filter, Fork, Forked, Lease, Log, OwnerSpent, Recorded, Rows,
    SessionCatalog, SessionId, SessionOpening, SessionRow, Snapshot, SnapshotUse, Store, StoredSession, TableQuery,
    TableRow, UsageQuery, UsageRow,
};
use serde_json::Value;

use crate::ancestry::{Ancestor, reaches, stretches};
use crate::columns::{day_of, first_moment, head_after, last_moment, owner_spent};
use files::FileEntry;
use register::RegisterTables;

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory {
    books: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    sessions: BTreeMap<SessionId, SessionEntry>,
    /// Calls, and what they spent. A line stays when its session goes.
    usage: BTreeMap<UsageKey, (u64, Usage)>,
    files: BTreeMap<FileKey, FileEntry>,
    last_file: i64,
    /// What whole files hold, in parts, with its size.
    contents: BTreeMap<Digest, (u64, BTreeMap<u32, Vec<u8>>)>,
    ledger: RegisterTables,
}

/// What a line of usage is about. The order of the fields is the order of the lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct UsageKey {
    owner: String,
    day: i64,
    application: String,
    model: String,
    session: Option<SessionId>,
}

/// One session and everything kept for it.
#[derive(Debug)]
struct SessionEntry {
    row: SessionRow,
    /// Its own events; a fork's begin after those of its parent.
    events: BTreeMap<Seq, Recorded>,
    snapshot: Option<Snapshot>,
    accepted: BTreeMap<String, Seq>,
    timers: BTreeMap<String, Timestamp>,
    rows: BTreeMap<(String, String), Value>,
    /// Who holds it, and until when.
    lease: Option<(String, Timestamp)>,
}

impl Memory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // Every change below is made after its last check, so that a panic elsewhere cannot have left half of one.
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Store for Memory {
    fn describe(&self) -> String {
        "memory, nothing survives the process".to_owned()
    }

    async fn try_write(&self, _now: Timestamp) -> Result<(), Failure> {
        Ok(())
    }

    /// Nobody reads this process by SQL.
    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        faults(tables).first().map_or(Ok(()), |fault| Err(Failure::Other(fault.to_string())))
    }
}

#[async_trait]
impl Log for Memory {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        Ok(self.tables().append(append))
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
        let books = self.tables();
        let Some(book) = books.sessions.get(session) else { return Ok(None) };
        let snapshot = match snapshots {
            SnapshotUse::Never => None,
            SnapshotUse::Version(version) => books.snapshot(book, version),
        };
        let after = snapshot.as_ref().map_or(Seq::START, |one| one.seq);
        Ok(Some(StoredSession {
            row: book.row.clone(),
            events: books.events(book, after, usize::MAX),
            snapshot,
            timers: book.timers.iter().map(|(name, at)| Wake { name: name.clone(), at: *at }).collect(),
        }))
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        let books = self.tables();
        Ok(books.sessions.get(session).map(|book| books.events(book, after, limit)).unwrap_or_default())
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        Ok(self.tables().sessions.get(session).and_then(|book| book.accepted.get(key)).copied())
    }
}

#[async_trait]
impl SessionCatalog for Memory {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        Ok(self.tables().sessions.get(session).map(|book| book.row.clone()))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        let books = self.tables();
        let mut found: Vec<_> =
            books.sessions.values().map(|book| &book.row).filter(|row| matches(filter, row)).cloned().collect();
        found.sort_by(|one, other| place(one.changed_at, &one.id).cmp(&place(other.changed_at, &other.id)));
        if filter.limit > 0 {
            found.truncate(filter.limit);
        }
        Ok(found)
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        Ok(self.tables().fork(fork))
    }

    async fn delete_noted(&self, session: &SessionId, noted: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        let mut books = self.tables();
        let forks: Vec<_> = books
            .sessions
            .values()
            .filter(|book| book.row.parent.as_ref().is_some_and(|(parent, _)| parent == session))
            .map(|book| book.row.id.clone())
            .collect();
        if !forks.is_empty() {
            return Ok(Deleted::HasForks(forks));
        }
        let family = books.sessions.values().filter(|book| book.row.of.as_ref() == Some(session)).count();
        if family > 0 {
            return Ok(Deleted::HasFamily(family as u64));
        }
        let Some(book) = books.sessions.remove(session) else { return Ok(Deleted::Unknown) };
        books.delete_files_of(session);
        books.ledger.blank_answers(&book.row.owner, session);
        for (line, (calls, usage)) in std::mem::take(&mut books.usage) {
            let session = line.session.filter(|one| one != session);
            books.spend(UsageKey { session, ..line }, calls, usage);
        }
        books.ledger.journal.extend(noted.cloned());
        Ok(Deleted::Deleted)
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        let books = self.tables();
        let chosen = books.sessions.values().filter(|book| match of {
            Rows::All => true,
            Rows::Session(one) => book.row.id == *one,
            Rows::Family(one) => book.row.of.as_ref() == Some(one),
        });
        Ok(chosen
            .flat_map(|book| book.rows.iter().map(|(name, content)| (&book.row.id, name, content)))
            .filter(|(_, (of, _), _)| of == table)
            .map(|(id, (_, key), content)| TableRow { session: id.clone(), key: key.clone(), content: content.clone() })
            .collect())
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        Ok(shown_tables::answer(query, &query.resolve()?, self.rows(query.table.of, query.of).await?))
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        let books = self.tables();
        let lines = books.usage.iter().filter(|(line, _)| line.owner == owner);
        Ok(owner_spent(lines.map(|(line, (_, usage))| (line.day == day, *usage))))
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        let books = self.tables();
        let is_of = |line: &UsageKey, family: &SessionId| {
            let book = line.session.as_ref().and_then(|session| books.sessions.get(session));
            book.is_some_and(|book| book.row.of.as_ref() == Some(family))
        };
        let chosen = books.usage.iter().filter(|(line, _)| {
            line.is_asked_for(query) && query.family.as_ref().is_none_or(|family| is_of(line, family))
        });
        Ok(chosen.map(|(line, (calls, usage))| line.row(*calls, *usage)).collect())
    }
}

impl Tables {
    fn append(&mut self, append: Append) -> Appended {
        let first = first_moment(&append).unwrap_or_default();
        if let Some(book) = self.sessions.get(&append.session) {
            if let Some(seq) = append.accepted.as_ref().and_then(|one| book.accepted.get(&one.key)) {
                return Appended::Duplicate { seq: *seq };
            }
            if append.opening.is_some() || book.row.head != append.expected || !book.yields_to(&append.lease) {
                return Appended::Conflict { head: book.row.head };
            }
        } else if append.opening.is_none() || append.expected != Seq::START {
            return Appended::Conflict { head: Seq::START };
        }
        let of = append.opening.as_ref().and_then(|opening| opening.of.as_ref());
        if of.is_some_and(|of| !self.sessions.contains_key(of)) {
            return Appended::Conflict { head: Seq::START };
        }
        let opening = append.opening.clone();
        let book = self.sessions.entry(append.session.clone()).or_insert_with(|| {
            let SessionOpening { application, owner, of } =
                opening.expect("a session that is not there is being opened");
            SessionEntry::new(SessionRow {
                id: append.session.clone(),
                application,
                owner,
                of,
                head: Seq::START,
                standing: Standing::default(),
                opened_at: first,
                changed_at: first,
                parent: None,
                quiet: false,
            })
        });
        let (owner, application) = (book.row.owner.clone(), book.row.application.clone());
        let line = UsageKey {
            owner,
            day: day_of(&append),
            application,
            model: String::new(),
            session: Some(append.session.clone()),
        };
        let spendings = append.usage.clone();
        book.write(append);
        let head = book.row.head;
        for spent in spendings {
            self.spend(UsageKey { model: spent.model, ..line.clone() }, spent.calls, spent.usage);
        }
        Appended::Appended(head)
    }

    fn spend(&mut self, line: UsageKey, calls: u64, usage: Usage) {
        let sum = self.usage.entry(line).or_default();
        *sum = (sum.0 + calls, sum.1.plus(usage));
    }

    fn fork(&mut self, fork: &Fork) -> Forked {
        let Some(parent) = self.sessions.get(&fork.parent) else { return Forked::NoParent };
        if fork.at > parent.row.head {
            return Forked::BeyondHead(parent.row.head);
        }
        if self.sessions.contains_key(&fork.child) {
            return Forked::NameTaken;
        }
        let mut child = SessionEntry::new(SessionRow {
            id: fork.child.clone(),
            application: parent.row.application.clone(),
            owner: fork.owner.clone(),
            of: parent.row.of.clone(),
            head: fork.at,
            standing: fork.standing.clone(),
            opened_at: parent.row.opened_at,
            changed_at: fork.now,
            parent: Some((fork.parent.clone(), fork.at)),
            quiet: fork.quiet,
        });
        child.set_timers(&fork.timers);
        self.sessions.insert(fork.child.clone(), child);
        Forked::Forked
    }

    fn line<'a>(&'a self, book: &'a SessionEntry) -> Vec<Ancestor<&'a SessionEntry>> {
        let parent = |book: &&'a SessionEntry| book.row.parent.as_ref().and_then(|(id, _)| self.sessions.get(id));
        std::iter::successors(Some(book), parent)
            .map(|key| Ancestor { key, forked_at: key.row.parent.as_ref().map_or(Seq::START, |(_, at)| *at) })
            .collect()
    }

    fn events(&self, book: &SessionEntry, after: Seq, limit: usize) -> Vec<Recorded> {
        stretches(&self.line(book), after, book.row.head)
            .iter()
            .flat_map(|one| one.key.events.range(one.after.next()..=one.upto))
            .map(|(_, event)| event.clone())
            .take(limit)
            .collect()
    }

    fn snapshot(&self, book: &SessionEntry, version: u16) -> Option<Snapshot> {
        let fits = |(holder, upto): (&SessionEntry, Seq)| {
            holder.snapshot.clone().filter(|one| one.version == version && one.seq <= upto)
        };
        reaches(&self.line(book), book.row.head).find_map(fits)
    }
}

impl SessionEntry {
    fn new(row: SessionRow) -> Self {
        Self {
            row,
            events: BTreeMap::new(),
            snapshot: None,
            accepted: BTreeMap::new(),
            timers: BTreeMap::new(),
            rows: BTreeMap::new(),
            lease: None,
        }
    }

    fn write(&mut self, append: Append) {
        self.row.changed_at = last_moment(&append).unwrap_or(self.row.changed_at);
        self.row.head = head_after(&append);
        self.row.standing = append.standing;
        let places = (append.expected.0 + 1..).map(Seq);
        self.events.extend(
            places.zip(append.events).map(|(seq, event)| (seq, Recorded { seq, at: event.at, stored: event.stored })),
        );
        self.accepted.extend(append.accepted.map(|one| (one.key, one.seq)));
        if let Some(timers) = &append.timers {
            self.set_timers(timers);
        }
        for row in append.rows {
            match row.content {
                Some(content) => self.rows.insert((row.table, row.key), content),
                None => self.rows.remove(&(row.table, row.key)),
            };
        }
        if append.snapshot.is_some() {
            self.snapshot = append.snapshot;
        }
        self.lease = match append.lease {
            Lease::Hold { worker, until, .. } => Some((worker, until)),
            Lease::Free => None,
            Lease::Leave => self.lease.take(),
        };
    }

    fn set_timers(&mut self, timers: &[Wake]) {
        self.timers = timers.iter().map(|wake| (wake.name.clone(), wake.at)).collect();
    }

    fn yields_to(&self, lease: &Lease) -> bool {
        match (lease, &self.lease) {
            (Lease::Hold { worker, now, .. }, Some((holder, end))) => holder == worker || end <= now,
            (Lease::Hold { .. }, None) | (Lease::Free | Lease::Leave, _) => true,
        }
    }

    fn is_free(&self, now: Timestamp) -> bool {
        self.lease.as_ref().is_none_or(|(_, end)| *end <= now)
    }

    fn owes_work(&self, now: Timestamp) -> bool {
        self.row.standing.phase == Phase::Working || self.timers.values().any(|at| *at <= now)
    }
}

impl UsageKey {
    fn is_asked_for(&self, query: &UsageQuery) -> bool {
        query.owner.as_ref().is_none_or(|one| *one == self.owner)
            && (query.session.is_none() || query.session == self.session)
            && query.from_day.is_none_or(|day| day <= self.day)
            && query.to_day.is_none_or(|day| self.day <= day)
    }

    fn row(&self, calls: u64, usage: Usage) -> UsageRow {
        let Self { owner, day, application, model, session } = self.clone();
        UsageRow { owner, day, application, model, session, calls, usage }
    }
}

fn matches(filter: &Filter, row: &SessionRow) -> bool {
    filter.application.as_ref().is_none_or(|one| *one == row.application)
        && (filter.phases.is_empty() || filter.phases.contains(&row.standing.phase))
        && filter.owner.as_ref().is_none_or(|one| *one == row.owner)
        && match &filter.family {
            Family::Anyone => true,
            Family::Alone => row.of.is_none(),
            Family::Of(one) => row.of.as_ref() == Some(one),
        }
        && filter.id_part.as_deref().is_none_or(|part| {
            let id = row.id.as_str();
            id.starts_with(part) || id.ends_with(part)
        })
        && filter
            .title_part
            .as_ref()
            .is_none_or(|part| row.standing.title.to_ascii_lowercase().contains(&part.to_ascii_lowercase()))
        && filter.after.as_ref().is_none_or(|(time, id)| place(*time, id) < place(row.changed_at, &row.id))
}

/// A session's place in a list: the last change first; of one moment, by name.
fn place(changed_at: Timestamp, id: &SessionId) -> (Reverse<Timestamp>, &SessionId) {
    (Reverse(changed_at), id)
}
