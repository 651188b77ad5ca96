//! How a session comes about: opened in a folder, gone on with, or forked from a turn of another.

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use enza_companion::{Command, Companion, Mode, Rule, Ruling, State};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening, SessionRow};
use enza_terminal::environment::Environment;
use enza_terminal::files;
use enza_terminal::screen::{Screen, fold};
use enza_terminal::setup::{self, OWNER};
use enza_terminal::trouble::Trouble;
use rustix::termios::{QueueSelector, tcflush};
use serde_json::json;

use super::session_builder::{BuiltSession, SessionBuilder};
use super::settings::{self, FolderSettings, NamedServers};
use super::{COMPANION, folder_memory, resume, servers};
use crate::arguments::CompanionArgs;
use crate::tools::{RunningCompanion, companion_folder};
use crate::words;

/// The folder of work, as it is really called.
pub fn work_folder(lang: Lang, typed: Option<&Path>) -> Result<PathBuf, Trouble> {
    let path = typed.unwrap_or(Path::new("."));
    let real = path.canonicalize().map_err(|why| files::unreadable(path, &why.to_string()))?;
    if !real.is_dir() {
        return Err(files::unreadable(path, words::no_folder(lang)));
    }
    match real.to_str() {
        Some(_) => Ok(real),
        None => Err(files::unreadable(path, words::no_name(lang))),
    }
}

/// The session that was asked for, and the last event before it was entered: what follows is for the person to see.
pub async fn open_or_resume(
    around: &Environment,
    screen: &Screen,
    working: &RunningCompanion,
    order: &CompanionArgs,
    folder: &Path,
    is_attended: bool,
) -> Result<(SessionId, Seq), Trouble> {
    let engine = &working.engine;
    let kept_in = companion_folder(around);
    let rules = allowed(order)?;
    if let Some(place) = &order.fork {
        let child = fork(engine, place).await?;
        let seen = engine.row(&child).await?.head;
        resume::adjust(around, screen, engine, &child, order, rules).await?;
        return Ok((child, seen));
    }
    let last = folder_memory::read(&kept_in, &folder.display().to_string());
    let wanted = match (&order.resume, order.go_on) {
        (Some(part), _) => Some(part.clone()),
        (None, true) => {
            Some(last.session.clone().ok_or_else(|| files::unreadable(folder, words::none_here(screen.lang)))?)
        }
        (None, false) => None,
    };
    if let Some(part) = wanted {
        let SessionRow { id, head, .. } = row(engine, &part).await?;
        resume::adjust(around, screen, engine, &id, order, rules).await?;
        return Ok((id, head));
    }
    let presence = match (order.unattended, is_attended) {
        (true, _) => Presence::Nobody,
        (false, true) => Presence::Here,
        (false, false) => Presence::Later,
    };
    let wanted = SessionOptions { rules, mode: mode(order), budget: order.budget, presence, lent: NamedServers::new() };
    let id = open_new(around, screen, working, folder, wanted).await?;
    let seen = engine.row(&id).await?.head;
    Ok((id, seen))
}

/// What is wanted of a new session.
pub struct SessionOptions {
    /// Rules besides those of the settings.
    pub rules: Vec<Rule>,
    /// What happens to changes, where it is not as the settings say.
    pub mode: Option<Mode>,
    /// How many tokens it may use, where it is not as the settings say.
    pub budget: Option<u64>,
    pub presence: Presence,
    /// Servers that no settings have.
    pub lent: NamedServers,
}

/// Who can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Someone at the keyboard.
    Here,
    /// Someone who comes later: a gate stays open and the run ends.
    Later,
    /// Nobody, ever: what would be asked is denied, and the work goes on.
    Nobody,
}

/// Opens a session in a folder.
pub async fn open_new(
    around: &Environment,
    screen: &Screen,
    working: &RunningCompanion,
    folder: &Path,
    wanted: SessionOptions,
) -> Result<SessionId, Trouble> {
    let last = resume::load_memory(around, screen, &working.engine, &folder.display().to_string()).await?;
    let found = FolderSettings::read(&around.config, folder)?;
    let trusted = is_trusted(around, screen, &found, folder, wanted.presence == Presence::Here).await?;
    let (id, typed) = (setup::new_session(), wanted.budget);
    let site = SessionBuilder { around, roster: &working.roster, session: &id, folder, lang: screen.lang };
    let BuiltSession { mut open, terms } = site.build(found, trusted, wanted, last.memory.clone());
    // What is typed here counts, also where the settings give less.
    open.settings.budget = typed.or(open.settings.budget);
    open.tools = servers::offered(screen, working, &id, &terms).await?;
    let command = json!(Command::Open(Box::new(open)));
    let submission = Submission { command, by: setup::person(), key: Some(setup::new_key()) };
    working.engine.open(&id, SessionOpening::new(COMPANION, OWNER), submission).await?;
    resume::begun(around, screen, &working.engine, &id, &last.forbidden()).await?;
    Ok(id)
}

