//! An editor's sessions: begun, loaded, resumed, listed, closed, and how they treat changes.
//!
//! They are the companion's ordinary ones. What an editor lends (servers) lasts as long as it is connected.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use enza_companion::{Command, Companion, Event, Mode};
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{Filter, Recorded, SessionId};
use enza_terminal::setup::OWNER;
use enza_terminal::trouble::Trouble;
use enza_workshop::servers::Server;
use serde_json::{Value, json};

use super::super::open::{self, Presence, SessionOptions};
use super::super::settings::NamedServers;
use super::super::{COMPANION, resume, send};
use super::agent::{Agent, OpenSession};
use super::messages::{LentServer, ListRequest, SessionRequest, SetModeRequest, Variable};
use super::translate::{EventTranslator, Playback, mode_word};
use super::updates::Update;
use super::wire::{Fault, UNFIT};
use crate::tools::contents_folder;
use crate::words::acp as words;

/// How many sessions a page of the list has.
const PAGE: usize = 40;

impl Agent {
    pub(super) async fn new_session(&self, at: SessionRequest) -> Result<Value, Fault> {
        let folder = self.folder(&at.cwd)?;
        let lent = self.lent(at.mcp_servers);
        let (rules, presence) = (self.rules.clone(), Presence::Later);
        let wanted = SessionOptions { rules, mode: self.mode, budget: self.budget, presence, lent };
        let opened = open::open_new(&self.around, &self.screen, &self.working, &folder, wanted).await;
        let session = opened.map_err(|trouble| self.fault(&trouble))?;
        let modes = self.enter(&session, Playback::Live).await?;
        Ok(json!({ "sessionId": session, "modes": modes }))
    }

    pub(super) async fn load_session(&self, at: SessionRequest, telling: Playback) -> Result<Value, Fault> {
        let id = SessionId::of(at.session_id.unwrap_or_default());
        let row = self.working.engine.row(&id).await.map_err(|declined| self.fault(&declined.into()))?;
        if row.application != COMPANION {
            return Err(self.fault(&Trouble::other_application::<Companion>(&self.working.engine, row)));
        }
        let known = self.rooms.lock().expect("rooms").get(&id).cloned();
        if known.is_some_and(|room| room.turn.lock().expect("turn").is_some()) {
            return Err(self.busy());
        }
        let lent = self.lent(at.mcp_servers);
        self.working.roster.lend(&id, lent);
        let tightened = resume::tighten(&self.around, &self.screen, &self.working.engine, &id).await;
        tightened.map_err(|trouble| self.fault(&trouble))?;
        let modes = self.enter(&id, telling).await?;
        Ok(json!({ "modes": modes }))
    }

    /// Takes a session into the house, and tells what is to be told of it so far.
    async fn enter(&self, session: &SessionId, telling: Playback) -> Result<Value, Fault> {
        let lang = self.screen.lang;
        let mut told = EventTranslator::new(lang, contents_folder(&self.around));
        for updates in self.since(session, &mut told).await? {
            if telling == Playback::Again {
                self.tell(session, &updates);
            }
        }
        let mode = told.state.settings.mode;
        let room = OpenSession { told: tokio::sync::Mutex::new(told), turn: Mutex::default() };
        self.rooms.lock().expect("rooms").insert(session.clone(), Arc::new(room));
        let each = words::modes(lang)
            .map(|(id, name, description)| json!({ "id": id, "name": name, "description": description }));
        Ok(json!({ "currentModeId": mode_word(mode), "availableModes": each }))
    }

    /// Tells what has happened since, at a terminal or in the web.
    pub(super) async fn catch_up(&self, session: &SessionId, told: &mut EventTranslator) -> Result<(), Fault> {
        let missed = self.since(session, told).await?;
        missed.iter().for_each(|updates| self.tell(session, updates));
        Ok(())
    }

    /// What is to be told of each event since the last that was taken in.
    async fn since(&self, session: &SessionId, told: &mut EventTranslator) -> Result<Vec<Vec<Update>>, Fault> {
        let store = self.working.engine.store();
        let events = store.events(session, told.seen, usize::MAX).await;
        let events = events.map_err(|failure| self.fault(&Trouble::Store(failure)))?;
        Ok(events
            .iter()
            .flat_map(Recorded::entry::<Companion>)
            .map(|entry| told.take(&entry, Playback::Again))
            .collect())
    }

