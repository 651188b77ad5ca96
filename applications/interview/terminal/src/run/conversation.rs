//! The conversation itself: shows what is asked, sends what is answered, until there is nothing left to ask.
//!
//! It keeps nothing that matters: every turn starts from the session as the log has it, so a run can be killed and
//! gone on with. Each command that it sends has a key of its own. What a line means is `line_action`.

use async_trait::async_trait;
use enza_interview::{Command, Event, Interview, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::{Verdict, typed_answer};
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine, SeenEvent};
use enza_runtime::seams::store::SessionId;
use enza_terminal::keyboard::Keyboard;
use enza_terminal::screen::Screen;
use enza_terminal::setup::{self, short_id};
use enza_terminal::talk::{Asked, GoesOn, Moment, Rest, TalkPart, TimedLine, hold};
use enza_terminal::trouble::Trouble;
use serde_json::json;

use super::answers::Respondent;
use super::fill::{self, Filling};
use super::gate;
use super::line_action::{InputPlace, LineAction, confirm, line_action, retry};
use super::parse::{listed, parse_line};
use super::wait::{IdleSession, InterviewConsole, LetterCount, WorkStatus, console};
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
    session: SessionId,
    pub(super) respondent: Respondent,
    pub(super) console: InterviewConsole<'a>,
    work: WorkStatus<'a>,
    chosen: &'a Chosen,
    /// The fields that were asked about, the last at the end.
    path: Vec<String>,
    /// Whether it is gone on with, and that has not been looked at yet.
    is_resumed: bool,
    /// The last moment of rest that was shown.
    shown: Option<Seq>,
    /// Where it stood when a line was last asked for.
    asked_at: Option<IdleSession>,
    /// The rest of the form, where that is being filled in.
    pub(super) filling: Option<Filling>,
    ending: Ending,
}

impl<'a> Conversation<'a> {
    /// A conversation in a session, with whoever sits at this keyboard.
    pub fn new(
        engine: &'a Engine,
        screen: &'a Screen,
        session: SessionId,
        (respondent, keyboard): (Respondent, Keyboard),
        chosen: &'a Chosen,
    ) -> Self {
        Self {
            console: console(engine, screen, &session, keyboard),
            work: WorkStatus::new(session.clone(), chosen),
            engine,
            session,
            respondent,
            chosen,
            path: Vec::new(),
            is_resumed: false,
            shown: None,
            asked_at: None,
            filling: None,
            ending: Ending::Left,
        }
    }

    /// Holds it to its end.
    pub async fn hold(mut self, resumed: bool) -> Result<Ending, Trouble> {
        let (_, state) = self.engine.state::<Interview>(&self.session).await?;
        let screen = self.console.screen;
        self.console.note(&words::head(screen, &state, short_id(&self.session), resumed, self.chosen))?;
        self.is_resumed = resumed;
        hold(&mut self).await?;
        Ok(self.ending)
    }

    /// What is owed to a session that is gone on with. Whether anything was done.
    async fn take_up(&mut self, moment: &IdleSession) -> Result<bool, Trouble> {
        if self.respondent.says_yes && moment.phase == Phase::Ended {
            self.answer_once_more().await?;
            return Ok(true);
        }
        if moment.phase == Phase::Stuck && !self.respondent.is_attended {
            // Whoever goes on with a session that is stuck wants it tried again; at a terminal they say so themselves.
            return self.send(&retry(&moment.state), true).await;
        }
        Ok(false)
    }

    /// Shows where it stands, and takes what is prepared; else asks for a line.
    async fn turn(&mut self, moment: IdleSession) -> Result<Rest, Trouble> {
        let place = InputPlace::of(&moment);
        // Before it is shown: whoever answers has seen it.
        self.console.asks(moment.state.gate().filter(|_| place == InputPlace::Gate).map(|gate| gate.id.as_str()));
        if self.shown.replace(moment.seq) != Some(moment.seq) {
            self.show(&moment, place)?;
        }
        if let (InputPlace::Gate, true, Some(gate)) = (place, self.respondent.says_yes, moment.state.gate()) {
            self.respondent.breathe().await;
            let screen = self.console.screen;
            self.console.say(&words::prepared(screen, words::yes(screen.lang)))?;
            self.send(&confirm(&gate.id, Verdict::Yes), true).await?;
            return Ok(Rest::Acted);
        }
        let prepared = if place == InputPlace::Question { self.prepared(&field_id(&moment)).await? } else { None };
        if let Some(text) = prepared {
            return Ok(match self.act(&moment, place, &text, true).await? {
                GoesOn::Yes => Rest::Acted,
                GoesOn::No => Rest::Ends,
            });
        }
        if !self.respondent.is_attended {
            return Err(self.nobody(&moment, place));
        }
        self.console.prompts("", words::prompt(self.console.screen.lang, place))?;
        self.asked_at = Some(moment);
        Ok(Rest::Waits)
    }

    /// Does what a line says.
    async fn act(
        &mut self,
        moment: &IdleSession,
        place: InputPlace,
        line: &str,
        is_prepared: bool,
    ) -> Result<GoesOn, Trouble> {
        let screen = self.console.screen;
        match line_action(screen, moment, place, parse_line(line), setup::now()) {
            LineAction::Send(command) => {
                if self.send(&command, is_prepared).await? {
                    self.tell(&moment.state, &command)?;
                }
            }
            LineAction::Back => match self.way_back(&moment.state, &field_id(moment)) {
                Some(command) => drop(self.send(&command, is_prepared).await?),
                None => self.console.say(&screen.faintly(words::is_first(screen.lang)))?,
            },
            LineAction::Fill => self.filling = Some(Filling::default()),
            LineAction::Show(text) => self.console.say(&text)?,
            LineAction::Leave => return Ok(GoesOn::No),
        }
        Ok(GoesOn::Yes)
    }

