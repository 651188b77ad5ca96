//! `enza session list`: the sessions there are, the last changed first; all of them, or those in which something was said.

use enza_kernel::time::Timestamp;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::{Family, Filter};
use serde_json::{Value, json};

use super::search::{self, MOST_EVENTS, MOST_SESSIONS, SearchHit, SearchOutcome};
use crate::applications::Applications;
use crate::arguments::SessionList;
use crate::environment::Environment;
use crate::screen::{Columns, Screen};
use crate::setup::{self, short_id};
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Lists sessions.
pub async fn run(around: &Environment, screen: &Screen, order: SessionList) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let family = match order.of {
        None => Family::Anyone,
        Some(part) => Family::Of(setup::find_session(&**engine.store(), &part).await?.id),
    };
    let filter = Filter {
        application: order.application,
        phases: order.phase.into_iter().collect(),
        family,
        limit: order.limit,
        ..Filter::default()
    };
    let found = match &order.search {
        Some(text) => search(&around.applications, screen, &engine, filter, text).await?,
        None => engine.store().list(&filter).await?.into_iter().map(|row| SearchHit { row, line: None }).collect(),
    };
    if screen.json {
        return screen.value(&found.iter().map(as_json).collect());
    }
    if found.is_empty() {
        return screen.say(&words::none(screen.lang, around.applications.begins()));
    }
    let mut columns = Columns::new(&words::list_head(screen.lang));
    for SearchHit { row, line } in &found {
        columns.row([
            short_id(&row.id).to_owned(),
            engine.applications().about(&row.application).title(screen.lang).to_owned(),
            words::phase(screen.lang, row.standing.phase).to_owned(),
            row.head.to_string(),
            when(row.changed_at),
            words::found_in(&row.standing.title, line.as_deref()),
        ]);
    }
    for (place, line) in columns.lines(screen.width()).iter().enumerate() {
        screen.say(&if place == 0 { screen.paint.faint(line) } else { line.clone() })?;
    }
    Ok(())
}

/// Those that are called so, and among the newest those in which it was said.
async fn search(
    applications: &Applications,
    screen: &Screen,
    engine: &Engine,
    filter: Filter,
    text: &str,
) -> Result<Vec<SearchHit>, Trouble> {
    let store = engine.store();
    let most = filter.limit;
    let called = store.list(&Filter { title_part: Some(text.to_owned()), ..filter.clone() }).await?;
    let mut found: Vec<SearchHit> = called.into_iter().map(|row| SearchHit { row, line: None }).collect();
    let newest = store.list(&Filter { limit: MOST_SESSIONS + 1, ..filter }).await?;
    let mut is_whole = newest.len() <= MOST_SESSIONS;
    for row in newest.into_iter().take(MOST_SESSIONS).filter(|row| !search::is_called(row, text)) {
        match search::search_session(applications, engine, &row, text, screen.lang).await? {
            SearchOutcome::Said(line) => found.push(SearchHit { row, line: Some(line) }),
            SearchOutcome::Nowhere => {}
            SearchOutcome::NotSoFar => is_whole = false,
        }
    }
    if !is_whole {
        screen.aside(&words::not_all_searched(screen.lang, MOST_SESSIONS, MOST_EVENTS))?;
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.row.changed_at));
    found.truncate(if most == 0 { usize::MAX } else { most });
    Ok(found)
}

/// A session as a script sees it, with what was said in it where that was looked for.
fn as_json(found: &SearchHit) -> Value {
    let mut value = json!(found.row);
    if let Some(line) = &found.line {
        value["found"] = json!(line);
    }
    value
}

/// A time for people, in their zone.
pub fn when(time: Timestamp) -> String {
    let Ok(instant) = jiff::Timestamp::from_millisecond(time.0) else { return "?".to_owned() };
    instant.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
