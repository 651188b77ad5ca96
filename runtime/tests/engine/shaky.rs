//! A store that fails when it is told to, in front of one that does not, and counts what is appended.
//!
//! Several engines may each have their own in front of the same store, so that one of them can be cut off.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::clock::Clock;
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, HeldLease, Leases, Log, OwnerSpent,
    Recorded, Reservation, Reserved, Rows, SessionCatalog, SessionId, SessionRow, SnapshotUse, Store, StoredSession,
    TableQuery, TableRow, UsageQuery, UsageRow,
};

/// The store.
pub struct Shaky {
    base: Arc<dyn Store>,
    /// Whether nothing goes through.
    pub down: AtomicBool,
    /// How many appends fail and do not take place, while everything else goes through.
    pub unwritten: AtomicUsize,
    /// Whether the disk behind it is full; it still answers.
    pub unwritable: AtomicBool,
    /// How many appends take place and are reported as failed all the same.
    pub unanswered: AtomicUsize,
    /// How long an append takes.
    pub slow: Mutex<Duration>,
    /// Whether it neither brings work nor renews a lease, and says nothing of it.
    pub off_the_roster: AtomicBool,
    /// The clock that all workers of the store share.
    pub shared_clock: Mutex<Option<Arc<dyn Clock>>>,
    /// A place in every log whose event is not found.
    pub hole: Mutex<Option<Seq>>,
    /// A session that every claim brings, whoever holds it.
    pub always_claimed: Mutex<Option<SessionId>>,
    /// Every append that took place.
    pub appended: Mutex<Vec<Append>>,
    /// How often a stretch of a log was read.
    pub read: AtomicUsize,
    /// Whether it may only be read.
    pub read_only: AtomicBool,
    /// The names of the tables it was asked to show, each time that it did.
    pub shown: Mutex<Vec<Vec<&'static str>>>,
}

impl Shaky {
    pub fn before(base: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            base,
            down: AtomicBool::new(false),
            unwritten: AtomicUsize::new(0),
            unwritable: AtomicBool::new(false),
            unanswered: AtomicUsize::new(0),
            slow: Mutex::default(),
            off_the_roster: AtomicBool::new(false),
            shared_clock: Mutex::default(),
            hole: Mutex::default(),
            always_claimed: Mutex::default(),
            appended: Mutex::default(),
            read: AtomicUsize::new(0),
            read_only: AtomicBool::new(false),
            shown: Mutex::default(),
        })
    }

    pub fn goes_down(&self) {
        self.down.store(true, Ordering::Relaxed);
    }

    pub fn comes_back(&self) {
        self.down.store(false, Ordering::Relaxed);
    }

    /// How many events each append so far had; the count starts anew.
    pub fn take_appends(&self) -> Vec<usize> {
        self.appended.lock().unwrap().drain(..).map(|append| append.events.len()).collect()
    }

    /// How often a stretch of a log was read; the count starts anew.
    pub fn take_reads(&self) -> usize {
        self.read.swap(0, Ordering::Relaxed)
    }

    fn reach(&self) -> Result<(), Failure> {
        if self.down.load(Ordering::Relaxed) { Err(gone()) } else { Ok(()) }
    }
}

pub fn gone() -> Failure {
    Failure::Unreachable("pulled the plug".to_owned())
}

#[async_trait]
impl Log for Shaky {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.reach()?;
        let slow = *self.slow.lock().unwrap();
        if !slow.is_zero() {
            tokio::time::sleep(slow).await;
        }
        let one_less = |left: usize| left.checked_sub(1);
        if self.unwritten.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
            return Err(gone());
        }
        let appended = self.base.append(append.clone()).await?;
        if matches!(appended, Appended::Appended(_)) {
            self.appended.lock().unwrap().push(append);
            if self.unanswered.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
                return Err(gone());
            }
        }
        Ok(appended)
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
        self.reach()?;
        let hole = *self.hole.lock().unwrap();
        let mut loaded = self.base.load(session, snapshots).await?;
        if let Some(loaded) = &mut loaded {
            loaded.events.retain(|recorded| Some(recorded.seq) != hole);
        }
        Ok(loaded)
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        self.read.fetch_add(1, Ordering::Relaxed);
        self.reach()?;
        self.base.events(session, after, limit).await
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        self.reach()?;
        self.base.accepted(session, key).await
    }
}

#[async_trait]
impl SessionCatalog for Shaky {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        self.reach()?;
        self.base.find(session).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        self.reach()?;
        self.base.list(filter).await
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        self.reach()?;
        self.base.fork(fork).await
    }

    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        self.reach()?;
        self.base.delete_noted(session, line).await
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        self.reach()?;
        self.base.rows(table, of).await
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        self.reach()?;
        self.base.table_rows(query).await
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        self.reach()?;
        self.base.spent(owner, day).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        self.reach()?;
        self.base.usage(query).await
    }
}

#[async_trait]
impl Files for Shaky {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
        self.reach()?;
        self.base.reserve(room).await
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        self.reach()?;
        self.base.write_part(file, place, bytes).await
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        self.reach()?;
        self.base.finish(file, digest, size).await
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        self.reach()?;
        self.base.discard(file).await
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        self.reach()?;
        self.base.file_size(session, digest).await
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        self.reach()?;
        self.base.read_part(session, digest, place).await
    }
}

#[async_trait]
impl Leases for Shaky {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        self.reach()?;
        if self.off_the_roster.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let mut claimed = self.base.claim(worker, now, until, limit).await?;
        let always = self.always_claimed.lock().unwrap().clone();
        claimed.extend(always.filter(|session| !claimed.contains(session)));
        Ok(claimed)
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        self.reach()?;
        if self.off_the_roster.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.base.renew(worker, sessions, until).await
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        self.reach()?;
        self.base.release(worker, sessions).await
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        self.reach()?;
        self.base.next_wake().await
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        self.reach()?;
        self.base.overlong(worker, now, beyond, limit).await
    }

    async fn shared_time(&self) -> Result<Option<Timestamp>, Failure> {
        self.reach()?;
        Ok(self.shared_clock.lock().unwrap().as_ref().map(|clock| clock.now()))
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        self.reach()?;
        self.base.take_over(worker, held, until).await
    }
}

#[async_trait]
impl Store for Shaky {
    fn describe(&self) -> String {
        format!("shaky {}", self.base.describe())
    }

    async fn try_write(&self, now: Timestamp) -> Result<(), Failure> {
        self.reach()?;
        if self.unwritable.load(Ordering::Relaxed) {
            return Err(Failure::Full("simulated".to_owned()));
        }
        self.base.try_write(now).await
    }

    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        self.reach()?;
        if self.read_only.load(Ordering::Relaxed) {
            return Err(Failure::ReadOnly("simulated".to_owned()));
        }
        self.base.show_tables(tables).await?;
        self.shown.lock().unwrap().push(tables.iter().map(|table| table.name).collect());
        Ok(())
    }
}
