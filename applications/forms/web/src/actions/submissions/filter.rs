//! Which sheets to look at, and how many at a time.
//!
//! Days are those of the server's time zone, as the pages write them. A page begins where the one before ended, so that
//! nothing is skipped or shown twice while new sheets come in.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::SessionId;
use enza_server::problem::Problem;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::sheet::{Sheet, Status};

/// Which sheets to look at. What is not said leaves all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetFilter {
    pub status: Option<Status>,
    /// Of this version of the form.
    pub version: Option<u64>,
    /// Begun on this day or later.
    pub from: Option<Date>,
    /// Begun on this day or earlier.
    pub to: Option<Date>,
    /// With this in a value, whatever the case.
    pub text: Option<String>,
}

/// A page of sheets.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetPage {
    /// The sheets, the newest first.
    pub sheets: Vec<Sheet>,
    /// How many there are in each status, among those that are wanted otherwise.
    pub counts: [(Status, usize); 4],
    /// Where the next page begins; none after the last.
    pub next: Option<String>,
}

impl SheetFilter {
    /// Whether a sheet is wanted, its status aside.
    fn includes(&self, sheet: &Sheet) -> bool {
        self.version.is_none_or(|version| sheet.version == Some(version))
            && self.from.is_none_or(|from| day_of(sheet.opened_at).is_some_and(|day| day >= from))
            && self.to.is_none_or(|to| day_of(sheet.opened_at).is_some_and(|day| day <= to))
            && self.text.as_deref().is_none_or(|text| is_in(sheet, &text.to_lowercase()))
    }

    /// The sheets that are wanted.
    pub fn of(&self, sheets: Vec<Sheet>) -> Vec<Sheet> {
        sheets.into_iter().filter(|sheet| self.is_for(sheet)).collect()
    }

    fn is_for(&self, sheet: &Sheet) -> bool {
        self.status.is_none_or(|status| sheet.status == status) && self.includes(sheet)
    }
}

/// A page of these sheets, which are the newest first.
pub fn page(sheets: &[Sheet], wanted: &SheetFilter, cursor: Option<&str>, limit: usize) -> Result<SheetPage, Problem> {
    let after = cursor.map(read_cursor).transpose()?;
    let counts = Status::ALL.map(|status| {
        let in_it = sheets.iter().filter(|sheet| sheet.status == status && wanted.includes(sheet));
        (status, in_it.count())
    });
    let is_later = |sheet: &&Sheet| {
        after.as_ref().is_none_or(|(at, id)| (sheet.opened_at, sheet.session.as_str()) < (*at, id.as_str()))
    };
    let found = sheets.iter().filter(|sheet| wanted.is_for(sheet)).filter(is_later);
    let mut sheets: Vec<Sheet> = found.take(limit + 1).cloned().collect();
    let is_more = sheets.len() > limit;
    sheets.truncate(limit);
    let next = sheets.last().filter(|_| is_more);
    let next = next.map(|sheet| format!("{:x}.{}", sheet.opened_at.0, sheet.session));
    Ok(SheetPage { sheets, counts, next })
}

/// The day of a moment, where the server is.
pub(super) fn day_of(at: Timestamp) -> Option<Date> {
    let moment = jiff::Timestamp::from_millisecond(at.0).ok()?;
    Some(moment.to_zoned(TimeZone::system()).date())
}

fn is_in(sheet: &Sheet, text: &str) -> bool {
    let mut values = sheet.answers.iter().filter_map(|answer| answer.value.as_deref());
    values.any(|value| value.to_lowercase().contains(text))
}

fn read_cursor(word: &str) -> Result<(Timestamp, SessionId), Problem> {
    let parts = word.split_once('.').filter(|(_, id)| !id.is_empty());
    let parts = parts.and_then(|(at, id)| Some((Timestamp(i64::from_str_radix(at, 16).ok()?), SessionId::of(id))));
    parts.ok_or_else(|| Problem::BodyUnfit("cursor".to_owned()))
}
