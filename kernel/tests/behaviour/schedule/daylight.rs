//! Where clocks are changed: what is left out comes at the end of the gap, what is shown twice comes once, and minutes go
//! on by real time.

use enza_kernel::schedule::Schedule;
use enza_kernel::time::Timestamp;

use super::{at, shown, wall};

fn times(zone: &str, times: &[&str], after: &str, count: usize) -> Vec<String> {
    shown(&Schedule::at(zone, times).unwrap(), after, count)
}

fn every(zone: &str, minutes: u16, after: &str, count: usize) -> Vec<String> {
    shown(&Schedule::every(zone, minutes).unwrap(), after, count)
}

#[test]
fn a_time_that_new_york_leaves_out_in_spring_comes_at_the_end_of_the_gap() {
    let found = times("America/New_York", &["2:30"], "2026-03-07T12:00:00Z", 2);
    assert_eq!(found, ["2026-03-08 03:00-04:00", "2026-03-09 02:30-04:00"]);
    // Several that are left out, and the end of the gap itself, are one.
    let found = times("America/New_York", &["1:59", "2:00", "2:30", "3:00", "3:01"], "2026-03-08T05:00:00Z", 4);
    let wanted = ["08 01:59-05:00", "08 03:00-04:00", "08 03:01-04:00", "09 01:59-04:00"];
    assert_eq!(found, wanted.map(|time| format!("2026-03-{time}")));
}

#[test]
fn a_time_that_new_york_shows_twice_in_autumn_comes_once_and_first() {
    let found = times("America/New_York", &["1:00", "1:30", "2:00"], "2026-11-01T04:00:00Z", 4);
    let wanted = ["01 01:00-04:00", "01 01:30-04:00", "01 02:00-05:00", "02 01:00-05:00"];
    assert_eq!(found, wanted.map(|time| format!("2026-11-{time}")));
}

#[test]
fn berlin_changes_at_other_hours_by_the_same_rules() {
    let spring = times("Europe/Berlin", &["2:15", "7:00"], "2026-03-28T12:00:00Z", 3);
    assert_eq!(spring, ["2026-03-29 03:00+02:00", "2026-03-29 07:00+02:00", "2026-03-30 02:15+02:00"]);
    let autumn = times("Europe/Berlin", &["2:15", "7:00"], "2026-10-24T12:00:00Z", 3);
    assert_eq!(autumn, ["2026-10-25 02:15+02:00", "2026-10-25 07:00+01:00", "2026-10-26 02:15+01:00"]);
}

#[test]
fn lord_howe_changes_by_half_an_hour() {
    let spring = times("Australia/Lord_Howe", &["2:00", "2:15", "2:30"], "2026-10-03T12:00:00Z", 2);
    assert_eq!(spring, ["2026-10-04 02:30+11:00", "2026-10-05 02:00+11:00"]);
    let autumn = times("Australia/Lord_Howe", &["1:30", "1:45", "2:00"], "2026-04-04T13:30:00Z", 3);
    assert_eq!(autumn, ["2026-04-05 01:30+11:00", "2026-04-05 01:45+11:00", "2026-04-05 02:00+10:30"]);
    let hours = every("Australia/Lord_Howe", 60, "2026-10-03T14:30:00Z", 3);
    assert_eq!(hours, ["2026-10-04 02:30+11:00", "2026-10-04 03:30+11:00", "2026-10-04 04:30+11:00"]);
    let end_of_day = every("Australia/Lord_Howe", 60, "2026-10-04T12:00:00Z", 3);
    assert_eq!(end_of_day, ["2026-10-04 23:30+11:00", "2026-10-05 00:00+11:00", "2026-10-05 01:00+11:00"]);
}

#[test]
fn tokyo_changes_nothing() {
    let schedule = Schedule::at("Asia/Tokyo", &["2:30"]).unwrap();
    let all = super::next(&schedule, at("2026-01-01T00:00:00+09:00"), 365);
    assert!(all.windows(2).all(|pair| pair[0].until(pair[1]).as_secs() == 24 * 60 * 60));
    assert!(all.iter().all(|time| wall("Asia/Tokyo", *time).ends_with(" 02:30+09:00")));
}

