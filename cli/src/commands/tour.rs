//! `enza tour`. One screen on what this is, then a short real session, played by a script.
//!
//! The session is a session like any other: it is in the data folder afterwards, and the commands that the tour ends
//! with look at that very one. On a terminal it takes a breath between lines.

use std::sync::Arc;
use std::time::Duration;

use enza_interview::{Form, Open};
use enza_kernel::time::Seq;
use enza_models::understudy::Understudy;
use serde_json::json;

use super::interview::{self, Conversation, Respondent};
use super::session::as_line;
use crate::delivery::Outbox;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup::{self, ModelSetup, short_id};
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
    let outbox = Arc::new(Outbox { folder: around.outbox() });
    let players = ModelSetup::understudy(Understudy::new(setup::applications()));
    let working = setup::start_engine(around, &players, outbox.clone()).await?;
    let engine = &working.engine;
    let session = interview::open(engine, Open::at_home(Form::sample(screen.lang))).await?;
    screen.remember(&session);
    let script = Respondent::scripted(words::answers(screen.lang), breath);
    let played = Conversation::new(engine, screen, session.clone(), script, &players.chosen).hold(false).await;
    engine.close().await;
    played?;
    let events = engine.store().events(&session, Seq::START, usize::MAX).await?;
    let file = outbox.file_of(&session);
    if screen.json {
        return screen.value(&json!({"session": session, "events": events.len(), "file": file}));
    }
    tokio::time::sleep(breath).await;
    screen.say(&words::log_head(screen, events.len(), &file))?;
    for recorded in events.iter().rev().take(EVENTS).rev() {
        screen.say(&as_line(screen, recorded))?;
    }
    let reply = events.iter().rev().find(|recorded| recorded.stored.body.contains("\"replied\""));
    screen.say(&words::what_now(screen, short_id(&session), reply.map_or(1, |recorded| recorded.seq.0)))
}
