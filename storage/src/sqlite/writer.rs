//! One writer at a time, and its group commit.
//!
//! Whoever brings an errand and finds nobody writing writes it at once, on its own thread: a lone caller pays for no
//! wake-up. Errands that come meanwhile queue up; a thread of the store's takes all that have, runs them in one
//! transaction and answers them all once that is committed: the more callers wait, the more share one sync of the disk.
//! An errand that says no (a conflict, a duplicate) has written nothing and disturbs nobody. When one fails, the
//! transaction is undone and each is run alone, so that only the culprit hears of it.
//!
//! After a deletion the thread sweeps its traces out of the file, a stretch of pages at a time (`sweep`).
//!
//! What an errand writes is in `append`, `files`, `leases` and `register`.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use enza_runtime::seams::store::{Append, Appended, Failure, SessionId};
use rusqlite::{Connection, OptionalExtension};
use tokio::sync::oneshot;

use super::append::append;
use super::open_files::OpenGuard;
use super::sweep::{Sweep, Swept, empty_log};
use crate::fault::Fault;
use crate::open::run_blocking;

/// Errands in one transaction, at most: a bound on how long the first one waits for the last.
const GROUP: usize = 512;

/// Between two stretches of a sweep, for others to write.
const PAUSE: Duration = Duration::from_millis(50);
/// The same after a sweep that failed; what keeps it from going on seldom ends within moments.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(10);
/// How long a sweep may hold up the closing of a store.
const AT_THE_END: Duration = Duration::from_secs(5);

/// Session keys remembered, at most.
const KEYS: usize = 100_000;

/// What a store has committed since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commits {
    pub groups: u64,
    /// Appends in them that took place.
    pub appends: u64,
}

/// The writer, from outside.
pub(super) struct Writer {
    office: Arc<WriterShared>,
    thread: Option<JoinHandle<()>>,
}

/// What the callers and the thread share.
struct WriterShared {
    desk: Mutex<WriteTransaction>,
    queue: Mutex<Queue>,
    /// Rung when there is something for the thread to do.
    bell: Condvar,
    /// Whether the last group had more than one errand: then the thread writes, and callers are left free to bring more.
    crowded: AtomicBool,
    groups: AtomicU64,
    appends: AtomicU64,
    /// Groups that deleted something.
    deletions: AtomicU64,
    path: PathBuf,
    /// Dropped after the desk, with its connection.
    open_here: Arc<OpenGuard>,
}

#[derive(Default)]
struct Queue {
    errands: VecDeque<Box<dyn WriteJob>>,
    closed: bool,
}

impl Writer {
    /// Starts writing on this connection.
    pub fn start(connection: Connection, path: &Path, open_here: Arc<OpenGuard>) -> Result<Self, Failure> {
        let office = Arc::new(WriterShared {
            deletions: AtomicU64::new(u64::from(is_unswept(&connection)?)),
            desk: Mutex::new(WriteTransaction { connection, keys: HashMap::new(), appends: 0, deleted: false }),
            path: path.to_owned(),
            open_here,
            queue: Mutex::default(),
            bell: Condvar::new(),
            crowded: AtomicBool::new(false),
            groups: AtomicU64::new(0),
            appends: AtomicU64::new(0),
        });
        let thread = thread::Builder::new()
            .name("enza-sqlite".to_owned())
            .spawn({
                let office = Arc::clone(&office);
                move || office.serve()
            })
            .map_err(|why| Failure::Other(format!("no thread for writing: {why}")))?;
        Ok(Self { office, thread: Some(thread) })
    }

    /// Appends, in a transaction shared with others.
    pub async fn append(&self, request: Append) -> Result<Appended, Failure> {
        self.write(move |desk| append(desk, &request)).await
    }

    /// Runs some work in a transaction shared with others. It may be run twice, the first time undone.
    pub async fn write<T, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnMut(&mut WriteTransaction) -> Result<T, Fault> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.office.enqueue(Box::new(PendingWrite { work, came_of_it: None, answer }));
        answered.await.map_err(|_| Failure::Other("the writing thread has stopped".to_owned()))?
    }

    /// Moves the log into the file, unless somebody else reads from it just now.
    pub async fn empty_log(&self) -> Result<(), Failure> {
        let office = Arc::clone(&self.office);
        let emptied = move || {
            let desk = office.desk.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(empty_log(&desk.connection).map(drop)?)
        };
        run_blocking(emptied).await
    }

    /// What has been committed so far.
    pub fn commits(&self) -> Commits {
        Commits {
            groups: self.office.groups.load(Ordering::Relaxed),
            appends: self.office.appends.load(Ordering::Relaxed),
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Writer").field(&self.commits()).finish()
    }
}

