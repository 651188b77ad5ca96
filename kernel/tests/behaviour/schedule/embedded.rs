//! A schedule in a session's state: starts, runs out of turn, pause, change, clocks that disagree.

use enza_kernel::effect::Wake;
use enza_kernel::schedule::{Due, LastRun, Schedule, ScheduleState, Start};
use enza_kernel::time::Timestamp;

use super::at;

fn hour(hour: i64) -> Timestamp {
    Timestamp(hour * 3_600_000)
}

/// Every four hours, set at midnight.
fn state() -> ScheduleState {
    ScheduleState::new(Schedule::every("UTC", 240).unwrap(), hour(0))
}

fn wakes_at(state: &ScheduleState) -> Option<Timestamp> {
    state.wake("master").map(|wake| wake.at)
}

#[test]
fn a_schedule_that_was_set_owes_nothing_of_before() {
    assert_eq!(state().due(hour(0)), Due { start: None, next: Some(hour(4)) });
    assert_eq!(state().wake("master"), Some(Wake { name: "master".to_owned(), at: hour(4) }));
}

#[test]
fn each_start_moves_the_timer_to_the_next_instant() {
    let mut state = state();
    let start = state.rang(&state.wake("master").unwrap(), Timestamp(hour(4).0 + 30)).unwrap();
    assert_eq!(start, Start { at: hour(4), missed: 0 });
    state.started(start, Timestamp(hour(4).0 + 30));
    assert_eq!(wakes_at(&state), Some(hour(8)));
    assert_eq!(state.last_run(), Some(LastRun { at: Timestamp(hour(4).0 + 30), start: Some(start) }));
}

#[test]
fn a_worker_that_was_away_rings_at_once_and_starts_once() {
    let mut state = state();
    assert_eq!(wakes_at(&state), Some(hour(4)), "long past: it rings at once");
    let start = state.rang(&state.wake("master").unwrap(), hour(75)).unwrap();
    assert_eq!(start, Start { at: hour(72), missed: 17 });
    state.started(start, hour(75));
    assert_eq!(state.due(hour(75)), Due { start: None, next: Some(hour(76)) });
    assert_eq!(wakes_at(&state), Some(hour(76)));
}

#[test]
fn a_run_out_of_turn_moves_nothing() {
    let mut state = state();
    state.ran_now(hour(3));
    assert_eq!(wakes_at(&state), Some(hour(4)));
    assert_eq!(state.due(hour(4)).start, Some(Start { at: hour(4), missed: 0 }));
    assert_eq!(state.last_run(), Some(LastRun { at: hour(3), start: None }));
}

#[test]
fn a_pause_loses_its_starts_and_nothing_else() {
    let mut state = state();
    state.ran_now(hour(1));
    state.paused(hour(5));
    state.paused(hour(6));
    assert_eq!((state.paused_at(), wakes_at(&state), state.due(hour(50))), (Some(hour(5)), None, Due::default()));
    state.resumed(hour(50));
    assert_eq!(state.due(hour(51)), Due { start: None, next: Some(hour(52)) });
    assert_eq!(state.due(hour(52)).start, Some(Start { at: hour(52), missed: 0 }));
    assert_eq!(state.last_run(), Some(LastRun { at: hour(1), start: None }));
}

#[test]
fn resuming_what_is_not_paused_changes_nothing() {
    let mut state = state();
    state.resumed(hour(5));
    assert_eq!(state.due(hour(5)).start, Some(Start { at: hour(4), missed: 0 }));
}

#[test]
fn a_changed_schedule_begins_with_the_change_and_stays_paused() {
    let mut state = state();
    state.changed(Schedule::at("UTC", &["3:00", "6:00"]).unwrap(), hour(5));
    assert_eq!(state.due(hour(5)), Due { start: None, next: Some(hour(6)) });
    state.paused(hour(5));
    state.changed(Schedule::every("UTC", 60).unwrap(), hour(5));
    assert_eq!(wakes_at(&state), None);
}

#[test]
fn the_same_instant_never_starts_twice_though_the_clock_goes_back() {
    let mut state = state();
    let start = state.due(hour(8)).start.unwrap();
    state.started(start, hour(8));
    assert_eq!(state.due(hour(7)), Due { start: None, next: Some(hour(12)) });
    state.paused(hour(7));
    state.resumed(hour(2));
    state.changed(Schedule::every("UTC", 240).unwrap(), hour(3));
    assert_eq!(state.due(hour(8)), Due { start: None, next: Some(hour(12)) });
}

#[test]
fn a_timer_that_another_clock_rings_early_starts_and_does_not_ring_again() {
    let mut state = state();
    let wake = state.wake("master").unwrap();
    let start = state.rang(&wake, Timestamp(hour(4).0 - 250)).unwrap();
    assert_eq!(start, Start { at: hour(4), missed: 0 });
    state.started(start, Timestamp(hour(4).0 - 250));
    assert_eq!(wakes_at(&state), Some(hour(8)));
}

#[test]
fn a_schedule_that_is_over_owes_no_timer() {
    let mut written = enza_kernel::schedule::Written::from(Schedule::every("UTC", 240).unwrap());
    written.until = Some(hour(8));
    let mut state = ScheduleState::new(Schedule::read(&written).unwrap(), hour(0));
    state.started(state.due(hour(100)).start.unwrap(), hour(100));
    assert_eq!((state.last_run().unwrap().start.unwrap().at, wakes_at(&state)), (hour(4), None));
}

#[test]
fn a_state_is_the_same_after_it_was_kept() {
    let mut state =
        ScheduleState::new(Schedule::cron("Europe/Berlin", "*/7 9-17 1 * MON").unwrap(), at("2026-04-01T00:00:00Z"));
    state.started(state.due(at("2026-04-09T00:00:00Z")).start.unwrap(), at("2026-04-09T00:00:00Z"));
    state.paused(at("2026-04-10T00:00:00Z"));
    let kept = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<ScheduleState>(&kept).unwrap(), state);
}

#[test]
fn the_largest_schedule_stays_small_enough_for_a_state() {
    let schedule = Schedule::cron("America/Argentina/ComodRivadavia", "1-59 * 1-30 1-11 1-6").unwrap();
    let kept = serde_json::to_string(&ScheduleState::new(schedule, hour(0))).unwrap();
    assert!(kept.len() < 16_384, "{} bytes", kept.len());
}
