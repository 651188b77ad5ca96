//! Answers an editor's requests: introduction, sessions, modes, prompts.
//!
//! Each request is answered in a task of its own, so that a cancellation is heard while a turn runs. A session has one
//! turn at a time; it is entered before its task begins, so that a cancellation that follows on its heels finds it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use enza_companion::{Attached, Command, Mode, Rule, When};
use enza_kernel::text::Lang;
use enza_models::choice::Chosen;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::super::known_instructions::KnownInstructions;
use super::super::{headless_orders, resume};
use super::content;
use super::messages::{PromptRequest, SessionRef, StopReason, VERSION};
use super::orders::EditorOrder;
use super::translate::{EventTranslator, Playback};
use super::turn::EditorTurn;
use super::updates::{AvailableCommand, SessionUpdate, TextBlock, Update};
use super::wire::{BROKEN, Fault, NO_MESSAGE, NO_METHOD, NOT_FOUND, UNFIT, Wire};
use crate::tools::RunningCompanion;
use crate::words::{acp as words, talk};

/// The companion at the other end of an editor's wire.
pub struct Agent {
    pub(super) around: Environment,
    pub(super) screen: Screen,
    pub(super) working: RunningCompanion,
    pub(super) chosen: Chosen,
    /// What was typed behind `--allow`, for every new session.
    pub(super) rules: Vec<Rule>,
    /// What was typed about changes, for every new session.
    pub(super) mode: Option<Mode>,
    /// How many tokens every new session may use.
    pub(super) budget: Option<u64>,
    pub(super) wire: Wire,
    pub(super) rooms: Mutex<HashMap<SessionId, Arc<OpenSession>>>,
}

/// A session that an editor has open.
pub struct OpenSession {
    pub(super) told: tokio::sync::Mutex<EventTranslator>,
    /// By which the turn under way is cancelled.
    pub(super) turn: Mutex<Option<Arc<Notify>>>,
}

impl Agent {
    /// Answers a request.
    pub fn request(self: &Arc<Self>, id: Value, method: &str, params: Value) {
        let this = Arc::clone(self);
        if method == "session/prompt" {
            let entered = self.begin_turn(params);
            tokio::spawn(async move {
                let stop = match entered {
                    Ok((session, prompt, cancel)) => this.run_prompt(&session, prompt, &cancel).await,
                    Err(fault) => Err(fault),
                };
                this.wire.answer(&id, stop.map(|stop| json!({ "stopReason": stop })));
            });
            return;
        }
        let method = method.to_owned();
        tokio::spawn(async move {
            let named = params["sessionId"].as_str().map(SessionId::of);
            let answer = this.answer(&method, params).await;
            let opened = match (method.as_str(), &answer) {
                ("session/new", Ok(answer)) => answer["sessionId"].as_str().map(SessionId::of),
                ("session/load" | "session/resume", Ok(_)) => named,
                (_, Ok(_) | Err(_)) => None,
            };
            // Looked for before a turn can begin, and told when the editor knows the session.
            let orders = match &opened {
                Some(session) => this.orders_of(session).await,
                None => None,
            };
            this.wire.answer(&id, answer);
            if let (Some(session), Some(available_commands)) = (opened, orders) {
                this.tell(&session, &[Update::Orders { available_commands }]);
            }
        });
    }

    /// Hears what an editor tells.
    pub fn notified(&self, method: &str, params: Value) {
        if method != "session/cancel" {
            return;
        }
        if let Ok(SessionRef { session_id }) = serde_json::from_value(params) {
            self.cancel(&SessionId::of(session_id));
        }
    }

    /// Tells the editor what happened.
    pub fn tell(&self, session: &SessionId, updates: &[Update]) {
        for update in updates {
            self.wire.notify("session/update", &SessionUpdate { session_id: session.as_str(), update });
        }
    }

