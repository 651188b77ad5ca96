//! What a person's sessions have spent, by day, application, model and session.

use enza_runtime::seams::store::{UsageQuery, UsageRow};
use jiff::civil::{Date, date};
use jiff::{Span, Unit};

use crate::access::Caller;
use crate::problem::Problem;
use crate::state::AppState;

/// The day that days are counted from.
const FIRST: Date = date(1970, 1, 1);

/// The caller's lines, from one day to another, both included.
pub async fn own(
    app: &AppState,
    caller: &Caller,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<Vec<UsageRow>, Problem> {
    let query = UsageQuery {
        owner: Some(caller.name().to_owned()),
        from_day: from.map(number_of),
        to_day: to.map(number_of),
        ..UsageQuery::default()
    };
    Ok(app.engine().store().usage(&query).await?)
}

/// The day of a number; the first one where there is no such day.
pub fn day(number: i64) -> Date {
    Span::new().try_days(number).ok().and_then(|span| FIRST.checked_add(span).ok()).unwrap_or(FIRST)
}

/// The number of a day.
fn number_of(day: Date) -> i64 {
    FIRST.until((Unit::Day, day)).map_or(0, |span| i64::from(span.get_days()))
}
