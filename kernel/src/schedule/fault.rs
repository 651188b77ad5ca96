//! Why what somebody wrote is no schedule: which part it is, and what would fit there.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::application::Reason;
use crate::text::{Lang, Said, spelt_out};
use crate::words::words;

/// Why something is no schedule. What was found is an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleFault {
    /// No time zone of the database has this name.
    ZoneUnknown { zone: String },
    /// No time of day was given.
    NoTimes,
    /// Not a time of day.
    TimeUnfit { found: String },
    /// Not as many minutes as an interval may have.
    IntervalUnfit { minutes: u16 },
    /// Only days that no month has: 31 April.
    NoSuchDay,
    /// Its end is not after its beginning.
    EndsTooSoon,
    /// A cron line is longer than this many bytes.
    LineTooLong { most: usize },
    /// A cron line has not five fields but so many.
    FieldsMissing { found: usize },
    /// A field has something that it does not take.
    ValueUnfit { field: CalendarField, found: String },
    /// A range ends before it begins.
    RangeBackwards { field: CalendarField, found: String },
    /// A step is no number that fits, or stands behind no range.
    StepUnfit { field: CalendarField, found: String },
}

/// A field of a cron line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarField {
    Minute,
    Hour,
    /// The day of the month.
    MonthDay,
    Month,
    Weekday,
}

impl CalendarField {
    /// In the order of a cron line.
    pub const ALL: [Self; 5] = [Self::Minute, Self::Hour, Self::MonthDay, Self::Month, Self::Weekday];

    /// The numbers that fit. Sunday is both 0 and 7.
    pub fn range(self) -> RangeInclusive<u32> {
        match self {
            Self::Minute => 0..=59,
            Self::Hour => 0..=23,
            Self::MonthDay => 1..=31,
            Self::Month => 1..=12,
            Self::Weekday => 0..=7,
        }
    }

    fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Minute => words(lang).say("schedule-field.minute"),
            Self::Hour => words(lang).say("schedule-field.hour"),
            Self::MonthDay => words(lang).say("schedule-field.month_day"),
            Self::Month => words(lang).say("schedule-field.month"),
            Self::Weekday => words(lang).say("schedule-field.weekday"),
        }
    }

    /// What would fit, as a sentence.
    fn fits(self, lang: Lang) -> &'static str {
        match self {
            Self::Minute => words(lang).say("schedule-field.minute_fits"),
            Self::Hour => words(lang).say("schedule-field.hour_fits"),
            Self::MonthDay => words(lang).say("schedule-field.month_day_fits"),
            Self::Month => words(lang).say("schedule-field.month_fits"),
            Self::Weekday => words(lang).say("schedule-field.weekday_fits"),
        }
    }
}

impl Reason for ScheduleFault {
    fn code(&self) -> &'static str {
        "schedule-unfit"
    }

    fn say(&self, lang: Lang) -> Said {
        let words = words(lang);
        match self {
            Self::ZoneUnknown { zone } => words.said("schedule-fault.zone_unknown", &[("zone", zone)]),
            Self::NoTimes => words.said("schedule-fault.no_times", &[]),
            Self::TimeUnfit { found } => words.said("schedule-fault.time_unfit", &[("found", found)]),
            Self::IntervalUnfit { minutes } => words.said("schedule-fault.interval_unfit", &[("count", minutes)]),
            Self::NoSuchDay => words.said("schedule-fault.no_such_day", &[]),
            Self::EndsTooSoon => words.said("schedule-fault.ends_too_soon", &[]),
            Self::LineTooLong { most } => words.said("schedule-fault.line_too_long", &[("most", most)]),
            Self::FieldsMissing { found } => words.said("schedule-fault.fields_missing", &[("count", found)]),
            Self::ValueUnfit { field, found } => {
                let pieces: [(&str, &dyn fmt::Display); 2] = [("field", &field.name(lang)), ("found", found)];
                Said::new(words.fill("schedule-fault.value_unfit", &pieces), field.fits(lang))
            }
            Self::RangeBackwards { field, found } => {
                words.said("schedule-fault.range_backwards", &[("field", &field.name(lang)), ("found", found)])
            }
            Self::StepUnfit { field, found } => {
                words.said("schedule-fault.step_unfit", &[("field", &field.name(lang)), ("found", found)])
            }
        }
    }
}

/// For logs and for whoever parses one.
impl fmt::Display for ScheduleFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.say(Lang::En).in_one())
    }
}

/// The beginning of a text, with nothing hidden in it.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = text.chars().take(LONGEST).map(|letter| spelt_out(letter).unwrap_or(letter.into())).collect();
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}