/// The rules behind `--allow`.
pub fn allowed(order: &CompanionArgs) -> Result<Vec<Rule>, Trouble> {
    let read = |typed: &String| {
        settings::rule(Ruling::Allow, typed)
            .ok_or_else(|| unusable("--allow 'change src/**', 'run cargo test *'", typed))
    };
    order.allow.iter().map(read).collect()
}

/// A value that will not do for an argument.
fn unusable(argument: &str, value: &str) -> Trouble {
    let mut error = clap::Error::new(ErrorKind::ValueValidation);
    error.insert(ContextKind::InvalidArg, ContextValue::String(argument.to_owned()));
    error.insert(ContextKind::InvalidValue, ContextValue::String(value.to_owned()));
    Trouble::Usage(Box::new(error))
}

/// What was typed about changes.
pub fn mode(order: &CompanionArgs) -> Option<Mode> {
    match (order.plan, order.accept_edits) {
        (true, _) => Some(Mode::Plan),
        (false, true) => Some(Mode::AcceptEdits),
        (false, false) => None,
    }
}

/// Whether the project's own commands and allowances count: the user is asked once, and again when they change.
async fn is_trusted(
    around: &Environment,
    screen: &Screen,
    found: &FolderSettings,
    folder: &Path,
    is_attended: bool,
) -> Result<bool, Trouble> {
    let wishes = found.wishes();
    if wishes.is_empty() {
        return Ok(false);
    }
    if !is_attended {
        screen.aside(&words::untrusted(screen.lang, &wishes))?;
        return Ok(false);
    }
    let fitting = |text: &str| fold(text, screen.width()).join("\n");
    // What was typed before the question was shown does not answer it.
    let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
    screen.say(&fitting(&words::wishes(screen.lang, &wishes)))?;
    if found.was_trusted() {
        screen.say(&fitting(words::asks_anew(screen.lang)))?;
    }
    let yes = screen.asks(&format!("{} ", fitting(words::trusts(screen.lang)))).await?;
    if yes {
        settings::trust(&around.config, folder, found)?;
    }
    Ok(yes)
}

/// A session of the companion, by a part of its name.
pub async fn find_companion_session(engine: &Engine, part: &str) -> Result<SessionId, Trouble> {
    Ok(row(engine, part).await?.id)
}

async fn row(engine: &Engine, part: &str) -> Result<SessionRow, Trouble> {
    let row = setup::find_session(&**engine.store(), part).await?;
    if row.application == COMPANION {
        return Ok(row);
    }
    Err(Trouble::other_application::<Companion>(engine, row))
}

/// A new session that knows everything before a turn of another: `ID@TURN`.
async fn fork(engine: &Engine, place: &str) -> Result<SessionId, Trouble> {
    let wrong = || unusable("--fork ID@TURN", place);
    let (part, turn) = place.rsplit_once('@').ok_or_else(wrong)?;
    let turn: u32 = turn.parse().map_err(|_| wrong())?;
    let parent = find_companion_session(engine, part).await?;
    fork_at(engine, &parent, turn).await?.ok_or_else(wrong)
}

/// Forks a session before a turn; none where there is no such turn.
pub async fn fork_at(engine: &Engine, parent: &SessionId, turn: u32) -> Result<Option<SessionId>, Trouble> {
    let state = state_of(engine, parent).await?;
    match before(&state, turn) {
        Some(before) => fork_from(engine, parent, before).await.map(Some),
        None => Ok(None),
    }
}

/// Where a session stands.
pub async fn state_of(engine: &Engine, session: &SessionId) -> Result<State, Trouble> {
    Ok(engine.state::<Companion>(session).await?.1)
}

/// The last event before a turn; none where there is no such turn.
pub fn before(state: &State, turn: u32) -> Option<Seq> {
    state.turns.iter().find(|one| one.number == turn).map(|turn| turn.before)
}

/// Forks a session behind the last event before a turn.
pub async fn fork_from(engine: &Engine, parent: &SessionId, before: Seq) -> Result<SessionId, Trouble> {
    let child = setup::new_session();
    engine.fork(parent, Some(end_before(engine, parent, before).await?), &child, OWNER).await?;
    Ok(child)
}

/// The last event of the decision before the one in which a turn began: what a person says may be recorded together with
/// what it forbids, and a fork is never made in the middle of a decision.
async fn end_before(engine: &Engine, session: &SessionId, before: Seq) -> Result<Seq, Trouble> {
    let events =
        engine.store().events(session, Seq::START, usize::try_from(before.0).unwrap_or(usize::MAX) + 1).await?;
    let Some(turn) = events.iter().find(|one| one.seq > before) else { return Ok(before) };
    Ok(events.iter().rev().find(|one| one.at != turn.at).map_or(before, |one| one.seq))
}