    pub(super) async fn list_sessions(&self, list: ListRequest) -> Result<Value, Fault> {
        let after = list.cursor.as_deref().and_then(|cursor| {
            let (at, id) = cursor.split_once(' ')?;
            Some((Timestamp(at.parse().ok()?), SessionId::of(id)))
        });
        let filter = Filter {
            application: Some(COMPANION.to_owned()),
            owner: Some(OWNER.to_owned()),
            after,
            limit: PAGE,
            ..Filter::default()
        };
        let store = self.working.engine.store();
        let failed = |failure| self.fault(&Trouble::Store(failure));
        let rows = store.list(&filter).await.map_err(failed)?;
        let mut sessions = Vec::new();
        for row in &rows {
            let first = store.events(&row.id, Seq::START, 1).await.map_err(failed)?;
            let Some(Event::Opened(opened)) = first.first().and_then(|first| first.event::<Companion>().ok()) else {
                continue;
            };
            if list.cwd.as_ref().is_none_or(|cwd| *cwd == opened.open.folder) {
                let changed = jiff::Timestamp::from_millisecond(row.changed_at.0).map(|time| time.to_string()).ok();
                sessions.push(json!({
                    "sessionId": row.id, "cwd": opened.open.folder, "title": row.standing.title, "updatedAt": changed,
                }));
            }
        }
        let last = rows.last().filter(|_| rows.len() == PAGE);
        let cursor = last.map(|row| format!("{} {}", row.changed_at.0, row.id));
        Ok(json!({ "sessions": sessions, "nextCursor": cursor }))
    }

    pub(super) async fn set_mode(&self, set: SetModeRequest) -> Result<Value, Fault> {
        let session = SessionId::of(set.session_id);
        let mode = [Mode::Ask, Mode::Plan, Mode::AcceptEdits].into_iter().find(|mode| mode_word(*mode) == set.mode_id);
        let lang = self.screen.lang;
        let mode = mode.ok_or_else(|| self.own(UNFIT, "command-malformed", words::no_mode(lang, &set.mode_id)))?;
        let sent = send(&self.working.engine, &session, &Command::SetMode { mode }).await;
        sent.map_err(|trouble| self.fault(&trouble))?;
        Ok(json!({}))
    }

    pub(super) fn close_session(&self, session: &SessionId) -> Result<Value, Fault> {
        self.cancel(session);
        self.rooms.lock().expect("rooms").remove(session);
        self.working.servers.close(session);
        Ok(json!({}))
    }

    fn folder(&self, cwd: &str) -> Result<PathBuf, Fault> {
        let path = Path::new(cwd);
        if !path.is_absolute() {
            return Err(self.own(UNFIT, "file-unreadable", words::relative(self.screen.lang, cwd)));
        }
        open::work_folder(self.screen.lang, Some(path)).map_err(|trouble| self.fault(&trouble))
    }

    /// The servers that an editor lends, under names that rules can be written about.
    fn lent(&self, servers: Option<Vec<LentServer>>) -> NamedServers {
        let mut named = NamedServers::new();
        for lent in servers.into_iter().flatten() {
            let Some(server) = server(&lent) else {
                let _ = self.screen.aside(&words::no_way_to(self.screen.lang, &lent.name));
                continue;
            };
            let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
            let name: String = lent.name.chars().map(plain).take(40).collect();
            if Server::may_be_called(&name) {
                named.insert(name, server);
            }
        }
        named
    }
}

/// What an editor lends, as the settings would have it; none where it is reached in a way that we do not speak.
fn server(lent: &LentServer) -> Option<Server> {
    let given = |pairs: &[Variable]| pairs.iter().map(|one| (one.name.clone(), one.value.clone())).collect();
    match (&lent.command, lent.kind.as_deref(), &lent.url) {
        (Some(program), _, _) => {
            let command = std::iter::once(program).chain(&lent.args).cloned().collect();
            Some(Server { command, values: given(&lent.env), ..Server::default() })
        }
        (None, Some("http"), Some(url)) => {
            Some(Server { url: Some(url.clone()), values: given(&lent.headers), ..Server::default() })
        }
        (None, _, _) => None,
    }
}
