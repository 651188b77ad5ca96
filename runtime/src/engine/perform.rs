//! Setting effects going, and bringing back what came of them.
//!
//! A model call is retried while that is worth it: when the service is busy (as long as it says),
//! broken or slow, with growing, jittered pauses. A tool is run once per attempt of the engine; whether
//! it may be attempted again is the log's to say.
//!
//! A model call that nobody waits for any more is dropped where it stands (`call.rs`). What the provider has written by then
//! it charges for, and it may have written more than was shown; so the prompt and the longest reply are counted, which is
//! the most it can have come to. A call that still waited for its turn has cost nothing.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::conversation::{Digest, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome, RunTool, Safety};
use enza_kernel::time::Seq;
use tokio::sync::oneshot;
use tracing::{Instrument as _, Span};

use super::Engine;
use super::call::{Call, Progress};
use super::metrics::{self, Counters};
use super::owner_budget::Amount;
use super::rate_limit::RateLimiter;
use super::slot::{Attempt, LoadedSession, SessionSlot, SlotState};
use crate::seams::model::{Deltas as _, ModelFailure, Piece};

/// How long a model may take for one reply in all; a client gives up far sooner on one that says nothing.
const MODEL_PATIENCE: Duration = Duration::from_secs(1_200);
/// How often a call is made before it is given up.
const MODEL_ATTEMPTS: u32 = 4;
/// The longest a service may ask us to wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Engine {
    /// Starts an effect that is not under way.
    pub(super) fn start_effect(
        &self,
        slot: &Arc<SessionSlot>,
        state: &mut SlotState,
        loaded: &mut LoadedSession,
        effect: Effect,
    ) {
        let Some(key) = effect.key() else { return };
        let ticket = self.new_ticket();
        let (engine, slot) = (self.clone(), slot.clone());
        match effect {
            Effect::AskModel(ask) => {
                loaded.uncovered += ask.reserve;
                let request = loaded.live.request(&ask);
                let seen = PromptStamp { asked_at: loaded.live.seq(), prompt: loaded.beginning.digest(&request) };
                let (call, progress, left) = Call::new(ask.clone(), &request);
                state.running.insert(key, Attempt { ticket, seen: seen.asked_at, call: Some(call) });
                let owner = loaded.owner.clone();
                self.spawn(async move {
                    let outcome = engine.ask_within_budget(&slot, &owner, &ask, request, seen, (&progress, left)).await;
                    engine.take_outcome(&slot, ticket, Effect::AskModel(ask), outcome).await;
                });
            }
            Effect::RunTool(run) => {
                if let Some(mark) = &run.started {
                    // Whatever becomes of it, it is not run again under this mark.
                    state.marks.remove(mark);
                }
                state.running.insert(key, Attempt { ticket, seen: key.seq, call: None });
                self.spawn(async move {
                    let outcome = engine.run(&slot, &run).await;
                    engine.take_outcome(&slot, ticket, Effect::RunTool(run), outcome).await;
                });
            }
            Effect::RunErrand(errand) => {
                state.running.insert(key, Attempt { ticket, seen: key.seq, call: None });
                let sender = loaded.sender(&slot.id);
                self.spawn(async move {
                    if let Some(outcome) = engine.run_errand(&slot, sender, &errand).await {
                        engine.take_outcome(&slot, ticket, Effect::RunErrand(errand), outcome).await;
                    }
                });
            }
            Effect::Wake(_) => {}
        }
    }

    /// Takes an outcome into its session, unless the attempt was given up meanwhile.
    async fn take_outcome(&self, slot: &Arc<SessionSlot>, ticket: u64, effect: Effect, outcome: Outcome) {
        let mut state = slot.state.lock().await;
        let Some(key) = effect.key() else { return };
        if state.running.get(&key).is_none_or(|attempt| attempt.ticket != ticket) {
            return;
        }
        state.running.remove(&key);
        state.outcomes.push((effect, outcome));
        self.go_on(slot, &mut state).await;
    }

    /// Asks, if the owner can pay for it, until nobody wants the reply any more.
    async fn ask_within_budget(
        &self,
        slot: &SessionSlot,
        owner: &str,
        ask: &AskModel,
        request: Request,
        seen: PromptStamp,
        (progress, left): (&Progress, oneshot::Receiver<()>),
    ) -> Outcome {
        let mut attempt = 0;
        let reserve = Amount { tokens: ask.reserve, money: self.0.setup.model.quote(&request) };
        while let Err(why) = self.hold(owner, reserve).await {
            attempt += 1;
            if !why.may_retry() || attempt >= MODEL_ATTEMPTS {
                return Outcome::Unanswered { why: why.to_string() };
            }
            tokio::time::sleep(self.jittered(Duration::from_millis(250 << attempt))).await;
        }
        let span = metrics::chat(&*self.0.setup.model, &request, &slot.id);
        let mut gone = slot.gone.subscribe();
        let outcome = tokio::select! {
            biased;
            outcome = self.ask(slot, ask, request, seen, progress).instrument(span) => outcome,
            // What came of it by then is dropped, and with it the connection: the provider stops writing.
            _ = left => Outcome::CallsLost { tokens: progress.cost_when_given_up() },
            _ = gone.wait_for(|is_gone| *is_gone) => {
                // Nobody will know what it came to. Deleting sessions must not be a way around a limit.
                self.settle_budget(owner, reserve, reserve);
                return Outcome::Unanswered { why: "the session was deleted".to_owned() };
            }
        };
        let spent = match &outcome {
            Outcome::Replied { reply, .. } => Amount { tokens: reply.usage.total(), money: reply.usage.cost },
            Outcome::CallsLost { tokens: 0 } => Amount::default(),
            Outcome::CallsLost { tokens } => Amount { tokens: *tokens, money: reserve.money },
            _ => Amount::default(),
        };
        self.settle_budget(owner, reserve, spent);
        outcome
    }

    async fn ask(
        &self,
        slot: &SessionSlot,
        ask: &AskModel,
        request: Request,
        PromptStamp { asked_at, prompt }: PromptStamp,
        progress: &Progress,
    ) -> Outcome {
        let deltas = self.0.feeds.deltas(&slot.id, &ask.thread);
        let gatekeeper = self.0.lanes.limiter(self.0.setup.model.lane(&request));
        let mut attempt = 0;
        loop {
            attempt += 1;
            let pass = gatekeeper.enter(ask.reserve).await;
            if !progress.begin() {
                return Outcome::CallsLost { tokens: 0 };
            }
            let asked = self.0.setup.model.reply(&request, &deltas);
            let reply = tokio::time::timeout(MODEL_PATIENCE, asked).await.unwrap_or(Err(ModelFailure::TimedOut));
            match &reply {
                Ok(reply) => progress.answered(reply.usage.total()),
                Err(_) => progress.failed(),
            }
            drop(pass);
            if reply.is_err() {
                Counters::count(&self.0.tallies.failed_calls, 1);
            }
            match reply {
                Ok(reply) => {
                    self.0.tallies.replied(&reply);
                    metrics::note_reply(&Span::current(), &reply);
                    return Outcome::Replied { reply, asked_at, prompt };
                }
                Err(failure) if failure.may_retry() && attempt < MODEL_ATTEMPTS => {
                    deltas.piece(Piece::Again);
                    let pause = self.pause_after(&failure, attempt, &gatekeeper);
                    tracing::debug!(session = %slot.id, thread = ask.thread, %failure, ?pause, "asking again");
                    tokio::time::sleep(pause).await;
                }
                Err(failure) => {
                    Span::current().record("error.type", failure.kind());
                    let why = failure.to_string();
                    return match failure {
                        ModelFailure::TooLong(_) => Outcome::TooLong { why },
                        ModelFailure::Busy { .. }
                        | ModelFailure::TimedOut
                        | ModelFailure::Broken(_)
                        | ModelFailure::Refused(_) => Outcome::Unanswered { why },
                    };
                }
            }
        }
    }

    /// How long to wait before the next attempt. What a provider asks for holds for everyone who asks it.
    fn pause_after(&self, failure: &ModelFailure, attempt: u32, gatekeeper: &RateLimiter) -> Duration {
        match failure {
            ModelFailure::Busy { after: Some(after) } => {
                let pause = (*after).min(LONGEST_PAUSE);
                gatekeeper.close_for(pause);
                pause
            }
            ModelFailure::Busy { after: None }
            | ModelFailure::TimedOut
            | ModelFailure::Broken(_)
            | ModelFailure::TooLong(_)
            | ModelFailure::Refused(_) => self.jittered(Duration::from_millis(250 << attempt)),
        }
    }

    /// Runs a tool in a task of its own, so that one that panics takes nothing with it.
    async fn run(&self, slot: &SessionSlot, run: &RunTool) -> Outcome {
        let (tools, session, its) = (self.0.setup.tools.clone(), slot.id.clone(), run.clone());
        let span = metrics::tool(&its.tool, &session);
        Counters::count(&self.0.tallies.tool_runs, 1);
        let task = tokio::spawn(async move { tools.run(&session, &its).await }.instrument(span));
        let abort = AbortOnDrop(task.abort_handle());
        let ended = task.await;
        drop(abort);
        match (ended, run.safety) {
            (Ok(Ok(text)), _) => Outcome::Returned { text },
            (Ok(Err(failure)), _) => Outcome::ToolFailed { why: failure.0 },
            (Err(_), Safety::Once) => Outcome::Unknown,
            (Err(_), Safety::Repeatable | Safety::Settled) => {
                Outcome::ToolFailed { why: "The tool broke down.".to_owned() }
            }
        }
    }
}

/// What a call is made with, as the log will name it.
struct PromptStamp {
    /// The last event that its prompt has seen.
    asked_at: Seq,
    prompt: Digest,
}

/// A killed engine takes its running tools with it.
struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
