//! `enza companion`: a careful partner on a folder of code, at the terminal or in a script.
//!
//! A run opens a session in a folder or goes on with one, says what is to be said, and shows what happens. The rules are
//! the application's, files and commands the workshop's; here are the folder's files of settings and manners, the words on
//! the screen and the keys. It may be killed at any moment and gone on with later.

mod acp;
mod answer;
mod audit;
mod completion;
mod compose;
mod custom_orders;
mod explain;
mod export;
mod folder_memory;
mod folder_preview;
mod follow;
mod full_diff;
mod gate;
mod gate_answer;
mod halt;
mod headless;
mod headless_orders;
mod instructions;
mod keyboard;
mod known_instructions;
mod lists;
mod machine_folders;
mod mentions;
mod obey;
mod one_shot;
mod open;
mod other_sessions;
mod parse;
mod partial_reply;
mod printer;
mod recap;
mod recast;
mod render;
mod reply_delta;
mod resume;
mod rewind;
mod rule_writer;
mod servers;
mod session_builder;
mod session_servers;
mod settings;
mod sources;
mod talk;
mod tasks;

pub use halt::Halt;
pub use headless_orders::Misplaced;
pub use machine_folders::MachineFolders;
pub use mentions::{MissingMention, MissingReason};
use recast::Recast;
pub use rule_writer::RuleWriter;
pub use session_servers::SessionServers;
pub use sources::SettingSource;

use std::path::Path;
use std::sync::Arc;

use enza_companion::Command;
use enza_kernel::time::Seq;
use enza_models::cassette::ActiveCassette;
use enza_models::catalog::ModelError;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use crate::arguments::{CompanionArgs, CompanionCommand};
use crate::commands::serve::log_where_asked;
use crate::delivery::Outbox;
use crate::environment::Environment;
use crate::files;
use crate::screen::Screen;
use crate::setup::{self, ModelSetup};
use crate::trouble::Trouble;
use follow::Follower;
use headless::Streams;
use one_shot::OneShot;
use printer::Printer;
use talk::{Talk, TalkContext};

/// The application's word.
const COMPANION: &str = "companion";

/// Runs the companion.
pub async fn run(around: &Environment, screen: &Screen, order: CompanionArgs) -> Result<(), Trouble> {
    match &order.order {
        Some(CompanionCommand::Audit(order)) => return audit::run(around, screen, &order.id).await,
        Some(CompanionCommand::Servers(order)) => return servers::run(around, screen, order.folder.as_deref()).await,
        None => {}
    }
    log_where_asked(around)?;
    if order.acp {
        return acp::serve(around, &ModelSetup::chosen(around, tape(&order)?)?, &order).await;
    }
    let prompt = prompt(around, &order)?;
    let folder = open::work_folder(screen.lang, order.folder.as_deref())?;
    if let Some(text) = &prompt {
        one_shot::check(around, &order, &folder, text)?;
    }
    let (players, models) = model_setup(around, tape(&order)?)?;
    let rest = Arc::new(Outbox { folder: around.outbox() });
    let working = setup::start_engine(around, &players, rest).await?;
    let engine = &working.engine;
    let is_attended = around.attended && prompt.is_none();
    let (session, seen) = open::open_or_resume(around, screen, &working, &order, &folder, is_attended).await?;
    screen.remember(&session);
    let show = Printer { screen, plain: order.plain };
    let streams = if order.stream && screen.json { Streams::Yes } else { Streams::No };
    let outcome = match prompt {
        Some(text) => {
            let once = OneShot { around, show, chosen: &players.chosen, session: &session, streams };
            once.say(Follower::from(engine, &session, seen), &text).await
        }
        None => {
            let place = TalkContext { around, show, working: &working, chosen: &players.chosen, models: &models };
            Talk::begin(place, session.clone(), seen).await?.hold().await
        }
    };
    follow::wait_for_changes(engine, &session).await;
    engine.close().await;
    working.servers.close_all().await;
    outcome
}

/// What is to be said without anyone at the keyboard: what was typed behind `-p`, or standard input.
fn prompt(around: &Environment, order: &CompanionArgs) -> Result<Option<String>, Trouble> {
    match &order.prompt {
        Some(text) if text != "-" => Ok(Some(text.clone())),
        Some(_) => files::text_of(Path::new("-")).map(Some),
        None if around.attended => Ok(None),
        None => files::text_of(Path::new("-")).map(Some),
    }
}

/// The tape that was asked for.
fn tape(order: &CompanionArgs) -> Result<Option<ActiveCassette>, Trouble> {
    let tape = match (&order.record, &order.replay) {
        (Some(path), _) => Some(ActiveCassette::record(path)),
        (None, Some(path)) => Some(ActiveCassette::play(path)),
        (None, None) => None,
    };
    Ok(tape.transpose().map_err(ModelError::from)?)
}

/// Who answers, and the same in such a way that it can be changed while it runs.
fn model_setup(around: &Environment, tape: Option<ActiveCassette>) -> Result<(ModelSetup, Arc<Recast>), Trouble> {
    let troupe = setup::model_catalog(around)?.with_cassette(tape);
    let chosen = troupe.choose(around.model.as_deref())?;
    let (first, allowance) = (troupe.router(&chosen)?, troupe.config.allowance());
    let models = Arc::new(Recast::of(troupe, first));
    Ok((ModelSetup { model: models.clone(), chosen, allowance }, models))
}

/// Sends a command; a refusal is the end.
async fn send(engine: &Engine, session: &SessionId, command: &Command) -> Result<Seq, Trouble> {
    let receipt = setup::submit(engine, session, json!(command), &setup::new_key()).await?;
    Ok(receipt.seq)
}
