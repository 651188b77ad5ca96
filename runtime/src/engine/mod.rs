//! The engine: sessions of many applications, driven side by side.
//!
//! One command or outcome at a time per session, any number of sessions at once. What must stay true:
//! an acknowledged command is in the log; a tool that must not run twice has its start in the log
//! before it runs; nobody watching sees an event that a crash could take back. Everything else may run
//! ahead of the log and is saved with the next thing that must be: see `advance.rs`.
//!
//! The engine never interprets an event; applications decide, the engine performs.

mod advance;
mod call;
mod delete;
mod errands;
mod feed;
mod forks;
mod inspect;
mod lost_calls;
mod metrics;
mod owner_budget;
mod partial_replies;
mod perform;
mod present;
mod rate_limit;
mod reader_feed;
mod readers;
mod scheduler;
mod shown_tables;
mod slot;
mod submit;

pub use feed::{Feed, FeedItem};
pub use inspect::{Past, Prompt, Replay};
pub use metrics::EngineMetrics;
pub use owner_budget::{Allowance, Allowances, Limit};
pub use reader_feed::{ReaderFeed, ReaderItem};
pub use readers::{SeenEvent, SessionReading};
pub use submit::{COMMAND_BYTES, Declined, Receipt, Submission};

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::host::ApplicationRegistry;
use crate::seams::clock::Clock;
use crate::seams::model::Model;
use crate::seams::store::{SessionId, Store};
use crate::seams::tools::Tools;
use rate_limit::RateLimiters;
use slot::{LoadedSession, SessionSlot};

/// Everything an engine is made of.
pub struct Setup {
    /// Where sessions are kept.
    pub store: Arc<dyn Store>,
    pub model: Arc<dyn Model>,
    /// What touches the world.
    pub tools: Arc<dyn Tools>,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    pub repertoire: ApplicationRegistry,
    /// This worker's name, which no other worker on the store has or had: leases and starts are told apart by it.
    pub worker: String,
    /// What owners may spend.
    pub allowances: Arc<dyn Allowances>,
    /// How many sessions stay in memory after their turn.
    pub keep_loaded: usize,
    /// How often to look for work that nobody holds.
    pub patrol: Duration,
    /// Where jitter starts from.
    pub seed: u64,
}

impl Setup {
    /// An engine with the usual limits.
    pub fn new(
        store: Arc<dyn Store>,
        model: Arc<dyn Model>,
        tools: Arc<dyn Tools>,
        repertoire: ApplicationRegistry,
    ) -> Self {
        Self {
            store,
            model,
            tools,
            clock: Arc::new(crate::seams::clock::WallClock),
            repertoire,
            worker: format!("worker-{}-{:016x}", std::process::id(), fastrand::u64(..)),
            allowances: Arc::new(Allowance::default()),
            keep_loaded: 1_000,
            patrol: Duration::from_secs(1),
            seed: fastrand::u64(..),
        }
    }
}

/// A running engine. Clones share it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    setup: Setup,
    slots: Mutex<BTreeMap<SessionId, Arc<SessionSlot>>>,
    lanes: RateLimiters,
    purses: owner_budget::OwnerBudgets,
    feeds: feed::Feeds,
    read_states: readers::ReadStates,
    tallies: metrics::Counters,
    tasks: Mutex<JoinSet<()>>,
    tickets: AtomicU64,
    chance: Mutex<fastrand::Rng>,
    wake: Notify,
    /// When the watchman's next round begins, by the shared clock.
    rounds: AtomicI64,
    /// What the clock that all workers share has said last, and when that was by our own timer.
    shared_time: Mutex<Option<(Timestamp, Instant)>>,
    closing: AtomicBool,
}

impl Engine {
    /// Starts an engine: unfinished sessions go on at once.
    pub fn start(setup: Setup) -> Self {
        let engine = Self::dormant(setup);
        let watchman = engine.clone();
        engine.spawn(async move { watchman.run_scheduler().await });
        let shower = engine.clone();
        engine.spawn(async move { shower.show_tables().await });
        engine
    }