    /// What can be typed in a session that the editor has open.
    async fn orders_of(&self, session: &SessionId) -> Option<Vec<AvailableCommand>> {
        let room = self.room(session).ok()?;
        let told = room.told.lock().await;
        Some(self.orders(Path::new(&told.state.folder)))
    }

    /// Ends the servers, and writes out what is left to say.
    pub async fn close(&self) {
        self.working.servers.close_all().await;
        self.wire.close();
    }

    async fn answer(&self, method: &str, params: Value) -> Result<Value, Fault> {
        match method {
            "initialize" => Ok(self.introduction()),
            // Nothing is to be shown at the door: the editor runs as the person it runs for.
            "authenticate" => Ok(json!({})),
            "session/new" => self.new_session(self.read(params)?).await,
            "session/load" => self.load_session(self.read(params)?, Playback::Again).await,
            "session/resume" => self.load_session(self.read(params)?, Playback::Live).await,
            "session/list" => self.list_sessions(self.read(params)?).await,
            "session/set_mode" => self.set_mode(self.read(params)?).await,
            "session/close" => {
                let SessionRef { session_id } = self.read(params)?;
                self.close_session(&SessionId::of(session_id))
            }
            other => Err(self.own(NO_METHOD, "command-malformed", words::no_method(self.screen.lang, other))),
        }
    }

