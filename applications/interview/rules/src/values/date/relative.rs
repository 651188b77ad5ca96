//! Days counted from today: tomorrow, 明後日, "next Friday", 来週の金曜日, "in 3 days", 2週間前.
//!
//! "Next Friday" is the first Friday after today and "last Monday" the last Monday before it. 来週 and "next week" are
//! the week that begins on the coming Monday, 先週 and "last week" the one before this. A weekday alone is the nearest.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::super::number::word;
use super::super::scan::{Scan, with_digits};
use super::{nearest, weekday, written};

/// The day, where the text counts from today; within, none where there is no such day.
pub(super) fn day(text: &str, today: Date) -> Option<Option<Date>> {
    let near = NEAR.iter().find(|(_, words)| words.contains(&text)).map(|(days, _)| days.days());
    if let Some(span) = near.or_else(|| english_span(text)).or_else(|| japanese_span(text)) {
        return Some(today.checked_add(span).ok());
    }
    weekday_near(text, today).or_else(|| day_of_month(text, today))
}

const NEAR: [(i64, &[&str]); 6] = [
    (0, &["today", "今日", "本日", "きょう", "right now", "now"]),
    (1, &["tomorrow", "明日", "あした", "あす", "翌日"]),
    (2, &["the day after tomorrow", "day after tomorrow", "明後日", "あさって"]),
    (3, &["明々後日", "しあさって"]),
    (-1, &["yesterday", "昨日", "きのう"]),
    (-2, &["the day before yesterday", "day before yesterday", "一昨日", "おととい"]),
];

/// "in 3 days", "two weeks ago", "a month from now", "3 days later".
fn english_span(text: &str) -> Option<Span> {
    let (count, sign) = if let Some(rest) = text.strip_prefix("in ") {
        (rest, 1)
    } else if let Some(rest) = text.strip_suffix(" ago") {
        (rest, -1)
    } else {
        ([" from now", " later", " from today"].iter().find_map(|end| text.strip_suffix(end))?, 1)
    };
    let (number, unit) = count.rsplit_once(' ')?;
    let number = match number {
        "a" | "an" => 1,
        digits => digits.parse::<u16>().ok().or_else(|| word(digits).map(u16::from))?,
    };
    span(sign * i64::from(number), unit.strip_suffix('s').unwrap_or(unit))
}

/// 3日後, 2週間前, 1か月後.
fn japanese_span(text: &str) -> Option<Span> {
    let text = with_digits(text);
    let mut scan = Scan::new(&text);
    let (number, _) = scan.number()?;
    const UNITS: [(&str, &str); 9] = [
        ("日", "day"),
        ("週間", "week"),
        ("週", "week"),
        ("か月", "month"),
        ("ヶ月", "month"),
        ("カ月", "month"),
        ("ヵ月", "month"),
        ("ケ月", "month"),
        ("年", "year"),
    ];
    let unit = UNITS[scan.word(&UNITS.map(|(word, _)| word))?].1;
    let sign = [1, -1][scan.word(&["後", "前"])?];
    scan.is_done().then(|| span(sign * i64::from(number), unit))?
}

fn span(count: i64, unit: &str) -> Option<Span> {
    match unit {
        "day" => Span::new().try_days(count).ok(),
        "week" => Span::new().try_weeks(count).ok(),
        "month" => Span::new().try_months(count).ok(),
        "year" => Span::new().try_years(count).ok(),
        _ => None,
    }
}

fn weekday_near(text: &str, today: Date) -> Option<Option<Date>> {
    // One letter is a weekday only beside a date: 月 alone is the moon, or a month.
    let named = |name: &str| weekday(name.trim_start_matches('の')).filter(|_| name.chars().count() > 1);
    if let Some(wanted) = named(text) {
        let days = (-3..=3).filter_map(|days: i64| today.checked_add(days.days()).ok());
        return Some(nearest(days.filter(|day| day.weekday() == wanted), today));
    }
    let after = |start: &[&str]| start.iter().find_map(|start| text.strip_prefix(start)).and_then(named);
    if let Some(wanted) = after(&["next ", "the next ", "coming ", "this coming ", "次の", "今度の"]) {
        return Some(today.nth_weekday(1, wanted).ok());
    }
    if let Some(wanted) = after(&["last ", "past ", "this past ", "previous ", "前の", "この前の"]) {
        return Some(today.nth_weekday(-1, wanted).ok());
    }
    WEEKS.iter().find_map(|(weeks, before, behind)| {
        let wanted = after(before).or_else(|| behind.iter().find_map(|end| text.strip_suffix(end)).and_then(named))?;
        Some(in_week(today, *weeks, wanted))
    })
}

const WEEKS: [(i64, &[&str], &[&str]); 4] = [
    (0, &["this ", "今週"], &[" this week"]),
    (1, &["来週", "翌週"], &[" next week"]),
    (2, &["再来週"], &[" the week after next"]),
    (-1, &["先週"], &[" last week"]),
];

fn in_week(today: Date, weeks: i64, wanted: Weekday) -> Option<Date> {
    let back = i64::from(today.weekday().to_monday_zero_offset());
    let ahead = i64::from(wanted.to_monday_zero_offset());
    today.checked_add((ahead - back).days()).ok()?.checked_add(weeks.weeks()).ok()
}

/// "the 3rd", 3日, 来月の3日. Of a day alone, the nearest month that has it is meant.
fn day_of_month(text: &str, today: Date) -> Option<Option<Date>> {
    let text = with_digits(text);
    const MONTHS: [(&str, i64); 4] = [("今月", 0), ("来月", 1), ("翌月", 1), ("先月", -1)];
    let named = MONTHS.iter().find_map(|(name, months)| text.strip_prefix(name).map(|rest| (rest, *months)));
    let rest = named.map_or(text.as_str(), |(rest, _)| rest.trim_start_matches('の'));
    let ordinal = rest.ends_with(|letter: char| letter.is_ascii_lowercase()).then(|| written::ordinal(rest));
    let number = ordinal.flatten().or_else(|| rest.strip_suffix('日').and_then(|day| day.parse().ok()))?;
    let of_month = |months: i64| {
        let month = today.first_of_month().checked_add(months.months()).ok()?;
        Date::new(month.year(), month.month(), i8::try_from(number).ok()?).ok()
    };
    Some(match named {
        Some((_, months)) => of_month(months),
        None => nearest((-2..=2).filter_map(of_month), today),
    })
}