impl Drop for Writer {
    /// Lets the thread finish what is queued and close the file.
    fn drop(&mut self) {
        self.office.queue().closed = true;
        self.office.bell.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl WriterShared {
    /// Queues an errand; writes it here and now where nobody else is writing.
    fn enqueue(&self, errand: Box<dyn WriteJob>) {
        let known = self.deletions.load(Ordering::Acquire);
        self.queue().errands.push_back(errand);
        if !self.crowded.load(Ordering::Relaxed)
            && let Ok(mut desk) = self.desk.try_lock()
        {
            self.write_group(&mut desk);
        }
        // Whoever is writing, or came while we were, has the thread to finish what is left.
        if !self.queue().errands.is_empty() || self.deletions.load(Ordering::Acquire) > known {
            self.bell.notify_one();
        }
    }

    /// The thread: writes what callers left, until the store is closed. Between groups it sweeps.
    fn serve(&self) {
        let mut sweeping = Sweeping::default();
        loop {
            let queue = self.queue();
            if queue.errands.is_empty() {
                if queue.closed {
                    drop(queue);
                    return self.sweep_to_the_end(&mut sweeping);
                }
                if self.owes(&sweeping) {
                    drop(self.bell.wait_timeout(queue, sweeping.pause()).unwrap_or_else(PoisonError::into_inner));
                } else {
                    drop(self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner));
                }
            } else {
                drop(queue);
                let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
                while self.write_group(&mut desk) && !(self.owes(&sweeping) && sweeping.has_paused()) {}
            }
            if self.owes(&sweeping) && sweeping.has_paused() {
                self.sweep_some(&mut sweeping);
            }
        }
    }

    /// Whether something was deleted that has not been swept out.
    fn owes(&self, sweeping: &Sweeping) -> bool {
        self.deletions.load(Ordering::Acquire) > sweeping.swept_upto
    }

    /// Sweeps a stretch of pages.
    fn sweep_some(&self, sweeping: &mut Sweeping) -> Swept {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        // A deletion that comes while pages are swept calls for another round.
        let known = self.deletions.load(Ordering::Acquire);
        let swept = self.stretch(&mut desk, sweeping, known);
        sweeping.last = Some(Instant::now());
        sweeping.has_failed = swept.is_err();
        swept.unwrap_or_else(|Fault(why)| {
            tracing::warn!(%why, "what was deleted could not be swept out of the file; trying again");
            Swept::NotNow
        })
    }

    fn stretch(&self, desk: &mut WriteTransaction, sweeping: &mut Sweeping, known: u64) -> Result<Swept, Fault> {
        let Round { pages, upto, counted } = match &mut sweeping.round {
            Some(round) => round,
            none => none.insert(Round { pages: Sweep::default(), upto: known, counted: desk.deletions()? }),
        };
        let (upto, counted) = (*upto, *counted);
        let file = self.open_here.file().map_err(|why| Fault(Failure::Unreachable(why.to_string())))?;
        let swept = pages.go_on(&desk.connection, &self.path, &file)?;
        if swept == Swept::All {
            sweeping.round = None;
            desk.note_swept(counted)?;
            sweeping.swept_upto = upto;
        }
        Ok(swept)
    }

    /// What cannot be swept now is swept at the next start.
    fn sweep_to_the_end(&self, sweeping: &mut Sweeping) {
        let (mut tries, began) = (3, Instant::now());
        while tries > 0 && began.elapsed() < AT_THE_END && self.owes(sweeping) {
            if self.sweep_some(sweeping) == Swept::NotNow {
                tries -= 1;
                thread::sleep(PAUSE);
            }
        }
    }

    /// Takes all that have queued up and writes them together; says whether there was anything.
    fn write_group(&self, desk: &mut WriteTransaction) -> bool {
        let mut group: Vec<_> = {
            let mut queue = self.queue();
            let count = queue.errands.len().min(GROUP);
            queue.errands.drain(..count).collect()
        };
        self.crowded.store(group.len() > 1, Ordering::Relaxed);
        match self.together(desk, &mut group) {
            Ok(()) => group.drain(..).for_each(|errand| errand.tell(Ok(()))),
            Err(fault) if group.len() == 1 => group.drain(..).for_each(|errand| errand.tell(Err(fault.0.clone()))),
            Err(_) => group.drain(..).for_each(|errand| self.alone(desk, errand)),
        }
        !self.queue().errands.is_empty()
    }

    fn together(&self, desk: &mut WriteTransaction, group: &mut [Box<dyn WriteJob>]) -> Result<(), Fault> {
        if group.is_empty() {
            return Ok(());
        }
        self.in_one_transaction(desk, |desk| group.iter_mut().try_for_each(|errand| errand.run(desk)))
    }

    fn alone(&self, desk: &mut WriteTransaction, mut errand: Box<dyn WriteJob>) {
        let outcome = self.in_one_transaction(desk, |desk| errand.run(desk));
        errand.tell(outcome.map_err(Failure::from));
    }

    fn in_one_transaction(
        &self,
        desk: &mut WriteTransaction,
        work: impl FnOnce(&mut WriteTransaction) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let outcome = desk.begin().and_then(|()| work(desk)).and_then(|()| desk.commit());
        match outcome {
            Ok(()) => {
                self.groups.fetch_add(1, Ordering::Relaxed);
                self.appends.fetch_add(desk.appends, Ordering::Relaxed);
                if desk.deleted {
                    self.deletions.fetch_add(1, Ordering::Release);
                }
            }
            Err(_) => desk.undo(),
        }
        outcome
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far the thread has come with sweeping.
#[derive(Debug, Default)]
struct Sweeping {
    round: Option<Round>,
    /// The deletions of this process whose traces are gone.
    swept_upto: u64,
    last: Option<Instant>,
    /// Whether the last stretch could not be swept for more than that others were reading.
    has_failed: bool,
}

/// A sweep of the whole file.
#[derive(Debug)]
struct Round {
    pages: Sweep,
    /// The deletions of this process that it covers.
    upto: u64,
    /// The same of all processes, as the file counts them.
    counted: i64,
}

impl Sweeping {
    fn has_paused(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= self.pause())
    }

    fn pause(&self) -> Duration {
        if self.has_failed { PAUSE_AFTER_FAILURE } else { PAUSE }
    }
}

/// Whether a sweep was owed when the store was last closed.
fn is_unswept(connection: &Connection) -> Result<bool, Failure> {
    let owed = connection.query_row("SELECT deletions > swept FROM identity", [], |row| row.get(0)).optional();
    Ok(owed.map_err(Fault::from)?.unwrap_or(false))
}

/// What whoever writes has before them: the connection, inside a transaction, and what it remembers.
pub(super) struct WriteTransaction {
    pub connection: Connection,
    keys: HashMap<SessionId, i64>,
    /// Appends in the transaction so far.
    pub appends: u64,
    /// Whether the transaction has deleted what somebody may have written.
    pub deleted: bool,
}

impl WriteTransaction {
    /// The session's key.
    pub fn key(&mut self, session: &SessionId) -> Result<Option<i64>, Fault> {
        if let Some(key) = self.keys.get(session) {
            return Ok(Some(*key));
        }
        let mut find = self.connection.prepare_cached("SELECT key FROM sessions WHERE id = ?1")?;
        let found = find.query_row([session.as_str()], |row| row.get(0)).optional()?;
        drop(find);
        if let Some(key) = found {
            self.remember(session, key);
        }
        Ok(found)
    }

    /// Remembers a session's key.
    pub fn remember(&mut self, session: &SessionId, key: i64) {
        if self.keys.len() >= KEYS {
            self.keys.clear();
        }
        self.keys.insert(session.clone(), key);
    }

    /// Forgets a session's key; says whether it was remembered.
    pub fn forget(&mut self, session: &SessionId) -> bool {
        self.keys.remove(session).is_some()
    }

    fn begin(&mut self) -> Result<(), Fault> {
        (self.appends, self.deleted) = (0, false);
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        if self.deleted {
            self.connection.prepare_cached("UPDATE identity SET deletions = deletions + 1")?.execute([])?;
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    /// Transactions of any process that deleted something, ever.
    fn deletions(&self) -> Result<i64, Fault> {
        let count = self.connection.query_row("SELECT deletions FROM identity", [], |row| row.get(0)).optional()?;
        Ok(count.unwrap_or(0))
    }

    /// Notes that these deletions are swept out. What another process deleted meanwhile is still owed: it may be killed
    /// before it gets to it.
    fn note_swept(&mut self, deletions: i64) -> Result<(), Fault> {
        self.connection.execute("UPDATE identity SET swept = max(swept, ?1)", [deletions])?;
        Ok(())
    }

    /// Undoes the transaction, where SQLite has not done so itself.
    fn undo(&mut self) {
        self.keys.clear();
        if !self.connection.is_autocommit()
            && let Err(why) = self.connection.execute_batch("ROLLBACK")
        {
            tracing::error!(%why, "a transaction could not be undone");
        }
    }
}

/// Something to do in a transaction, and someone who waits to hear what came of it.
trait WriteJob: Send {
    /// Does it, and keeps what came of it.
    fn run(&mut self, desk: &mut WriteTransaction) -> Result<(), Fault>;
    /// Tells, now that it is committed or has failed.
    fn tell(self: Box<Self>, committed: Result<(), Failure>);
}

struct PendingWrite<T, F> {
    work: F,
    came_of_it: Option<T>,
    answer: oneshot::Sender<Result<T, Failure>>,
}

impl<T: Send, F: FnMut(&mut WriteTransaction) -> Result<T, Fault> + Send> WriteJob for PendingWrite<T, F> {
    fn run(&mut self, desk: &mut WriteTransaction) -> Result<(), Fault> {
        self.came_of_it = Some((self.work)(desk)?);
        Ok(())
    }

    fn tell(self: Box<Self>, committed: Result<(), Failure>) {
        let unrun = || Failure::Other("the errand was not run".to_owned());
        // Whoever asked may have gone; what was written stays written.
        let Self { came_of_it, answer, .. } = *self;
        let _ = answer.send(committed.and_then(|()| came_of_it.ok_or_else(unrun)));
    }
}
