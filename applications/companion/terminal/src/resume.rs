//! What a session takes from its folder when it is begun or gone on with, and gives to it as it goes.
//!
//! A session that is gone on with takes what was tightened since: denials and questions that were written down, and what
//! was forbidden in any session of the folder. What was lifted in one is lifted in all. Allowances stay those under which
//! it was begun.

use std::path::Path;

use enza_companion::{Command, Companion, Constraint, Rule, Scope, State};
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;

use super::folder_memory::{self, FolderMemory};
use super::settings::FolderSettings;
use super::{open, send};
use crate::arguments::CompanionArgs;
use crate::tools::companion_folder;
use crate::words;

/// A session that is gone on with takes the mode, the budget and the rules that were typed, and what was tightened since.
pub async fn adjust(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    session: &SessionId,
    order: &CompanionArgs,
    rules: Vec<Rule>,
) -> Result<(), Trouble> {
    tighten(around, screen, engine, session).await?;
    if let Some(mode) = open::mode(order) {
        send(engine, session, &Command::SetMode { mode }).await?;
    }
    if let Some(tokens) = order.budget {
        send(engine, session, &Command::RaiseBudget { tokens }).await?;
    }
    for rule in rules {
        send(engine, session, &Command::Remember { rule, scope: Scope::Session }).await?;
    }
    Ok(())
}

/// Gives a session that is gone on with the denials and questions that were written down since it began, in another session
/// of the folder or by hand, and what was forbidden and lifted in other sessions.
pub async fn tighten(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    session: &SessionId,
) -> Result<(), Trouble> {
    let state = state_of(engine, session).await?;
    if state.closed || state.folder.is_empty() {
        return Ok(());
    }
    let denials = FolderSettings::read(&around.config, Path::new(&state.folder))?.denials();
    for command in not_yet_known(&state, denials) {
        send(engine, session, &command).await?;
    }
    // What it has said itself counts as much as what the others said.
    save_memory(around, screen, engine, session, &state).await?;
    align(around, screen, engine, session, &state).await
}

/// Lifts in a session that stands like this what was lifted elsewhere, and forbids what was forbidden elsewhere. Done before
/// something is said in it, so that sessions which run side by side hold to the same.
pub async fn align(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    session: &SessionId,
    state: &State,
) -> Result<(), Trouble> {
    let carried = load_memory(around, screen, engine, &state.folder).await?;
    let Alignment { commands, left_out } = Alignment::of(state, &carried);
    for command in commands {
        send(engine, session, &command).await?;
    }
    for text in left_out {
        screen.aside(&words::not_taken_over(screen.lang, &text))?;
    }
    Ok(())
}

/// What a session that stands like this needs to hold to what its folder carries.
pub struct Alignment {
    /// What is to be lifted and forbidden in it.
    pub commands: Vec<Command>,
    /// What there is no more room for.
    pub left_out: Vec<String>,
}

impl Alignment {
    /// Makes it.
    pub fn of(state: &State, carried: &FolderMemory) -> Self {
        let mut alignment = Self { commands: Vec::new(), left_out: Vec::new() };
        if state.closed {
            return alignment;
        }
        let is_lifted = |one: &Constraint| carried.is_lifted(&one.text);
        let places = (0..).zip(&state.constraints).filter(|(_, one)| is_lifted(one)).map(|(place, _)| place);
        let mut lifts: Vec<Command> = places.map(|place| Command::Lift { place }).collect();
        // From the last on, so that the places before it stay what they are.
        lifts.reverse();
        alignment.commands = lifts;
        let mut held: Vec<Constraint> = state.constraints.iter().filter(|one| !is_lifted(one)).cloned().collect();
        for text in carried.forbidden() {
            if held.iter().any(|known| known.text == text) {
                continue;
            }
            match Constraint::meant(&text).filter(|one| one.fits_beside(&held)) {
                Some(constraint) => {
                    held.push(constraint);
                    alignment.commands.push(Command::Forbid { text });
                }
                None => alignment.left_out.push(text),
            }
        }
        alignment
    }
}

/// What gives a session the rules that it does not have yet.
pub fn not_yet_known(state: &State, rules: Vec<Rule>) -> Vec<Command> {
    let known = state.all_rules();
    let news = rules.into_iter().filter(|rule| !state.closed && !known.contains(rule));
    news.map(|rule| Command::Remember { rule, scope: Scope::Session }).collect()
}

/// A session was begun in a folder where this was forbidden: the folder knows it from now on, and a person is told what of
/// it there was no room for.
pub async fn begun(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    session: &SessionId,
    forbidden: &[String],
) -> Result<(), Trouble> {
    let state = state_of(engine, session).await?;
    let is_kept = |text: &&String| state.constraints.iter().any(|one| one.text == **text);
    for text in forbidden.iter().filter(|text| !is_kept(text)) {
        screen.aside(&words::not_taken_over(screen.lang, text))?;
    }
    save_memory(around, screen, engine, session, &state).await
}

/// What is carried in a folder. Where it cannot be brought up to date, a person is told.
pub async fn load_memory(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    folder: &str,
) -> Result<FolderMemory, Trouble> {
    let kept_in = companion_folder(around);
    match folder_memory::caught_up(engine, &kept_in, folder).await {
        Ok(carried) => Ok(carried),
        Err(why) => {
            screen.aside(&words::not_carried(screen.lang, &why))?;
            Ok(folder_memory::read(&kept_in, folder))
        }
    }
}

/// Carries what a session has said and remembers. Where that fails a person is told, and the work goes on.
pub async fn save_memory(
    around: &Environment,
    screen: &Screen,
    engine: &Engine,
    session: &SessionId,
    state: &State,
) -> Result<(), Trouble> {
    match folder_memory::save(engine, &companion_folder(around), session, state).await {
        Ok(()) => Ok(()),
        Err(why) => screen.aside(&words::not_carried(screen.lang, &why)),
    }
}

/// Where a session stands, from its log: it is not woken, since it has its own work to go on with.
async fn state_of(engine: &Engine, session: &SessionId) -> Result<State, Trouble> {
    Ok(engine.state::<Companion>(session).await?.1)
}
