//! Recurring times in a time zone: when something starts next, and what is due after a while away.
//!
//! A `Schedule` is read from what somebody wrote (`Written`, or a cron line) and is correct from then on. It names
//! instants and nothing else: the same schedule and the same numbers give the same answer, on every machine. Late starts
//! are caught up once, for the latest instant that was missed. No instant is named twice, also where the clock is turned
//! back.
//!
//! A clock is never read here, and nothing starts here. What was started and whether it is paused is in `ScheduleState`,
//! which an application keeps in its own state.

mod cron;
mod days;
mod describe;
mod fault;
mod state;
mod times;
mod written;
mod zone;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

pub use days::Weekday;
pub use fault::{CalendarField, ScheduleFault};
pub use state::{LastRun, ScheduleState};
pub use written::{Recurs, Written, WrittenDays};

use days::Days;
use times::Times;
use zone::Zone;

/// More starts than these are not counted: nobody needs to know better how many were missed.
pub const MOST_COUNTED: u32 = 1_000;

/// Recurring instants. Written down and read again in the form of [`Written`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
pub struct Schedule {
    /// The one spelling of its IANA name.
    zone: String,
    days: Days,
    times: Times,
    /// The first instant that may be one.
    from: Option<Timestamp>,
    /// The first instant that may not be one any more.
    until: Option<Timestamp>,
}

/// What a schedule owes after a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Due {
    /// The one start that is owed, if any.
    pub start: Option<Start>,
    /// When to look again; none where nothing comes any more.
    pub next: Option<Timestamp>,
}

/// A start that is owed: one, however many were missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// The instant of the schedule that it is for, which names it: no other start is ever for this one.
    #[schemars(with = "i64")]
    pub at: Timestamp,
    /// How many earlier ones it stands for as well; [`MOST_COUNTED`] where it is these or more.
    pub missed: u32,
}

impl Schedule {
    /// Reads what somebody wrote.
    pub fn read(written: &Written) -> Result<Self, ScheduleFault> {
        written.read()
    }

    /// Every day at these times, written as `7:00`.
    pub fn at(zone: &str, times: &[&str]) -> Result<Self, ScheduleFault> {
        let times = times.iter().map(|time| (*time).to_owned()).collect();
        Self::read(&Written::new(zone, Recurs::At { times, on: WrittenDays::default() }))
    }

    /// Every so many minutes, counted from the beginning of each day.
    pub fn every(zone: &str, minutes: u16) -> Result<Self, ScheduleFault> {
        Self::read(&Written::new(zone, Recurs::Every { minutes, on: WrittenDays::default() }))
    }

    /// By a cron line of five fields.
    pub fn cron(zone: &str, line: &str) -> Result<Self, ScheduleFault> {
        Self::read(&Written::new(zone, Recurs::Cron(line.to_owned())))
    }

    /// The time zone's IANA name.
    pub fn zone(&self) -> &str {
        &self.zone
    }

    /// The first instant strictly after a time.
    pub fn next_after(&self, time: Timestamp) -> Option<Timestamp> {
        let before = |from: Timestamp| Timestamp(from.0.saturating_sub(1));
        let time = self.from.map_or(time, |from| time.max(before(from)));
        let zone = Zone::of(&self.zone);
        let mut date = zone.date(time);
        loop {
            date = self.days.first_from(date)?;
            if let Some(found) = self.times.first_after(&zone, date, time) {
                return Some(found).filter(|found| self.until.is_none_or(|until| *found < until));
            }
            date = date.tomorrow().ok()?;
        }
    }

    /// The last instant up to a time, that time included.
    pub fn last_until(&self, time: Timestamp) -> Option<Timestamp> {
        let before = |until: Timestamp| Timestamp(until.0.saturating_sub(1));
        let time = self.until.map_or(time, |until| time.min(before(until)));
        let zone = Zone::of(&self.zone);
        // Where clocks are put back across midnight, the next day has begun once already.
        let mut date = zone.date(time + A_DAY);
        loop {
            date = self.days.last_until(date)?;
            if let Some(found) = self.times.last_until(&zone, date, time) {
                return Some(found).filter(|found| self.from.is_none_or(|from| *found >= from));
            }
            date = date.yesterday().ok()?;
        }
    }

    /// What is owed now, where everything up to `last` has been dealt with: at most one start. A time before `last`, since
    /// the clock was put back, owes nothing.
    pub fn due(&self, last: Timestamp, now: Timestamp) -> Due {
        let latest = self.last_until(now).filter(|latest| *latest > last);
        let start = latest.map(|at| Start { at, missed: self.count_between(last, at) });
        Due { start, next: self.next_after(last.max(now)) }
    }

    /// How many instants lie between two times, both left out; [`MOST_COUNTED`] where it is these or more.
    fn count_between(&self, after: Timestamp, before: Timestamp) -> u32 {
        let mut count = 0;
        let mut time = after;
        while count < MOST_COUNTED {
            match self.next_after(time) {
                Some(next) if next < before => time = next,
                Some(_) | None => break,
            }
            count += 1;
        }
        count
    }
}

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
