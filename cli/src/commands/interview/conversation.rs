//! The conversation itself: shows what is asked, sends what is answered, until there is nothing left to ask.
//!
//! It keeps nothing that matters: every turn starts from the session as the log has it, so a run can be killed and
//! gone on with. Each command that it sends has a key of its own.

use std::time::{Duration, Instant};

use enza_applications::interview::{Absence, Command, Event, Stage, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::Verdict;
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine, Feed, Item};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};
use serde_json::json;

use super::answers::{Line, Respondent};
use super::gate;
use crate::backstage::{self, short};
use crate::screen::Screen;
use crate::trouble::Trouble;
use crate::words::interview as words;

/// After this long in which nobody here works on it we say what we wait for.
const LONG: Duration = Duration::from_secs(2);
/// How often we look, and the status is drawn anew.
const LOOK: Duration = Duration::from_millis(250);

/// How a conversation ended.
pub enum Ending {
    /// The interview is over.
    Over(Box<State>),
    /// The person left; it can be gone on with.
    Left,
}

/// A session that owes nothing: whoever looks may act.
pub struct Moment {
    /// Its phase.
    pub phase: Phase,
    /// What a person should know or do next.
    pub waiting_for: Option<String>,
    /// Its state.
    pub state: State,
}

enum Word {
    Answer(String),
    Skip,
    Change(String),
    Back,
    Abandon,
    Retry,
    Quit,
    Help,
}

/// An interview at this screen.
pub struct Conversation<'a> {
    engine: &'a Engine,
    screen: &'a Screen,
    session: SessionId,
    respondent: Respondent,
    feed: Feed,
    chosen: &'a Chosen,
}

impl<'a> Conversation<'a> {
    /// A conversation in a session.
    pub fn new(
        engine: &'a Engine,
        screen: &'a Screen,
        session: SessionId,
        respondent: Respondent,
        chosen: &'a Chosen,
    ) -> Self {
        let feed = engine.watch(&session, Seq::START);
        Self { engine, screen, session, respondent, feed, chosen }
    }

    /// Holds it to its end.
    pub async fn hold(&mut self, resumed: bool) -> Result<Ending, Trouble> {
        let state = self.state().await?;
        self.screen.note(&words::head(self.screen, &state, short(&self.session), resumed, self.chosen))?;
        let moment = self.at_rest().await?;
        if resumed && self.respondent.says_yes && moment.phase == Phase::Ended {
            self.answer_once_more().await?;
        }
        if resumed && moment.phase == Phase::Stuck && !self.respondent.is_attended() {
            // Whoever goes on with a session that is stuck wants it tried again; at a terminal they say so themselves.
            self.send(&retry(&moment.state), true).await?;
        }
        loop {
            let moment = self.at_rest().await?;
            let goes_on = match moment.phase {
                Phase::Ended => return Ok(Ending::Over(Box::new(moment.state))),
                Phase::Gate => self.at_gate(&moment).await?,
                Phase::Stuck => self.stuck(&moment).await?,
                Phase::Waiting if moment.state.stage() == Stage::Choosing => self.choose(&moment).await?,
                Phase::Waiting | Phase::Working => self.asked(&moment).await?,
            };
            if !goes_on {
                return Ok(Ending::Left);
            }
        }
    }

    async fn state(&self) -> Result<State, Trouble> {
        let live = self.engine.state_at(&self.session, None).await?;
        Ok(serde_json::from_slice(&live.freeze()).expect("a state reads what it wrote"))
    }

