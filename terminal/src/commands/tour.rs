//! `enza tour`. One screen on what this is, then a short real session, played by a script.
//!
//! The session is a session like any other: it is in the data folder afterwards, and the commands that the tour ends
//! with look at that very one. On a terminal it takes a breath between lines. Which session it is, is an application's
//! to say; where none brings a script, there is nothing but the first screen.

use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::seams::store::Recorded;
use serde_json::{Value, json};

use super::session::as_line;
use crate::environment::Environment;
use crate::part::TourSession;
use crate::screen::Screen;
use crate::setup::{self, short_id};
use crate::trouble::Trouble;
use crate::words::tour as words;

/// A breath.
const PAUSE: Duration = Duration::from_millis(700);
/// How many of the session's events are shown.
const EVENTS: usize = 6;

/// Gives the tour.
pub async fn run(around: &Environment, screen: &Screen) -> Result<(), Trouble> {
    let breath = if around.on_screen && !screen.json { PAUSE } else { Duration::ZERO };
    if !screen.json {
        screen.say(&words::welcome(screen))?;
        tokio::time::sleep(breath).await;
    }
    let Some(script) = around.applications.iter().find_map(|one| one.tour.as_ref()) else {
        return if screen.json { screen.value(&Value::Null) } else { Ok(()) };
    };
    let TourSession { session, file } = script.play(around, screen, breath).await?;
    let store = setup::open_store(around).await?;
    let application = store.find(&session).await?.map(|row| row.application).unwrap_or_default();
    let events = store.events(&session, Seq::START, usize::MAX).await?;
    if screen.json {
        return screen.value(&json!({"session": session, "events": events.len(), "file": file}));
    }
    tokio::time::sleep(breath).await;
    screen.say(&words::log_head(screen, events.len(), &file))?;
    for recorded in events.iter().rev().take(EVENTS).rev() {
        screen.say(&as_line(screen, recorded))?;
    }
    let reader = around.applications.registry().find(&application).map(|host| host.fresh());
    let is_reply = |recorded: &&Recorded| reader.as_ref().is_some_and(|reader| reader.prompt_of(recorded).is_some());
    let reply = events.iter().rev().find(is_reply).map_or(1, |recorded| recorded.seq.0);
    screen.say(&words::what_now(screen, short_id(&session), reply, script.try_next(screen.lang)))
}
