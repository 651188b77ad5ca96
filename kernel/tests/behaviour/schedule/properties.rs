//! What holds for every schedule: instants agree with the oracle's, only go forward, and none is ever started twice.

use enza_kernel::schedule::{MOST_COUNTED, Recurs, Schedule, ScheduleState, Weekday, Written, WrittenDays};
use enza_kernel::time::Timestamp;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::oracle::{BEGIN, MINUTE, changes, instants};

const ZONES: [&str; 9] = [
    "America/New_York",
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "Asia/Tokyo",
    "Asia/Beirut",
    "America/Havana",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "UTC",
];
const DAY: i64 = 24 * 60 * MINUTE;

fn days() -> impl Strategy<Value = WrittenDays> {
    let weekdays = prop_oneof![Just(Vec::new()), subsequence(Weekday::ALL.to_vec(), 1..=6)];
    let month_days = prop_oneof![3 => Just(Vec::new()), 1 => btree_set(1_u8..=28, 1..6).prop_map(Vec::from_iter)];
    let months = prop_oneof![3 => Just(Vec::new()), 1 => btree_set(1_u8..=12, 1..6).prop_map(Vec::from_iter)];
    (weekdays, month_days, months).prop_map(|(weekdays, month_days, months)| WrittenDays {
        weekdays,
        month_days,
        months,
    })
}

/// Every kind, with times close to where clocks are changed more often than not.
fn recurs() -> impl Strategy<Value = Recurs> {
    let minute = prop_oneof![0_u16..240, 0_u16..1440];
    let times = vec(minute.prop_map(|minute| format!("{}:{:02}", minute / 60, minute % 60)), 1..8);
    let minutes = prop_oneof![select(vec![1_u16, 5, 7, 15, 30, 60, 240, 1440]), 1_u16..=1440];
    prop_oneof![
        (times, days()).prop_map(|(times, on)| Recurs::At { times, on }),
        (minutes, days()).prop_map(|(minutes, on)| Recurs::Every { minutes, on }),
    ]
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0..365 * DAY).prop_map(|past| Timestamp(BEGIN.0 + past))
}

