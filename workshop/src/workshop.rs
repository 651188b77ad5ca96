//! Carries out orders: the tool by which the companion's rules reach a folder.
//!
//! An order comes as the arguments of a tool run and a receipt goes back as its result, both as JSON. A fault is a receipt
//! too, since the rules decide what follows from it; a failed tool run means only that the arguments were no order. Files
//! are worked on away from the threads that serve everyone else. What is not an order goes to whoever ran tools before.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use async_trait::async_trait;
use enza_applications::companion::work::{Fault, Order, Ran, Receipt, Run, Task};
use enza_kernel::effect::RunTool;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{ToolFailure, Tools};

use crate::files::{self, Limits, Reach, Snapshot};
use crate::run::Runner;
use crate::store::Store;

/// The tools `workshop` and `workshop_once`.
pub struct Workshop {
    shelf: Arc<Shelf>,
    runner: Runner,
    rest: Arc<dyn Tools>,
}

/// The store, opened when it is first needed: a folder can be looked at without one.
struct Shelf {
    folder: PathBuf,
    store: OnceLock<Store>,
}

impl Shelf {
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
    /// A workshop that keeps contents in this folder; `runner` runs commands, `rest` runs what is no order.
    pub fn new(store_folder: PathBuf, runner: Runner, rest: Arc<dyn Tools>) -> Self {
        Self { shelf: Arc::new(Shelf { folder: store_folder, store: OnceLock::new() }), runner, rest }
    }

    /// Carries out one order.
    pub async fn carry_out(&self, order: Order) -> Receipt {
        let done = match order.task.clone() {
            Task::Run(run) => self.run_command(order, &run).await,
            Task::List { .. }
            | Task::Read { .. }
            | Task::Search { .. }
            | Task::Prepare { .. }
            | Task::Choose { .. }
            | Task::Make { .. }
            | Task::Restore { .. } => self.apart(move |shelf| work(&order, shelf)).await,
        };
        done.unwrap_or_else(Receipt::Refused)
    }

    /// Runs a command between two looks at the folder, so that what it changes can be taken back.
    async fn run_command(&self, order: Order, run: &Run) -> Result<Receipt, Fault> {
        let look = order.clone();
        let before = move |shelf: &Shelf| {
            Snapshot::take(&Reach::of(&look)?, shelf.store()?, Limits::default(), SystemTime::now())
        };
        let before = self.apart(before).await?;
        let ran = self.runner.run(&order, run).await?;
        let after = move |shelf: &Shelf| {
            before.changes_since(&Reach::of(&order)?, shelf.store()?, Limits::default(), SystemTime::now())
        };
        // The command has run, whatever can be said about what it left behind.
        let changes = self.apart(after).await.map_or_else(|_| Vec::new(), |since| since.changes);
        Ok(Receipt::Ran(Ran { changes, ..ran }))
    }

    /// Works on files away from the threads that serve everyone else.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shelf) -> Result<T, Fault> + Send + 'static,
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
            return self.rest.run(session, run).await;
        }
        let order: Order = serde_json::from_value(run.arguments.clone())
            .map_err(|why| ToolFailure(format!("The arguments are no order: {why}")))?;
        let is_once = matches!(order.task, Task::Run(_));
        if is_once != (run.tool == Order::ONCE) {
            // A command that is run as if it might be run again would be, after a crash.
            return Err(ToolFailure(format!("This order does not belong to the tool {}.", run.tool)));
        }
        let receipt = self.carry_out(order).await;
        serde_json::to_string(&receipt).map_err(|why| ToolFailure(format!("The receipt cannot be written: {why}")))
    }
}

/// Works on files, and waits for them.
fn work(order: &Order, shelf: &Shelf) -> Result<Receipt, Fault> {
    let reach = Reach::of(order)?;
    match &order.task {
        Task::List { path, depth } => files::list(&reach, path, *depth).map(Receipt::Listed),
        Task::Read { path, from, lines } => files::read(&reach, path, *from, *lines).map(Receipt::Read),
        Task::Search { pattern, regex, path } => files::search(&reach, pattern, *regex, path).map(Receipt::Found),
        Task::Prepare { proposals } => files::prepare(&reach, shelf.store()?, proposals).map(Receipt::Prepared),
        Task::Choose { chosen } => files::choose(shelf.store()?, chosen).map(Receipt::Prepared),
        Task::Make { changes } => files::make(&reach, shelf.store()?, changes).map(Receipt::Made),
        Task::Restore { changes } => files::restore(&reach, shelf.store()?, changes).map(Receipt::Restored),
        Task::Run(_) => unreachable!("commands are not run here"),
    }
}
