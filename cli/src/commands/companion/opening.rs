//! How a session comes about: opened in a folder, gone on with, or forked from a turn of another.

use std::path::{Path, PathBuf};

use enza_applications::companion::{Command, Mode, Open, Rule, Ruling, Scope, State};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, Submission};
use enza_runtime::seams::store::{Opening, SessionId};
use serde_json::json;

use super::settings::{self, Found};
use super::{COMPANION, carried, manners, send};
use crate::arguments::CompanionOf;
use crate::backstage::{self, OWNER};
use crate::files;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::companion as words;

/// The folder of work, as it is really called.
pub fn folder(lang: Lang, typed: Option<&Path>) -> Result<PathBuf, Trouble> {
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

/// The session that was asked for.
pub async fn session(
    around: &Surroundings,
    screen: &Screen,
    engine: &Engine,
    order: &CompanionOf,
    folder: &Path,
    is_attended: bool,
) -> Result<SessionId, Trouble> {
    let kept_in = backstage::companion_folder(around);
    let rules = allowed(order)?;
    if let Some(place) = &order.fork {
        let child = fork(engine, place).await?;
        return adjusted(engine, child, order, rules).await;
    }
    let last = carried::read(&kept_in, &folder.display().to_string());
    let wanted = match (&order.resume, order.go_on) {
        (Some(part), _) => Some(part.clone()),
        (None, true) => {
            Some(last.session.clone().ok_or_else(|| files::unreadable(folder, words::none_here(screen.lang)))?)
        }
        (None, false) => None,
    };
    if let Some(part) = wanted {
        let found = find(engine, &part).await?;
        return adjusted(engine, found, order, rules).await;
    }
    let found = Found::read(&around.config, folder)?;
    let trusted = is_trusted(around, screen, &found, folder, is_attended).await?;
    let mut settings = found.settings(trusted);
    settings.rules.extend(rules);
    settings.mode = mode(order).unwrap_or(settings.mode);
    let id = backstage::new_session();
    let open = Open {
        folder: folder.display().to_string(),
        language: screen.lang,
        settings,
        instructions: manners::of(folder),
        memory: last.memory,
        name: backstage::short(&id).to_owned(),
        tools: Vec::new(),
        // Where nobody is there, a gate stays open and the run ends: someone may answer it later.
        attended: true,
    };
    let command = json!(Command::Open(Box::new(open)));
    let submission = Submission { command, by: backstage::person(), key: Some(backstage::new_key()) };
    engine.open(&id, Opening::new(COMPANION, OWNER), submission).await?;
    Ok(id)
}

/// The rules behind `--allow`.
fn allowed(order: &CompanionOf) -> Result<Vec<Rule>, Trouble> {
    let read = |typed: &String| {
        settings::rule(Ruling::Allow, typed).ok_or_else(|| {
            let why =
                format!("--allow {typed:?}: change, write, edit, create, delete, move, run, tool or *, then a pattern");
            Trouble::Usage(Box::new(clap::Error::raw(clap::error::ErrorKind::ValueValidation, why)))
        })
    };
    order.allow.iter().map(read).collect()
}

fn mode(order: &CompanionOf) -> Option<Mode> {
    match (order.plan, order.accept_edits) {
        (true, _) => Some(Mode::Plan),
        (false, true) => Some(Mode::AcceptEdits),
        (false, false) => None,
    }
}

/// A session that is gone on with takes the mode and the rules that were typed.
async fn adjusted(
    engine: &Engine,
    session: SessionId,
    order: &CompanionOf,
    rules: Vec<Rule>,
) -> Result<SessionId, Trouble> {
    if let Some(mode) = mode(order) {
        send(engine, &session, &Command::SetMode { mode }).await?;
    }
    for rule in rules {
        send(engine, &session, &Command::Remember { rule, scope: Scope::Session }).await?;
    }
    Ok(session)
}

/// Whether the project's own commands and allowances count: the user is asked once.
async fn is_trusted(
    around: &Surroundings,
    screen: &Screen,
    found: &Found,
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
    screen.say(&words::wishes(screen.lang, &wishes))?;
    let yes = screen.asks(words::trusts(screen.lang)).await?;
    if yes {
        settings::trust(&around.config, folder)?;
    }
    Ok(yes)
}

/// A session of the companion, by a part of its name.
pub async fn find(engine: &Engine, part: &str) -> Result<SessionId, Trouble> {
    let row = backstage::find(&**engine.store(), part).await?;
    if row.application == COMPANION {
        return Ok(row.id);
    }
    Err(Trouble::OtherApplication { session: row.id, application: row.application })
}

/// A new session that knows everything before a turn of another: `ID@TURN`.
async fn fork(engine: &Engine, place: &str) -> Result<SessionId, Trouble> {
    let wrong = || {
        let why = format!("--fork {place:?}: ID@TURN");
        Trouble::Usage(Box::new(clap::Error::raw(clap::error::ErrorKind::ValueValidation, why)))
    };
    let (part, turn) = place.rsplit_once('@').ok_or_else(wrong)?;
    let turn: u32 = turn.parse().map_err(|_| wrong())?;
    let parent = find(engine, part).await?;
    fork_at(engine, &parent, turn).await?.ok_or_else(wrong)
}

/// Forks a session before a turn; none where there is no such turn.
pub async fn fork_at(engine: &Engine, parent: &SessionId, turn: u32) -> Result<Option<SessionId>, Trouble> {
    let live = engine.state_at(parent, None).await?;
    let state: State = serde_json::from_slice(&live.freeze()).expect("a state reads what it wrote");
    let Some(before) = state.turns.iter().find(|one| one.number == turn).map(|turn| turn.before) else {
        return Ok(None);
    };
    let child = backstage::new_session();
    engine.fork(parent, Some(end_before(engine, parent, before).await?), &child, OWNER).await?;
    Ok(Some(child))
}

/// The last event of the decision before the one in which a turn began: what a person says may be recorded together with
/// what it forbids, and a fork is never made in the middle of a decision.
async fn end_before(engine: &Engine, session: &SessionId, before: Seq) -> Result<Seq, Trouble> {
    let events =
        engine.store().events(session, Seq::START, usize::try_from(before.0).unwrap_or(usize::MAX) + 1).await?;
    let Some(turn) = events.iter().find(|one| one.seq > before) else { return Ok(before) };
    Ok(events.iter().rev().find(|one| one.at != turn.at).map_or(before, |one| one.seq))
}
