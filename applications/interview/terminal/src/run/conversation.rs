//! The conversation itself: shows what is asked, sends what is answered, until there is nothing left to ask.
//!
//! It keeps nothing that matters: every turn starts from the session as the log has it, so a run can be killed and
//! gone on with. Each command that it sends has a key of its own. What a line means is `turns`.

use enza_interview::{Command, Event, Interview, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::Verdict;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine};
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::Screen;
use enza_terminal::setup::{self, short_id};
use enza_terminal::trouble::Trouble;
use serde_json::json;

use super::answers::{KeyboardLine, Respondent};
use super::line_action::{InputPlace, LineAction, confirm, line_action, retry};
use super::parse::{listed, parse_line};
use super::wait::{IdleSession, SessionWaiter};
use super::{fill, gate};
use crate::trouble::InterviewTrouble;
use crate::words::{interview as words, question};

/// How a conversation ended.
pub enum Ending {
    /// The interview is over.
    Over(Box<State>),
    /// The person left; it can be gone on with.
    Left,
}

/// An interview at this screen.
pub struct Conversation<'a> {
    engine: &'a Engine,
    pub(super) screen: &'a Screen,
    session: SessionId,
    pub(super) respondent: Respondent,
    pub(super) watch: SessionWaiter<'a>,
    chosen: &'a Chosen,
    /// The fields that were asked about, the last at the end.
    path: Vec<String>,
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
        let watch = SessionWaiter::over(engine, screen, session.clone(), chosen);
        Self { engine, screen, session, respondent, watch, chosen, path: Vec::new() }
    }

    /// Holds it to its end.
    pub async fn hold(&mut self, resumed: bool) -> Result<Ending, Trouble> {
        let state = self.watch.state().await?;
        self.screen.note(&words::head(self.screen, &state, short_id(&self.session), resumed, self.chosen))?;
        let moment = self.watch.at_rest().await?;
        if resumed && self.respondent.says_yes && moment.phase == Phase::Ended {
            self.answer_once_more().await?;
        }
        if resumed && moment.phase == Phase::Stuck && !self.respondent.is_attended() {
            // Whoever goes on with a session that is stuck wants it tried again; at a terminal they say so themselves.
            self.send(&retry(&moment.state), true).await?;
        }
        loop {
            let moment = self.watch.at_rest().await?;
            if moment.phase == Phase::Ended {
                return Ok(Ending::Over(Box::new(moment.state)));
            }
            if !self.take_turn(&moment).await? {
                return Ok(Ending::Left);
            }
        }
    }

    /// Shows where it stands, and reads lines until one takes it on. False where the person leaves.
    async fn take_turn(&mut self, moment: &IdleSession) -> Result<bool, Trouble> {
        let place = InputPlace::of(moment);
        self.show(moment, place)?;
        if let (InputPlace::Gate, true, Some(gate)) = (place, self.respondent.says_yes, moment.state.gate()) {
            self.respondent.breathe().await;
            self.screen.say(&words::prepared(self.screen, words::yes(self.screen.lang)))?;
            return self.send(&confirm(&gate.id, Verdict::Yes), true).await;
        }
        let field_id = moment.state.current().map_or_else(String::new, |(_, record)| record.id().to_owned());
        loop {
            let prepared = if place == InputPlace::Question { self.prepared(&field_id).await? } else { None };
            let is_prepared = prepared.is_some();
            let line = match prepared {
                Some(text) => text,
                None => match self.read(words::prompt(self.screen.lang, place)).await? {
                    KeyboardLine::Typed(text) => text,
                    KeyboardLine::Gone => return Ok(false),
                    KeyboardLine::Nobody => return Err(self.nobody(moment, place)),
                },
            };
            match line_action(self.screen, moment, place, parse_line(&line), setup::now()) {
                LineAction::Send(command) => {
                    if self.send(&command, is_prepared).await? {
                        self.tell(&moment.state, &command)?;
                        return Ok(true);
                    }
                }
                LineAction::Back => match self.way_back(&moment.state, &field_id) {
                    Some(command) if self.send(&command, is_prepared).await? => return Ok(true),
                    Some(_) => {}
                    None => self.screen.say(&self.screen.faintly(words::is_first(self.screen.lang)))?,
                },
                LineAction::Fill => return fill::fill(self, moment).await,
                LineAction::Show(text) => self.screen.say(&text)?,
                LineAction::Leave => return Ok(false),
            }
        }
    }

    fn show(&mut self, moment: &IdleSession, place: InputPlace) -> Result<(), Trouble> {
        let (screen, state) = (self.screen, &moment.state);
        let question = moment.waiting_for.as_deref().unwrap_or_default();
        match (place, state.gate()) {
            (InputPlace::Gate, Some(gate)) => screen.say(&gate::show(screen, gate)),
            (InputPlace::Choice, _) => screen.say(&question::choice(screen, state, question)),
            (InputPlace::Stuck, _) => screen.say(&words::stuck(screen, &self.why_stuck(moment))),
            (InputPlace::Question | InputPlace::Gate, _) => {
                if let Some((_, record)) = state.current() {
                    self.path.push(record.id().to_owned());
                }
                screen.say(&question::question(screen, state, state.question().unwrap_or(question), setup::now()))
            }
        }
    }

    /// The next prepared answer to a field, shown as if it had been typed.
    pub(super) async fn prepared(&mut self, field_id: &str) -> Result<Option<String>, Trouble> {
        let Some(text) = self.respondent.prepared(field_id) else { return Ok(None) };
        self.respondent.breathe().await;
        self.screen.say(&words::prepared(self.screen, &text))?;
        Ok(Some(text))
    }

    /// The next line that is typed.
    pub(super) async fn read(&mut self, prompt: &str) -> Result<KeyboardLine, Trouble> {
        if self.respondent.is_attended() {
            self.screen.put(&self.screen.paint.strong(prompt))?;
        }
        Ok(self.respondent.typed().await)
    }

    /// Sends a command. A person who is refused is told and may try again; without one, the refusal is the end.
    pub(super) async fn send(&self, command: &Command, is_prepared: bool) -> Result<bool, Trouble> {
        let key = setup::new_key();
        match setup::submit(self.engine, &self.session, json!(command), &key).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(refused)) if !is_prepared => {
                self.screen.say(&words::refused(self.screen, refused.say(self.screen.lang)))?;
                Ok(false)
            }
            Err(declined) => Err(declined.into()),
        }
    }

    /// Says what became of a command that needs a word.
    fn tell(&self, before: &State, command: &Command) -> Result<(), Trouble> {
        match (command, before.current()) {
            (Command::Skip { .. }, Some((field, record))) if field.required => {
                let text = words::left_for_later(self.screen.lang, &before.label(record));
                self.screen.say(&self.screen.faintly(&text))
            }
            (_, Some(_) | None) => Ok(()),
        }
    }

    /// The command that goes back to the field that was asked about before this one.
    fn way_back(&mut self, state: &State, current: &str) -> Option<Command> {
        let asked: Vec<&str> = listed(state).map(|record| record.id()).collect();
        let before = self.path.iter().rposition(|id| id != current && asked.contains(&id.as_str()));
        let field_id = match before {
            Some(place) => self.path.drain(place..).next()?,
            // A session that was gone on with: the last field that is done before this one.
            None => {
                let earlier = listed(state).take_while(|record| record.id() != current);
                earlier.filter(|record| record.is_done()).last()?.id().to_owned()
            }
        };
        Some(Command::ChangeAnswer { field_id })
    }

    /// A yes to an interview that is over: the rule that a gate takes one answer says what comes of it.
    async fn answer_once_more(&self) -> Result<(), Trouble> {
        let entries = self.engine.entries::<Interview>(&self.session).await?;
        let opened = entries.into_iter().rev().find_map(|entry| {
            let Event::GateOpened { gate, .. } = entry.event else { return None };
            Some(gate.id)
        });
        if let Some(gate) = opened {
            let confirm = json!(confirm(&gate, Verdict::Yes));
            setup::submit(self.engine, &self.session, confirm, &setup::new_key()).await?;
        }
        Ok(())
    }

    fn why_stuck(&self, moment: &IdleSession) -> String {
        let said = moment.waiting_for.as_deref().unwrap_or_default();
        words::stuck_because(self.screen.lang, said, moment.state.failure())
    }

    fn nobody(&self, moment: &IdleSession, place: InputPlace) -> Trouble {
        let session = self.session.clone();
        let asked = moment.waiting_for.clone().unwrap_or_default();
        let trouble = match place {
            InputPlace::Question => {
                InterviewTrouble::AtQuestion { session, question: moment.state.question().map_or(asked, str::to_owned) }
            }
            InputPlace::Choice => InterviewTrouble::AtQuestion { session, question: asked },
            InputPlace::Gate => InterviewTrouble::AtGate { session, intent: asked },
            InputPlace::Stuck => InterviewTrouble::Stuck { session, why: self.why_stuck(moment) },
        };
        trouble.into()
    }
}
