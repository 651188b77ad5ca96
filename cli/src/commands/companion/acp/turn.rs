//! One turn of an editor: something is said, what happens is told, gates are asked, and the end has a reason.
//!
//! A gate that the person does not answer stays open: cancelling the turn is no answer. One that is answered elsewhere
//! meanwhile, in the web or at a terminal, is no longer asked here. Words are told as they are written; a turn never ends
//! in the middle of a reply without saying so.

use enza_applications::companion::{Command, Companion, Event, Note, Scope, State};
use enza_kernel::agent::Failure;
use enza_kernel::application::Phase;
use enza_kernel::gate::{Gate, Given, Verdict};
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::SessionId;
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};

use super::super::follow::{Following, Moment, Seen};
use super::super::unfolding::Unfolding;
use super::super::{asking, carried, going_on};
use super::agent::{Agent, fault};
use super::messages::{Answered, Outcome, Stop};
use super::speech::Speech;
use super::told::{Telling, Told};
use super::updates::{Ask, Choice};
use super::wire::Fault;
use crate::backstage;
use crate::commands::Halt;
use crate::trouble::Trouble;
use crate::words::companion::acp as words;

/// A turn under way.
pub struct Turn<'a> {
    agent: &'a Agent,
    session: &'a SessionId,
    told: &'a mut Told,
    speech: Speech,
    /// What the editor is asked at the moment.
    asking: Option<Asking>,
    /// Whether it went in circles.
    circles: bool,
}

/// A question to the editor.
struct Asking {
    gate: Gate,
    answer: oneshot::Receiver<Result<Value, Fault>>,
}

/// Whether the turn goes on.
enum On {
    Yes,
    Ends(Stop),
}

impl<'a> Turn<'a> {
    /// A turn in a session.
    pub fn of(agent: &'a Agent, session: &'a SessionId, told: &'a mut Told) -> Self {
        Self { agent, session, told, speech: Speech::new(agent.screen.lang), asking: None, circles: false }
    }

    /// Sends a command and follows what comes of it, until it is the person's turn again.
    pub async fn take(mut self, command: &Command, cancel: &Notify) -> Result<Stop, Fault> {
        let engine = self.agent.working.engine.clone();
        let mut following = Following::from(&engine, self.session, self.told.seen);
        self.send(command).await.map_err(|declined| self.fault(declined.into()))?;
        let stop = self.follow(&mut following, cancel).await;
        let left = self.speech.broke_off();
        self.agent.tell(self.session, &left);
        let stop = stop?;
        self.carry().await?;
        Ok(stop)
    }

    /// Gives the folder what was said and is remembered.
    async fn carry(&self) -> Result<(), Fault> {
        let Agent { around, screen, working, .. } = self.agent;
        let carried = going_on::carry(around, screen, &working.engine, self.session, &self.told.state).await;
        carried.map_err(|trouble| self.fault(trouble))
    }

    async fn follow(&mut self, following: &mut Following<'_>, cancel: &Notify) -> Result<Stop, Fault> {
        let (mut is_cancelled, mut has_changed) = (false, true);
        loop {
            let on = tokio::select! {
                biased;
                () = cancel.notified(), if !is_cancelled => {
                    is_cancelled = true;
                    self.cancelled(following).await?
                }
                answer = answered(&mut self.asking), if self.asking.is_some() => self.answered(answer).await?,
                seen = following.next() => match seen.map_err(|trouble| self.fault(trouble))? {
                    Seen::Event(entry) => {
                        self.event(&entry.event);
                        let updates = self.told.take(&entry, Telling::Live);
                        let updates = self.speech.happened(&entry.event, updates);
                        self.agent.tell(self.session, &updates);
                        if carried::is_said_in(&entry.event) {
                            self.carry().await?;
                        }
                        has_changed = true;
                        On::Yes
                    }
                    Seen::Gone => {
                        let part = self.session.to_string();
                        return Err(self.fault(Trouble::UnknownSession { part, near: Vec::new() }));
                    }
                    Seen::Written(thread) => {
                        self.written(&thread, following.writing(&thread));
                        On::Yes
                    }
                    // While a person thinks, nothing is looked at again and again.
                    Seen::Quiet if self.asking.is_some() && !has_changed => On::Yes,
                    Seen::Quiet => {
                        has_changed = false;
                        let moment = following.moment().await.map_err(|trouble| self.fault(trouble))?;
                        self.quiet(moment, is_cancelled)?
                    }
                },
            };
            if let On::Ends(stop) = on {
                return Ok(stop);
            }
        }
    }

