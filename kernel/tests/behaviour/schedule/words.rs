//! A schedule in words, over all shapes, and all faults as sentences.

use enza_kernel::application::Reason;
use enza_kernel::schedule::{CalendarField, Recurs, Schedule, ScheduleFault, Weekday, Written, WrittenDays};
use enza_kernel::testing::prose::faults;
use enza_kernel::text::Lang;

use super::at;

fn both(schedule: &Schedule) -> [String; 2] {
    [schedule.describe(Lang::Ja), schedule.describe(Lang::En)]
}

fn cron(line: &str) -> [String; 2] {
    both(&Schedule::cron("Asia/Tokyo", line).unwrap())
}

#[test]
fn the_masters_hours_are_said_as_people_say_them() {
    let said = cron("0 7,11,15,19,23,3 * * *");
    assert_eq!(said[0], "毎日 3・7・11・15・19・23時（Asia/Tokyo）");
    assert_eq!(said[1], "every day at 3, 7, 11, 15, 19 and 23 o'clock (Asia/Tokyo)");
}

#[test]
fn each_shape_is_a_sentence_of_its_own() {
    let all = [
        ("0 7 * * *", "毎日 7時（Asia/Tokyo）", "every day at 7 o'clock (Asia/Tokyo)"),
        ("5 7,9 * * *", "毎日 7:05・9:05（Asia/Tokyo）", "every day at 7:05 and 9:05 (Asia/Tokyo)"),
        ("0 7 * * 1-5", "毎週月〜金曜日 7時（Asia/Tokyo）", "on Mondays to Fridays at 7 o'clock (Asia/Tokyo)"),
        (
            "0 7 * * 1,3,0",
            "毎週月・水・日曜日 7時（Asia/Tokyo）",
            "on Mondays, Wednesdays and Sundays at 7 o'clock (Asia/Tokyo)",
        ),
        (
            "0 7 1,22 * *",
            "毎月1・22日 7時（Asia/Tokyo）",
            "on the 1st and 22nd of every month at 7 o'clock (Asia/Tokyo)",
        ),
        (
            "0 7 13 * 5",
            "毎月13日と毎週金曜日 7時（Asia/Tokyo）",
            "on the 13th of every month and on Fridays at 7 o'clock (Asia/Tokyo)",
        ),
        ("0 7 * 1,7 *", "1・7月の毎日 7時（Asia/Tokyo）", "on every day in January and July at 7 o'clock (Asia/Tokyo)"),
        (
            "0 7 * 4-6 1",
            "4〜6月の毎週月曜日 7時（Asia/Tokyo）",
            "on Mondays in April to June at 7 o'clock (Asia/Tokyo)",
        ),
        ("0 7 29 2 *", "2月の29日 7時（Asia/Tokyo）", "on the 29th of February at 7 o'clock (Asia/Tokyo)"),
        (
            "0 7 3 5 1",
            "5月の3日と毎週月曜日 7時（Asia/Tokyo）",
            "on the 3rd and on Mondays in May at 7 o'clock (Asia/Tokyo)",
        ),
        ("* * * * *", "1分ごと（Asia/Tokyo）", "every minute (Asia/Tokyo)"),
        ("*/15 * * * *", "15分ごと（Asia/Tokyo）", "every 15 minutes (Asia/Tokyo)"),
        ("0 * * * *", "1時間ごと（Asia/Tokyo）", "every hour (Asia/Tokyo)"),
        (
            "*/15 * * * 6,7",
            "毎週土・日曜日 15分ごと（Asia/Tokyo）",
            "every 15 minutes on Saturdays and Sundays (Asia/Tokyo)",
        ),
        (
            "*/15 9-16 * * *",
            "毎日 9:00から16:45までの32回（Asia/Tokyo）",
            "every day at 32 times from 9:00 to 16:45 (Asia/Tokyo)",
        ),
    ];
    for (line, ja, en) in all {
        assert_eq!(cron(line), [ja, en], "{line}");
    }
    let hours = both(&Schedule::every("UTC", 240).unwrap());
    assert_eq!(hours, ["4時間ごと（UTC）", "every 4 hours (UTC)"]);
    let days = both(&Schedule::every("UTC", 1440).unwrap());
    assert_eq!(days, ["毎日の初め（UTC）", "at the beginning of every day (UTC)"]);
}

