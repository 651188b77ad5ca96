//! `enza companion`: a careful partner on a folder of code, at the terminal or in a script.
//!
//! A run opens a session in a folder or goes on with one, says what is to be said, and shows what happens. The rules are
//! the application's, files and commands the workshop's; here are the folder's files of settings and manners, the words on
//! the screen and the keys. It may be killed at any moment and gone on with later.

mod acp;
mod answering;
mod asking;
mod assembling;
mod attached;
mod audit;
mod carried;
mod completion;
mod composing;
mod explaining;
mod exporting;
mod follow;
mod gate;
mod glance;
mod going_on;
mod halt;
mod headless;
mod instructed;
mod keeper;
mod keyboard;
mod looks;
mod manners;
mod obeying;
mod opening;
mod ordered;
mod others;
mod passing;
mod recap;
mod recast;
mod recipes;
mod rewinding;
mod roster;
mod saying;
mod seeing;
mod servers;
mod serving;
mod settings;
mod show;
mod sources;
mod talk;
mod typed;
mod unfolding;
mod watching;
mod whole;

pub use attached::{Missing, Why};
pub use halt::Halt;
pub use keeper::Keeper;
pub use ordered::Misplaced;
use recast::Recast;
pub use roster::Roster;
pub use serving::Served;
pub use sources::Source;

use std::path::Path;
use std::sync::Arc;

use enza_applications::companion::Command;
use enza_kernel::time::Seq;
use enza_models::cassette::Tape;
use enza_models::troupe::ModelTrouble;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use crate::arguments::{CompanionOf, CompanionOrder};
use crate::backstage::{self, Players};
use crate::commands::serve::log_where_asked;
use crate::files;
use crate::outbox::Outbox;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use follow::Following;
use headless::Streams;
use saying::Once;
use show::Show;
use talk::{Place, Talk};

/// The application's word.
const COMPANION: &str = "companion";

/// Runs the companion.
pub async fn run(around: &Surroundings, screen: &Screen, order: CompanionOf) -> Result<(), Trouble> {
    match &order.order {
        Some(CompanionOrder::Audit(order)) => return audit::run(around, screen, &order.id).await,
        Some(CompanionOrder::Servers(order)) => return servers::run(around, screen, order.folder.as_deref()).await,
        None => {}
    }
    log_where_asked(around)?;
    if order.acp {
        return acp::serve(around, &Players::chosen(around, tape(&order)?)?, &order).await;
    }
    let prompt = prompt(around, &order)?;
    let folder = opening::folder(screen.lang, order.folder.as_deref())?;
    if let Some(text) = &prompt {
        saying::check(around, &order, &folder, text)?;
    }
    let (players, models) = players(around, tape(&order)?)?;
    let rest = Arc::new(Outbox { folder: around.outbox() });
    let working = backstage::working(around, &players, rest).await?;
    let engine = &working.engine;
    let is_attended = around.attended && prompt.is_none();
    let (session, seen) = opening::session(around, screen, &working, &order, &folder, is_attended).await?;
    screen.remember(&session);
    let show = Show { screen, plain: order.plain };
    let streams = if order.stream && screen.json { Streams::Yes } else { Streams::No };
    let outcome = match prompt {
        Some(text) => {
            let once = Once { around, show, chosen: &players.chosen, session: &session, streams };
            once.say(Following::from(engine, &session, seen), &text).await
        }
        None => {
            let place = Place { around, show, working: &working, chosen: &players.chosen, models: &models };
            Talk::begin(place, session.clone(), seen).await?.hold().await
        }
    };
    follow::changes_made(engine, &session).await;
    engine.close().await;
    working.servers.close_all().await;
    outcome
}

/// What is to be said without anyone at the keyboard: what was typed behind `-p`, or standard input.
fn prompt(around: &Surroundings, order: &CompanionOf) -> Result<Option<String>, Trouble> {
    match &order.prompt {
        Some(text) if text != "-" => Ok(Some(text.clone())),
        Some(_) => files::text_of(Path::new("-")).map(Some),
        None if around.attended => Ok(None),
        None => files::text_of(Path::new("-")).map(Some),
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

/// Who answers, and the same in such a way that it can be changed while it runs.
fn players(around: &Surroundings, tape: Option<Tape>) -> Result<(Players, Arc<Recast>), Trouble> {
    let troupe = backstage::troupe(around)?.on_tape(tape);
    let chosen = troupe.choose(around.model.as_deref())?;
    let (first, allowance) = (troupe.cast(&chosen)?, troupe.config.allowance());
    let models = Arc::new(Recast::of(troupe, first));
    Ok((Players { model: models.clone(), chosen, allowance }, models))
}

/// Sends a command; a refusal is the end.
async fn send(engine: &Engine, session: &SessionId, command: &Command) -> Result<Seq, Trouble> {
    let receipt = backstage::submit(engine, session, json!(command), &backstage::new_key()).await?;
    Ok(receipt.seq)
}
