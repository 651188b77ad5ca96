//! Days as people write them, on Monday, 2 November 2026.

use enza_interview::{Kind, ValueFault, show};
use enza_kernel::text::Lang;

use super::values::{all_read, all_refused, bounded, field, read_as, read_en, read_ja};

#[test]
fn a_day_is_read_however_it_is_written_out() {
    let cases = [
        ("2026-11-03", "2026-11-03"),
        ("2026/11/3", "2026-11-03"),
        ("20261103", "2026-11-03"),
        ("3 Nov 2026", "2026-11-03"),
        ("November 3rd", "2026-11-03"),
        ("Nov 3", "2026-11-03"),
        ("Nov. 3, 2026", "2026-11-03"),
        ("on the 3rd of November", "2026-11-03"),
        ("November 3, '26", "2026-11-03"),
        ("3-Nov-2026", "2026-11-03"),
        ("Tuesday, November 3, 2026", "2026-11-03"),
        ("3 November (Tue)", "2026-11-03"),
        ("It's 3 May 1985.", "1985-05-03"),
        ("2024年2月29日", "2024-02-29"),
        ("2026年11月3日です", "2026-11-03"),
        ("２０２６年１１月３日（火）", "2026-11-03"),
        ("2026年11月3日火曜日", "2026-11-03"),
        ("二〇二六年十一月三日", "2026-11-03"),
        ("11月3日", "2026-11-03"),
        ("令和8年11月3日", "2026-11-03"),
        ("R8.11.3", "2026-11-03"),
        ("令和元年5月1日", "2019-05-01"),
        ("昭和60年5月3日", "1985-05-03"),
        ("平成31年4月30日", "2019-04-30"),
    ];
    all_read(&cases, |text| read_ja(&field(Kind::Date), text));
}

#[test]
fn a_day_is_counted_from_today() {
    let cases = [
        ("today", "2026-11-02"),
        ("Tomorrow!", "2026-11-03"),
        ("yesterday", "2026-11-01"),
        ("the day after tomorrow", "2026-11-04"),
        ("the day before yesterday", "2026-10-31"),
        ("今日です", "2026-11-02"),
        ("明日でお願いします", "2026-11-03"),
        ("明後日", "2026-11-04"),
        ("昨日", "2026-11-01"),
        ("一昨日", "2026-10-31"),
        ("in 3 days", "2026-11-05"),
        ("in a week", "2026-11-09"),
        ("two weeks ago", "2026-10-19"),
        ("a month from now", "2026-12-02"),
        ("3日後", "2026-11-05"),
        ("三日前", "2026-10-30"),
        ("2週間前", "2026-10-19"),
        ("1か月後", "2026-12-02"),
        ("next Friday", "2026-11-06"),
        ("last Monday", "2026-10-26"),
        ("Friday next week", "2026-11-13"),
        ("this Friday", "2026-11-06"),
        ("Friday", "2026-10-30"),
        ("Monday", "2026-11-02"),
        ("来週の金曜日", "2026-11-13"),
        ("今週の金曜", "2026-11-06"),
        ("先週の月曜", "2026-10-26"),
        ("次の金曜日", "2026-11-06"),
        ("来月の3日", "2026-12-03"),
        ("the 5th", "2026-11-05"),
        ("31日", "2026-10-31"),
    ];
    all_read(&cases, |text| read_ja(&field(Kind::Date), text));
}

/// Past and future alike; of two equally near, the later.
#[test]
fn without_a_year_the_nearest_day_to_today_is_meant() {
    let cases = [("Dec 31", "2026-12-31"), ("May 1", "2027-05-01"), ("May 4", "2026-05-04"), ("2月29日", "2028-02-29")];
    all_read(&cases, |text| read_ja(&field(Kind::Date), text));
}

