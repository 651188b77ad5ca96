//! When something recurs, where clocks are not changed: times, days, months, bounds.

use enza_kernel::schedule::{Recurs, Schedule, ScheduleFault, Weekday, Written, WrittenDays};

use super::{at, shown};

fn on(days: WrittenDays) -> Schedule {
    Schedule::read(&Written::new("Asia/Tokyo", Recurs::At { times: vec!["7:00".to_owned()], on: days })).unwrap()
}

/// DEL-C3: the Master's hours, in the house's time zone, and a turn every quarter of an hour.
#[test]
fn the_master_runs_six_times_a_day_and_a_turn_every_quarter_of_an_hour() {
    let master = Schedule::at("Asia/Tokyo", &["7:00", "11:00", "15:00", "19:00", "23:00", "3:00"]).unwrap();
    let day = ["01 07", "01 11", "01 15", "01 19", "01 23", "02 03", "02 07"];
    let day = day.map(|hour| format!("2026-04-{hour}:00+09:00"));
    assert_eq!(shown(&master, "2026-04-01T03:00:00+09:00", 7), day);
    let turn = Schedule::every("Asia/Tokyo", 15).unwrap();
    let quarters = ["23:30", "23:45"].map(|time| format!("2026-04-01 {time}+09:00"));
    assert_eq!(shown(&turn, "2026-04-01T23:20:00+09:00", 2), quarters);
}

#[test]
fn the_next_one_is_strictly_later_to_the_millisecond() {
    let schedule = Schedule::at("Asia/Tokyo", &["7:00"]).unwrap();
    let seven = at("2026-04-01T07:00:00+09:00");
    let shortly_before = at("2026-04-01T06:59:59.999+09:00");
    assert_eq!(schedule.next_after(shortly_before), Some(seven));
    assert_eq!(schedule.next_after(seven), Some(at("2026-04-02T07:00:00+09:00")));
    assert_eq!(schedule.last_until(seven), Some(seven));
    assert_eq!(schedule.last_until(shortly_before), Some(at("2026-03-31T07:00:00+09:00")));
}

#[test]
fn an_interval_that_does_not_divide_the_day_begins_anew_with_each_day() {
    let schedule = Schedule::every("Asia/Tokyo", 7 * 60).unwrap();
    let times = ["01 14:00", "01 21:00", "02 00:00", "02 07:00"].map(|time| format!("2026-04-{time}+09:00"));
    assert_eq!(shown(&schedule, "2026-04-01T07:00:00+09:00", 4), times);
}

#[test]
fn chosen_weekdays_are_the_only_ones() {
    let schedule = on(WrittenDays::weekdays(&[Weekday::Sun, Weekday::Wed]));
    let days = ["01", "05", "08", "12"].map(|day| format!("2026-04-{day} 07:00+09:00"));
    assert_eq!(shown(&schedule, "2026-04-01T00:00:00+09:00", 4), days);
}

#[test]
fn the_thirty_first_comes_only_in_months_that_have_one() {
    let schedule = on(WrittenDays { month_days: vec![31], ..WrittenDays::default() });
    let days = ["01-31", "03-31", "05-31", "07-31", "08-31", "10-31", "12-31"];
    let days = days.map(|day| format!("2026-{day} 07:00+09:00"));
    assert_eq!(shown(&schedule, "2026-01-01T00:00:00+09:00", 7), days);
}

#[test]
fn a_leap_day_comes_after_four_years_and_after_eight_where_a_century_has_none() {
    let schedule = on(WrittenDays { months: vec![2], month_days: vec![29], ..WrittenDays::default() });
    let days = ["2092", "2096", "2104"].map(|year| format!("{year}-02-29 07:00+09:00"));
    assert_eq!(shown(&schedule, "2090-01-01T00:00:00+09:00", 3), days);
    assert_eq!(schedule.last_until(at("2104-02-28T07:00:00+09:00")), Some(at("2096-02-29T07:00:00+09:00")));
}

#[test]
fn a_day_counts_by_its_number_or_by_its_weekday_where_both_are_chosen() {
    let days = WrittenDays { months: vec![4], month_days: vec![3, 6], weekdays: vec![Weekday::Mon] };
    let days_shown = ["03", "06", "13", "20", "27"].map(|day| format!("2026-04-{day} 07:00+09:00"));
    assert_eq!(shown(&on(days), "2026-01-01T00:00:00+09:00", 5), days_shown);
}