    /// The session, once it owes nothing. Meanwhile the screen shows that someone is at work.
    pub async fn at_rest(&mut self) -> Result<Moment, Trouble> {
        let began = Instant::now();
        let mut idle = Duration::ZERO;
        let mut written = 0;
        loop {
            let live = self.engine.state_at(&self.session, None).await?;
            let standing = live.standing();
            if standing.phase != Phase::Working {
                let state = serde_json::from_slice(&live.freeze()).expect("a state reads what it wrote");
                return Ok(Moment { phase: standing.phase, waiting_for: standing.waiting_for, state });
            }
            let is_here = self.engine.is_at_work(&self.session).await;
            match tokio::time::timeout(LOOK, self.feed.next()).await {
                Ok(Ok(Item::Delta { piece, .. })) => written = after(written, &piece),
                Ok(Ok(Item::Event(_) | Item::Skipped | Item::Gone) | Err(_)) => {}
                Err(_) if is_here => idle = Duration::ZERO,
                Err(_) => idle += LOOK,
            }
            if idle == LONG {
                self.screen.note(&self.screen.paint.faint(words::waiting(self.screen.lang)))?;
            } else if idle < LONG && began.elapsed() >= LOOK {
                self.screen.status(&words::at_work(self.screen.lang, self.chosen, began.elapsed(), written))?;
            }
        }
    }

    async fn asked(&mut self, moment: &Moment) -> Result<bool, Trouble> {
        let question = moment.state.question().unwrap_or_default().to_owned();
        let (field_id, is_optional) = match moment.state.current() {
            Some((field, _)) => (field.field_id.clone(), !field.required),
            None => (String::new(), false),
        };
        self.screen.say(&words::question(self.screen, &moment.state, &question))?;
        loop {
            let line = match self.respondent.prepared(&field_id) {
                Some(line) => line,
                None => self.read("> ").await?,
            };
            let is_prepared = matches!(line, Line::Prepared(_));
            let text = match line {
                Line::Prepared(text) => {
                    self.respondent.breathe().await;
                    self.screen.say(&words::prepared(self.screen, &text))?;
                    text
                }
                Line::Typed(text) => text,
                Line::Gone => return Ok(false),
                Line::Nobody => return Err(Trouble::AtQuestion { session: self.session.clone(), question }),
            };
            let command = match word(&text) {
                Word::Answer(text) => Command::Say { text },
                Word::Skip => Command::Skip { absence: Absence::Skipped },
                Word::Change(field_id) => Command::ChangeAnswer { field_id },
                Word::Back => Command::Reconfirm,
                Word::Abandon => Command::Abandon,
                Word::Retry => Command::RetryModel,
                Word::Quit => return Ok(false),
                Word::Help => {
                    self.screen.say(&words::commands(self.screen.lang, is_optional))?;
                    continue;
                }
            };
            if self.send(&command, is_prepared).await? {
                return Ok(true);
            }
        }
    }

    async fn at_gate(&mut self, moment: &Moment) -> Result<bool, Trouble> {
        let Some(gate) = moment.state.gate().cloned() else { return Ok(true) };
        self.screen.say(&gate::show(self.screen, &gate))?;
        if self.respondent.says_yes {
            self.respondent.breathe().await;
            self.screen.say(&words::prepared(self.screen, words::yes(self.screen.lang)))?;
            let confirm = Command::Confirm { gate: gate.id, verdict: Verdict::Yes, note: None };
            return self.send(&confirm, true).await;
        }
        if !self.respondent.is_attended() {
            return Err(Trouble::AtGate { session: self.session.clone(), intent: gate.ask.intent });
        }
        loop {
            let text = match self.read(words::gate_prompt(self.screen.lang)).await? {
                Line::Typed(text) | Line::Prepared(text) => text,
                Line::Gone | Line::Nobody => return Ok(false),
            };
            let confirm = |verdict| Command::Confirm { gate: gate.id.clone(), verdict, note: None };
            let command = match word(&text) {
                Word::Change(field_id) => Command::ChangeAnswer { field_id },
                Word::Abandon => Command::Abandon,
                Word::Quit => return Ok(false),
                Word::Answer(text) => match words::verdict(&text) {
                    Some(verdict) => confirm(verdict),
                    None => continue,
                },
                Word::Skip | Word::Back | Word::Retry | Word::Help => continue,
            };
            if self.send(&command, false).await? {
                return Ok(true);
            }
        }
    }

