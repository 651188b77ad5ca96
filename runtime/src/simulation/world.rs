//! Chance, time and faults of one simulated run.
//!
//! Every draw comes from one seeded generator, in the order in which the single thread gets to it.
//! Whoever performs a step asks here whether something goes wrong with it, and everything that does is
//! counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::time::Timestamp;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::checks::Witness;
use crate::seams::clock::Clock;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A worker stopped between two steps.
    Crash,
    /// An append failed and did not take place.
    AppendFailed,
    /// An append took place and was reported as failed.
    AppendUnanswered,
    /// A worker stopped in the middle of an append, which was rolled back.
    TornTail,
    /// A read or another store call failed.
    StoreFailed,
    /// A command was delivered twice.
    Duplicated,
    /// Commands were delivered out of order or rivals at the same time.
    Reordered,
    /// A worker's clock jumped.
    ClockJumped,
    /// The model replied with nonsense.
    ModelGarbage,
    /// The model replied with nothing, or never.
    ModelSilence,
    /// The model's service was busy or broken.
    ModelFailed,
    ToolFailed,
    /// A second worker took over a session whose first was still alive.
    Paused,
}

impl Fault {
    /// Every one, in order.
    pub const ALL: [Self; 13] = [
        Self::Crash,
        Self::AppendFailed,
        Self::AppendUnanswered,
        Self::TornTail,
        Self::StoreFailed,
        Self::Duplicated,
        Self::Reordered,
        Self::ClockJumped,
        Self::ModelGarbage,
        Self::ModelSilence,
        Self::ModelFailed,
        Self::ToolFailed,
        Self::Paused,
    ];

    /// The words for it in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::Crash => "crashes between steps",
            Self::AppendFailed => "appends failed before",
            Self::AppendUnanswered => "appends failed after",
            Self::TornTail => "appends torn by a crash",
            Self::StoreFailed => "other store calls failed",
            Self::Duplicated => "duplicate deliveries",
            Self::Reordered => "reordered and rival deliveries",
            Self::ClockJumped => "clock jumps",
            Self::ModelGarbage => "model garbage",
            Self::ModelSilence => "model silence",
            Self::ModelFailed => "model failures",
            Self::ToolFailed => "tool failures",
            Self::Paused => "workers paused past their lease",
        }
    }
}

/// The world of one run.
pub(super) struct World {
    chance: Mutex<fastrand::Rng>,
    started: Instant,
    skews: Mutex<[i64; 2]>,
    faulty: Mutex<bool>,
    faults: Mutex<BTreeMap<Fault, u64>>,
    crashing: Mutex<[bool; 2]>,
    pub crash: Notify,
    pub witness: Mutex<Witness>,
}

impl World {
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self {
            chance: Mutex::new(fastrand::Rng::with_seed(seed)),
            started: Instant::now(),
            skews: Mutex::default(),
            faulty: Mutex::new(true),
            faults: Mutex::default(),
            crashing: Mutex::default(),
            crash: Notify::new(),
            witness: Mutex::default(),
        })
    }

    /// A number below `most`.
    pub fn below(&self, most: u64) -> u64 {
        self.chance.lock().expect("chance").u64(0..most)
    }

    /// Whether something happens that happens `percent` of the time, whether or not faults are on.
    pub fn happens(&self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Whether a fault strikes now; it is counted. The chance is per thousand.
    pub fn strikes(&self, fault: Fault, per_mille: u64) -> bool {
        let strikes = self.below(1_000) < per_mille && *self.faulty.lock().expect("faulty");
        if strikes {
            self.count(fault);
        }
        strikes
    }

    pub fn count(&self, fault: Fault) {
        *self.faults.lock().expect("faults").entry(fault).or_default() += 1;
    }

    pub fn stop_faults(&self) {
        *self.faulty.lock().expect("faulty") = false;
        *self.skews.lock().expect("skews") = [0, 0];
    }

    pub fn faults(&self) -> BTreeMap<Fault, u64> {
        self.faults.lock().expect("faults").clone()
    }

    /// A step takes a moment.
    pub async fn moment(&self) {
        let micros = self.below(3_000);
        tokio::time::sleep(Duration::from_micros(micros)).await;
    }

    /// The worker stops here: its engine is killed as soon as the director looks, and this never returns.
    pub async fn die(&self, worker: usize) {
        self.crashing.lock().expect("crashing")[worker] = true;
        self.crash.notify_one();
        std::future::pending::<()>().await;
    }

    /// Which workers have stopped since this was last asked.
    pub fn take_crashed(&self) -> [bool; 2] {
        std::mem::take(&mut *self.crashing.lock().expect("crashing"))
    }

    /// Whether this worker has stopped since this was last asked.
    pub fn take_one_crashed(&self, worker: usize) -> bool {
        std::mem::take(&mut self.crashing.lock().expect("crashing")[worker])
    }

    pub fn jump_clock(&self, worker: usize) {
        self.count(Fault::ClockJumped);
        let jump = self.below(60_000) as i64 - 30_000;
        self.skews.lock().expect("skews")[worker] += jump;
    }
}

/// A worker's clock: simulated time, and how far it is off.
pub(super) struct SimClock {
    pub world: Arc<World>,
    pub worker: usize,
}

impl Clock for SimClock {
    fn now(&self) -> Timestamp {
        let skew = self.world.skews.lock().expect("skews")[self.worker];
        let since = self.world.started.elapsed().as_millis() as i64;
        Timestamp(1_700_000_000_000 + since + skew)
    }
}
