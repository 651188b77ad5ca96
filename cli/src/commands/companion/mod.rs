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
mod halt;
mod headless;
mod instructed;
mod keeper;
mod keyboard;
mod looks;
mod manners;
mod obeying;
mod opening;
mod others;
mod passing;
mod recast;
mod recipes;
mod rewinding;
mod roster;
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
use recast::Recast;
pub use roster::Roster;
pub use serving::Served;
pub use sources::Source;

use std::path::Path;
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
use crate::commands::serve::log_where_asked;
use crate::files;
use crate::outbox::Outbox;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::companion::talk as words;
use follow::Following;
use headless::Streams;
use instructed::Instructed;
use recipes::Recipes;
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
        Some(text) => once(around, show, Following::from(engine, &session, seen), &session, &text, streams).await,
        None => {
            let place = Place { around, show, working: &working, chosen: &players.chosen, models: &models };
            Talk::begin(place, session.clone(), seen).await?.hold().await
        }
    };
    follow::changes_made(engine, &session).await;
    engine.close().await;
    working.servers.close_all();
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

/// Says one thing, and follows what comes of it. With nothing to say, a session that is gone on with is followed.
async fn once(
    around: &Surroundings,
    show: Show<'_>,
    mut following: Following<'_>,
    session: &SessionId,
    text: &str,
    streams: Streams,
) -> Result<(), Trouble> {
    let engine = following.engine();
    let state = following.moment().await?.state;
    if !text.trim().is_empty() {
        let folder = Path::new(&state.folder);
        let text = Recipes::of(&around.config, folder).say(text).unwrap_or_else(|| text.to_owned());
        let mut named = attached::named_in(&text, folder);
        // Nobody is there to see that something was left out.
        if let Some(missing) = named.missing.first() {
            let why = words::not_attached_because(show.screen.lang, missing.why);
            return Err(files::unreadable(Path::new(&missing.name), why));
        }
        named.files.extend(glance::named_in(&text, folder, &state.bounds(), &named.files));
        named.files.extend(Instructed::default().news(engine, session, &state, show.screen.lang).await?);
        send(engine, session, &Command::Say { text, when: When::Turn, files: named.files }).await?;
    }
    headless::follow(show, &mut following, session, &backstage::companion_folder(around), streams).await
}

/// Sends a command; a refusal is the end.
async fn send(engine: &Engine, session: &SessionId, command: &Command) -> Result<Seq, Trouble> {
    let receipt = backstage::submit(engine, session, json!(command), &backstage::new_key()).await?;
    Ok(receipt.seq)
}
