//! `enza companion`: a careful partner on a folder of code, at the terminal or in a script.
//!
//! A run opens a session in a folder or goes on with one, says what is to be said, and shows what happens. The rules are
//! the application's, files and commands the workshop's; here are the folder's files of settings and manners, the words on
//! the screen and the keys. It may be killed at any moment and gone on with later.

mod asking;
mod attached;
mod audit;
mod carried;
mod follow;
mod gate;
mod halt;
mod headless;
mod keyboard;
mod looks;
mod manners;
mod obeying;
mod opening;
mod settings;
mod show;
mod talk;
mod typed;

pub use halt::Halt;

use std::sync::Arc;

use enza_applications::companion::{Command, When};
use enza_kernel::time::Seq;
use enza_models::cassette::Tape;
use enza_models::troupe::ModelTrouble;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use crate::arguments::{CompanionOf, CompanionOrder};
use crate::backstage::{self, Players};
use crate::files;
use crate::outbox::Outbox;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use follow::Following;
use show::Show;
use talk::Talk;

/// The application's word.
const COMPANION: &str = "companion";

/// Runs the companion.
pub async fn run(around: &Surroundings, screen: &Screen, order: CompanionOf) -> Result<(), Trouble> {
    if let Some(CompanionOrder::Audit(order)) = &order.order {
        return audit::run(around, screen, &order.id).await;
    }
    let prompt = prompt(around, &order)?;
    let folder = opening::folder(screen.lang, order.folder.as_deref())?;
    let players = Players::chosen(around, tape(&order)?)?;
    let rest = Arc::new(Outbox { folder: around.outbox() });
    let working = backstage::working(around, &players, rest).await?;
    let engine = &working.engine;
    let is_attended = around.attended && prompt.is_none();
    let session = opening::session(around, screen, engine, &order, &folder, is_attended).await?;
    screen.remember(&session);
    let show = Show { screen, plain: order.plain };
    let outcome = match prompt {
        Some(text) => once(around, show, engine, &session, &text).await,
        None => {
            let mut talk = Talk::begin(around, show, engine, session, &players.chosen).await?;
            talk.hold().await
        }
    };
    engine.close().await;
    outcome
}

/// What is to be said without anyone at the keyboard: what was typed behind `-p`, or standard input.
fn prompt(around: &Surroundings, order: &CompanionOf) -> Result<Option<String>, Trouble> {
    match &order.prompt {
        Some(text) if text != "-" => Ok(Some(text.clone())),
        Some(_) => files::text_of(std::path::Path::new("-")).map(Some),
        None if around.attended => Ok(None),
        None => files::text_of(std::path::Path::new("-")).map(Some),
    }
}

/// The tape that was asked for.
fn tape(order: &CompanionOf) -> Result<Option<Tape>, Trouble> {
    let tape = match (&order.record, &order.replay) {
        (Some(path), _) => Some(Tape::record(path)),
        (None, Some(path)) => Some(Tape::play(path)),
        (None, None) => None,
    };
    Ok(tape.transpose().map_err(ModelTrouble::from)?)
}

/// Says one thing, and follows what comes of it. With nothing to say, a session that is gone on with is followed.
async fn once(
    around: &Surroundings,
    show: Show<'_>,
    engine: &Engine,
    session: &SessionId,
    text: &str,
) -> Result<(), Trouble> {
    let seen = engine.row(session).await?.head;
    let mut following = Following::from(engine, session, seen);
    let state = following.moment().await?.state;
    if !text.trim().is_empty() {
        let files = attached::named_in(text, std::path::Path::new(&state.folder));
        send(engine, session, &Command::Say { text: text.to_owned(), when: When::Turn, files }).await?;
    }
    headless::follow(show, &mut following, session, &backstage::companion_folder(around)).await
}

/// Sends a command; a refusal is the end.
async fn send(engine: &Engine, session: &SessionId, command: &Command) -> Result<Seq, Trouble> {
    let receipt = backstage::submit(engine, session, json!(command), &backstage::new_key()).await?;
    Ok(receipt.seq)
}
