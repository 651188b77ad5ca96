//! Recurring times: when they come, what is owed after a while, and how they are written and said.

mod catching_up;
mod cron;
mod daylight;
mod embedded;
mod oracle;
mod properties;
mod recurrence;
mod words;

use enza_kernel::schedule::Schedule;
use enza_kernel::time::Timestamp;
use jiff::tz::TimeZone;

/// The instant of a text such as `2026-03-08T02:30:00-05:00`.
fn at(text: &str) -> Timestamp {
    Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

/// The zone of the database inside the program, as the schedule has it.
fn bundled(zone: &str) -> TimeZone {
    jiff::tz::TimeZoneDatabase::bundled().get(zone).unwrap()
}

/// What calendar, clock and offset show in a schedule's zone.
fn wall(zone: &str, at: Timestamp) -> String {
    let instant = jiff::Timestamp::from_millisecond(at.0).unwrap();
    instant.to_zoned(bundled(zone)).strftime("%Y-%m-%d %H:%M%:z").to_string()
}

/// The next instants after a time.
fn next(schedule: &Schedule, after: Timestamp, count: usize) -> Vec<Timestamp> {
    let first = schedule.next_after(after);
    std::iter::successors(first, |time| schedule.next_after(*time)).take(count).collect()
}

/// The same as they are shown there.
fn shown(schedule: &Schedule, after: &str, count: usize) -> Vec<String> {
    next(schedule, at(after), count).into_iter().map(|time| wall(schedule.zone(), time)).collect()
}
