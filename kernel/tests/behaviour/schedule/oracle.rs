//! A slow second opinion: walks a year minute by minute and watches calendar and clock on the wall.
//!
//! It knows nothing of gaps and folds, and asks the time zone for one thing: what is shown at an instant.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use enza_kernel::schedule::{Recurs, Written, WrittenDays};
use enza_kernel::time::Timestamp;
use jiff::civil::Date;

use super::bundled;

/// Days since the first of the walk, and the minute of the day, at each minute of the walk.
pub type Walls = Arc<Vec<(Date, u16)>>;

pub const MINUTE: i64 = 60_000;
/// 2026-01-01 00:00 UTC less two days, so that every zone's year is inside.
pub const BEGIN: Timestamp = Timestamp(1_767_052_800_000);
/// A year and four days.
const LENGTH: i64 = 369 * 24 * 60;

/// What the wall shows at each minute.
pub fn walls(zone: &str) -> Walls {
    static WALKED: LazyLock<Mutex<BTreeMap<String, Walls>>> = LazyLock::new(Mutex::default);
    let mut walked = WALKED.lock().unwrap();
    let walk = || {
        let zone = bundled(zone);
        let shown = |minute: i64| {
            let instant = jiff::Timestamp::from_millisecond(BEGIN.0 + minute * MINUTE).unwrap();
            let wall = zone.to_datetime(instant);
            (wall.date(), wall.hour() as u16 * 60 + wall.minute() as u16)
        };
        Arc::new((0..LENGTH).map(shown).collect())
    };
    Arc::clone(walked.entry(zone.to_owned()).or_insert_with(walk))
}

/// Every instant of a schedule in the year, but for its first day, of which the walk has not seen the beginning.
pub fn instants(written: &Written) -> Vec<Timestamp> {
    let walls = walls(&written.zone);
    let mut found = Vec::new();
    let mut highest = walls[0];
    let mut since_midnight = 0_u64;
    for (minute, shown) in walls.iter().enumerate().skip(1) {
        since_midnight += 1;
        let is_one = if *shown > highest {
            if shown.0 > highest.0 {
                since_midnight = 0;
            }
            let is_one = is_reached(&written.recurs, highest, *shown, since_midnight);
            highest = *shown;
            is_one
        } else {
            is_reached(&written.recurs, highest, highest, since_midnight)
        };
        if is_one {
            found.push(Timestamp(BEGIN.0 + minute as i64 * MINUTE));
        }
    }
    let first = walls[0].0;
    found.retain(|time| {
        let minute = usize::try_from((time.0 - BEGIN.0) / MINUTE).unwrap();
        let is_inside =
            written.from.is_none_or(|from| *time >= from) && written.until.is_none_or(|until| *time < until);
        walls[minute].0 > first && is_inside
    });
    found
}

/// Whether a start comes when the wall has gone from one reading to the next.
fn is_reached(recurs: &Recurs, before: (Date, u16), now: (Date, u16), since_midnight: u64) -> bool {
    match recurs {
        // The day is the latest that was ever shown.
        Recurs::Every { minutes, on } => is_day(on, now.0) && since_midnight.is_multiple_of(u64::from(*minutes)),
        Recurs::At { times, on } => times.iter().any(|time| {
            let (hour, minute) = time.split_once(':').unwrap();
            let time = hour.parse::<u16>().unwrap() * 60 + minute.parse::<u16>().unwrap();
            let readings = [(before.0, time), (now.0, time)];
            readings.into_iter().any(|reading| before < reading && reading <= now && is_day(on, reading.0))
        }),
        Recurs::Cron(line) => panic!("read it first: {line}"),
    }
}

fn is_day(on: &WrittenDays, date: Date) -> bool {
    let weekday =
        on.weekdays.iter().any(|day| i8::try_from(day.number()).unwrap() == date.weekday().to_monday_one_offset());
    let month_day = on.month_days.iter().any(|day| i8::try_from(*day).unwrap() == date.day());
    let month = on.months.is_empty() || on.months.iter().any(|month| i8::try_from(*month).unwrap() == date.month());
    month
        && match (on.weekdays.is_empty(), on.month_days.is_empty()) {
            (true, true) => true,
            (false, true) => weekday,
            (true, false) => month_day,
            (false, false) => weekday || month_day,
        }
}
