//! The one thread that writes, and its group commit.
//!
//! It waits for a first errand, takes all that have queued up behind it, runs them in one transaction and answers them
//! all once that is committed: the more callers wait, the more share one sync of the disk. An errand that says no
//! (a conflict, a duplicate) has written nothing and disturbs nobody. When one fails, the transaction is undone and
//! each is run alone, so that only the culprit hears of it.
//!
//! What an errand writes is in `append`, `shelf` and `roster`.

use std::collections::HashMap;
use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use enza_runtime::seams::store::{Append, Appended, Failure, SessionId};
use rusqlite::{Connection, OptionalExtension};
use tokio::sync::oneshot;

use super::append::append;
use crate::fault::Fault;

/// Errands in one transaction, at most: a bound on how long the first one waits for the last.
const GROUP: usize = 512;

/// How long the thread looks for the next errand before it sleeps. Someone who was just answered often comes straight
/// back, and waking a sleeping thread costs a good part of a sync. It spins rather than yields: on a busy machine, a
/// turn given away comes back milliseconds later.
const LINGER: Duration = Duration::from_micros(100);

/// How long a caller stays awake for its answer: longer than a good disk needs to sync, and too short to be felt by
/// anyone else where the disk is slow.
const A_SYNC: Duration = Duration::from_micros(500);

/// Session keys remembered, at most.
const KEYS: usize = 100_000;

/// What a store has committed since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commits {
    /// Transactions.
    pub groups: u64,
    /// Appends in them that took place.
    pub appends: u64,
}

/// The writing thread, from outside.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` only while it is being dropped.
    queue: Option<Sender<Box<dyn Errand>>>,
    thread: Option<JoinHandle<()>>,
    counted: Arc<Counted>,
    /// Whether a caller waits without sleeping.
    someone_awake: AtomicBool,
}

#[derive(Debug, Default)]
struct Counted {
    groups: AtomicU64,
    appends: AtomicU64,
}

impl Writer {
    /// Starts the thread on this connection.
    pub fn start(connection: Connection) -> Result<Self, Failure> {
        let (queue, errands) = mpsc::channel();
        let counted = Arc::new(Counted::default());
        let desk = Desk { connection, keys: HashMap::new(), appends: 0 };
        let thread = thread::Builder::new()
            .name("enza-sqlite".to_owned())
            .spawn({
                let counted = Arc::clone(&counted);
                move || serve(desk, &errands, &counted)
            })
            .map_err(|why| Failure::Other(format!("no thread for writing: {why}")))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), counted, someone_awake: AtomicBool::new(false) })
    }

    /// Appends, in a transaction shared with others.
    pub async fn append(&self, request: Append) -> Result<Appended, Failure> {
        self.write(move |desk| append(desk, &request)).await
    }

    /// Runs some work on the writing thread, in a transaction shared with others. It may be run twice, the first time
    /// undone.
    pub async fn write<T, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnMut(&mut Desk) -> Result<T, Fault> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let errand = Box::new(Errands { work, came_of_it: None, answer });
        let gone = || Failure::Other("the writing thread has stopped".to_owned());
        self.queue.as_ref().ok_or_else(gone)?.send(errand).map_err(|_| gone())?;
        self.wait(answered).await.map_err(|_| gone())?
    }

    /// Waits for an answer. A caller who is alone stays awake for about as long as a sync takes, letting other tasks
    /// run in between: to be woken from deep sleep would cost it a third of that time again. Where several wait, one
    /// answer wakes them all, and only one of them stays awake.
    async fn wait<T>(&self, mut answered: oneshot::Receiver<T>) -> Result<T, oneshot::error::RecvError> {
        if !self.someone_awake.swap(true, Ordering::Relaxed) {
            let _asleep_again = Asleep(&self.someone_awake);
            let start = Instant::now();
            while start.elapsed() < A_SYNC {
                match answered.try_recv() {
                    Ok(answer) => return Ok(answer),
                    Err(oneshot::error::TryRecvError::Empty) => tokio::task::yield_now().await,
                    Err(oneshot::error::TryRecvError::Closed) => break,
                }
            }
        }
        answered.await
    }

    /// What has been committed so far.
    pub fn commits(&self) -> Commits {
        Commits {
            groups: self.counted.groups.load(Ordering::Relaxed),
            appends: self.counted.appends.load(Ordering::Relaxed),
        }
    }
}