    fn show(&mut self, moment: &IdleSession, place: InputPlace) -> Result<(), Trouble> {
        let (screen, state) = (self.console.screen, &moment.state);
        let question = moment.waiting_for.as_deref().unwrap_or_default();
        let text = match (place, state.gate()) {
            (InputPlace::Gate, Some(gate)) => gate::show(screen, gate),
            (InputPlace::Choice, _) => question::choice(screen, state, question),
            (InputPlace::Stuck, _) => words::stuck(screen, &self.why_stuck(moment)),
            (InputPlace::Question | InputPlace::Gate, _) => {
                if let Some((_, record)) = state.current() {
                    self.path.push(record.id().to_owned());
                }
                question::question(screen, state, state.question().unwrap_or(question), setup::now())
            }
        };
        self.console.say(&text)
    }

    /// The next prepared answer to a field, shown as if it had been typed.
    pub(super) async fn prepared(&mut self, field_id: &str) -> Result<Option<String>, Trouble> {
        let Some(text) = self.respondent.prepared(field_id) else { return Ok(None) };
        self.respondent.breathe().await;
        self.console.say(&words::prepared(self.console.screen, &text))?;
        Ok(Some(text))
    }

    /// The next line, in the middle of what another one asked for; none where the person leaves.
    pub(super) async fn asked(&mut self, prompt: &str) -> Result<Option<String>, Trouble> {
        self.console.prompts("", prompt)?;
        match self.console.asked().await {
            Asked::Line(line) => {
                self.console.echo(prompt, &line.text)?;
                Ok(Some(line.text))
            }
            Asked::Gone => Ok(None),
            Asked::Interrupt | Asked::Ended => Err(self.console.interrupted()),
        }
    }

    /// Sends a command. A person who is refused is told and may try again; without one, the refusal is the end.
    pub(super) async fn send(&mut self, command: &Command, is_prepared: bool) -> Result<bool, Trouble> {
        let key = setup::new_key();
        match setup::submit(self.engine, &self.session, json!(command), &key).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(refused)) if !is_prepared => {
                let screen = self.console.screen;
                self.console.say(&words::refused(screen, refused.say(screen.lang)))?;
                Ok(false)
            }
            Err(declined) => Err(declined.into()),
        }
    }

    /// Says what became of a command that needs a word.
    fn tell(&mut self, before: &State, command: &Command) -> Result<(), Trouble> {
        match (command, before.current()) {
            (Command::Skip { .. }, Some((field, record))) if field.required => {
                let screen = self.console.screen;
                let text = words::left_for_later(screen.lang, &before.label(record));
                self.console.say(&screen.faintly(&text))
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
        words::stuck_because(self.console.screen.lang, said, moment.state.failure())
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

#[async_trait(?Send)]
impl<'a> TalkPart<'a> for Conversation<'a> {
    type Drafts = LetterCount;

    fn console(&mut self) -> &mut InterviewConsole<'a> {
        &mut self.console
    }

    /// What was said is shown when it is the respondent's turn.
    async fn happened(&mut self, _event: &SeenEvent) -> Result<(), Trouble> {
        Ok(())
    }

    async fn at_work(&mut self, _moment: Moment) -> Result<(), Trouble> {
        self.work.show(&mut self.console).await
    }

    async fn rest(&mut self, moment: Moment) -> Result<Rest, Trouble> {
        self.work.rests();
        let moment = IdleSession::of(moment).ok_or_else(|| self.console.follower.is_gone())?;
        if std::mem::take(&mut self.is_resumed) && self.take_up(&moment).await? {
            return Ok(Rest::Acted);
        }
        if moment.phase == Phase::Ended {
            self.ending = Ending::Over(Box::new(moment.state));
            return Ok(Rest::Ends);
        }
        if let Some(filling) = self.filling.take() {
            // Whatever was asked before stands far above by now.
            self.shown = None;
            if let Some(rest) = fill::round(self, &moment, filling).await? {
                return Ok(rest);
            }
        }
        self.turn(moment).await
    }

    async fn line(&mut self, line: TimedLine) -> Result<GoesOn, Trouble> {
        let Some(moment) = self.asked_at.take() else { return Ok(GoesOn::Yes) };
        let (screen, place) = (self.console.screen, InputPlace::of(&moment));
        let gate = moment.state.gate().filter(|_| place == InputPlace::Gate).map(|gate| gate.id.as_str());
        let is_answer = gate.is_some() && typed_answer(&line.text).is_some();
        if is_answer && self.console.is_too_early(gate, moment.phase, line.at) {
            let told = self.console.hold_back(&line.text);
            self.console.say(&screen.faintly(told))?;
            return Ok(GoesOn::Yes);
        }
        self.console.echo(words::prompt(screen.lang, place), &line.text)?;
        self.act(&moment, place, &line.text, false).await
    }
}

/// The field that is asked about.
fn field_id(moment: &IdleSession) -> String {
    moment.state.current().map_or_else(String::new, |(_, record)| record.id().to_owned())
}
