//! A schedule as somebody writes it: in a command, in a file, in the log.
//!
//! Nothing is checked here before it is read into a `Schedule`, so that a fault is a refusal with words and not a line that
//! does not parse. A cron line is a way to write one: what it says is kept, the line is not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Schedule;
use super::cron;
use super::days::{Days, Weekday, bits};
use super::fault::{CalendarField, ScheduleFault, excerpt};
use super::times::{Times, read_time, write_time};
use super::zone::Zone;
use crate::time::Timestamp;

/// A schedule before it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// An IANA name: `Asia/Tokyo`.
    pub zone: String,
    pub recurs: Recurs,
    /// The first instant that may be one, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<i64>")]
    pub from: Option<Timestamp>,
    /// The first instant that may not be one any more, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<i64>")]
    pub until: Option<Timestamp>,
}

/// How something recurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Recurs {
    /// At times of day, by the clock on the wall.
    At {
        /// Such as `7:00`.
        times: Vec<String>,
        #[serde(default, skip_serializing_if = "WrittenDays::is_every_day")]
        on: WrittenDays,
    },
    /// Every so many minutes of real time, counted from the beginning of each day.
    Every {
        /// From 1 to 1440.
        minutes: u16,
        #[serde(default, skip_serializing_if = "WrittenDays::is_every_day")]
        on: WrittenDays,
    },
    /// By a cron line of five fields.
    Cron(String),
}

/// On which days. An empty list chooses nothing; where days of the month and weekdays are chosen, either will do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WrittenDays {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weekdays: Vec<Weekday>,
    /// From 1 to 31.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub month_days: Vec<u8>,
    /// From 1 to 12.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub months: Vec<u8>,
}

impl Written {
    /// One without beginning and end.
    pub fn new(zone: impl Into<String>, recurs: Recurs) -> Self {
        Self { zone: zone.into(), recurs, from: None, until: None }
    }

    pub(super) fn read(&self) -> Result<Schedule, ScheduleFault> {
        let zone = Zone::find(&self.zone).ok_or_else(|| ScheduleFault::ZoneUnknown { zone: excerpt(&self.zone) })?;
        let (days, times) = match &self.recurs {
            Recurs::At { times, on } => {
                let minutes: Result<_, _> = times.iter().map(|time| read_time(time)).collect();
                (on.read()?, Times::at(minutes?)?)
            }
            Recurs::Every { minutes, on } => (on.read()?, Times::every(*minutes)?),
            Recurs::Cron(line) => cron::read(line)?,
        };
        if self.from.zip(self.until).is_some_and(|(from, until)| until <= from) {
            return Err(ScheduleFault::EndsTooSoon);
        }
        Ok(Schedule { zone: zone.name().to_owned(), days, times, from: self.from, until: self.until })
    }
}

impl WrittenDays {
    /// These weekdays.
    pub fn weekdays(days: &[Weekday]) -> Self {
        Self { weekdays: days.to_vec(), ..Self::default() }
    }

    fn is_every_day(&self) -> bool {
        *self == Self::default()
    }

    fn read(&self) -> Result<Days, ScheduleFault> {
        let months = bits(CalendarField::Month, &self.months)?;
        let month_days = bits(CalendarField::MonthDay, &self.month_days)?;
        Days::choose(months, month_days, self.weekdays.iter().fold(0, |set, day| set | 1 << day.number()))
    }

    fn of(days: Days) -> Self {
        Self { weekdays: days.weekdays(), month_days: days.month_days(), months: days.months() }
    }
}

impl TryFrom<Written> for Schedule {
    type Error = ScheduleFault;

    fn try_from(written: Written) -> Result<Self, ScheduleFault> {
        written.read()
    }
}

impl From<Schedule> for Written {
    fn from(schedule: Schedule) -> Self {
        let on = WrittenDays::of(schedule.days);
        let recurs = match schedule.times {
            Times::At(minutes) => Recurs::At { times: minutes.into_iter().map(write_time).collect(), on },
            Times::Every(minutes) => Recurs::Every { minutes, on },
        };
        Self { zone: schedule.zone, recurs, from: schedule.from, until: schedule.until }
    }
}
