//! Carries out orders: the tool by which an application's rules reach a folder.
//!
//! An order comes as the arguments of a tool run and a receipt goes back as its result, both as JSON. A fault is a receipt
//! too, since the rules decide what follows from it; a failed tool run means only that the arguments were no order. Files
//! are worked on away from the threads that serve everyone else.
//!
//! A command that a person stops is named by its run (`halting.rs`): it ends at once and gives its receipt as any other, so
//! that what it changed until then is known and can be taken back.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use async_trait::async_trait;
use enza_kernel::effect::{Key, RunTool};
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{NoTools, ToolFailure, Tools};
use enza_work::{Fault, Job, Order, Receipt, Run, RunEnd, RunResult, SideEffects};

use crate::files::{self, Access, Aliases, GitGuard, Limits, PutBack, Record, Since, Snapshot};
use crate::git;
use crate::run::{Precautions, Runner};
use crate::running_commands::{RunningCommand, RunningCommands};
use crate::store::Store;

/// How many files are named that a command may have changed and that cannot be taken back.
const NAMED: usize = 20;

/// The tools `workshop` and `workshop_once`.
pub struct Workshop {
    shelf: Arc<LazyStore>,
    runner: Runner,
    halting: RunningCommands,
}

/// The part of the store that says which files were closed before commands ran.
const CLOSED: &str = "closed";

/// The store, opened when it is first needed: a folder can be looked at without one.
struct LazyStore {
    folder: PathBuf,
    /// The person's home folder, with secrets that may have another name in a folder of work.
    home: Option<PathBuf>,
    /// Names of the files that say what may be done.
    governing: Vec<String>,
    store: OnceLock<Store>,
}

impl LazyStore {
    fn store(&self) -> Result<&Store, Fault> {
        match self.store.get() {
            Some(store) => Ok(store),
            None => {
                let opened = Store::open(&self.folder, Store::MOST)?;
                Ok(self.store.get_or_init(|| opened))
            }
        }
    }
}

impl Workshop {
    /// A workshop that keeps contents in this folder; `runner` runs commands. A person is told of a change to a file with one
    /// of the names in `governing`, since it says what may be done.
    pub fn new(store_folder: PathBuf, runner: Runner, governing: &[&str]) -> Self {
        let runner = Runner { closed: Some(store_folder.join(CLOSED)), ..runner };
        let home = runner.home.clone();
        let governing = governing.iter().map(|name| (*name).to_owned()).collect();
        let shelf = Arc::new(LazyStore { folder: store_folder, home, governing, store: OnceLock::new() });
        Self { shelf, runner, halting: RunningCommands::default() }
    }

    /// Carries out one order that nobody stops.
    pub async fn carry_out(&self, order: Order) -> Receipt {
        self.carry_out_as(None, order).await
    }

    /// Carries out one order, of this session and under this name there.
    async fn carry_out_as(&self, name: Option<(&SessionId, Key)>, order: Order) -> Receipt {
        let done = match order.task.clone() {
            Job::Run(run) => {
                let under_way = name.map(|(session, key)| self.halting.begin(session, key));
                self.run_command(name, order, &run, under_way).await
            }
            Job::Halt { run } => {
                if let Some((session, _)) = name {
                    self.halting.halt(session, run);
                }
                Ok(Receipt::Halted)
            }
            Job::Recover { run } => self.recover(name.map(|(session, _)| session), order, run).await,
            Job::Commit { paths, message } => self.commit(order, &paths, &message).await,
            Job::List { .. }
            | Job::Read { .. }
            | Job::Search { .. }
            | Job::Prepare { .. }
            | Job::Choose { .. }
            | Job::Make { .. }
            | Job::Restore { .. } => self.apart(move |shelf| work(&order, shelf)).await,
        };
        done.unwrap_or_else(Receipt::Refused)
    }

    /// Runs a command between two looks at the folder, so that what it changes can be taken back. What was seen at the first
    /// is written down before the command begins.
    async fn run_command(
        &self,
        name: Option<(&SessionId, Key)>,
        order: Order,
        run: &Run,
        under_way: Option<RunningCommand>,
    ) -> Result<Receipt, Fault> {
        let (look, name) = (order.clone(), name.map(|(session, key)| (session.clone(), key)));
        let session = name.as_ref().map(|(session, _)| session.clone());
        let before = move |shelf: &LazyStore| {
            let (reach, store) = (Access::of(&look)?, shelf.store()?);
            let snapshot = Snapshot::take(&reach, store, Limits::default(), SystemTime::now())?;
            let guarded = GitGuard::take(&reach, store);
            let closes = guarded.closes(Path::new(reach.folder()));
            let Some((session, run)) = name else { return Ok((snapshot, guarded, Precautions { closes, lock: None })) };
            let record = Record { run, snapshot, guarded };
            record.write(store, session.as_str())?;
            let lock = Some(Record::lock(store, session.as_str()));
            Ok((record.snapshot, record.guarded, Precautions { closes, lock }))
        };
        let (before, guarded, precautions) = self.apart(before).await?;
        let ran = match &under_way {
            Some(under_way) if under_way.is_halted() => Ok(RunResult::stopped_before_it_began()),
            Some(under_way) => self.runner.run_until(&order, run, &precautions, under_way.halted()).await,
            None => self.runner.run_until(&order, run, &precautions, std::future::pending()).await,
        };
        let receipt = self.left_behind(order, before, guarded, ran).await;
        self.end_was_seen(session).await;
        receipt
    }

    async fn end_was_seen(&self, session: Option<SessionId>) {
        let Some(session) = session else { return };
        let noted = move |shelf: &LazyStore| {
            Record::end_was_seen(shelf.store()?, session.as_str());
            Ok(())
        };
        if let Err(why) = self.apart(noted).await {
            tracing::warn!(?why, "that a command has ended could not be noted; what was seen before it is kept");
        }
    }

