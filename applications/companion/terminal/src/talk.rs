//! The companion with a person at the keyboard: what happens is shown as it comes, what is typed is sent.
//!
//! Talk goes on while work runs: a line typed then waits for its turn, `!` interrupts and `?` asks beside it. Ctrl-C stops
//! the work, and once more leaves. What was typed before a question was shown never answers it. Everything that matters is
//! in the log; this keeps only what is on the screen.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use async_trait::async_trait;
use enza_companion::{Command, Companion, State, When};
use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine, SeenEvent};
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::keyboard::Keyboard;
use enza_terminal::setup::{self, short_id};
use enza_terminal::talk::{self, Console, GoesOn, LinePace, Moment, Rest, TalkKey, TalkPart, TimedLine};
use enza_terminal::trouble::Trouble;
use serde_json::json;

use super::custom_orders::CustomOrders;
use super::follow::{self, ReplyDrafts, SessionStatus};
use super::halt::Halt;
use super::known_instructions::KnownInstructions;
use super::mentions::{self, Mentions};
use super::printer::Printer;
use super::rewind::PendingRewind;
use super::roles::Roles;
use super::{folder_memory, gate, parse, recap, resume};
use crate::tools::{RunningCompanion, companion_folder};
use crate::trouble::CompanionTrouble;
use crate::words::{orders, talk as words};

/// Someone at the keyboard of a session.
pub struct Talk<'a> {
    pub(super) around: &'a Environment,
    pub(super) show: Printer<'a>,
    pub(super) working: &'a RunningCompanion,
    pub(super) engine: &'a Engine,
    pub(super) session: SessionId,
    pub(super) chosen: &'a Chosen,
    pub(super) models: &'a Roles,
    pub(super) folder: PathBuf,
    pub(super) recipes: CustomOrders,
    /// What the model knows of the project's instructions.
    pub(super) instructed: KnownInstructions,
    pub(super) console: Console<'a, ReplyDrafts>,
    /// The piece of work whose words are shown, where it is not the one in front.
    pub(super) watched: Option<u32>,
    /// The last thing that was seen of each piece of work, in one line.
    pub(super) latest: BTreeMap<u32, String>,
    /// Where a fork goes on once files are taken back.
    pub(super) rewinding: Option<PendingRewind>,
    /// The piece of work in front, when it was last looked at.
    pub(super) front: u32,
    /// The question that was last asked beside it.
    pub(super) beside: Option<u32>,
    /// Whether what it is stuck at has been told.
    pub(super) has_told_failure: bool,
    /// Whether the answers at a gate have been explained.
    pub(super) has_explained: bool,
    /// Whether the last key was Ctrl-C.
    has_interrupted: bool,
}

/// Whom a person talks to, and where.
pub struct TalkContext<'a> {
    pub around: &'a Environment,
    pub show: Printer<'a>,
    /// The engine and all around it.
    pub working: &'a RunningCompanion,
    /// The model that was chosen.
    pub chosen: &'a Chosen,
    pub models: &'a Roles,
}

impl<'a> Talk<'a> {
    /// A talk in a session, with what came up to this event left unshown.
    pub async fn begin(place: TalkContext<'a>, session: SessionId, seen: Seq) -> Result<Self, Trouble> {
        let TalkContext { around, show, working, chosen, models } = place;
        let engine = &working.engine;
        let follower = follow::follow(engine, &session, seen);
        let folder = PathBuf::from(follow::status(&follower).await?.state.folder);
        let kept_in = companion_folder(around);
        // Without the folder there is no history, and nothing else is lost.
        let _ = std::fs::create_dir_all(&kept_in);
        let draws = show.screen.is_lively() && !show.plain && around.attended;
        let recipes = CustomOrders::of(&around.config, &folder);
        let completer = super::completion::completer(&folder, recipes.names());
        let keyboard = Keyboard::open(draws, show.screen.paint, Some(kept_in.join("history")), completer);
        Ok(Self {
            around,
            show,
            working,
            engine,
            session,
            chosen,
            models,
            folder,
            recipes,
            instructed: KnownInstructions::default(),
            console: Console::new(show.screen, keyboard, follower, LinePace::AtOnce),
            watched: None,
            latest: BTreeMap::new(),
            rewinding: None,
            front: 0,
            beside: None,
            has_told_failure: false,
            has_explained: false,
            has_interrupted: false,
        })
    }

    /// Holds it until the person leaves.
    pub async fn hold(&mut self) -> Result<(), Trouble> {
        let moment = self.status().await?;
        self.say(&words::head(
            self.show.screen,
            &self.folder,
            short_id(&self.session),
            self.chosen,
            moment.state.turn,
        ))?;
        for line in recap::recap(self.show, &moment.state) {
            self.say(&line)?;
        }
        if let Some(gate) = Companion::open_gate(&moment.state) {
            self.say(&gate::show(self.show.screen, gate, gate::FIRST))?;
        }
        self.persons_turn(&moment).await?;
        self.console.settle();
        talk::hold(self).await?;
        let state = self.status().await?.state;
        self.save_memory(&state).await?;
        self.say(&words::left(self.show.screen, short_id(&self.session)))
    }

    /// Goes on in another session.
    pub(super) fn turn_to(&mut self, session: SessionId, seen: Seq) {
        self.console.turn_to(follow::follow(self.engine, &session, seen));
        self.show.screen.remember(&session, crate::resume_command(&session));
        self.session = session;
        self.latest.clear();
        self.instructed = KnownInstructions::default();
        (self.watched, self.beside, self.has_told_failure) = (None, None, false);
    }

    /// Where it stands.
    pub(super) async fn status(&self) -> Result<SessionStatus, Trouble> {
        follow::status(&self.console.follower).await
    }

