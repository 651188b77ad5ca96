//! Days in figures alone: 2026-11-03, 11/3, 03.11.2026, 20261103.
//!
//! A year of four figures may stand first everywhere. Otherwise the order goes by the country, else by the language; the
//! other order is tried only where the usual one has no such month. Where neither is usual, both are read, and two
//! different days are an ambiguity.

use super::super::super::Locale;
use super::super::ReadContext;
use super::super::fault::ValueFault;
use super::{Date, WrittenDate, complete, keep, whole_year};

/// The day that the figures say.
pub(super) fn day(text: &str, reading: &ReadContext<'_>) -> Result<Date, ValueFault> {
    let parts = parts(text).ok_or(ValueFault::NotADay)?;
    let ways = ways(&parts, date_order(reading.locale));
    if ways.is_empty() {
        return Err(ValueFault::NotADay);
    }
    let mut days: Vec<Date> = ways.into_iter().filter_map(|said| complete(said, reading.today)).collect();
    days.dedup();
    match days.as_slice() {
        [] => Err(ValueFault::NoSuchDay),
        [day] => Ok(*day),
        [one, other, ..] => Err(ValueFault::AmbiguousDay { one: keep(*one), other: keep(*other) }),
    }
}

/// A figure and how many digits it has.
type Figure = (i16, usize);

fn parts(text: &str) -> Option<Vec<Figure>> {
    let compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if compact {
        return [&text[..4], &text[4..6], &text[6..]].into_iter().map(figure).collect();
    }
    let separator = text.chars().find(|letter| !letter.is_ascii_digit()).filter(|letter| "/.-".contains(*letter))?;
    let text = text.strip_suffix('.').filter(|_| separator == '.').unwrap_or(text);
    let parts: Vec<Figure> = text.split(separator).map(|part| figure(part.trim())).collect::<Option<_>>()?;
    (2..=3).contains(&parts.len()).then_some(parts)
}

fn figure(part: &str) -> Option<Figure> {
    let digits = part.bytes().all(|byte| byte.is_ascii_digit()) && (1..=4).contains(&part.len());
    digits.then(|| part.parse().ok().map(|number| (number, part.len())))?
}

/// Which figure comes first where people live.
#[derive(Clone, Copy)]
enum DateOrder {
    DayMonth,
    MonthDay,
    YearMonthDay,
    /// Both are in use there, or we do not know.
    Either,
}

/// Every way to read the figures that the order allows.
fn ways(parts: &[Figure], order: DateOrder) -> Vec<WrittenDate> {
    let said = |year: Option<i16>, month: Figure, day: Figure| {
        let fits = month.1 <= 2 && day.1 <= 2;
        fits.then_some(WrittenDate { year, month: month.0, day: day.0 })
    };
    let both = |year: Option<i16>, one: Figure, other: Figure| {
        let (month_first, day_first) = (said(year, one, other), said(year, other, one));
        match order {
            DateOrder::MonthDay => prefer(month_first, day_first),
            DateOrder::DayMonth => prefer(day_first, month_first),
            // Whoever writes the year last there has another country's order in mind, and we cannot know whose.
            DateOrder::YearMonthDay if year.is_none() => prefer(month_first, day_first),
            DateOrder::YearMonthDay | DateOrder::Either => month_first.into_iter().chain(day_first).collect(),
        }
    };
    match *parts {
        [one, other] => both(None, one, other),
        [year, month, day] if year.1 == 4 => said(Some(year.0), month, day).into_iter().collect(),
        [one, other, year] if year.1 == 4 => both(Some(year.0), one, other),
        [first, second, third] => match order {
            DateOrder::YearMonthDay => {
                said(whole_year(first), second, third).filter(|said| said.year.is_some()).into_iter().collect()
            }
            DateOrder::DayMonth | DateOrder::MonthDay | DateOrder::Either => {
                whole_year(third).map_or_else(Vec::new, |year| both(Some(year), first, second))
            }
        },
        _ => Vec::new(),
    }
}

/// The usual way; the other one only where the usual has no such month.
fn prefer(usual: Option<WrittenDate>, other: Option<WrittenDate>) -> Vec<WrittenDate> {
    let has_month = |said: &WrittenDate| (1..=12).contains(&said.month);
    usual.filter(has_month).or(other.filter(has_month)).or(usual).into_iter().collect()
}

const MONTH_FIRST: [&str; 12] = ["US", "PH", "PW", "FM", "MH", "GU", "AS", "MP", "VI", "PR", "UM", "PA"];
const YEAR_FIRST: [&str; 8] = ["JP", "CN", "TW", "KR", "KP", "HU", "MN", "LT"];
const YEAR_FIRST_LANGUAGES: [&str; 6] = ["ja", "zh", "ko", "hu", "mn", "lt"];

fn date_order(locale: &Locale) -> DateOrder {
    let mut tag = locale.language.split(['-', '_']);
    let language = tag.next().unwrap_or_default().to_ascii_lowercase();
    let region = tag.find(|part| part.len() == 2);
    match locale.country.as_deref().or(region) {
        Some(country) if MONTH_FIRST.contains(&country) => DateOrder::MonthDay,
        Some(country) if YEAR_FIRST.contains(&country) => DateOrder::YearMonthDay,
        Some("CA") => DateOrder::Either,
        Some(_) => DateOrder::DayMonth,
        None if YEAR_FIRST_LANGUAGES.contains(&language.as_str()) => DateOrder::YearMonthDay,
        None if ["en", ""].contains(&language.as_str()) => DateOrder::Either,
        None => DateOrder::DayMonth,
    }
}