    /// Says what a command left behind whose end nobody saw, by what was written down before it began.
    async fn recover(&self, session: Option<&SessionId>, order: Order, run: Key) -> Result<Receipt, Fault> {
        let ran = RunResult { ended: RunEnd::Unseen, ..RunResult::stopped_before_it_began() };
        let (session, of) = (session.cloned(), session.cloned());
        let read = move |shelf: &LazyStore| match of {
            Some(session) => Record::read(shelf.store()?, session.as_str(), run),
            None => Ok(None),
        };
        match self.apart(read).await? {
            Some(Record { snapshot, guarded, .. }) => {
                let receipt = self.left_behind(order, snapshot, guarded, Ok(ran)).await;
                self.end_was_seen(session).await;
                receipt
            }
            None => {
                Ok(Receipt::Ran(RunResult { beyond: SideEffects { others: true, ..SideEffects::default() }, ..ran }))
            }
        }
    }

    /// What is different since a command began; what git runs by itself is put back first, whether it ran or not.
    async fn left_behind(
        &self,
        order: Order,
        before: Snapshot,
        guarded: GitGuard,
        ran: Result<RunResult, Fault>,
    ) -> Result<Receipt, Fault> {
        let put_back = self.put_back(order.clone(), guarded).await;
        let ran = ran?;
        let after = move |shelf: &LazyStore| {
            before.changes_since(&Access::of(&order)?, shelf.store()?, Limits::default(), SystemTime::now())
        };
        // The command has run, whatever can be said about what it left behind.
        let since = self.apart(after).await.unwrap_or_else(|why| {
            tracing::warn!(?why, "what a command left behind could not be looked at");
            Since { cut: true, ..Since::default() }
        });
        let Since { changes, unseen, cut } = since;
        let mut files = [put_back.new, unseen].concat();
        let others = cut || files.len() > NAMED;
        files.truncate(NAMED);
        Ok(Receipt::Ran(RunResult { changes, beyond: SideEffects { files, others, put_back: put_back.again }, ..ran }))
    }

    /// Commits files; a hook of the project is a command too.
    async fn commit(&self, order: Order, paths: &[String], message: &str) -> Result<Receipt, Fault> {
        let look = order.clone();
        let guarded = self.apart(move |shelf| Ok(GitGuard::take(&Access::of(&look)?, shelf.store()?))).await?;
        let committed = git::commit(&self.runner, &order, paths, message).await;
        let PutBack { again, .. } = self.put_back(order, guarded).await;
        if !again.is_empty() {
            tracing::warn!(?again, "what git runs by itself was changed during a commit, and is again as it was");
        }
        committed.map(Receipt::Committed)
    }

    /// Puts back what a command has changed of what git runs by itself.
    async fn put_back(&self, order: Order, guarded: GitGuard) -> PutBack {
        let done = self.apart(move |shelf| Ok(guarded.put_back(&Access::of(&order)?, shelf.store()?))).await;
        done.unwrap_or_else(|why| {
            tracing::warn!(?why, "what git runs by itself could not be put back");
            PutBack { again: Vec::new(), new: vec![".git".to_owned()] }
        })
    }

    /// Works on files away from the threads that serve everyone else.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LazyStore) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let shelf = Arc::clone(&self.shelf);
        let done = tokio::task::spawn_blocking(move || work(&shelf)).await;
        done.unwrap_or_else(|why| Err(Fault::System { path: String::new(), why: why.to_string() }))
    }
}

#[async_trait]
impl Tools for Workshop {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        if run.tool != Order::REPEATABLE && run.tool != Order::ONCE {
            return NoTools.run(session, run).await;
        }
        let order: Order = serde_json::from_value(run.arguments.clone())
            .map_err(|why| ToolFailure(format!("The arguments are no order: {why}")))?;
        let is_once = matches!(order.task, Job::Run(_) | Job::Commit { .. });
        if is_once != (run.tool == Order::ONCE) {
            // A command that is run as if it might be run again would be, after a crash.
            return Err(ToolFailure(format!("This order does not belong to the tool {}.", run.tool)));
        }
        let receipt = self.carry_out_as(Some((session, run.key)), order).await;
        serde_json::to_string(&receipt).map_err(|why| ToolFailure(format!("The receipt cannot be written: {why}")))
    }
}

/// Works on files, and waits for them.
fn work(order: &Order, shelf: &LazyStore) -> Result<Receipt, Fault> {
    let reach = Access::of(order)?;
    let closed = Aliases::read(&Aliases::place(&shelf.folder.join(CLOSED), Path::new(reach.folder())));
    let reach = reach.knowing(closed, shelf.home.clone()).governed_by(&shelf.governing);
    match &order.task {
        Job::List { path, depth } => files::list(&reach, path, *depth).map(Receipt::Listed),
        Job::Read { path, from, lines } => files::read(&reach, path, *from, *lines).map(Receipt::Read),
        Job::Search { pattern, regex, path } => files::search(&reach, pattern, *regex, path).map(Receipt::Found),
        Job::Prepare { proposals } => files::prepare(&reach, shelf.store()?, proposals).map(Receipt::Prepared),
        Job::Choose { chosen } => files::choose(shelf.store()?, chosen).map(Receipt::Prepared),
        Job::Make { changes } => files::make(&reach, shelf.store()?, changes).map(Receipt::Made),
        Job::Restore { changes } => files::restore(&reach, shelf.store()?, changes).map(Receipt::Restored),
        Job::Run(_) | Job::Halt { .. } | Job::Recover { .. } | Job::Commit { .. } => {
            unreachable!("commands are not run here")
        }
    }
}