    /// Shows something where the prompt was.
    pub(super) fn say(&mut self, text: &str) -> Result<(), Trouble> {
        self.console.say(text)
    }

    /// Ctrl-C stops the work, and once more leaves.
    async fn interrupt(&mut self) -> Result<GoesOn, Trouble> {
        if self.has_interrupted {
            return Ok(GoesOn::No);
        }
        self.has_interrupted = true;
        let moment = self.status().await?;
        if moment.phase == Phase::Working {
            self.send(&Command::Stop { task: None }).await?;
        }
        let lang = self.show.screen.lang;
        self.say(&self.show.note(words::once_more(lang)))?;
        Ok(GoesOn::Yes)
    }

    async fn typed(&mut self, line: &str, at: Instant) -> Result<GoesOn, Trouble> {
        let moment = self.status().await?;
        let answer = super::gate_answer::parse_answer(line);
        let gate = Companion::open_gate(&moment.state).cloned();
        let asked = gate.as_ref().map(|gate| gate.id.as_str());
        if answer.is_some() && self.console.is_too_early(asked, moment.phase, at) {
            self.hold_back(line)?;
            return Ok(GoesOn::Yes);
        }
        self.console.echo(words::PROMPT, line)?;
        if let (Some(gate), Some(answer)) = (gate, answer) {
            self.answer(&moment.state, &gate, answer).await?;
            return Ok(GoesOn::Yes);
        }
        if let Some(text) = self.recipes.say(line) {
            self.say_to_it(text, When::Turn).await?;
            return Ok(GoesOn::Yes);
        }
        self.obey(parse::parse_line(line), &moment.state).await
    }

    /// Puts an answer that came too early back on the line, where there is one, and says so.
    pub(super) fn hold_back(&mut self, line: &str) -> Result<(), Trouble> {
        let told = self.console.hold_back(line);
        self.say(&self.show.note(told))
    }

    /// Someone asked the program to end.
    pub(super) fn interrupted(&self) -> Trouble {
        CompanionTrouble::Halted { session: self.session.clone(), halt: Halt::Interrupted }.into()
    }

    pub(super) async fn say_to_it(&mut self, text: String, when: When) -> Result<(), Trouble> {
        let lang = self.show.screen.lang;
        let state = self.status().await?.state;
        resume::align(self.around, self.show.screen, self.engine, &self.session, &state).await?;
        let Mentions { mut files, missing } = mentions::along_with(&text, Vec::new(), &self.folder, &state.bounds());
        let news = self.instructed.news(&self.around.config, self.engine, &self.session, &state, lang).await?;
        files.extend(news.clone());
        for file in &files {
            self.say(&self.show.note(&words::attached(lang, &file.path)))?;
        }
        for missing in &missing {
            self.say(&self.show.warning(&words::not_attached(lang, missing)))?;
        }
        if self.send(&Command::Say { text, when, files }).await? {
            self.instructed.took(&news);
        }
        Ok(())
    }

    /// Sends a command. A person who is refused is told and may try again.
    pub(super) async fn send(&mut self, command: &Command) -> Result<bool, Trouble> {
        match setup::submit(self.engine, &self.session, json!(command), &setup::new_key()).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(refused)) => {
                let said = refused.say(self.show.screen.lang);
                self.say(&self.show.warning(&orders::refused(refused.code, &said.message, &said.hint)))?;
                Ok(false)
            }
            Err(declined) => Err(declined.into()),
        }
    }

    /// Gives the folder what was said and is remembered.
    pub(super) async fn save_memory(&mut self, state: &State) -> Result<(), Trouble> {
        let kept_in = companion_folder(self.around);
        match folder_memory::save(self.engine, &kept_in, &self.session, state).await {
            Ok(()) => Ok(()),
            Err(why) => self.say(&crate::words::not_carried(self.show.screen.lang, &why)),
        }
    }
}

#[async_trait(?Send)]
impl<'a> TalkPart<'a> for Talk<'a> {
    type Drafts = ReplyDrafts;

    fn console(&mut self) -> &mut Console<'a, ReplyDrafts> {
        &mut self.console
    }

    async fn happened(&mut self, event: &SeenEvent) -> Result<(), Trouble> {
        match event.recorded().map(|recorded| recorded.entry::<Companion>()) {
            Some(Ok(entry)) => self.shows(&entry).await,
            // A later version wrote it.
            Some(Err(_)) | None => Ok(()),
        }
    }

    fn words(&self) -> Vec<String> {
        self.words_shown()
    }

    async fn at_work(&mut self, moment: Moment) -> Result<(), Trouble> {
        let status = self.known(moment)?;
        self.works(&status);
        Ok(())
    }

    async fn rest(&mut self, moment: Moment) -> Result<Rest, Trouble> {
        let status = self.known(moment)?;
        if status.phase == Phase::Ended {
            return Ok(Rest::Ends);
        }
        self.persons_turn(&status).await?;
        Ok(Rest::Waits)
    }

    async fn line(&mut self, line: TimedLine) -> Result<GoesOn, Trouble> {
        self.has_interrupted = false;
        self.typed(&line.text, line.at).await
    }

    async fn key(&mut self, key: TalkKey) -> Result<GoesOn, Trouble> {
        match key {
            TalkKey::Interrupt => self.interrupt().await,
            TalkKey::Ended => Err(self.interrupted()),
            TalkKey::Compose => self.compose().await,
            TalkKey::Mode => {
                let mode = self.status().await?.state.settings.mode.next();
                self.send(&Command::SetMode { mode }).await?;
                Ok(GoesOn::Yes)
            }
        }
    }
}
