//! `enza session list`: the sessions there are, the last changed first.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Family, Filter};
use serde_json::json;

use crate::arguments::SessionList;
use crate::backstage::{self, short};
use crate::screen::{Columns, Screen};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Lists sessions.
pub async fn run(around: &Surroundings, screen: &Screen, order: SessionList) -> Result<(), Trouble> {
    let store = backstage::open_store(around).await?;
    let family = match order.of {
        None => Family::Anyone,
        Some(part) => Family::Of(backstage::find(&*store, &part).await?.id),
    };
    let filter = Filter {
        application: order.application,
        phases: order.phase.into_iter().collect(),
        family,
        title_part: order.search,
        limit: order.limit,
        ..Filter::default()
    };
    let rows = store.list(&filter).await?;
    if screen.json {
        return screen.value(&json!(rows));
    }
    if rows.is_empty() {
        return screen.say(words::none(screen.lang));
    }
    let mut columns = Columns::new(&words::list_head(screen.lang));
    for row in &rows {
        columns.row([
            short(&row.id).to_owned(),
            row.application.clone(),
            words::phase(screen.lang, row.standing.phase).to_owned(),
            row.head.to_string(),
            when(row.changed_at),
            row.standing.title.clone(),
        ]);
    }
    for (place, line) in columns.lines(screen.width()).iter().enumerate() {
        screen.say(&if place == 0 { screen.paint.faint(line) } else { line.clone() })?;
    }
    Ok(())
}

/// A time for people, in their zone.
pub fn when(time: Timestamp) -> String {
    let Ok(instant) = jiff::Timestamp::from_millisecond(time.0) else { return "?".to_owned() };
    instant.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
