//! `enza companion servers` and `/servers`: which servers there are, what they offer, and how they are.

use std::path::Path;

use enza_companion::State;
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::screen::{Screen, fold};
use enza_terminal::setup;
use enza_terminal::trouble::Trouble;
use enza_work::Offered;
use enza_workshop::servers::{Directory as _, ServerStatus, ServerTerms};
use serde_json::json;

use super::open;
use super::settings::FolderSettings;
use crate::session_servers::SessionServers;
use crate::tools::{self, RunningCompanion};
use crate::words::servers as words;

/// Starts every server of a folder, and prints what each offers or why it could not be started.
pub async fn run(around: &Environment, screen: &Screen, folder: Option<&Path>) -> Result<(), Trouble> {
    let folder = open::work_folder(screen.lang, folder)?;
    let found = FolderSettings::read(&around.config, &folder)?;
    let wishes = found.wishes();
    if !wishes.is_empty() {
        screen.aside(&crate::words::untrusted(screen.lang, &wishes))?;
    }
    let roster = std::sync::Arc::new(SessionServers::new(around.config.clone(), setup::open_store(around).await?));
    let servers = tools::servers(roster.clone());
    let session = setup::new_session();
    let named = found.servers(false);
    let terms = roster.terms_of(&session, &folder, &found.settings(false), screen.lang, named);
    let opened = servers.open(&session, &terms).await;
    servers.close_all().await;
    if screen.json {
        let each = opened.iter().map(|(name, came)| match came {
            Ok(tools) => json!({"server": name, "tools": tools}),
            Err(trouble) => json!({"server": name, "trouble": trouble.say(screen.lang)}),
        });
        return screen.value(&each.collect());
    }
    if opened.is_empty() {
        return screen.say(&words::none(screen.lang));
    }
    for (name, came) in &opened {
        match came {
            Ok(tools) => {
                screen.say(&screen.paint.strong(&words::offers(screen.lang, name, tools.len())))?;
                tools.iter().try_for_each(|tool| screen.say(&line(screen, tool)))?;
            }
            Err(trouble) => {
                let told = words::not_started(screen.lang, name, &trouble.say(screen.lang));
                screen.say(&screen.paint.warn(&fold(&told, screen.width()).join("\n")))?;
            }
        }
    }
    Ok(())
}

/// Starts the servers of a session that is being opened, and gives what they offer. Who cannot be started is told, and
/// the session goes on without it.
pub async fn offered(
    screen: &Screen,
    working: &RunningCompanion,
    session: &SessionId,
    terms: &ServerTerms,
) -> Result<Vec<Offered>, Trouble> {
    if terms.servers.is_empty() {
        return Ok(Vec::new());
    }
    screen.status(&words::starting(screen.lang, terms.servers.len()))?;
    let mut offered = Vec::new();
    for (name, came) in working.servers.open(session, terms).await {
        match came {
            Ok(tools) => offered.extend(tools),
            Err(trouble) => screen.aside(&words::not_started(screen.lang, &name, &trouble.say(screen.lang)))?,
        }
    }
    Ok(offered)
}

/// The servers of a session under way: how each is, and what it offered when the session was opened.
pub async fn of_session(screen: &Screen, working: &RunningCompanion, session: &SessionId, state: &State) -> String {
    let known = working.roster.terms(session).await.map(|terms| terms.servers).unwrap_or_default();
    if known.is_empty() {
        return words::none(screen.lang);
    }
    let standing = working.servers.standing(session);
    let mut lines = Vec::new();
    for name in known.keys() {
        let how = standing.get(name).copied().unwrap_or(ServerStatus::Resting);
        lines.push(screen.paint.strong(&words::is(screen.lang, name, how)));
        let own = state.tools.iter().filter(|tool| tool.name.split('/').next() == Some(name));
        lines.extend(own.map(|tool| line(screen, tool)));
    }
    lines.join("\n")
}

fn line(screen: &Screen, tool: &Offered) -> String {
    enza_terminal::screen::clip(&format!("  {}  {}", tool.name, tool.about), screen.width())
}