    fn introduction(&self) -> Value {
        json!({
            "protocolVersion": VERSION,
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": { "image": false, "audio": false, "embeddedContext": true },
                "mcpCapabilities": { "http": true, "sse": false },
                "sessionCapabilities": { "list": {}, "resume": {}, "close": {} },
            },
            "agentInfo": { "name": "enza", "title": "Enza", "version": env!("CARGO_PKG_VERSION") },
            "authMethods": [],
        })
    }

    pub(super) fn cancel(&self, session: &SessionId) {
        let room = self.rooms.lock().expect("rooms").get(session).cloned();
        if let Some(turn) = room.and_then(|room| room.turn.lock().expect("turn").clone()) {
            turn.notify_one();
        }
    }

    /// Enters a turn, unless one is under way.
    fn begin_turn(&self, params: Value) -> Result<(SessionId, PromptRequest, Arc<Notify>), Fault> {
        let prompt: PromptRequest = self.read(params)?;
        let session = SessionId::of(prompt.session_id.as_str());
        let room = self.room(&session)?;
        let mut turn = room.turn.lock().expect("turn");
        if turn.is_some() {
            return Err(self.busy());
        }
        let cancel = turn.insert(Arc::default()).clone();
        Ok((session, prompt, cancel))
    }

    async fn run_prompt(
        &self,
        session: &SessionId,
        prompt: PromptRequest,
        cancel: &Notify,
    ) -> Result<StopReason, Fault> {
        let room = self.room(session)?;
        let stop = self.turn(session, &room, prompt, cancel).await;
        *room.turn.lock().expect("turn") = None;
        stop
    }

    async fn turn(
        &self,
        session: &SessionId,
        room: &OpenSession,
        prompt: PromptRequest,
        cancel: &Notify,
    ) -> Result<StopReason, Fault> {
        let lang = self.screen.lang;
        let mut told = room.told.lock().await;
        self.catch_up(session, &mut told).await?;
        let (folder, bounds) = (PathBuf::from(&told.state.folder), told.state.bounds());
        let said = content::read(prompt.prompt, &folder, &bounds);
        let (text, files) = said.ok_or_else(|| self.own(UNFIT, "command-malformed", words::unseen(lang)))?;
        if text.trim().is_empty() {
            return Err(self.own(UNFIT, "command-malformed", words::empty(lang)));
        }
        let order = self.order(session, &told.state, &text).await?;
        let rewinds = if let EditorOrder::Rewind(turn) = order { Some((turn, told.state.clone())) } else { None };
        let command = match order {
            EditorOrder::Said => self.said(session, &mut told, text, files).await?,
            EditorOrder::SaidBy(text) => {
                let files = content::with_named(&text, files, &folder, &bounds);
                self.said(session, &mut told, text, files).await?
            }
            EditorOrder::Command(command) => command,
            EditorOrder::Rewind(turn) => Command::TakeBack { turn },
            EditorOrder::Told(words) => {
                self.tell(session, &[Update::Said { content: TextBlock::of(words) }]);
                return Ok(StopReason::EndTurn);
            }
        };
        let done = headless_orders::done(lang, &told.state, &command);
        let stop = EditorTurn::of(self, session, &mut told).take(&command, cancel).await;
        if stop.is_err() {
            // It may not have been heard. The log knows.
            told.instructed = KnownInstructions::default();
            return stop;
        }
        if let Some(done) = done {
            self.tell(session, &[Update::Said { content: TextBlock::of(done) }]);
        }
        if let Some((turn, before)) = rewinds {
            let content = TextBlock::of(self.forked(session, &before, turn, talk::rewound(lang)).await?);
            self.tell(session, &[Update::Said { content }]);
        }
        stop
    }

    /// Something is said, with what is new of the project's instructions.
    async fn said(
        &self,
        session: &SessionId,
        told: &mut EventTranslator,
        text: String,
        mut files: Vec<Attached>,
    ) -> Result<Command, Fault> {
        let lang = self.screen.lang;
        let engine = &self.working.engine;
        let aligned = resume::align(&self.around, &self.screen, engine, session, &told.state).await;
        aligned.map_err(|trouble| self.fault(&trouble))?;
        let news = told.instructed.news(&self.around.config, engine, session, &told.state, lang).await;
        let news = news.map_err(|trouble| self.fault(&trouble))?;
        for one in &news {
            let content = TextBlock::of(format!("{}\n\n", talk::attached(lang, &one.path)));
            self.tell(session, &[Update::Noted { content }]);
        }
        told.instructed.took(&news);
        files.extend(news);
        Ok(Command::Say { text, when: When::Turn, files })
    }

    fn room(&self, session: &SessionId) -> Result<Arc<OpenSession>, Fault> {
        let room = self.rooms.lock().expect("rooms").get(session).cloned();
        room.ok_or_else(|| self.fault(&Trouble::UnknownSession { part: session.to_string(), near: Vec::new() }))
    }

    fn read<T: DeserializeOwned>(&self, params: Value) -> Result<T, Fault> {
        serde_json::from_value(params)
            .map_err(|why| self.own(UNFIT, "command-malformed", words::unfit(self.screen.lang, &why.to_string())))
    }

    pub(super) fn busy(&self) -> Fault {
        self.own(NO_MESSAGE, "work-under-way", words::busy(self.screen.lang))
    }

    pub(super) fn own(&self, code: i32, ours: &str, (message, hint): (impl Into<String>, impl Into<String>)) -> Fault {
        Fault { code, message: message.into(), data: json!({ "code": ours, "hint": hint.into() }) }
    }

    pub(super) fn fault(&self, trouble: &Trouble) -> Fault {
        fault(trouble, self.screen.lang)
    }
}

/// A trouble as an editor is told of it: our own code and the next step go along.
pub fn fault(trouble: &Trouble, lang: Lang) -> Fault {
    let said = enza_terminal::words::trouble::say(trouble, lang);
    let is_missing = match trouble {
        Trouble::Application(own) => own.is_missing(),
        other => matches!(
            other,
            Trouble::UnknownSession { .. }
                | Trouble::OtherApplication { .. }
                | Trouble::File { .. }
                | Trouble::Declined(Declined::UnknownSession(_))
        ),
    };
    let is_unfit =
        matches!(trouble, Trouble::Declined(Declined::Refused(_) | Declined::TooLarge { .. } | Declined::Malformed(_)));
    let code = match (is_missing, is_unfit) {
        (true, _) => NOT_FOUND,
        (false, true) => UNFIT,
        (false, false) => BROKEN,
    };
    Fault { code, message: said.message, data: json!({ "code": trouble.code(), "hint": said.hint }) }
}
