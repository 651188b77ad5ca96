//! Where and in which language a respondent is at home, and how people say so.
//!
//! Languages are BCP 47 tags, countries ISO 3166-1 alpha-2 codes, time zones IANA names, each in its one spelling. Zones
//! come from the database inside the program and never from the machine, so that the same answer is read the same
//! everywhere. What is read here is recorded by the rules; nothing is read again in replay.
//!
//! Asking for any of it belongs to the greeter.

mod country;
mod fold;
mod language;
mod names;

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use jiff::civil::Date;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use country::{countries, country_name, is_zone_of, read_country, zone_of, zones_of};
pub(super) use fold::{fold, narrow};
pub use language::{country_of_language, language_name, languages, read_language};
pub(super) use names::stands_alone;

/// The zone where none can be told from the country.
pub const FALLBACK_ZONE: &str = "Asia/Tokyo";

/// Where and in which language a respondent is at home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Locale {
    /// A BCP 47 tag.
    pub language: String,
    /// An ISO 3166-1 alpha-2 code, where it is known.
    pub country: Option<String>,
    /// An IANA name.
    pub timezone: String,
}

/// The language of a tag, without its region.
pub fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

impl Locale {
    /// Which of our own languages comes closest.
    pub fn lang(&self) -> Lang {
        match self.language.split(['-', '_']).next() {
            Some(language) if language.eq_ignore_ascii_case("ja") => Lang::Ja,
            Some(_) | None => Lang::En,
        }
    }

    /// The day it is there. A zone that is none counts as [`FALLBACK_ZONE`].
    pub fn today(&self, at: Timestamp) -> Date {
        let zone = zone(&self.timezone).or_else(|| zone(FALLBACK_ZONE)).unwrap_or(TimeZone::UTC);
        let farthest = if at.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        zone.to_datetime(jiff::Timestamp::from_millisecond(at.0).unwrap_or(farthest)).date()
    }
}

/// Whether the bundled database has a zone of this name.
pub fn is_zone(name: &str) -> bool {
    zone(name).is_some()
}

fn zone(name: &str) -> Option<TimeZone> {
    static BUNDLED: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
    BUNDLED.get(name).ok()
}

/// The columns of a line of a table beside this. The tables are part of the program, and a test reads every line.
pub(super) fn columns<const N: usize>(line: &'static str) -> [&'static str; N] {
    let columns: Vec<&str> = line.split('\t').collect();
    columns.try_into().unwrap_or_else(|columns| panic!("{N} columns expected: {columns:?}"))
}

/// The names in a column that may have any number of them.
fn others(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split('|').filter(|name| *name != "-")
}
