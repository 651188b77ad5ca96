//! Cron lines: what each kind of them means, and what is said of those that cannot be read.

use enza_kernel::application::Reason;
use enza_kernel::schedule::{CalendarField, Recurs, Schedule, ScheduleFault, Weekday, Written, WrittenDays};
use enza_kernel::text::Lang;

use super::shown;

fn recurs(line: &str) -> Recurs {
    Written::from(Schedule::cron("UTC", line).unwrap_or_else(|fault| panic!("{line}: {fault}"))).recurs
}

fn times(recurs: Recurs) -> Vec<String> {
    match recurs {
        Recurs::At { times, .. } => times,
        Recurs::Every { .. } | Recurs::Cron(_) => panic!("{recurs:?}"),
    }
}

fn days(line: &str) -> WrittenDays {
    match recurs(line) {
        Recurs::At { on, .. } | Recurs::Every { on, .. } => on,
        Recurs::Cron(line) => panic!("{line}"),
    }
}

fn fault(line: &str) -> ScheduleFault {
    Schedule::cron("UTC", line).unwrap_err()
}

#[test]
fn numbers_lists_ranges_and_steps_are_times_of_the_day() {
    assert_eq!(times(recurs("0 7 * * *")), ["7:00"]);
    assert_eq!(times(recurs("0 3,7,11,15,19,23 * * *")), ["3:00", "7:00", "11:00", "15:00", "19:00", "23:00"]);
    assert_eq!(times(recurs("0 3-23/4 * * *")), ["3:00", "7:00", "11:00", "15:00", "19:00", "23:00"]);
    assert_eq!(times(recurs("5,35 9-10 * * *")), ["9:05", "9:35", "10:05", "10:35"]);
    assert_eq!(times(recurs("0 */8 * * *")), ["0:00", "8:00", "16:00"]);
    assert_eq!(times(recurs("10-50/20 0 * * *")), ["0:10", "0:30", "0:50"]);
    assert_eq!(times(recurs("0 1,1,1-2 * * *")), ["1:00", "2:00"]);
    assert_eq!(times(recurs("\t00  07 * * * ")), ["7:00"]);
    assert_eq!(times(recurs("7 * * * *")).len(), 24);
    assert_eq!(times(recurs("*/7 * * * *")).len(), 24 * 9);
}

#[test]
fn so_often_in_each_hour_is_every_so_many_minutes() {
    let every = |minutes| Recurs::Every { minutes, on: WrittenDays::default() };
    for (line, minutes) in
        [("* * * * *", 1), ("*/15 * * * *", 15), ("0,30 * * * *", 30), ("0 * * * *", 60), ("*/1 0-23 * * *", 1)]
    {
        assert_eq!(recurs(line), every(minutes), "{line}");
    }
    let on = WrittenDays::weekdays(&[Weekday::Sat, Weekday::Sun]);
    assert_eq!(recurs("*/20 * * * 6,7"), Recurs::Every { minutes: 20, on });
}

#[test]
fn weekdays_go_by_number_and_by_name_and_sunday_has_two_numbers() {
    use Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};
    let weekdays = |field: &str| days(&format!("0 7 * * {field}")).weekdays;
    assert_eq!(weekdays("1-5"), [Mon, Tue, Wed, Thu, Fri]);
    assert_eq!(weekdays("mon-FRI"), [Mon, Tue, Wed, Thu, Fri]);
    assert_eq!([weekdays("0"), weekdays("7"), weekdays("SUN"), weekdays("0,7")], [[Sun], [Sun], [Sun], [Sun]]);
    assert_eq!(weekdays("5-7"), [Fri, Sat, Sun]);
    assert_eq!(weekdays("Fri-Sun"), [Fri, Sat, Sun]);
    assert_eq!(weekdays("0-2"), [Mon, Tue, Sun]);
    assert_eq!(weekdays("sun-tue"), [Mon, Tue, Sun]);
    assert_eq!(weekdays("tue,thu"), [Tue, Thu]);
    assert_eq!(weekdays("*"), []);
    assert_eq!(weekdays("0-7"), []);
}

#[test]
fn months_and_days_of_the_month_are_chosen_and_either_day_will_do() {
    let chosen = WrittenDays { months: vec![1, 4, 5, 6], month_days: vec![1, 15], weekdays: Vec::new() };
    assert_eq!(days("0 7 1,15 JAN,apr-Jun *"), chosen);
    assert_eq!(days("0 7 */10 * *").month_days, [1, 11, 21, 31]);
    let either = Schedule::cron("UTC", "0 7 13 * FRI").unwrap();
    let found = ["03", "10", "13", "17"].map(|day| format!("2026-04-{day} 07:00+00:00"));
    assert_eq!(shown(&either, "2026-04-01T00:00:00Z", 4), found);
}

#[test]
fn a_line_without_five_fields_is_told_how_many_it_has() {
    for (line, found) in [("", 0), ("@daily", 1), ("0 7 * *", 4), ("0 0 7 * * *", 6), ("0 7 * * * root backup", 7)] {
        assert_eq!(fault(line), ScheduleFault::FieldsMissing { found }, "{line}");
    }
    assert_eq!(fault(&"0,".repeat(300)), ScheduleFault::LineTooLong { most: 512 });
}

