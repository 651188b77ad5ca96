//! Days: written out, in figures, in Japanese years, or counted from today.
//!
//! A day is kept as `2026-11-03`. The order of figures goes by the country, and by the language where that is not known;
//! what could be two days is refused with both. Without a year, the nearest such day to today is meant, past and future
//! alike, and the later one where two are equally near. Two figures for a year are of this century.

mod figures;
mod relative;
mod written;

use enza_kernel::text::Lang;
use jiff::civil::{Date, Weekday};

use super::super::{Field, Kind};
use super::ReadContext;
use super::fault::ValueFault;
use super::politeness::bare;
use super::scan::with_digits;

/// Reads a day and holds it to the field's bounds.
pub(super) fn read(field: &Field, text: &str, reading: &ReadContext<'_>) -> Result<String, ValueFault> {
    let day = keep(day(text, reading)?);
    // In this spelling, earlier days have smaller letters.
    if let Some(min) = field.min.as_ref().filter(|min| day < **min) {
        return Err(ValueFault::BelowMin { kind: Kind::Date, min: min.clone() });
    }
    if let Some(max) = field.max.as_ref().filter(|max| day > **max) {
        return Err(ValueFault::AboveMax { kind: Kind::Date, max: max.clone() });
    }
    Ok(day)
}

/// "November 3, 2026" or 2026年11月3日.
pub(super) fn show(value: &str, lang: Lang) -> Option<String> {
    let day: Date = value.parse().ok()?;
    let (year, month, day) = (day.year(), day.month(), day.day());
    let name = written::MONTHS[usize::try_from(month).ok()?.checked_sub(1)?];
    let (first, rest) = name.split_at(1);
    Some(lang.pick(format!("{year}年{month}月{day}日"), format!("{}{rest} {day}, {year}", first.to_ascii_uppercase())))
}

/// The weekday of a kept day: "Tuesday" or 火曜日.
pub(super) fn weekday_name(value: &str, lang: Lang) -> String {
    let Ok(day) = value.parse::<Date>() else { return String::new() };
    let names = WEEKDAYS[usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0)];
    let (first, rest) = names[0].split_at(1);
    lang.pick(names[2].to_owned(), format!("{}{rest}", first.to_ascii_uppercase()))
}

fn keep(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}

/// What a text says about a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WrittenDate {
    year: Option<i16>,
    month: i16,
    day: i16,
}

fn day(text: &str, reading: &ReadContext<'_>) -> Result<Date, ValueFault> {
    let text = bare(text).ok_or(ValueFault::NotADay)?;
    if let Some(day) = relative::day(&text, reading.today) {
        return day.filter(|day| day.year() >= FIRST_YEAR).ok_or(ValueFault::NoSuchDay);
    }
    let (text, weekday) = without_weekday(&text);
    let digits = with_digits(text);
    let said = written::day(text).or_else(|| written::japanese_day(&digits));
    let day = match said {
        Some(said) => complete(said, reading.today).ok_or(ValueFault::NoSuchDay)?,
        None => figures::day(text, reading)?,
    };
    if weekday.is_some_and(|weekday| weekday != day.weekday()) {
        return Err(ValueFault::OtherWeekday { day: keep(day) });
    }
    Ok(day)
}

/// Four figures are the least that a year is written with.
const FIRST_YEAR: i16 = 1000;

/// The day itself; without a year, the nearest to today.
fn complete(said: WrittenDate, today: Date) -> Option<Date> {
    let (month, day) = (i8::try_from(said.month).ok()?, i8::try_from(said.day).ok()?);
    if let Some(year) = said.year {
        return Date::new(year, month, day).ok().filter(|date| date.year() >= FIRST_YEAR);
    }
    // Eight years without a 29 February is the longest there is.
    let years = today.year().saturating_sub(8)..=today.year().saturating_add(8);
    let days = years.filter_map(|year| Date::new(year, month, day).ok()).filter(|date| date.year() >= FIRST_YEAR);
    nearest(days, today)
}

/// The nearest day, the later one where two are equally near.
fn nearest(days: impl Iterator<Item = Date>, today: Date) -> Option<Date> {
    let distance = |day: &Date| today.duration_until(*day).as_secs().abs();
    days.min_by(|one, other| distance(one).cmp(&distance(other)).then_with(|| other.cmp(one)))
}

/// A year of two figures is of this century.
fn whole_year((year, digits): (i16, usize)) -> Option<i16> {
    match digits {
        2 => Some(2000 + year),
        4 => Some(year),
        _ => None,
    }
}

/// The weekdays, Monday first, in every way they are written, the longest way first.
const WEEKDAYS: [[&str; 6]; 7] = [
    ["monday", "mon", "月曜日", "月曜", "月", "mon."],
    ["tuesday", "tue", "火曜日", "火曜", "火", "tues"],
    ["wednesday", "wed", "水曜日", "水曜", "水", "wed."],
    ["thursday", "thu", "木曜日", "木曜", "木", "thurs"],
    ["friday", "fri", "金曜日", "金曜", "金", "fri."],
    ["saturday", "sat", "土曜日", "土曜", "土", "sat."],
    ["sunday", "sun", "日曜日", "日曜", "日", "sun."],
];

fn weekday(text: &str) -> Option<Weekday> {
    let place = WEEKDAYS.iter().position(|names| names.contains(&text))?;
    Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()
}

/// Takes off a weekday before or after: "Tuesday, 3 November", 11月3日（火）.
fn without_weekday(text: &str) -> (&str, Option<Weekday>) {
    if let Some((rest, inside)) = text.strip_suffix(')').and_then(|text| text.rsplit_once('('))
        && let Some(weekday) = weekday(inside.trim())
    {
        return (rest.trim_end(), Some(weekday));
    }
    for name in WEEKDAYS.iter().flatten().filter(|name| name.len() > 3 || name.is_ascii()) {
        let before = text.strip_prefix(name).filter(|rest| rest.starts_with([' ', ',']));
        let after = text.strip_suffix(name).filter(|rest| rest.ends_with([' ', ',', '日']));
        if let Some(rest) = before.or(after) {
            let rest = rest.trim_matches([' ', ',']);
            return (rest.strip_prefix("the ").unwrap_or(rest), weekday(name));
        }
    }
    (text, None)
}
