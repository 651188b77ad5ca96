//! The times of a day at which something recurs: by the clock on the wall, or every so many minutes.
//!
//! Times by the clock follow it: each is once a day, however long the day is. Minutes follow real time from the beginning
//! of a day to the beginning of the next, so that a day with an hour more has more of them.

use std::iter;

use jiff::civil::Date;

use super::fault::{ScheduleFault, excerpt};
use super::zone::Zone;
use crate::time::Timestamp;

/// Minutes of a day, as its clock shows them.
pub(super) const DAY_MINUTES: u16 = 24 * 60;

/// When on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Times {
    /// At minutes of the day, by the clock on the wall: in order, each once, at least one.
    At(Vec<u16>),
    /// Every so many minutes of real time, from 1 to [`DAY_MINUTES`], from the first instant of the day.
    Every(u16),
}

impl Times {
    /// At minutes of the day.
    pub(super) fn at(mut minutes: Vec<u16>) -> Result<Self, ScheduleFault> {
        minutes.sort_unstable();
        minutes.dedup();
        if minutes.is_empty() { Err(ScheduleFault::NoTimes) } else { Ok(Self::At(minutes)) }
    }

    /// Every so many minutes.
    pub(super) fn every(minutes: u16) -> Result<Self, ScheduleFault> {
        match minutes {
            1..=DAY_MINUTES => Ok(Self::Every(minutes)),
            _ => Err(ScheduleFault::IntervalUnfit { minutes }),
        }
    }

    /// The first instant of a day after a time.
    pub(super) fn first_after(&self, zone: &Zone, date: Date, time: Timestamp) -> Option<Timestamp> {
        match self {
            Self::At(minutes) => minutes.get(reached(minutes, zone, date, time)).and_then(|at| zone.reaches(date, *at)),
            Self::Every(minutes) => {
                let (begin, end) = bounds(zone, date)?;
                let step = i64::from(*minutes) * MINUTE;
                let past = time.0.saturating_sub(begin.0);
                let count = if past < 0 { 0 } else { past / step + 1 };
                Some(Timestamp(begin.0 + count.checked_mul(step)?)).filter(|found| *found < end)
            }
        }
    }

    /// The last instant of a day up to a time, that time included.
    pub(super) fn last_until(&self, zone: &Zone, date: Date, time: Timestamp) -> Option<Timestamp> {
        match self {
            Self::At(minutes) => {
                let last = reached(minutes, zone, date, time).checked_sub(1)?;
                zone.reaches(date, minutes[last])
            }
            Self::Every(minutes) => {
                let (begin, end) = bounds(zone, date)?;
                let step = i64::from(*minutes) * MINUTE;
                let past = time.0.min(end.0 - 1).saturating_sub(begin.0);
                (past >= 0).then(|| Timestamp(begin.0 + past / step * step)).filter(|found| *found < end)
            }
        }
    }
}

const MINUTE: i64 = 60_000;

/// How many of a day's times have come by now. Later times never come earlier, so half of them need not be looked at.
fn reached(minutes: &[u16], zone: &Zone, date: Date, time: Timestamp) -> usize {
    minutes.partition_point(|at| zone.reaches(date, *at).is_some_and(|at| at <= time))
}

/// The first instant of a day and that of the next.
fn bounds(zone: &Zone, date: Date) -> Option<(Timestamp, Timestamp)> {
    Some((zone.reaches(date, 0)?, zone.reaches(date.tomorrow().ok()?, 0)?))
}

/// The minute of the day behind a time of day: `7:00`, `07:00`.
pub(super) fn read_time(text: &str) -> Result<u16, ScheduleFault> {
    let number = |text: &str, most: u16| {
        let is_plain = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u16>().ok().filter(|number| is_plain && *number <= most)
    };
    let halves = text.split_once(':').filter(|(_, minute)| minute.len() == 2);
    let minute = halves.and_then(|(hour, minute)| Some(number(hour, 23)? * 60 + number(minute, 59)?));
    minute.ok_or_else(|| ScheduleFault::TimeUnfit { found: excerpt(text) })
}

/// A minute of the day as a clock shows it: `7:00`.
pub(super) fn write_time(minute: u16) -> String {
    format!("{}:{:02}", minute / 60, minute % 60)
}

/// All minutes of the hours, where each hour has the same.
pub(super) fn product(hours: impl Iterator<Item = u8>, minutes: &[u8]) -> Vec<u16> {
    let of_hour = |hour: u8| iter::repeat_n(u16::from(hour) * 60, minutes.len()).zip(minutes);
    hours.flat_map(|hour| of_hour(hour).map(|(hour, minute)| hour + u16::from(*minute)).collect::<Vec<_>>()).collect()
}
