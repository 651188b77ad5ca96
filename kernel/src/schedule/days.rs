//! The days on which something recurs: by month, by day of the month and by weekday.
//!
//! As cron has it, a day counts by its day of the month or by its weekday where both are chosen. There is always such a
//! day within eight years: who chooses only days that no month has is told so when the schedule is read.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::{CalendarField, ScheduleFault};

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// Days, as sets of bits; a set with every bit chooses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Days {
    /// Bits 1 (Monday) to 7 (Sunday).
    weekdays: u64,
    /// Bits 1 to 31.
    month_days: u64,
    /// Bits 1 to 12.
    months: u64,
}

/// Nine years: from any day to a 29 February it is no more than eight.
const FARTHEST_DAYS: usize = 9 * 366;

impl Weekday {
    /// From Monday on.
    pub const ALL: [Self; 7] = [Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];

    /// 1 for Monday to 7 for Sunday.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The word for it in cron lines and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mon => "mon",
            Self::Tue => "tue",
            Self::Wed => "wed",
            Self::Thu => "thu",
            Self::Fri => "fri",
            Self::Sat => "sat",
            Self::Sun => "sun",
        }
    }
}

impl Days {
    /// Days that are chosen by sets of bits. A set without any chooses nothing, like one with all.
    pub(super) fn choose(months: u64, month_days: u64, weekdays: u64) -> Result<Self, ScheduleFault> {
        let or_all = |chosen: u64, all: u64| if chosen & all == 0 { all } else { chosen & all };
        let days = Self {
            weekdays: or_all(weekdays, ALL_WEEKDAYS),
            month_days: or_all(month_days, ALL_MONTH_DAYS),
            months: or_all(months, ALL_MONTHS),
        };
        if days.come() { Ok(days) } else { Err(ScheduleFault::NoSuchDay) }
    }

    /// Whether there ever is such a day.
    fn come(self) -> bool {
        const LENGTHS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let first = self.month_days.trailing_zeros();
        !self.any_weekday() || (1..=12).any(|month| has(self.months, month) && first <= LENGTHS[month as usize - 1])
    }

    fn any_weekday(self) -> bool {
        self.weekdays == ALL_WEEKDAYS
    }

    fn any_month_day(self) -> bool {
        self.month_days == ALL_MONTH_DAYS
    }

    fn include(self, date: Date) -> bool {
        let by_month_day = has(self.month_days, date.day().unsigned_abs().into());
        let by_weekday = has(self.weekdays, date.weekday().to_monday_one_offset().unsigned_abs().into());
        match (self.any_month_day(), self.any_weekday()) {
            (false, false) => by_month_day || by_weekday,
            (true, _) | (_, true) => by_month_day && by_weekday,
        }
    }

    fn in_month(self, date: Date) -> bool {
        has(self.months, date.month().unsigned_abs().into())
    }

    /// The first such day from this one on.
    pub(super) fn first_from(self, mut date: Date) -> Option<Date> {
        for _ in 0..FARTHEST_DAYS {
            date = match (self.in_month(date), self.include(date)) {
                (true, true) => return Some(date),
                (true, false) => date.tomorrow().ok()?,
                (false, _) => date.last_of_month().tomorrow().ok()?,
            };
        }
        None
    }

    /// The last such day up to this one.
    pub(super) fn last_until(self, mut date: Date) -> Option<Date> {
        for _ in 0..FARTHEST_DAYS {
            date = match (self.in_month(date), self.include(date)) {
                (true, true) => return Some(date),
                (true, false) => date.yesterday().ok()?,
                (false, _) => date.first_of_month().yesterday().ok()?,
            };
        }
        None
    }

    /// The months that were chosen; none where it is all of them.
    pub(super) fn months(self) -> Vec<u8> {
        chosen(self.months, ALL_MONTHS)
    }

    /// The days of the month that were chosen; none where it is all of them.
    pub(super) fn month_days(self) -> Vec<u8> {
        chosen(self.month_days, ALL_MONTH_DAYS)
    }

    /// The weekdays that were chosen; none where it is all of them.
    pub(super) fn weekdays(self) -> Vec<Weekday> {
        let numbers = chosen(self.weekdays, ALL_WEEKDAYS);
        Weekday::ALL.into_iter().filter(|day| numbers.contains(&day.number())).collect()
    }
}

/// A set of bits from numbers, where each fits its field.
pub(super) fn bits(field: CalendarField, numbers: &[u8]) -> Result<u64, ScheduleFault> {
    let mut set = 0;
    for number in numbers {
        if !field.range().contains(&u32::from(*number)) {
            return Err(ScheduleFault::ValueUnfit { field, found: number.to_string() });
        }
        set |= 1 << number;
    }
    Ok(set)
}

/// Whether a set has a bit.
pub(super) fn has(set: u64, bit: u32) -> bool {
    set >> bit & 1 == 1
}

/// The numbers in a set.
pub(super) fn numbers(set: u64) -> impl Iterator<Item = u8> {
    (0..64_u8).filter(move |bit| has(set, u32::from(*bit)))
}

fn chosen(set: u64, all: u64) -> Vec<u8> {
    if set == all { Vec::new() } else { numbers(set).collect() }
}

const ALL_WEEKDAYS: u64 = 0b1111_1110;
const ALL_MONTH_DAYS: u64 = 0xFFFF_FFFE;
const ALL_MONTHS: u64 = 0b1_1111_1111_1110;