    /// An engine that looks at sessions but takes up no work by itself.
    pub fn dormant(setup: Setup) -> Self {
        let chance = Mutex::new(fastrand::Rng::with_seed(setup.seed));
        Self(Arc::new(Inner {
            lanes: RateLimiters::default(),
            purses: owner_budget::OwnerBudgets::default(),
            slots: Mutex::default(),
            feeds: feed::Feeds::default(),
            read_states: readers::ReadStates::default(),
            tallies: metrics::Counters::default(),
            tasks: Mutex::default(),
            tickets: AtomicU64::new(1),
            chance,
            wake: Notify::new(),
            rounds: AtomicI64::new(i64::MAX),
            shared_time: Mutex::default(),
            closing: AtomicBool::new(false),
            setup,
        }))
    }

    /// The store behind it.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.setup.store
    }

    /// The applications it knows.
    pub fn applications(&self) -> &ApplicationRegistry {
        &self.0.setup.repertoire
    }

    /// How many sessions are in memory.
    pub fn loaded(&self) -> usize {
        self.0.slots.lock().expect("slots").len()
    }

    /// A session's state in memory, if it is loaded and everything in it is in the log.
    pub async fn in_memory(&self, session: &SessionId) -> Option<(Seq, Vec<u8>)> {
        let slot = self.0.slots.lock().expect("slots").get(session).cloned()?;
        let state = slot.state.lock().await;
        let loaded = state.loaded.as_ref().filter(|loaded| loaded.unsaved.is_empty())?;
        Some((loaded.live.seq(), loaded.live.to_snapshot()))
    }

    /// Whether this engine is performing something for the session right now.
    pub async fn is_at_work(&self, session: &SessionId) -> bool {
        let slot = self.0.slots.lock().expect("slots").get(session).cloned();
        match slot {
            Some(slot) => !slot.state.lock().await.running.is_empty(),
            None => false,
        }
    }

    /// This worker's name, which no other has or had.
    pub fn worker(&self) -> &str {
        &self.0.setup.worker
    }

    /// Saves what is unsaved, gives up leases and stops. What is still under way is left to the next start.
    pub async fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        let slots: Vec<_> = self.0.slots.lock().expect("slots").values().cloned().collect();
        let mut held = Vec::new();
        for slot in slots {
            let mut state = slot.state.lock().await;
            self.save_leftovers(&slot, &mut state).await;
            if state.holds {
                held.push(slot.id.clone());
            }
        }
        self.kill();
        if let Err(failure) = self.store().release(&self.0.setup.worker, &held).await {
            tracing::warn!(%failure, "leases could not be given up; they end by themselves");
        }
        if let Err(failure) = self.store().tidy_up().await {
            tracing::warn!(%failure, "the store could not be tidied up; nothing is lost");
        }
    }

    /// Stops every task where it stands, as a crash would.
    pub fn kill(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        self.0.tasks.lock().expect("tasks").abort_all();
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.tasks.lock().expect("tasks");
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    fn slot(&self, session: &SessionId) -> Arc<SessionSlot> {
        let mut slots = self.0.slots.lock().expect("slots");
        if let Some(slot) = slots.get(session) {
            return slot.clone();
        }
        let slot = Arc::new(SessionSlot::new(session.clone()));
        slots.insert(session.clone(), slot.clone());
        let crowded = slots.len() > 2 * self.0.setup.keep_loaded.max(1);
        drop(slots);
        if crowded {
            self.clear_memory();
        }
        slot
    }

    /// The moment of a session's next decision: after that of its last one, even where the clock has jumped back, so
    /// that the events of one decision are known by their time.
    fn now(&self, loaded: &LoadedSession, by: Actor) -> Now {
        let time = self.0.setup.clock.now().max(Timestamp(loaded.last_at.0.saturating_add(1)));
        Now { time, head: loaded.live.seq(), by }
    }

    /// The time by which leases and timers are judged: that of the clock which all workers share, where the store has one.
    /// It goes on by our own timer, so that a jump of this machine's clock does not move it.
    fn lease_time(&self) -> Timestamp {
        match *self.0.shared_time.lock().expect("shared time") {
            Some((said, at)) => said + at.elapsed(),
            None => self.0.setup.clock.now(),
        }
    }

    fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::Relaxed)
    }

    /// A number that no other attempt of this engine has.
    fn new_ticket(&self) -> u64 {
        self.0.tickets.fetch_add(1, Ordering::Relaxed)
    }

    /// A duration between half and one and a half of `middle`.
    fn jittered(&self, middle: Duration) -> Duration {
        middle.mul_f64(0.5 + self.0.chance.lock().expect("chance").f64())
    }
}
