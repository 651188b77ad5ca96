//! The companion with a person at the keyboard: what happens is shown as it comes, what is typed is sent.
//!
//! Talk goes on while work runs: a line typed then waits for its turn, `!` interrupts and `?` asks beside it. Ctrl-C stops
//! the work, and once more leaves. Everything that matters is in the log; this keeps only what is on the screen.

use std::path::{Path, PathBuf};

use enza_applications::companion::{Command, Companion, Event, Rule, Scope, When};
use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine};
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use super::follow::{Following, Moment, Seen};
use super::keyboard::{Input, Keyboard};
use super::show::Show;
use super::typed::{self, ORDERS};
use super::{attached, carried, gate, settings};
use crate::backstage::{self, short};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::companion::talk as words;

/// Someone at the keyboard of a session.
pub struct Talk<'a> {
    pub(super) around: &'a Surroundings,
    pub(super) show: Show<'a>,
    pub(super) engine: &'a Engine,
    pub(super) session: SessionId,
    pub(super) chosen: &'a Chosen,
    pub(super) folder: PathBuf,
    pub(super) following: Following<'a>,
    pub(super) keyboard: Keyboard,
    /// Whether the person has been told that it is their turn.
    has_asked: bool,
    /// Whether the answers at a gate have been explained.
    has_explained: bool,
    /// Whether the last key was Ctrl-C.
    has_interrupted: bool,
}

/// Whether it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// It does.
    Yes,
    /// The person leaves.
    No,
}

impl<'a> Talk<'a> {
    /// A talk in a session, with what came before it left unshown.
    pub async fn begin(
        around: &'a Surroundings,
        show: Show<'a>,
        engine: &'a Engine,
        session: SessionId,
        chosen: &'a Chosen,
    ) -> Result<Self, Trouble> {
        let seen = engine.row(&session).await?.head;
        let following = Following::from(engine, &session, seen);
        let folder = PathBuf::from(following.moment().await?.state.folder);
        let kept_in = backstage::companion_folder(around);
        // Without the folder there is no history, and nothing else is lost.
        let _ = std::fs::create_dir_all(&kept_in);
        let draws = show.screen.is_lively() && !show.plain && around.attended;
        let keyboard = Keyboard::open(draws, kept_in.join("history"), completer(&folder));
        Ok(Self {
            around,
            show,
            engine,
            session,
            chosen,
            folder,
            following,
            keyboard,
            has_asked: false,
            has_explained: false,
            has_interrupted: false,
        })
    }

    /// Holds it until the person leaves.
    pub async fn hold(&mut self) -> Result<(), Trouble> {
        let moment = self.following.moment().await?;
        self.say(&words::head(self.show.screen, &self.folder, short(&self.session), self.chosen, moment.state.turn))?;
        if let Some(gate) = Companion::open_gate(&moment.state) {
            self.say(&gate::show(self.show.screen, gate, gate::FIRST))?;
        }
        self.rest(&moment)?;
        loop {
            let on = tokio::select! {
                biased;
                seen = self.following.next() => self.seen(seen?).await?,
                input = self.keyboard.next() => self.input(input).await?,
            };
            if on == On::No {
                break;
            }
        }
        let state = self.following.moment().await?.state;
        self.carry(&state)?;
        self.say(&words::left(self.show.screen, short(&self.session)))
    }

    /// Goes on in another session.
    pub(super) fn turn_to(&mut self, session: SessionId, seen: Seq) {
        self.following = Following::from(self.engine, &session, seen);
        self.show.screen.remember(&session);
        self.session = session;
        self.has_asked = false;
    }

    async fn seen(&mut self, seen: Seen) -> Result<On, Trouble> {
        match seen {
            Seen::Event(entry) => {
                if let Event::RuleKept { rule, scope: Scope::Project } = &entry.event {
                    self.keep(rule)?;
                }
                self.keyboard.lift();
                self.show.event(&entry)?;
                self.has_asked = false;
            }
            Seen::Gone => return Err(Trouble::UnknownSession { part: self.session.to_string(), near: Vec::new() }),
            // Until something happens or is typed, it stays as it is.
            Seen::Quiet if self.has_asked => {}
            Seen::Quiet => {
                let moment = self.following.moment().await?;
                if moment.phase == Phase::Ended {
                    return Ok(On::No);
                }
                if moment.rests {
                    self.rest(&moment)?;
                } else {
                    let (written, since) = self.following.writing();
                    let status = crate::words::companion::at_work(self.show.screen.lang, &moment.state, written, since);
                    self.lay(&status, words::PROMPT);
                }
            }
        }
        Ok(On::Yes)
    }

