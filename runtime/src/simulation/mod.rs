//! The whole engine in one thread under a seed: clock, store, model, tools, people and crashes.
//!
//! The engine and the applications are the real ones; only what is behind the seams is simulated, and
//! tokio's clock is paused, so an hour of retries takes milliseconds and the same seed gives the same
//! run. First faults of every kind for a while, with safety checked; then the faults stop, and every
//! session must come to rest in bounded time. A failing seed replays exactly.

mod checks;
mod faulty;
mod flaw;
mod model;
mod people;
mod role;
mod run;
mod sendings;
mod world;

pub use checks::Violation;
pub use flaw::Flaw;
pub use role::{Role, Sending, TillRole, ToolWorld};
pub use run::run_seed;
pub use world::Fault;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::host::ApplicationRegistry;
use crate::seams::store::Store;

/// What to simulate.
#[derive(Clone)]
pub struct Scenario {
    /// A new, empty store.
    pub store: Arc<dyn Fn() -> Arc<dyn Store> + Send + Sync>,
    pub repertoire: ApplicationRegistry,
    pub roles: Vec<Arc<dyn Role>>,
    /// A bug to plant, to see that it is caught.
    pub flaw: Option<Flaw>,
}

/// What one seed or many have shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// How many seeds were run.
    pub seeds: u64,
    /// Sessions played.
    pub sessions: u64,
    /// How many of them in which way.
    pub profiles: BTreeMap<&'static str, u64>,
    /// Events in their logs.
    pub events: u64,
    /// Commands acknowledged.
    pub acknowledged: u64,
    /// Faults, by kind.
    pub faults: BTreeMap<Fault, u64>,
    /// What went wrong, with its seed.
    pub violations: Vec<(u64, Violation)>,
    /// A digest of all logs, in order: the same seed gives the same.
    pub trace: u64,
}

impl Report {
    /// Takes in what others have shown.
    pub fn add(&mut self, other: Self) {
        self.seeds += other.seeds;
        self.sessions += other.sessions;
        for (profile, count) in other.profiles {
            *self.profiles.entry(profile).or_default() += count;
        }
        self.events += other.events;
        self.acknowledged += other.acknowledged;
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        self.violations.extend(other.violations);
        self.trace = self.trace.wrapping_mul(31).wrapping_add(other.trace);
    }
}

/// Runs seeds `first..first + count` on all cores; `progress` hears how many are done.
pub fn run_seeds(stage: &Scenario, first: u64, count: u64, progress: &(dyn Fn(u64) + Sync)) -> Report {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut reports: Vec<(u64, Report)> = std::thread::scope(|scope| {
        let work = || {
            let mut mine = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= count {
                    return mine;
                }
                mine.push((place, run_seed(stage, first.wrapping_add(place))));
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a simulation thread")).collect()
    });
    reports.sort_by_key(|(place, _)| *place);
    let mut total = Report::default();
    for (_, report) in reports {
        total.add(report);
    }
    total
}