fn written() -> impl Strategy<Value = Written> {
    let bounds = (option::weighted(0.2, time()), option::weighted(0.2, time()));
    (select(ZONES.to_vec()), recurs(), bounds).prop_map(|(zone, recurs, (from, until))| {
        let until = until.filter(|until| from.is_none_or(|from| from < *until));
        Written { zone: zone.to_owned(), recurs, from, until }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_year_of_instants_agrees_with_walking_it_minute_by_minute(written in written()) {
        let schedule = Schedule::read(&written).unwrap();
        let walked = instants(&written);
        let changes = changes(&written.zone);
        let is_near_a_change = |at: &Timestamp| changes.iter().any(|change| change.0.abs_diff(at.0) < 180 * MINUTE as u64);
        // What comes often is looked at here and there, and wherever clocks are changed.
        let stride = walked.len() / 2_000 + 1;
        for (place, pair) in walked.windows(2).enumerate() {
            if place % stride == 0 || is_near_a_change(&pair[0]) {
                prop_assert_eq!(schedule.next_after(pair[0]), Some(pair[1]));
                prop_assert_eq!(schedule.next_after(Timestamp(pair[1].0 - 1)), Some(pair[1]));
                prop_assert_eq!(schedule.last_until(pair[1]), Some(pair[1]));
                prop_assert_eq!(schedule.last_until(Timestamp(pair[1].0 - 1)), Some(pair[0]));
            }
        }
        // Where the walk found nothing, there is nothing.
        let (begin, end) = (Timestamp(BEGIN.0 + 3 * DAY), Timestamp(BEGIN.0 + 366 * DAY));
        let first = walked.iter().find(|at| **at > begin).filter(|at| **at < end);
        prop_assert_eq!(schedule.next_after(begin).filter(|at| *at < end), first.copied());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_comes_next_is_later_and_nothing_lies_between(written in written(), time in time(), later in time()) {
        let schedule = Schedule::read(&written).unwrap();
        let next = schedule.next_after(time);
        prop_assert!(next.is_none_or(|next| next > time));
        // Whoever asks later is told the same or later, and never an instant that was passed over.
        if let (Some(next), true) = (next, later > time) {
            let after = schedule.next_after(later);
            let is_right = if later < next { after == Some(next) } else { after.is_none_or(|after| after > next) };
            prop_assert!(is_right, "{:?} after {:?}", after, later);
            prop_assert_eq!(schedule.last_until(next), Some(next));
        }
        prop_assert!(schedule.last_until(time).is_none_or(|last| last <= time && schedule.next_after(last) == next));
    }

    #[test]
    fn one_start_is_owed_however_long_nobody_looked(written in written(), last in time(), now in time()) {
        let schedule = Schedule::read(&written).unwrap();
        let due = schedule.due(last, now);
        let next = |time: &Timestamp| schedule.next_after(*time);
        let most = MOST_COUNTED as usize + 2;
        let missed: Vec<Timestamp> =
            std::iter::successors(next(&last), next).take_while(|time| *time <= now).take(most).collect();
        prop_assert_eq!(due.start.is_some(), !missed.is_empty());
        if let Some(start) = due.start {
            prop_assert_eq!(start.missed as usize, (missed.len() - 1).min(MOST_COUNTED as usize));
            prop_assert!(missed.len() == most || missed.last() == Some(&start.at));
            let again = schedule.due(start.at, now);
            prop_assert_eq!((again.start, again.next), (None, due.next));
        }
        prop_assert_eq!(due.next, schedule.next_after(last.max(now)));
    }

    #[test]
    fn what_is_written_down_is_the_same_schedule(written in written()) {
        let schedule = Schedule::read(&written).unwrap();
        let json = serde_json::to_string(&schedule).unwrap();
        prop_assert_eq!(serde_json::from_str::<Schedule>(&json).unwrap(), schedule);
    }

    #[test]
    fn no_line_breaks_the_reader(line in "[-*/,0-9A-Za-z@#? ]{0,40}", fields in vec("[-*/,0-9MONSUFJA]{1,6}", 5)) {
        for line in [line, fields.join(" ")] {
            if let Ok(schedule) = Schedule::cron("Europe/Berlin", &line) {
                prop_assert!(schedule.next_after(BEGIN).is_some(), "{} never comes", line);
            }
        }
    }

    /// Clocks that jump, pauses, changes, rings that come early and late: no instant is started twice, and the same
    /// events give the same state.
    #[test]
    fn no_instant_is_ever_started_twice(
        written in written(),
        others in vec(written(), 0..3),
        acts in vec((0..9_u8, time()), 1..40),
    ) {
        let mut others = others.into_iter();
        let mut state = ScheduleState::new(Schedule::read(&written).unwrap(), BEGIN);
        let mut replayed = state.clone();
        let mut latest = BEGIN;
        for (act, now) in acts {
            let start = match state.wake("recur") {
                Some(wake) if act < 5 => state.rang(&wake, now),
                Some(_) | None => None,
            };
            let other = if act == 8 { others.next() } else { None };
            for state in [&mut state, &mut replayed] {
                match (act, start, &other) {
                    (_, Some(start), _) => state.started(start, now),
                    (5, ..) => state.paused(now),
                    (6, ..) => state.resumed(now),
                    (7, ..) => state.ran_now(now),
                    (8, _, Some(other)) => state.changed(Schedule::read(other).unwrap(), now),
                    _ => {}
                }
            }
            if let Some(start) = start {
                prop_assert!(start.at > latest, "{:?} again after {:?}", start, latest);
                latest = start.at;
                let kept = serde_json::to_string(&state).unwrap();
                replayed = serde_json::from_str(&kept).unwrap();
            }
            prop_assert_eq!(&state, &replayed);
        }
    }
}