    /// It is the person's turn: the status and the prompt.
    fn rest(&mut self, moment: &Moment) -> Result<(), Trouble> {
        let screen = self.show.screen;
        let status = words::status(screen.lang, &moment.state, self.chosen);
        let is_gate = moment.phase == Phase::Gate;
        let prompt = if is_gate { words::gate_prompt(screen.lang, screen.width) } else { words::PROMPT };
        self.has_asked = true;
        self.carry(&moment.state)?;
        if moment.phase == Phase::Stuck {
            let why = moment.waiting_for.as_deref().unwrap_or_default();
            self.say(&screen.paint.warn(&words::stuck(screen.lang, why)))?;
        }
        if is_gate && !self.has_explained {
            self.has_explained = true;
            self.say(&self.show.note(words::gate_answers(screen.lang)))?;
        }
        if self.keyboard.draws() {
            self.lay(&status, prompt);
            return Ok(());
        }
        self.say(&screen.paint.faint(&crate::screen::clip(&status, screen.width)))?;
        screen.put(prompt)
    }

    pub(super) fn lay(&mut self, status: &str, prompt: &str) {
        self.keyboard.lay(status, prompt, self.around.colour);
    }

    /// Shows something where the prompt was.
    pub(super) fn say(&mut self, text: &str) -> Result<(), Trouble> {
        self.keyboard.lift();
        self.show.screen.say(text)
    }

    async fn input(&mut self, input: Input) -> Result<On, Trouble> {
        match input {
            Input::Line(line) => {
                self.has_interrupted = false;
                self.echo(&line)?;
                let on = self.line(&line).await?;
                self.has_asked = false;
                Ok(on)
            }
            Input::Gone => Ok(On::No),
            Input::Interrupt if self.has_interrupted => Ok(On::No),
            Input::Interrupt => {
                self.has_interrupted = true;
                let moment = self.following.moment().await?;
                if moment.phase == Phase::Working {
                    self.send(&Command::Stop { task: None }).await?;
                }
                let lang = self.show.screen.lang;
                self.say(&self.show.note(words::once_more(lang)))?;
                self.has_asked = false;
                Ok(On::Yes)
            }
        }
    }

    /// What was typed stays on the screen, where the terminal does not leave it there by itself.
    fn echo(&mut self, line: &str) -> Result<(), Trouble> {
        if !self.keyboard.draws() {
            return Ok(());
        }
        let text = line.replace('\n', "\n  ");
        self.say(&self.show.screen.paint.strong(&format!("{}{text}", words::PROMPT)))
    }

    async fn line(&mut self, line: &str) -> Result<On, Trouble> {
        let moment = self.following.moment().await?;
        if moment.phase == Phase::Gate
            && let Some(gate) = Companion::open_gate(&moment.state).cloned()
            && let Some(answer) = super::asking::answer(line)
        {
            self.answer(&moment.state, &gate, answer).await?;
            return Ok(On::Yes);
        }
        self.obey(typed::word(line), &moment.state).await
    }

    pub(super) async fn say_to_it(&mut self, text: String, when: When) -> Result<(), Trouble> {
        let files = attached::named_in(&text, &self.folder);
        for file in &files {
            self.say(&self.show.note(&words::attached(self.show.screen.lang, &file.path)))?;
        }
        self.send(&Command::Say { text, when, files }).await.map(drop)
    }

    /// Sends a command. A person who is refused is told and may try again.
    pub(super) async fn send(&mut self, command: &Command) -> Result<bool, Trouble> {
        match backstage::submit(self.engine, &self.session, json!(command), &backstage::new_key()).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(refused)) => {
                let said = refused.say(self.show.screen.lang);
                self.say(&self.show.screen.paint.warn(&format!("{} {}", said.message, said.hint)))?;
                Ok(false)
            }
            Err(declined) => Err(declined.into()),
        }
    }

    /// A rule for the project is kept in the user's own file.
    fn keep(&mut self, rule: &Rule) -> Result<(), Trouble> {
        let lang = self.show.screen.lang;
        let told = match settings::keep(&self.around.config, &self.folder, rule) {
            Ok(()) => words::kept(lang, &self.around.config.join(settings::FILE)),
            Err(trouble) => crate::words::trouble::say(&trouble, lang).message,
        };
        self.say(&self.show.note(&told))
    }

    fn carry(&mut self, state: &enza_applications::companion::State) -> Result<(), Trouble> {
        let kept_in = backstage::companion_folder(self.around);
        match carried::write(&kept_in, self.session.as_str(), state) {
            Ok(()) => Ok(()),
            Err(why) => self.say(&crate::words::companion::not_carried(self.show.screen.lang, &why)),
        }
    }
}

/// Completes orders and the names of files behind `@`.
fn completer(folder: &Path) -> super::keyboard::Completer {
    let folder = folder.to_owned();
    Box::new(move |word| {
        let Some(path) = word.strip_prefix('@') else {
            return ORDERS.iter().filter(|order| order.starts_with(word)).map(|order| (*order).to_owned()).collect();
        };
        let (above, part) = path.rsplit_once('/').map_or(("", path), |(above, part)| (above, part));
        let Ok(entries) = std::fs::read_dir(folder.join(above)) else { return Vec::new() };
        let named = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !part.starts_with('.');
            let gap = if above.is_empty() { "" } else { "/" };
            let end = if entry.path().is_dir() { "/" } else { "" };
            (name.starts_with(part) && !is_hidden).then(|| format!("@{above}{gap}{name}{end}"))
        });
        let mut named: Vec<String> = named.collect();
        named.sort();
        named
    })
}
