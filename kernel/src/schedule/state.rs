//! A schedule in the state of a session: what was started, what is paused, and the timer it owes.
//!
//! An application keeps one where it has something that recurs, calls these functions from its `evolve`, and asks for the
//! start that is due when the timer rings:
//!
//! ```
//! use enza_kernel::effect::Wake;
//! use enza_kernel::schedule::{Schedule, ScheduleState};
//! use enza_kernel::time::Timestamp;
//!
//! let hour = 3_600_000;
//! let schedule = Schedule::at("UTC", &["7:00", "11:00"]).unwrap();
//! let mut state = ScheduleState::new(schedule, Timestamp(0)); // evolve
//! let wake = state.wake("master").unwrap(); // due
//! assert_eq!(wake, Wake { name: "master".to_owned(), at: Timestamp(7 * hour) });
//! let start = state.rang(&wake, Timestamp(12 * hour)).unwrap(); // settle: five hours late
//! assert_eq!((start.at, start.missed), (Timestamp(11 * hour), 1));
//! state.started(start, Timestamp(12 * hour)); // evolve
//! assert_eq!(state.wake("master").unwrap().at, Timestamp(31 * hour));
//! ```
//!
//! What has been dealt with only grows, so no instant is started twice whatever clocks do. Deciding who may pause, and what
//! a start does, is left to the application.

use serde::{Deserialize, Serialize};

use super::{Due, Schedule, Start};
use crate::effect::Wake;
use crate::time::Timestamp;

/// A schedule and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    schedule: Schedule,
    /// Every instant up to here was started, missed for good, or never owed.
    through: Timestamp,
    last_run: Option<LastRun>,
    paused_at: Option<Timestamp>,
}

/// What was started last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastRun {
    /// When it was really started.
    pub at: Timestamp,
    /// The start that was owed; none where somebody asked for it out of turn.
    pub start: Option<Start>,
}

/// What follows from events.
impl ScheduleState {
    /// A schedule that was set: nothing before that is owed.
    pub fn new(schedule: Schedule, at: Timestamp) -> Self {
        Self { schedule, through: at, last_run: None, paused_at: None }
    }

    /// Another schedule was set in its place: nothing of either before that is owed. What is paused stays so.
    pub fn changed(&mut self, schedule: Schedule, at: Timestamp) {
        self.schedule = schedule;
        self.deal_with(at);
    }

    /// A start that was due was made.
    pub fn started(&mut self, start: Start, at: Timestamp) {
        self.deal_with(start.at);
        self.last_run = Some(LastRun { at, start: Some(start) });
    }

    /// Somebody asked for a run out of turn, which moves nothing.
    pub fn ran_now(&mut self, at: Timestamp) {
        self.last_run = Some(LastRun { at, start: None });
    }

    /// No more starts. Pausing what is paused changes nothing.
    pub fn paused(&mut self, at: Timestamp) {
        self.paused_at.get_or_insert(at);
    }

    /// Starts again; what fell into the pause, or was not made before it, is gone.
    pub fn resumed(&mut self, at: Timestamp) {
        if self.paused_at.take().is_some() {
            self.deal_with(at);
        }
    }

    fn deal_with(&mut self, through: Timestamp) {
        self.through = self.through.max(through);
    }
}

/// Questions.
impl ScheduleState {
    /// What is owed now; nothing while it is paused.
    pub fn due(&self, now: Timestamp) -> Due {
        match self.paused_at {
            Some(_) => Due::default(),
            None => self.schedule.due(self.through, now),
        }
    }

    /// What is owed now that its timer has rung. The timer is believed: it may be rung by another clock than the one that
    /// decides, and a ring that led to nothing would ring again at once.
    pub fn rang(&self, wake: &Wake, now: Timestamp) -> Option<Start> {
        self.due(now.max(wake.at)).start
    }

    /// The timer that it owes, under a name of the application's. It is in the past where a start was missed, so that it
    /// rings at once.
    pub fn wake(&self, name: &str) -> Option<Wake> {
        self.next().map(|at| Wake { name: name.to_owned(), at })
    }

    /// The first instant that has not been dealt with; none while it is paused.
    pub fn next(&self) -> Option<Timestamp> {
        match self.paused_at {
            Some(_) => None,
            None => self.schedule.next_after(self.through),
        }
    }

    /// The schedule itself.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What was started last, in its turn or out of it.
    pub fn last_run(&self) -> Option<LastRun> {
        self.last_run
    }

    /// Since when it is paused.
    pub fn paused_at(&self) -> Option<Timestamp> {
        self.paused_at
    }
}