    /// What this side has to do about an event.
    fn event(&mut self, event: &Event) {
        if let Event::Noted { note: Note::Loop, .. } = event {
            self.circles = true;
        }
    }

    /// Words are being written: those in front and those beside the work are told as they come.
    fn written(&mut self, thread: &str, writing: Option<&Unfolding>) {
        let state = &self.told.state;
        let is_heard = state.desk_of(thread).is_some_and(|desk| desk.aside || desk.id == state.focus);
        // Pieces that come behind the event with the whole reply are no news.
        let is_awaited = is_heard && awaits(state, thread);
        let words = writing.map(Unfolding::reply).filter(|reply| is_awaited && !reply.trim().is_empty());
        let said = words.and_then(|reply| self.speech.written(thread, reply));
        self.agent.tell(self.session, said.as_slice());
    }

    /// Whether the reply that was begun will not be gone on with.
    fn is_broken_off(&self, moment: &Moment) -> bool {
        moment.is_seen && self.speech.thread().is_some_and(|thread| !awaits(&moment.state, thread))
    }

    /// Nothing happens for a moment: it may be the person's turn.
    fn quiet(&mut self, moment: Moment, is_cancelled: bool) -> Result<On, Fault> {
        if self.is_broken_off(&moment) {
            let left = self.speech.broke_off();
            self.agent.tell(self.session, &left);
        }
        let gate = Companion::open_gate(&moment.state);
        if self.asking.as_ref().is_some_and(|asking| gate.is_none_or(|gate| gate.id != asking.gate.id)) {
            self.asking = None;
        }
        // What goes on in the background goes on; what was in front was stopped.
        let is_stopped = moment.state.front().is_none_or(|desk| !moment.state.is_busy(desk));
        if is_cancelled && is_stopped && moment.is_seen {
            return Ok(On::Ends(Stop::Cancelled));
        }
        if !moment.rests || self.asking.is_some() {
            return Ok(On::Yes);
        }
        match (moment.phase, gate) {
            (Phase::Gate, Some(gate)) => {
                self.ask(gate.clone());
                Ok(On::Yes)
            }
            (Phase::Stuck, _) => self.stuck(&moment),
            (Phase::Gate | Phase::Waiting | Phase::Working | Phase::Ended, _) => {
                Ok(On::Ends(if self.circles { Stop::MaxTurnRequests } else { Stop::EndTurn }))
            }
        }
    }

    fn stuck(&self, moment: &Moment) -> Result<On, Fault> {
        let failure = moment.state.front().and_then(|desk| moment.state.failure(desk));
        match failure {
            Some(Failure::BudgetExhausted { .. }) => Ok(On::Ends(Stop::MaxTokens)),
            Some(Failure::RoundsExhausted { .. }) => Ok(On::Ends(Stop::MaxTurnRequests)),
            Some(Failure::Malformed { .. } | Failure::Unanswered { .. }) | None => {
                let why = moment.waiting_for.clone().unwrap_or_default();
                Err(self.fault(Trouble::Companion { session: self.session.clone(), halt: Halt::Failed { why } }))
            }
        }
    }

    /// Puts a gate's question to the editor.
    fn ask(&mut self, gate: Gate) {
        let Some(tool_call) = self.told.asked(&gate) else { return };
        let lang = self.agent.screen.lang;
        let options = words::choices(lang).map(|(option_id, name, kind)| Choice { option_id, name, kind }).to_vec();
        let ask = Ask { session_id: self.session.as_str(), tool_call, options };
        let answer = self.agent.wire.ask("session/request_permission", &ask);
        self.asking = Some(Asking { gate, answer });
    }