#[test]
fn a_schedule_has_a_beginning_that_counts_and_an_end_that_does_not() {
    let times = vec!["7:00".to_owned(), "19:00".to_owned()];
    let mut written = Written::new("Asia/Tokyo", Recurs::At { times, on: WrittenDays::default() });
    written.from = Some(at("2026-04-01T19:00:00+09:00"));
    written.until = Some(at("2026-04-02T19:00:00+09:00"));
    let schedule = Schedule::read(&written).unwrap();
    let both = ["01 19", "02 07"].map(|hour| format!("2026-04-{hour}:00+09:00"));
    assert_eq!(shown(&schedule, "2020-01-01T00:00:00+09:00", 9), both);
    assert_eq!(schedule.last_until(at("2030-01-01T00:00:00Z")), Some(at("2026-04-02T07:00:00+09:00")));
    assert_eq!(schedule.last_until(at("2026-04-01T18:59:59+09:00")), None);
    written.until = written.from;
    assert_eq!(Schedule::read(&written), Err(ScheduleFault::EndsTooSoon));
}

#[test]
fn what_can_never_come_or_is_not_there_is_refused_by_its_name() {
    let written = |zone: &str, recurs| Schedule::read(&Written::new(zone, recurs)).unwrap_err();
    let days = |months: &[u8], month_days: &[u8]| {
        let on = WrittenDays { months: months.to_vec(), month_days: month_days.to_vec(), weekdays: Vec::new() };
        written("Asia/Tokyo", Recurs::Every { minutes: 60, on })
    };
    assert_eq!(days(&[2], &[30, 31]), ScheduleFault::NoSuchDay);
    assert_eq!(days(&[4, 6, 9, 11], &[31]), ScheduleFault::NoSuchDay);
    assert!(days(&[13], &[1]).to_string().contains("The month field does not take this: 13"));
    assert!(days(&[1], &[0]).to_string().contains("day of the month field does not take this: 0"));
    for zone in ["", "Tokyo", "Asia/Kyoto", "+09:00", "Etc/Unknown", "/etc/localtime"] {
        assert_eq!(Schedule::every(zone, 15), Err(ScheduleFault::ZoneUnknown { zone: zone.to_owned() }));
    }
    for minutes in [0, 1441, u16::MAX] {
        assert_eq!(Schedule::every("UTC", minutes), Err(ScheduleFault::IntervalUnfit { minutes }));
    }
    for time in ["", "7", "24:00", "7:60", "7:5", "-1:00", "+7:00", "７:00", "7:00:00", " 7:00", "007:00"] {
        assert_eq!(Schedule::at("UTC", &[time]), Err(ScheduleFault::TimeUnfit { found: time.to_owned() }));
    }
    assert_eq!(Schedule::at("UTC", &[]), Err(ScheduleFault::NoTimes));
}

#[test]
fn a_zone_and_times_have_one_spelling() {
    let schedule = Schedule::at("asia/TOKYO", &["07:00", "3:00", "7:00"]).unwrap();
    assert_eq!(schedule, Schedule::at("Asia/Tokyo", &["3:00", "7:00"]).unwrap());
    assert_eq!(schedule.zone(), "Asia/Tokyo");
}

#[test]
fn a_schedule_is_written_down_in_the_form_in_which_it_is_read() {
    let schedule = on(WrittenDays::weekdays(&[Weekday::Mon, Weekday::Fri]));
    let json = serde_json::to_string(&schedule).unwrap();
    let form = r#"{"zone":"Asia/Tokyo","recurs":{"at":{"times":["7:00"],"on":{"weekdays":["mon","fri"]}}}}"#;
    assert_eq!(json, form);
    assert_eq!(serde_json::from_str::<Schedule>(&json).unwrap(), schedule);
    let cron = r#"{"zone":"Asia/Tokyo","recurs":{"cron":"0 7 * * MON,FRI"}}"#;
    assert_eq!(serde_json::from_str::<Schedule>(cron).unwrap(), schedule);
    let wrong = serde_json::from_str::<Schedule>(&cron.replace("0 7", "0 25")).unwrap_err().to_string();
    assert!(wrong.contains("The hour field does not take this: 25"), "{wrong}");
}

#[test]
fn beyond_what_calendars_know_nothing_comes_and_nothing_breaks() {
    use enza_kernel::time::Timestamp;
    for schedule in [Schedule::every("Asia/Tokyo", 15).unwrap(), Schedule::at("Europe/Berlin", &["7:00"]).unwrap()] {
        assert_eq!(schedule.next_after(Timestamp(i64::MAX)), None);
        assert_eq!(schedule.last_until(Timestamp(i64::MIN)), None);
        assert!(schedule.next_after(Timestamp(i64::MIN)).is_some());
        assert!(schedule.last_until(Timestamp(i64::MAX)).is_some());
    }
}