#[test]
fn what_a_field_does_not_take_is_named_with_its_field() {
    let cases = [
        ("60 7 * * *", CalendarField::Minute, "60"),
        ("-1 7 * * *", CalendarField::Minute, "-1"),
        ("5- 7 * * *", CalendarField::Minute, "5-"),
        (", 7 * * *", CalendarField::Minute, ""),
        ("0,,5 7 * * *", CalendarField::Minute, ""),
        ("1.5 7 * * *", CalendarField::Minute, "1.5"),
        ("+5 7 * * *", CalendarField::Minute, "+5"),
        ("000 7 * * *", CalendarField::Minute, "000"),
        ("0 24 * * *", CalendarField::Hour, "24"),
        ("0 7h * * *", CalendarField::Hour, "7h"),
        ("0 ７ * * *", CalendarField::Hour, "７"),
        ("0 ? * * *", CalendarField::Hour, "?"),
        ("0 ** * * *", CalendarField::Hour, "**"),
        ("0 7 0 * *", CalendarField::MonthDay, "0"),
        ("0 7 32 * *", CalendarField::MonthDay, "32"),
        ("0 7 L * *", CalendarField::MonthDay, "L"),
        ("0 7 15W * *", CalendarField::MonthDay, "15W"),
        ("0 7 MON * *", CalendarField::MonthDay, "MON"),
        ("0 7 * 0 *", CalendarField::Month, "0"),
        ("0 7 * 13 *", CalendarField::Month, "13"),
        ("0 7 * January *", CalendarField::Month, "January"),
        ("0 7 * * 8", CalendarField::Weekday, "8"),
        ("0 7 * * MON#2", CalendarField::Weekday, "MON#2"),
        ("0 7 * * 月", CalendarField::Weekday, "月"),
        ("0 7 * * 1-9", CalendarField::Weekday, "1-9"),
        ("0 7 * * 1-2-3", CalendarField::Weekday, "1-2-3"),
    ];
    for (line, field, found) in cases {
        assert_eq!(fault(line), ScheduleFault::ValueUnfit { field, found: found.to_owned() }, "{line}");
    }
}

#[test]
fn ranges_that_go_backwards_and_steps_that_lead_nowhere_are_named() {
    let backwards = [
        ("50-10 7 * * *", CalendarField::Minute, "50-10"),
        ("0 22-2 * * *", CalendarField::Hour, "22-2"),
        ("0 7 * NOV-FEB *", CalendarField::Month, "NOV-FEB"),
        ("0 7 * * FRI-MON", CalendarField::Weekday, "FRI-MON"),
        ("0 7 * * 6-0", CalendarField::Weekday, "6-0"),
    ];
    for (line, field, found) in backwards {
        assert_eq!(fault(line), ScheduleFault::RangeBackwards { field, found: found.to_owned() }, "{line}");
    }
    let steps = [
        ("*/0 7 * * *", CalendarField::Minute, "*/0"),
        ("*/60 7 * * *", CalendarField::Minute, "*/60"),
        ("*/ 7 * * *", CalendarField::Minute, "*/"),
        ("*/-5 7 * * *", CalendarField::Minute, "*/-5"),
        ("*/5/5 7 * * *", CalendarField::Minute, "*/5/5"),
        ("5/10 7 * * *", CalendarField::Minute, "5/10"),
        ("0 */x * * *", CalendarField::Hour, "*/x"),
        ("0 */24 * * *", CalendarField::Hour, "*/24"),
    ];
    for (line, field, found) in steps {
        assert_eq!(fault(line), ScheduleFault::StepUnfit { field, found: found.to_owned() }, "{line}");
    }
    for line in ["0 7 31 2 *", "0 7 30-31 FEB *", "0 7 31 4,6,9,11 *"] {
        assert_eq!(fault(line), ScheduleFault::NoSuchDay, "{line}");
    }
    assert_eq!(days("0 7 31 2 MON").weekdays, [Weekday::Mon]);
}

#[test]
fn a_fault_says_the_field_and_what_would_fit_in_both_languages() {
    let said = fault("0 25 * * *").say(Lang::En);
    assert_eq!(said.message, "The hour field does not take this: 25");
    assert_eq!(said.hint, "Write numbers from 0 to 23, such as 7, 7,19, 9-17 or */4.");
    let said = fault("0 25 * * *").say(Lang::Ja);
    assert_eq!(said.message, "時の項目に使えません: 25");
    assert_eq!(fault("0 7").code(), "schedule-unfit");
}

#[test]
fn what_is_quoted_is_short_and_hides_nothing() {
    let long = fault(&format!("0 {} * * *", "9".repeat(100))).to_string();
    assert!(long.contains(&format!(": {}…", "9".repeat(40))), "{long}");
    assert!(fault("0 7\u{202e} * * *").to_string().contains("7<U+202E>"));
}

/// The examples in the hints are cron that can be read.
#[test]
fn what_would_fit_does() {
    let hints = ["30", "0,30", "10-20", "*/15"].map(|one| format!("{one} 7 * * *"));
    let hours = ["7", "7,19", "9-17", "*/4", "22-23,0-2", "9-17/2"].map(|one| format!("0 {one} * * *"));
    let days = ["1", "1,15", "1-7", "*/2"].map(|one| format!("0 7 {one} * *"));
    let months = ["4", "1,7", "APR-JUN"].map(|one| format!("0 7 * {one} *"));
    let weekdays = ["1", "1-5", "SAT,SUN"].map(|one| format!("0 7 * * {one}"));
    let lines = hints.iter().chain(&hours).chain(&days).chain(&months).chain(&weekdays);
    lines.for_each(|line| assert!(Schedule::cron("UTC", line).is_ok(), "{line}"));
}
