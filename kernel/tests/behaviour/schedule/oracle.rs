//! A slow second opinion: walks a year minute by minute and watches calendar and clock on the wall.
//!
//! It knows nothing of gaps and folds, and asks the time zone for one thing: what is shown at an instant.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use enza_kernel::schedule::{Recurs, Written, WrittenDays};
use enza_kernel::time::Timestamp;
use jiff::civil::Date;

use super::bundled;

/// The day and the minute of the day that the wall shows, at each minute of the walk.
pub type Walls = Arc<Vec<Reading>>;
type Reading = (Date, u16);

pub const MINUTE: i64 = 60_000;
/// 2025-12-30 00:00 UTC: two days before the year, so that it is inside for every zone.
pub const BEGIN: Timestamp = Timestamp(1_767_052_800_000);
/// A year and four days.
const LENGTH: i64 = 369 * 24 * 60;

/// What the wall shows at each minute. The zone is asked twice in a quarter of an hour, within which clocks are not changed.
fn walls(zone: &str) -> Walls {
    static WALKED: LazyLock<Mutex<BTreeMap<String, Walls>>> = LazyLock::new(Mutex::default);
    let mut walked = WALKED.lock().unwrap();
    let walk = || {
        let zone = bundled(zone);
        let shown = |minute: i64| {
            let instant = jiff::Timestamp::from_millisecond(BEGIN.0 + minute * MINUTE).unwrap();
            let wall = zone.to_datetime(instant);
            (wall.date(), wall.hour() as u16 * 60 + wall.minute() as u16)
        };
        let quarter = |begin: i64| {
            let (date, minute) = shown(begin);
            assert_eq!(shown(begin + 14), (date, minute + 14), "clocks are changed within a quarter of an hour");
            (0..15).map(move |past| (date, minute + past))
        };
        Arc::new((0..LENGTH / 15).flat_map(|count| quarter(count * 15)).collect())
    };
    Arc::clone(walked.entry(zone.to_owned()).or_insert_with(walk))
}

/// The instants at which clocks are changed.
pub fn changes(zone: &str) -> Vec<Timestamp> {
    static FOUND: LazyLock<Mutex<BTreeMap<String, Vec<Timestamp>>>> = LazyLock::new(Mutex::default);
    FOUND.lock().unwrap().entry(zone.to_owned()).or_insert_with(|| changes_in(&walls(zone))).clone()
}

fn changes_in(walls: &[Reading]) -> Vec<Timestamp> {
    let pairs = walls.windows(2).enumerate();
    pairs.filter(|(_, pair)| following(pair[0]) != pair[1]).map(|(place, _)| instant(place + 1)).collect()
}

/// Every instant of a schedule in the year, but for its first day, of which the walk has not seen the beginning.
pub fn instants(written: &Written) -> Vec<Timestamp> {
    let walls = walls(&written.zone);
    let minutes = minutes_of_day(&written.recurs);
    let mut found = Vec::new();
    let mut highest = walls[0];
    let mut since_midnight = 0_u64;
    for (place, shown) in walls.iter().enumerate().skip(1) {
        since_midnight = if shown.0 > highest.0 { 0 } else { since_midnight + 1 };
        // All that the wall has come to with this minute, what it left out as well; nothing while it shows things again.
        let reached = |(date, minute): Reading| minutes[usize::from(minute)].is_some_and(|on| is_day(on, date));
        let readings = std::iter::successors(Some(following(highest)), |reading| Some(following(*reading)));
        let is_one = match &written.recurs {
            Recurs::At { .. } => readings.take_while(|reading| reading <= shown).any(reached),
            Recurs::Every { minutes, on } => {
                since_midnight.is_multiple_of(u64::from(*minutes)) && is_day(on, highest.0.max(shown.0))
            }
            Recurs::Cron(line) => panic!("read it first: {line}"),
        };
        highest = highest.max(*shown);
        if is_one && shown.0 > walls[0].0 {
            found.push(instant(place));
        }
    }
    let is_inside =
        |at: &Timestamp| written.from.is_none_or(|from| *at >= from) && written.until.is_none_or(|until| *at < until);
    found.retain(is_inside);
    found
}

fn instant(place: usize) -> Timestamp {
    Timestamp(BEGIN.0 + i64::try_from(place).unwrap() * MINUTE)
}

fn following((date, minute): Reading) -> Reading {
    if minute == 1439 { (date.tomorrow().unwrap(), 0) } else { (date, minute + 1) }
}

/// For each minute of the day that is chosen, the days that are.
fn minutes_of_day(recurs: &Recurs) -> Vec<Option<&WrittenDays>> {
    let mut minutes = vec![None; 1440];
    if let Recurs::At { times, on } = recurs {
        for time in times {
            let (hour, minute) = time.split_once(':').unwrap();
            minutes[hour.parse::<usize>().unwrap() * 60 + minute.parse::<usize>().unwrap()] = Some(on);
        }
    }
    minutes
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