#[test]
fn the_order_of_figures_goes_by_the_country() {
    let day = field(Kind::Date);
    all_read(
        &[
            ("11/3", "2026-11-03"),
            ("11/03/2026", "2026-11-03"),
            ("11/3/26", "2026-11-03"),
            ("13/11/2026", "2026-11-13"),
        ],
        |text| read_en(&day, text),
    );
    all_read(
        &[("3/11", "2026-11-03"), ("03/11/2026", "2026-11-03"), ("3.11.26", "2026-11-03"), ("3.11.", "2026-11-03")],
        |text| read_as("de", Some("DE"), &day, text),
    );
    all_read(
        &[("11/3", "2026-11-03"), ("26/11/3", "2026-11-03"), ("2026.11.3", "2026-11-03"), ("25/12/2026", "2026-12-25")],
        |text| read_ja(&day, text),
    );
    all_read(&[("03/11/2026", "2026-11-03")], |text| read_as("fr", None, &day, text));
    all_read(&[("25/12/2026", "2026-12-25"), ("11/11/2026", "2026-11-11")], |text| read_as("en", None, &day, text));
}

#[test]
fn what_could_be_two_days_is_refused_with_both() {
    let both = ValueFault::AmbiguousDay { one: "2026-03-11".to_owned(), other: "2026-11-03".to_owned() };
    assert_eq!(read_as("en", None, &field(Kind::Date), "03/11/2026"), Err(both.clone()));
    assert_eq!(read_as("en", Some("CA"), &field(Kind::Date), "03/11/2026"), Err(both.clone()));
    assert_eq!(read_ja(&field(Kind::Date), "03/11/2026"), Err(both.clone()));
    let said = [Lang::Ja, Lang::En].map(|lang| both.say(lang));
    assert_eq!(
        said,
        [
            "2026年3月11日と2026年11月3日のどちらでしょうか。月の名前か「2026年11月3日」の形で教えてください。",
            "Do you mean March 11, 2026 or November 3, 2026? Please write the month as a word.",
        ]
    );
}

#[test]
fn impossible_days_and_other_weekdays_are_told_apart_from_what_is_no_day() {
    let day = field(Kind::Date);
    let impossible = [
        "2026-02-30",
        "2026年2月29日",
        "Feb 30",
        "31 April",
        "2026/13/01",
        "13/13/2026",
        "令和8年13月1日",
        "in 9000 years",
    ];
    all_refused(&impossible, &ValueFault::NoSuchDay, |text| read_en(&day, text));
    let none = [
        "soon",
        "May",
        "2026",
        "next week",
        "11",
        "maybe 3 May or 4 May",
        "3 May?",
        "2026-11",
        "火",
        "月",
        "日",
        "1/2/3/4",
        "11/3 14:00",
        "0999",
        "the day after",
    ];
    all_refused(&none, &ValueFault::NotADay, |text| read_en(&day, text));
    let other = ValueFault::OtherWeekday { day: "2026-11-03".to_owned() };
    all_refused(&["Friday, 3 Nov 2026", "11月3日（金）"], &other, |text| read_en(&day, text));
    let said = [Lang::Ja, Lang::En].map(|lang| other.say(lang));
    assert_eq!(
        said,
        [
            "2026年11月3日は火曜日です。日付と曜日のどちらが正しいか教えてください。",
            "November 3, 2026 is a Tuesday; please say which is right, the date or the weekday.",
        ]
    );
}

#[test]
fn a_day_is_held_to_its_bounds() {
    let visit = bounded(Kind::Date, "2026-11-01", "2026-11-30");
    let min = ValueFault::BelowMin { kind: Kind::Date, min: "2026-11-01".to_owned() };
    let max = ValueFault::AboveMax { kind: Kind::Date, max: "2026-11-30".to_owned() };
    let read = ["2026-10-31", "2026-11-01", "2026-11-30", "1 December"].map(|text| read_en(&visit, text));
    assert_eq!(read, [Err(min.clone()), Ok("2026-11-01".to_owned()), Ok("2026-11-30".to_owned()), Err(max.clone())]);
    assert_eq!(min.say(Lang::Ja), "2026年11月1日以降で教えてください（例：2026年11月1日）。");
    assert_eq!(max.say(Lang::En), "It must not be after November 30, 2026; November 30, 2026 itself will do.");
}

#[test]
fn days_are_shown_as_people_write_them() {
    let shown = ["2026-11-03", "1985-05-13", "soon"]
        .map(|value| [Lang::Ja, Lang::En].map(|lang| show(&field(Kind::Date), value, lang)));
    assert_eq!(shown, [["2026年11月3日", "November 3, 2026"], ["1985年5月13日", "May 13, 1985"], ["soon", "soon"]]);
}
