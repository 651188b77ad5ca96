//! `enza companion`: a careful partner on a folder of code, at the terminal or in a script.
//!
//! A run opens a session in a folder or goes on with one, says what is to be said, and shows what happens. The rules are
//! the application's, files and commands the workshop's; here are the folder's files of settings and manners, the words on
//! the screen and the keys. It may be killed at any moment and gone on with later.

mod acp;
mod answer;
mod arguments;
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
mod render;
mod reply_delta;
mod resume;
mod rewind;
mod roles;
mod rule_writer;
mod servers;
mod session_builder;
mod session_servers;
mod settings;
mod sources;
mod talk;
mod tasks;
mod tools;
mod trouble;
mod words;

pub use tools::{tools, web};

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use enza_companion::{Command, Companion};
use enza_kernel::application::Application as _;
use enza_kernel::time::Seq;
use enza_kernel::words::Catalogue;
use enza_models::cassette::ActiveCassette;
use enza_models::catalog::ModelError;
use enza_runtime::engine::Engine;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::SessionId;
use enza_terminal::commands::serve::log_where_asked;
use enza_terminal::environment::Environment;
use enza_terminal::files;
use enza_terminal::part::TerminalPart;
use enza_terminal::screen::Screen;
use enza_terminal::setup::{self, ModelSetup};
use enza_terminal::trouble::Trouble;
use serde_json::json;

use crate::arguments::{CompanionArgs, CompanionCommand};
use headless::Streams;
use one_shot::OneShot;
use printer::Printer;
use roles::Roles;
use talk::{Talk, TalkContext};
use tools::RunningCompanion;
use trouble::CompanionTrouble;

/// The application's word, which is also its order's.
const COMPANION: &str = Companion::NAME;
/// Its own table of moves in the config folder, where there is one (DUCK-79).
const STEPS: &str = "companion-steps.toml";

/// The outward codes of what keeps its orders from their end.
pub const CODES: &[&str] = &["folder-unfit", "operation-denied"];

/// Its orders.
pub struct CompanionTerminal;

#[async_trait(?Send)]
impl TerminalPart for CompanionTerminal {
    fn orders(&self) -> Vec<clap::Command> {
        vec![CompanionArgs::augment_args(clap::Command::new(COMPANION))]
    }

    fn help(&self) -> &'static Catalogue {
        &words::CATALOGUE
    }

    async fn run(
        &self,
        around: &Environment,
        screen: &Screen,
        _order: &str,
        matches: &ArgMatches,
    ) -> Result<(), Trouble> {
        let order = CompanionArgs::from_arg_matches(matches).map_err(|error| Trouble::Usage(Box::new(error)))?;
        run(around, screen, order).await
    }

    fn stops_by_itself(&self) -> bool {
        true
    }

    fn begins(&self) -> Option<&'static str> {
        Some("enza companion")
    }

    fn resumes(&self, session: &str) -> Option<String> {
        Some(format!("enza companion --resume {session}"))
    }
}

/// Adds its rules, with the table of moves of the config folder where there is one.
pub fn rules(all: ApplicationRegistry, config: Option<&Path>) -> Result<ApplicationRegistry, Trouble> {
    let Some(path) = config.map(|config| config.join(STEPS)) else { return Ok(all.with(Companion::new())) };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(all.with(Companion::new())),
        Err(why) => return Err(Trouble::File { path, why: why.to_string() }),
    };
    match enza_companion::table(&text) {
        Ok(steps) => Ok(all.with(Companion::with_steps(steps))),
        Err(fault) => Err(CompanionTrouble::Steps { path, fault }.into()),
    }
}

/// Runs the companion.
async fn run(around: &Environment, screen: &Screen, order: CompanionArgs) -> Result<(), Trouble> {
    match &order.order {
        Some(CompanionCommand::Audit(order)) => return audit::run(around, screen, &order.id).await,
        Some(CompanionCommand::Servers(order)) => return servers::run(around, screen, order.folder.as_deref()).await,
        None => {}
    }
    log_where_asked(around, COMPANION)?;
    if order.acp {
        return acp::serve(around, &ModelSetup::chosen(around, tape(&order)?)?, &order).await;
    }
    let prompt = prompt(around, &order)?;
    let folder = open::work_folder(screen.lang, order.folder.as_deref())?;
    if let Some(text) = &prompt {
        one_shot::check(around, &order, &folder, text)?;
    }
    let (players, models) = model_setup(around, tape(&order)?)?;
    let working = RunningCompanion::start(around, &players).await?;
    let engine = &working.engine;
    let is_attended = around.attended && prompt.is_none();
    let (session, seen) = open::open_or_resume(around, screen, &working, &order, &folder, is_attended).await?;
    screen.remember(&session, resume_command(&session));
    let show = Printer { screen, plain: order.plain };
    let streams = if order.stream && screen.json { Streams::Yes } else { Streams::No };
    let outcome = match prompt {
        Some(text) => {
            let once = OneShot { around, show, chosen: &players.chosen, session: &session, streams };
            once.say(follow::follow(engine, &session, seen), &text).await
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

/// The command that goes on with a session.
fn resume_command(session: &SessionId) -> String {
    format!("enza companion --resume {}", setup::short_id(session))
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
fn model_setup(around: &Environment, tape: Option<ActiveCassette>) -> Result<(ModelSetup, Roles), Trouble> {
    let catalog = setup::model_catalog(around)?.with_cassette(tape);
    let chosen = catalog.choose(around.model.as_deref())?;
    let (router, allowance) = (Arc::new(catalog.router(&chosen)?), catalog.config.allowance());
    Ok((ModelSetup { model: router.clone(), chosen, allowance }, Roles { catalog, router }))
}

/// Sends a command; a refusal is the end.
async fn send(engine: &Engine, session: &SessionId, command: &Command) -> Result<Seq, Trouble> {
    let receipt = setup::submit(engine, session, json!(command), &setup::new_key()).await?;
    Ok(receipt.seq)
}