/// Lets another caller stay awake, also where this one was dropped while it waited.
struct Asleep<'a>(&'a AtomicBool);

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Drop for Writer {
    /// Lets the thread finish what is queued and close the file.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the writing thread has before it: the connection, inside a transaction, and what it remembers.
pub(super) struct Desk {
    pub connection: Connection,
    keys: HashMap<SessionId, i64>,
    /// Appends in the transaction so far.
    pub appends: u64,
}

impl Desk {
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
        self.appends = 0;
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.connection.prepare_cached("COMMIT")?.execute([])?;
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
trait Errand: Send {
    /// Does it, and keeps what came of it.
    fn run(&mut self, desk: &mut Desk) -> Result<(), Fault>;
    /// Tells, now that it is committed or has failed.
    fn tell(self: Box<Self>, committed: Result<(), Failure>);
}

struct Errands<T, F> {
    work: F,
    came_of_it: Option<T>,
    answer: oneshot::Sender<Result<T, Failure>>,
}

impl<T: Send, F: FnMut(&mut Desk) -> Result<T, Fault> + Send> Errand for Errands<T, F> {
    fn run(&mut self, desk: &mut Desk) -> Result<(), Fault> {
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

fn serve(mut desk: Desk, errands: &Receiver<Box<dyn Errand>>, counted: &Counted) {
    let mut group = Vec::new();
    while let Some(first) = next(errands) {
        group.push(first);
        match together(&mut desk, &mut group, errands, counted) {
            Ok(()) => group.drain(..).for_each(|errand| errand.tell(Ok(()))),
            Err(fault) if group.len() == 1 => group.drain(..).for_each(|errand| errand.tell(Err(fault.0.clone()))),
            Err(_) => group.drain(..).for_each(|errand| alone(&mut desk, errand, counted)),
        }
    }
}

/// The next errand; `None` when nobody can bring one any more.
fn next(errands: &Receiver<Box<dyn Errand>>) -> Option<Box<dyn Errand>> {
    let start = Instant::now();
    loop {
        if let Ok(errand) = errands.try_recv() {
            return Some(errand);
        }
        if start.elapsed() > LINGER {
            return errands.recv().ok();
        }
        hint::spin_loop();
    }
}

/// Runs the group, and all that comes while it is run, in one transaction.
fn together(
    desk: &mut Desk,
    group: &mut Vec<Box<dyn Errand>>,
    more: &Receiver<Box<dyn Errand>>,
    counted: &Counted,
) -> Result<(), Fault> {
    let mut run = || {
        desk.begin()?;
        let mut done = 0;
        while done < group.len() {
            group[done].run(desk)?;
            done += 1;
            if done < GROUP {
                group.extend(more.try_recv());
            }
        }
        desk.commit()
    };
    let outcome = run();
    match outcome {
        Ok(()) => counted.add(desk.appends),
        Err(_) => desk.undo(),
    }
    outcome
}

fn alone(desk: &mut Desk, mut errand: Box<dyn Errand>, counted: &Counted) {
    let mut run = || {
        desk.begin()?;
        errand.run(desk)?;
        desk.commit()
    };
    let outcome = run();
    match outcome {
        Ok(()) => counted.add(desk.appends),
        Err(_) => desk.undo(),
    }
    errand.tell(outcome.map_err(Failure::from));
}

impl Counted {
    fn add(&self, appends: u64) {
        self.groups.fetch_add(1, Ordering::Relaxed);
        self.appends.fetch_add(appends, Ordering::Relaxed);
    }
}
