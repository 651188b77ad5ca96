//! One turn of an editor: something is said, what happens is told, gates are asked, and the end has a reason.
//!
//! A gate that the person does not answer stays open: cancelling the turn is no answer. One that is answered elsewhere
//! meanwhile, in the web or at a terminal, is no longer asked here. Words are told as they are written; a turn never ends
//! in the middle of a reply without saying so.

use enza_companion::{Command, Companion, Event, Note, Scope, State};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::application::Phase;
use enza_kernel::gate::{Gate, Given, Verdict};
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::setup;
use enza_terminal::talk::Seen;
use enza_terminal::trouble::Trouble;
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};

use super::super::follow::{self, Follower, SessionStatus};
use super::super::partial_reply::PartialReply;
use super::super::{folder_memory, gate_answer, resume};
use super::agent::{Agent, fault};
use super::messages::{PermissionOutcome, PermissionResponse, StopReason};
use super::reply_stream::ReplyStream;
use super::translate::{EventTranslator, Playback};
use super::updates::{PermissionOption, PermissionRequest};
use super::wire::Fault;
use crate::halt::Halt;
use crate::trouble::CompanionTrouble;
use crate::words::acp as words;

/// A turn under way.
pub struct EditorTurn<'a> {
    agent: &'a Agent,
    session: &'a SessionId,
    told: &'a mut EventTranslator,
    speech: ReplyStream,
    /// What the editor is asked at the moment.
    asking: Option<PendingQuestion>,
    /// Whether it went in circles.
    circles: bool,
}

/// A question to the editor.
struct PendingQuestion {
    gate: Gate,
    answer: oneshot::Receiver<Result<Value, Fault>>,
}

/// Whether the turn goes on.
enum TurnContinues {
    Yes,
    Ends(StopReason),
}

impl<'a> EditorTurn<'a> {
    /// A turn in a session.
    pub fn of(agent: &'a Agent, session: &'a SessionId, told: &'a mut EventTranslator) -> Self {
        Self { agent, session, told, speech: ReplyStream::new(agent.screen.lang), asking: None, circles: false }
    }

    /// Sends a command and follows what comes of it, until it is the person's turn again.
    pub async fn take(mut self, command: &Command, cancel: &Notify) -> Result<StopReason, Fault> {
        let engine = self.agent.working.engine.clone();
        let mut following = follow::follow(&engine, self.session, self.told.seen);
        self.send(command).await.map_err(|declined| self.fault(declined.into()))?;
        let stop = self.follow(&mut following, cancel).await;
        let left = self.speech.broke_off();
        self.agent.tell(self.session, &left);
        let stop = stop?;
        self.save_memory().await?;
        Ok(stop)
    }

    /// Gives the folder what was said and is remembered.
    async fn save_memory(&self) -> Result<(), Fault> {
        let Agent { around, screen, working, .. } = self.agent;
        let carried = resume::save_memory(around, screen, &working.engine, self.session, &self.told.state).await;
        carried.map_err(|trouble| self.fault(trouble))
    }