    async fn choose(&mut self, moment: &Moment) -> Result<bool, Trouble> {
        let question = moment.waiting_for.clone().unwrap_or_default();
        if !self.respondent.is_attended() {
            return Err(Trouble::AtQuestion { session: self.session.clone(), question });
        }
        self.screen.say(&words::choice(self.screen, &moment.state, &question))?;
        loop {
            let text = match self.read("> ").await? {
                Line::Typed(text) | Line::Prepared(text) => text,
                Line::Gone | Line::Nobody => return Ok(false),
            };
            let command = match word(&text) {
                Word::Answer(field_id) | Word::Change(field_id) => Command::ChangeAnswer { field_id },
                Word::Back => Command::Reconfirm,
                Word::Abandon => Command::Abandon,
                Word::Quit => return Ok(false),
                Word::Skip | Word::Retry | Word::Help => continue,
            };
            if self.send(&command, false).await? {
                return Ok(true);
            }
        }
    }

    async fn stuck(&mut self, moment: &Moment) -> Result<bool, Trouble> {
        let why = words::stuck_because(
            self.screen.lang,
            moment.waiting_for.as_deref().unwrap_or_default(),
            moment.state.failure(),
        );
        if !self.respondent.is_attended() {
            return Err(Trouble::Stuck { session: self.session.clone(), why });
        }
        self.screen.say(&words::stuck(self.screen, &why))?;
        loop {
            let text = match self.read("> ").await? {
                Line::Typed(text) | Line::Prepared(text) => text,
                Line::Gone | Line::Nobody => return Ok(false),
            };
            let command = match word(&text) {
                Word::Retry => retry(&moment.state),
                Word::Abandon => Command::Abandon,
                Word::Quit => return Ok(false),
                Word::Answer(_) | Word::Skip | Word::Change(_) | Word::Back | Word::Help => continue,
            };
            if self.send(&command, false).await? {
                return Ok(true);
            }
        }
    }

    /// A yes to an interview that is over: the rule that a gate takes one answer says what comes of it.
    async fn answer_once_more(&self) -> Result<(), Trouble> {
        let events = self.engine.store().events(&self.session, Seq::START, usize::MAX).await?;
        if let Some(gate) = events.iter().rev().find_map(gate_opened) {
            let confirm = json!(Command::Confirm { gate, verdict: Verdict::Yes, note: None });
            backstage::submit(self.engine, &self.session, confirm, &backstage::new_key()).await?;
        }
        Ok(())
    }

    /// Sends a command. A person who is refused is told and may try again; without one, the refusal is the end.
    async fn send(&self, command: &Command, is_prepared: bool) -> Result<bool, Trouble> {
        let key = backstage::new_key();
        match backstage::submit(self.engine, &self.session, json!(command), &key).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(refused)) if !is_prepared => {
                self.screen.say(&words::refused(self.screen, refused.say(self.screen.lang)))?;
                Ok(false)
            }
            Err(declined) => Err(declined.into()),
        }
    }

    async fn read(&mut self, prompt: &str) -> Result<Line, Trouble> {
        if self.respondent.is_attended() {
            self.screen.put(&self.screen.paint.strong(prompt))?;
        }
        Ok(self.respondent.typed().await)
    }
}

/// What tries again whatever has failed.
fn retry(state: &State) -> Command {
    if state.is_undelivered() { Command::RetryDelivery } else { Command::RetryModel }
}

/// How many letters of a reply there are after another piece of it.
fn after(written: usize, piece: &Piece) -> usize {
    match piece {
        Piece::Text(text) | Piece::Reasoning(text) | Piece::Call { fragment: text, .. } => {
            written + text.chars().count()
        }
        Piece::Again => 0,
    }
}

fn word(line: &str) -> Word {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match first {
        "/skip" => Word::Skip,
        "/change" => Word::Change(rest.trim().to_owned()),
        "/back" => Word::Back,
        "/abandon" => Word::Abandon,
        "/retry" => Word::Retry,
        "/quit" => Word::Quit,
        "/help" | "/?" => Word::Help,
        _ => Word::Answer(line.to_owned()),
    }
}

fn gate_opened(recorded: &Recorded) -> Option<String> {
    let text = format!("{{\"{}\":{}}}", recorded.stored.kind, recorded.stored.body);
    match serde_json::from_str(&text) {
        Ok(Event::GateOpened { gate, .. }) => Some(gate.id),
        Ok(_) | Err(_) => None,
    }
}