#[test]
fn minutes_go_on_by_real_time_through_a_gap_and_through_an_hour_shown_twice() {
    let gap = every("America/New_York", 30, "2026-03-08T06:00:00Z", 3);
    assert_eq!(gap, ["2026-03-08 01:30-05:00", "2026-03-08 03:00-04:00", "2026-03-08 03:30-04:00"]);
    let twice = every("America/New_York", 30, "2026-11-01T05:00:00Z", 4);
    let wanted = ["01:30-04:00", "01:00-05:00", "01:30-05:00", "02:00-05:00"];
    assert_eq!(twice, wanted.map(|time| format!("2026-11-01 {time}")));
}

#[test]
fn a_day_has_as_many_quarters_of_an_hour_as_it_is_long() {
    let turn = Schedule::every("Europe/Berlin", 15).unwrap();
    let count = |day: &str| {
        let all = super::next(&turn, Timestamp(at(&format!("{day}T00:00:00Z")).0 - 3 * 3_600_000), 120);
        all.into_iter().filter(|time| wall("Europe/Berlin", *time).starts_with(day)).count()
    };
    assert_eq!([count("2026-03-28"), count("2026-03-29"), count("2026-10-25")], [96, 92, 100]);
}

#[test]
fn a_midnight_that_is_left_out_or_shown_twice_is_still_one() {
    // Beirut leaves midnight out in spring; Havana shows it twice in autumn.
    let left_out = times("Asia/Beirut", &["0:00"], "2026-03-28T12:00:00Z", 2);
    assert_eq!(left_out, ["2026-03-29 01:00+03:00", "2026-03-30 00:00+03:00"]);
    assert_eq!(every("Asia/Beirut", 1440, "2026-03-28T12:00:00Z", 2), left_out);
    let twice = times("America/Havana", &["0:00", "0:30"], "2026-10-31T12:00:00Z", 3);
    assert_eq!(twice, ["2026-11-01 00:00-04:00", "2026-11-01 00:30-04:00", "2026-11-02 00:00-05:00"]);
}

#[test]
fn a_day_that_had_begun_and_is_taken_back_for_an_hour_does_not_begin_twice() {
    // One minute past midnight, Goose Bay went back to the evening before.
    let evening_again = at("2010-11-06T23:30:00-04:00");
    let midnight = at("2010-11-07T00:00:00-03:00");
    assert!(midnight < evening_again);
    let schedule = Schedule::at("America/Goose_Bay", &["0:00", "23:15"]).unwrap();
    let shown = shown(&schedule, "2010-11-06T12:00:00-03:00", 3);
    assert_eq!(shown, ["2010-11-06 23:15-03:00", "2010-11-07 00:00-03:00", "2010-11-07 23:15-04:00"]);
    assert_eq!(schedule.last_until(evening_again), Some(midnight));
    let hours = Schedule::every("America/Goose_Bay", 60).unwrap();
    assert_eq!(hours.last_until(evening_again), Some(midnight));
    assert_eq!(hours.next_after(evening_again), Some(at("2010-11-07T00:00:00-04:00")));
}

#[test]
fn a_day_that_a_place_left_out_comes_as_one_start_at_the_end_of_the_gap() {
    // Samoa went from 29 to 31 December 2011.
    let found = times("Pacific/Apia", &["7:00", "19:00"], "2011-12-29T19:00:00-10:00", 3);
    assert_eq!(found, ["2011-12-31 00:00+14:00", "2011-12-31 07:00+14:00", "2011-12-31 19:00+14:00"]);
}

#[test]
fn the_same_hour_across_a_change_is_caught_up_by_the_clock_on_the_wall() {
    let schedule = Schedule::at("America/New_York", &["1:30"]).unwrap();
    // At the second half past one, the first was the one.
    let first = at("2026-11-01T01:30:00-04:00");
    assert_eq!(schedule.last_until(at("2026-11-01T01:30:00-05:00")), Some(first));
    assert_eq!(schedule.due(first, at("2026-11-01T01:30:00-05:00")).start, None);
}
