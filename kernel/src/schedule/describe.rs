//! A schedule in words: 「毎日 7・11時（Asia/Tokyo）」, "every day at 7 and 11 o'clock (Asia/Tokyo)".
//!
//! Each shape of a sentence is whole in `words/schedule.toml`; only lists are put together here. `tests/behaviour` reads
//! the sentences of all shapes.

use std::fmt::Display;

use super::Schedule;
use super::times::{DAY_MINUTES, Times, write_time};
use super::zone::Zone;
use crate::text::Lang;
use crate::words::{Sentences, words};

/// Times by the clock beyond these are not listed.
const MOST_LISTED: usize = 12;

impl Schedule {
    /// When it is, in words.
    pub fn describe(&self, lang: Lang) -> String {
        let words = words(lang);
        let zone: &dyn Display = &self.zone;
        let shown = match &self.times {
            Times::At(minutes) => {
                let (days, times) = (self.days_in_words(lang), clock_times(words, minutes));
                words.fill("schedule.at", &[("days", &days), ("times", &times), ("zone", zone)])
            }
            Times::Every(DAY_MINUTES) if self.is_every_day() => words.fill("schedule.every_day", &[("zone", zone)]),
            Times::Every(minutes) if self.is_every_day() => {
                words.fill("schedule.every", &[("interval", &interval(words, *minutes)), ("zone", zone)])
            }
            Times::Every(minutes) => {
                let (days, interval) = (self.days_in_words(lang), interval(words, *minutes));
                words.fill("schedule.every_on", &[("days", &days), ("interval", &interval), ("zone", zone)])
            }
        };
        self.bounded_in_words(words, &shown)
    }

    fn is_every_day(&self) -> bool {
        let days = self.days;
        days.months().is_empty() && days.month_days().is_empty() && days.weekdays().is_empty()
    }

    fn bounded_in_words(&self, words: Sentences, shown: &str) -> String {
        let zone = Zone::of(&self.zone);
        let wall = |at| zone.shown(at);
        match (self.from.map(wall), self.until.map(wall)) {
            (None, None) => shown.to_owned(),
            (Some(from), None) => words.fill("schedule.from", &[("shown", &shown), ("from", &from)]),
            (None, Some(until)) => words.fill("schedule.until", &[("shown", &shown), ("until", &until)]),
            (Some(from), Some(until)) => {
                words.fill("schedule.between", &[("shown", &shown), ("from", &from), ("until", &until)])
            }
        }
    }

    fn days_in_words(&self, lang: Lang) -> String {
        let words = words(lang);
        let month_name = |number: u8| words.of("schedule-month", &number.to_string()).to_owned();
        let months = list(words, &self.days.months(), month_name);
        let days = list(words, &self.days.month_days(), |number| lang.pick(number.to_string(), ordinal(number)));
        let numbers: Vec<u8> = self.days.weekdays().into_iter().map(|day| day.number()).collect();
        let weekday_name = |number: u8| words.of("schedule-weekday", &number.to_string()).to_owned();
        let weekdays = list(words, &numbers, weekday_name);
        match (months, days, weekdays) {
            (None, None, None) => words.say("schedule.days").to_owned(),
            (None, None, Some(weekdays)) => words.fill("schedule.weekdays", &[("weekdays", &weekdays)]),
            (None, Some(days), None) => words.fill("schedule.month_days", &[("days", &days)]),
            (None, Some(days), Some(weekdays)) => {
                words.fill("schedule.either", &[("days", &days), ("weekdays", &weekdays)])
            }
            (Some(months), None, None) => words.fill("schedule.days_in", &[("months", &months)]),
            (Some(months), None, Some(weekdays)) => {
                words.fill("schedule.weekdays_in", &[("months", &months), ("weekdays", &weekdays)])
            }
            (Some(months), Some(days), None) => {
                words.fill("schedule.month_days_in", &[("months", &months), ("days", &days)])
            }
            (Some(months), Some(days), Some(weekdays)) => {
                words.fill("schedule.either_in", &[("months", &months), ("days", &days), ("weekdays", &weekdays)])
            }
        }
    }
}

fn clock_times(words: Sentences, minutes: &[u16]) -> String {
    if minutes.len() > MOST_LISTED {
        let ends = (minutes.first().copied(), minutes.last().copied());
        let [first, last] = <[_; 2]>::from(ends).map(|minute| write_time(minute.unwrap_or_default()));
        return words.fill("schedule.many", &[("count", &minutes.len()), ("first", &first), ("last", &last)]);
    }
    if minutes.iter().all(|minute| minute % 60 == 0) {
        let hours: Vec<String> = minutes.iter().map(|minute| (minute / 60).to_string()).collect();
        return words.fill("schedule.hours", &[("hours", &joined(words, hours))]);
    }
    joined(words, minutes.iter().copied().map(write_time).collect())
}

fn interval(words: Sentences, minutes: u16) -> String {
    match minutes {
        DAY_MINUTES => words.say("schedule.each_day").to_owned(),
        1 => words.say("schedule.each_minute").to_owned(),
        60 => words.say("schedule.each_hour").to_owned(),
        _ if minutes.is_multiple_of(60) => words.fill("schedule.each_hours", &[("count", &(minutes / 60))]),
        _ => words.fill("schedule.each_minutes", &[("count", &minutes)]),
    }
}

/// Numbers by name, three and more in a row as a range; nothing where there are none.
fn list(words: Sentences, numbers: &[u8], name: impl Fn(u8) -> String) -> Option<String> {
    let mut items = Vec::new();
    for run in numbers.chunk_by(|one, next| one + 1 == *next) {
        match run {
            [first, .., last] if run.len() > 2 => {
                let (first, last) = (name(*first), name(*last));
                items.push(words.fill("schedule.run", &[("first", &first), ("last", &last)]));
            }
            few => items.extend(few.iter().map(|number| name(*number))),
        }
    }
    (!items.is_empty()).then(|| joined(words, items))
}

fn joined(words: Sentences, mut items: Vec<String>) -> String {
    match items.pop() {
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{}{}{last}", items.join(words.say("schedule.comma")), words.say("schedule.and")),
        None => String::new(),
    }
}

fn ordinal(number: u8) -> String {
    let ending = match (number % 10, number / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