#[test]
fn a_beginning_and_an_end_are_said_by_the_clock_of_the_zone() {
    let mut written = Written::from(Schedule::at("Asia/Tokyo", &["7:00"]).unwrap());
    let said = |written: &Written| both(&Schedule::read(written).unwrap());
    written.from = Some(at("2026-03-31T15:00:00Z"));
    assert_eq!(said(&written)[0], "毎日 7時（Asia/Tokyo）、2026-04-01 0:00から");
    assert_eq!(said(&written)[1], "every day at 7 o'clock (Asia/Tokyo), from 2026-04-01 0:00");
    written.until = Some(at("2026-05-01T00:00:00Z"));
    assert_eq!(said(&written)[0], "毎日 7時（Asia/Tokyo）、2026-04-01 0:00から2026-05-01 9:00の前まで");
    assert_eq!(
        said(&written)[1],
        "every day at 7 o'clock (Asia/Tokyo), from 2026-04-01 0:00 until before 2026-05-01 9:00"
    );
    written.from = None;
    assert_eq!(said(&written)[1], "every day at 7 o'clock (Asia/Tokyo), until before 2026-05-01 9:00");
}

#[test]
fn every_put_together_sentence_reads_as_if_somebody_had_written_it() {
    let some = |number: u8, all: &[u8]| all.iter().copied().filter(|one| one % number == 0).collect::<Vec<_>>();
    let days: Vec<u8> = (1..=28).collect();
    let months: Vec<u8> = (1..=12).collect();
    let weekday_sets = (0_usize..128).map(|set| {
        let chosen = Weekday::ALL.into_iter().filter(move |day| set >> (day.number() - 1) & 1 == 1);
        chosen.collect::<Vec<_>>()
    });
    let mut read = 0;
    for weekdays in weekday_sets {
        for number in [1, 2, 5, 29] {
            let on = WrittenDays {
                weekdays: weekdays.clone(),
                month_days: if number == 1 { Vec::new() } else { some(number, &days) },
                months: if number == 29 { Vec::new() } else { some(number, &months) },
            };
            let times = ["0:00", "7:00", "23:59"].map(str::to_owned);
            let shapes = [1, 2, 3].map(|count| Recurs::At { times: times[..count].to_vec(), on: on.clone() });
            let every = [1, 2, 59, 60, 61, 120, 1440].map(|minutes| Recurs::Every { minutes, on: on.clone() });
            for recurs in shapes.into_iter().chain(every) {
                for said in both(&Schedule::read(&Written::new("Asia/Tokyo", recurs)).unwrap()) {
                    assert_eq!(faults(&said), Vec::<String>::new(), "{said}");
                    assert!(!said.contains('⁇') && said.contains("Asia/Tokyo"), "{said}");
                    read += 1;
                }
            }
        }
    }
    assert_eq!(read, 128 * 4 * 10 * 2);
}

#[test]
fn every_fault_is_a_sentence_with_a_next_step() {
    let found = || "22-2".to_owned();
    let of_field = CalendarField::ALL.into_iter().flat_map(|field| {
        [
            ScheduleFault::ValueUnfit { field, found: found() },
            ScheduleFault::RangeBackwards { field, found: found() },
            ScheduleFault::StepUnfit { field, found: found() },
        ]
    });
    let others = [
        ScheduleFault::ZoneUnknown { zone: "Asia/Kyoto".to_owned() },
        ScheduleFault::NoTimes,
        ScheduleFault::TimeUnfit { found: found() },
        ScheduleFault::IntervalUnfit { minutes: 0 },
        ScheduleFault::NoSuchDay,
        ScheduleFault::EndsTooSoon,
        ScheduleFault::LineTooLong { most: 512 },
        ScheduleFault::FieldsMissing { found: 4 },
    ];
    for fault in of_field.chain(others) {
        for lang in [Lang::Ja, Lang::En] {
            let said = fault.say(lang);
            for text in [&said.message, &said.hint] {
                assert_eq!(faults(text), Vec::<String>::new(), "{text}");
                assert!(!text.is_empty() && !text.contains('⁇'), "{text}");
            }
        }
    }
}
