//! A time zone: from instants to what a clock on the wall shows there, and back.
//!
//! Zones come from the database inside the program and never from the machine, so that the same schedule means the same
//! everywhere. What a clock shows is not always one instant: where clocks are put forward, a time is left out and its
//! instant is the first one behind the gap; where they are put back, a time is shown twice and its instant is the first.
//! So a later time on the wall never has an earlier instant, on which every search here relies.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use crate::time::Timestamp;

/// A zone of the database inside the program.
pub(super) struct Zone(TimeZone);

impl Zone {
    /// The zone of a name, whatever its case.
    pub(super) fn find(name: &str) -> Option<Self> {
        static BUNDLED: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
        BUNDLED.get(name).ok().filter(|zone| !zone.is_unknown()).map(Self)
    }

    /// The zone of a name that was found before.
    pub(super) fn of(name: &str) -> Self {
        Self::find(name).unwrap_or(Self(TimeZone::UTC))
    }

    /// The one spelling of its name.
    pub(super) fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The day on the wall. Beyond the years that calendars know, their first or last day.
    pub(super) fn date(&self, at: Timestamp) -> Date {
        self.0.to_datetime(instant(at)).date()
    }

    /// What calendar and clock on the wall show, for people.
    pub(super) fn shown(&self, at: Timestamp) -> String {
        self.0.to_datetime(instant(at)).strftime("%Y-%m-%d %-H:%M").to_string()
    }

    /// The first instant at which the clock on the wall has come to this minute of the day.
    pub(super) fn reaches(&self, date: Date, minute: u16) -> Option<Timestamp> {
        let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
        let wall = date.to_datetime(Time::new(hour, minute, 0, 0).ok()?);
        let reading = self.0.to_ambiguous_timestamp(wall);
        let found = match reading.offset() {
            AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => reading.earlier().ok(),
            AmbiguousOffset::Gap { after, .. } => {
                let before_the_gap = after.to_timestamp(wall).ok()?;
                let mut changes = self.0.following(before_the_gap);
                changes.find(|change| change.offset() == after).map(|change| change.timestamp())
            }
        };
        found.map(|found| Timestamp(found.as_millisecond()))
    }
}

fn instant(at: Timestamp) -> jiff::Timestamp {
    let farthest = if at.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(at.0).unwrap_or(farthest)
}