    async fn follow(&mut self, following: &mut Follower, cancel: &Notify) -> Result<StopReason, Fault> {
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
                    Seen::Event(event) => {
                        let Some(Ok(entry)) = event.recorded().map(Recorded::entry::<Companion>) else { continue };
                        self.event(&entry.event);
                        let updates = self.told.take(&entry, Playback::Live);
                        let updates = self.speech.happened(&entry.event, updates);
                        self.agent.tell(self.session, &updates);
                        if folder_memory::is_said_in(&entry.event) {
                            self.save_memory().await?;
                        }
                        has_changed = true;
                        TurnContinues::Yes
                    }
                    Seen::Gone => return Err(self.fault(following.is_gone())),
                    Seen::Written(thread) => {
                        self.written(&thread, following.draft(&thread));
                        TurnContinues::Yes
                    }
                    // While a person thinks, nothing is looked at again and again.
                    Seen::Quiet if self.asking.is_some() && !has_changed => TurnContinues::Yes,
                    Seen::Quiet => {
                        has_changed = false;
                        let moment = follow::status(following).await.map_err(|trouble| self.fault(trouble))?;
                        self.quiet(moment, is_cancelled)?
                    }
                },
            };
            if let TurnContinues::Ends(stop) = on {
                return Ok(stop);
            }
        }
    }

    /// What this side has to do about an event.
    fn event(&mut self, event: &Event) {
        if let Event::Noted { note: Note::Loop | Note::RoundsSpent { .. }, .. } = event {
            self.circles = true;
        }
    }

    /// Words are being written: those in front and those beside the work are told as they come.
    fn written(&mut self, thread: &str, writing: Option<&PartialReply>) {
        let state = &self.told.state;
        let is_heard = state.task_of(thread).is_some_and(|desk| desk.aside || desk.id == state.focus);
        // Pieces that come behind the event with the whole reply are no news.
        let is_awaited = is_heard && awaits(state, thread);
        let words = writing.map(PartialReply::reply).filter(|reply| is_awaited && !reply.trim().is_empty());
        let said = words.and_then(|reply| self.speech.written(thread, reply));
        self.agent.tell(self.session, said.as_slice());
    }

    /// Whether the reply that was begun will not be gone on with.
    fn is_broken_off(&self, moment: &SessionStatus) -> bool {
        moment.is_seen && self.speech.thread().is_some_and(|thread| !awaits(&moment.state, thread))
    }

    /// Nothing happens for a moment: it may be the person's turn.
    fn quiet(&mut self, moment: SessionStatus, is_cancelled: bool) -> Result<TurnContinues, Fault> {
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
            return Ok(TurnContinues::Ends(StopReason::Cancelled));
        }
        if !moment.rests || self.asking.is_some() {
            return Ok(TurnContinues::Yes);
        }
        match (moment.phase, gate) {
            (Phase::Gate, Some(gate)) => {
                self.ask(gate.clone());
                Ok(TurnContinues::Yes)
            }
            (Phase::Stuck, _) => self.stuck(&moment),
            (Phase::Gate | Phase::Waiting | Phase::Working | Phase::Ended, _) => {
                Ok(TurnContinues::Ends(if self.circles { StopReason::MaxTurnRequests } else { StopReason::EndTurn }))
            }
        }
    }

    fn stuck(&self, moment: &SessionStatus) -> Result<TurnContinues, Fault> {
        let failure = moment.state.front().and_then(|desk| moment.state.failure(desk));
        match failure {
            Some(ThreadFailure::BudgetExhausted { .. }) => Ok(TurnContinues::Ends(StopReason::MaxTokens)),
            Some(ThreadFailure::RoundsExhausted { .. }) => Ok(TurnContinues::Ends(StopReason::MaxTurnRequests)),
            Some(ThreadFailure::Malformed { .. } | ThreadFailure::Unanswered { .. }) | None => {
                let why = moment.waiting_for.clone().unwrap_or_default();
                Err(self.fault(
                    CompanionTrouble::Halted { session: self.session.clone(), halt: Halt::Failed { why } }.into(),
                ))
            }
        }
    }

    /// Puts a gate's question to the editor.
    fn ask(&mut self, gate: Gate) {
        let Some(tool_call) = self.told.asked(&gate) else { return };
        let lang = self.agent.screen.lang;
        let options =
            words::choices(lang).map(|(option_id, name, kind)| PermissionOption { option_id, name, kind }).to_vec();
        let ask = PermissionRequest { session_id: self.session.as_str(), tool_call, options };
        let answer = self.agent.wire.ask("session/request_permission", &ask);
        self.asking = Some(PendingQuestion { gate, answer });
    }

    async fn answered(&mut self, answer: Result<Value, Fault>) -> Result<TurnContinues, Fault> {
        let Some(PendingQuestion { gate, .. }) = self.asking.take() else { return Ok(TurnContinues::Yes) };
        let open = || {
            let beforehand = gate_answer::beforehand(&self.told.state, &gate);
            let halt = Halt::Gate { intent: gate.ask.intent.clone(), beforehand };
            self.fault(CompanionTrouble::Halted { session: self.session.clone(), halt }.into())
        };
        let outcome = answer.ok().and_then(|answer| serde_json::from_value::<PermissionResponse>(answer).ok());
        let option = match outcome.ok_or_else(open)?.outcome {
            PermissionOutcome::Cancelled => return Ok(TurnContinues::Ends(StopReason::Cancelled)),
            PermissionOutcome::Selected { option_id } => option_id,
        };
        let (verdict, scope) = meant(&option).ok_or_else(open)?;
        match self.send(&gate_answer::command(&gate, Given { scope, ..Given::new(verdict, None) })).await {
            // Someone else was faster, and what they said counts.
            Ok(()) | Err(Declined::Refused(_)) => Ok(TurnContinues::Yes),
            Err(declined) => Err(self.fault(declined.into())),
        }
    }

    /// The person cancels the turn: what is under way is stopped, a question stays open.
    async fn cancelled(&mut self, following: &Follower) -> Result<TurnContinues, Fault> {
        let moment = follow::status(following).await.map_err(|trouble| self.fault(trouble))?;
        if self.asking.take().is_some() || moment.phase == Phase::Gate {
            return Ok(TurnContinues::Ends(StopReason::Cancelled));
        }
        match self.send(&Command::Stop { task: None }).await {
            // There may be nothing left to stop.
            Ok(()) | Err(Declined::Refused(_)) => Ok(TurnContinues::Yes),
            Err(declined) => Err(self.fault(declined.into())),
        }
    }

    async fn send(&self, command: &Command) -> Result<(), Declined> {
        let engine = &self.agent.working.engine;
        setup::submit(engine, self.session, json!(command), &setup::new_key()).await.map(drop)
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
async fn answered(asking: &mut Option<PendingQuestion>) -> Result<Value, Fault> {
    match asking {
        Some(PendingQuestion { answer, .. }) => answer.await.unwrap_or(Ok(Value::Null)),
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
