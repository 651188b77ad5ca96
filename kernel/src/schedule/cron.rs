//! A cron line of five fields as a way to write a schedule: minute, hour, day of the month, month, weekday.
//!
//! It is read as POSIX says, with names, steps and 7 for Sunday as everybody else does. What programs read differently is
//! not taken: nicknames such as `@daily`, letters such as `L` and `#`, a step without a range, a range that goes
//! backwards. Where it says "so often in each hour, from its beginning", it means every so many minutes, by real time.

use super::days::{Days, Weekday, numbers};
use super::fault::{CalendarField, ScheduleFault, excerpt};
use super::times::{Times, product};

/// Far more than a line needs that says something.
const LONGEST_LINE: usize = 512;

/// Reads a line.
pub(super) fn read(line: &str) -> Result<(Days, Times), ScheduleFault> {
    if line.len() > LONGEST_LINE {
        return Err(ScheduleFault::LineTooLong { most: LONGEST_LINE });
    }
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [minute, hour, month_day, month, weekday] = fields[..] else {
        return Err(ScheduleFault::FieldsMissing { found: fields.len() });
    };
    let minutes = read_field(CalendarField::Minute, minute)?;
    let hours = read_field(CalendarField::Hour, hour)?;
    let month_days = read_field(CalendarField::MonthDay, month_day)?;
    let months = read_field(CalendarField::Month, month)?;
    let weekdays = read_field(CalendarField::Weekday, weekday)?;
    // Sunday has two numbers there and is the seventh day here.
    let weekdays = weekdays | (weekdays & 1) << 7;
    Ok((Days::choose(months, month_days, weekdays)?, times(minutes, hours)?))
}

fn times(minutes: u64, hours: u64) -> Result<Times, ScheduleFault> {
    const ALL_HOURS: u64 = 0xFF_FFFF;
    let minutes: Vec<u8> = numbers(minutes).collect();
    let step = 60 / minutes.len();
    let is_regular = 60 % minutes.len() == 0 && minutes.iter().enumerate().all(|(k, at)| usize::from(*at) == k * step);
    match u16::try_from(step) {
        Ok(step) if is_regular && hours == ALL_HOURS => Times::every(step),
        Ok(_) | Err(_) => Times::at(product(numbers(hours), &minutes)),
    }
}

/// The numbers that a field names, as a set of bits.
fn read_field(field: CalendarField, text: &str) -> Result<u64, ScheduleFault> {
    text.split(',').try_fold(0, |set, item| Ok(set | read_item(field, item)?))
}

fn read_item(field: CalendarField, item: &str) -> Result<u64, ScheduleFault> {
    let (range, step) = match item.split_once('/') {
        Some((range, step)) => (range, Some(step)),
        None => (item, None),
    };
    let (first, last) = match range.split_once('-') {
        Some((first, last)) => (read_value(field, first, item)?, read_end(field, last, item)?),
        None if range == "*" => (*field.range().start(), *field.range().end()),
        None => {
            let only = read_value(field, range, item)?;
            (only, only)
        }
    };
    if first > last {
        return Err(ScheduleFault::RangeBackwards { field, found: excerpt(item) });
    }
    let is_range = range == "*" || range.contains('-');
    let step = step.map_or(Ok(1), |step| read_step(field, step, item, is_range))?;
    Ok((first..=last).step_by(step).fold(0, |set, number| set | 1 << number))
}

/// A step goes with a range: what `5/10` means, programs do not agree on.
fn read_step(field: CalendarField, step: &str, item: &str, is_range: bool) -> Result<usize, ScheduleFault> {
    let most = *field.range().end() as usize;
    let number =
        plain_number(step).map(|number| number as usize).filter(|number| is_range && (1..=most).contains(number));
    number.ok_or_else(|| ScheduleFault::StepUnfit { field, found: excerpt(item) })
}

/// The end of a range: there, a Sunday ends the week.
fn read_end(field: CalendarField, text: &str, item: &str) -> Result<u32, ScheduleFault> {
    match read_value(field, text, item)? {
        0 if field == CalendarField::Weekday && plain_number(text).is_none() => Ok(7),
        value => Ok(value),
    }
}

fn read_value(field: CalendarField, text: &str, item: &str) -> Result<u32, ScheduleFault> {
    let value = plain_number(text).or_else(|| named(field, text)).filter(|value| field.range().contains(value));
    value.ok_or_else(|| ScheduleFault::ValueUnfit { field, found: excerpt(item) })
}

fn plain_number(text: &str) -> Option<u32> {
    let is_plain = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

fn named(field: CalendarField, text: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let is_it = |name: &str| name.eq_ignore_ascii_case(text);
    match field {
        CalendarField::Month => MONTHS.into_iter().zip(1..).find(|(name, _)| is_it(name)).map(|(_, number)| number),
        CalendarField::Weekday => {
            let day = Weekday::ALL.into_iter().find(|day| is_it(day.word()));
            day.map(|day| u32::from(day.number() % 7))
        }
        CalendarField::Minute | CalendarField::Hour | CalendarField::MonthDay => None,
    }
}
