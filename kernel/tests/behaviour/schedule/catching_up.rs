//! What is owed after a while away: one start, for the latest instant that was missed.

use enza_kernel::schedule::{Due, MOST_COUNTED, Schedule, Start};
use enza_kernel::time::Timestamp;

use super::at;

fn master() -> Schedule {
    Schedule::at("Asia/Tokyo", &["7:00", "11:00", "15:00", "19:00", "23:00", "3:00"]).unwrap()
}

#[test]
fn nothing_is_owed_between_two_starts() {
    let seven = at("2026-04-01T07:00:00+09:00");
    let next = Some(at("2026-04-01T11:00:00+09:00"));
    assert_eq!(master().due(seven, at("2026-04-01T10:59:59.999+09:00")), Due { start: None, next });
}

#[test]
fn a_start_is_owed_from_its_instant_on() {
    let (seven, eleven) = (at("2026-04-01T07:00:00+09:00"), at("2026-04-01T11:00:00+09:00"));
    let next = Some(at("2026-04-01T15:00:00+09:00"));
    let start = Some(Start { at: eleven, missed: 0 });
    assert_eq!(master().due(seven, eleven), Due { start, next });
    assert_eq!(master().due(seven, at("2026-04-01T11:00:07+09:00")), Due { start, next });
}

#[test]
fn a_master_run_missed_for_three_days_is_caught_up_once() {
    let (last, now) = (at("2026-04-01T07:00:00+09:00"), at("2026-04-04T08:00:00+09:00"));
    let due = master().due(last, now);
    let start = Start { at: at("2026-04-04T07:00:00+09:00"), missed: 17 };
    assert_eq!(due, Due { start: Some(start), next: Some(at("2026-04-04T11:00:00+09:00")) });
    assert_eq!(master().due(start.at, now), Due { start: None, next: due.next });
}

#[test]
fn a_clock_that_was_put_back_owes_nothing_until_it_has_come_round() {
    let eleven = at("2026-04-01T11:00:00+09:00");
    let next = Some(at("2026-04-01T15:00:00+09:00"));
    for now in ["2026-04-01T11:00:00+09:00", "2026-04-01T10:00:00+09:00", "2025-01-01T00:00:00+09:00"] {
        assert_eq!(master().due(eleven, at(now)), Due { start: None, next }, "{now}");
    }
}

#[test]
fn what_was_missed_is_counted_up_to_a_bound() {
    let turn = Schedule::every("UTC", 1).unwrap();
    let minutes = |count: i64| Timestamp(count * 60_000);
    let exact = turn.due(minutes(0), minutes(i64::from(MOST_COUNTED))).start;
    assert_eq!(exact, Some(Start { at: minutes(i64::from(MOST_COUNTED)), missed: MOST_COUNTED - 1 }));
    let years = turn.due(minutes(0), minutes(20_000_000)).start;
    assert_eq!(years, Some(Start { at: minutes(20_000_000), missed: MOST_COUNTED }));
}