    async fn answered(&mut self, answer: Result<Value, Fault>) -> Result<On, Fault> {
        let Some(Asking { gate, .. }) = self.asking.take() else { return Ok(On::Yes) };
        let open = || {
            let halt = Halt::Gate { intent: gate.ask.intent.clone() };
            self.fault(Trouble::Companion { session: self.session.clone(), halt })
        };
        let outcome = answer.ok().and_then(|answer| serde_json::from_value::<Answered>(answer).ok());
        let option = match outcome.ok_or_else(open)?.outcome {
            Outcome::Cancelled => return Ok(On::Ends(Stop::Cancelled)),
            Outcome::Selected { option_id } => option_id,
        };
        let (verdict, scope) = meant(&option).ok_or_else(open)?;
        match self.send(&asking::command(&gate, Given { scope, ..Given::new(verdict, None) })).await {
            // Someone else was faster, and what they said counts.
            Ok(()) | Err(Declined::Refused(_)) => Ok(On::Yes),
            Err(declined) => Err(self.fault(declined.into())),
        }
    }

    /// The person cancels the turn: what is under way is stopped, a question stays open.
    async fn cancelled(&mut self, following: &Following<'_>) -> Result<On, Fault> {
        let moment = following.moment().await.map_err(|trouble| self.fault(trouble))?;
        if self.asking.take().is_some() || moment.phase == Phase::Gate {
            return Ok(On::Ends(Stop::Cancelled));
        }
        match self.send(&Command::Stop { task: None }).await {
            // There may be nothing left to stop.
            Ok(()) | Err(Declined::Refused(_)) => Ok(On::Yes),
            Err(declined) => Err(self.fault(declined.into())),
        }
    }

    async fn send(&self, command: &Command) -> Result<(), Declined> {
        let engine = &self.agent.working.engine;
        backstage::submit(engine, self.session, json!(command), &backstage::new_key()).await.map(drop)
    }

    fn fault(&self, trouble: Trouble) -> Fault {
        fault(&trouble, self.agent.screen.lang)
    }
}

/// What a choice means, and for how long it counts.
fn meant(option: &str) -> Option<(Verdict, Scope)> {
    match option {
        words::ONCE => Some((Verdict::Yes, Scope::Once)),
        words::SESSION => Some((Verdict::Yes, Scope::Session)),
        words::PROJECT => Some((Verdict::Yes, Scope::Project)),
        words::REJECT => Some((Verdict::No, Scope::Once)),
        words::REJECT_SESSION => Some((Verdict::No, Scope::Session)),
        words::REJECT_PROJECT => Some((Verdict::No, Scope::Project)),
        _ => None,
    }
}

/// Whether a thread waits for a model's reply.
fn awaits(state: &State, thread: &str) -> bool {
    state.cast.threads.get(thread).is_some_and(|thread| thread.asking().is_some())
}

/// Waits for the editor's answer.
async fn answered(asking: &mut Option<Asking>) -> Result<Value, Fault> {
    match asking {
        Some(Asking { answer, .. }) => answer.await.unwrap_or(Ok(Value::Null)),
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::text::Lang;

    use super::*;

    #[test]
    fn every_choice_means_what_its_kind_says() {
        for (option, _, kind) in words::choices(Lang::En) {
            let (verdict, scope) = meant(option).unwrap();
            let expected = match (verdict, scope) {
                (Verdict::Yes, Scope::Once) => "allow_once",
                (Verdict::Yes, Scope::Session | Scope::Project) => "allow_always",
                (Verdict::No, Scope::Once) => "reject_once",
                (Verdict::No, Scope::Session | Scope::Project) => "reject_always",
            };
            assert_eq!(kind, expected, "{option}");
        }
        assert_eq!(meant("nonsense"), None);
    }
}
