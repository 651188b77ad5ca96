//! Commands: opened, decided, saved, and only then acknowledged.
//!
//! A command runs to its end even if whoever sent it goes away, so that a lost connection never leaves
//! a session half-way. With an idempotency key it is accepted at most once, however often it is sent.

use std::sync::Arc;

use enza_kernel::time::{Actor, Seq};
use serde_json::Value;

use super::Engine;
use super::advance::Unsaved;
use super::metrics::Counters;
use super::slot::{LoadedSession, NotLoaded, SessionSlot, SlotState};
use crate::host::{NotDecided, Refused};
use crate::seams::store::{Accepted, Failure, SessionId, SessionOpening};

/// The most bytes a command may have.
pub const COMMAND_BYTES: usize = 1 << 20;
/// How often to decide anew after another writer was faster.
const ATTEMPTS: usize = 16;

/// A command on its way in.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The command, as the application's JSON.
    pub command: Value,
    pub by: Actor,
    /// The client's key for it, where it has one.
    pub key: Option<String>,
}

/// A command was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// The last event it led to; it is in the log.
    pub seq: Seq,
    /// Whether it had been accepted before.
    pub repeated: bool,
}

/// A command was not accepted, and changed nothing that anyone was told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declined {
    UnknownSession(SessionId),
    UnknownApplication(String),
    /// A session of that name exists.
    NameTaken(SessionId),
    /// It is not a command of the application.
    Malformed(String),
    TooLarge {
        /// Its size in bytes.
        bytes: usize,
        /// The most there may be.
        most: usize,
    },
    /// The application said no.
    Refused(Refused),
    /// Others were faster every time.
    Contended,
    /// The world broke. It may have been accepted: send it again with the same key.
    Failed(Failure),
}

impl Engine {
    /// Opens a session with its first command. One that is to belong to a session that is not there is declined with
    /// that one's name.
    pub async fn open(
        &self,
        session: &SessionId,
        opening: SessionOpening,
        submission: Submission,
    ) -> Result<Receipt, Declined> {
        submission.refuse_as_errand()?;
        self.open_from_anyone(session, opening, submission).await
    }

    /// The same, by another session too.
    pub(super) async fn open_from_anyone(
        &self,
        session: &SessionId,
        opening: SessionOpening,
        submission: Submission,
    ) -> Result<Receipt, Declined> {
        let Some(host) = self.applications().find(&opening.application) else {
            return Err(Declined::UnknownApplication(opening.application));
        };
        let answer = self.to_the_end(session, move |engine, slot| async move {
            let mut state = slot.state.lock().await;
            if state.loaded.is_some() || engine.store().find(&slot.id).await.map_err(Declined::Failed)?.is_some() {
                return engine.opened_before(&slot, &submission).await;
            }
            state.loaded = Some(LoadedSession::opening(host, opening));
            let receipt = engine.command(&slot, &mut state, submission).await;
            if state.loaded.as_ref().is_some_and(|loaded| loaded.opening.is_some()) {
                state.loaded = None;
            }
            receipt
        });
        self.counted(answer.await)
    }

    /// Asks a session to do something.
    pub async fn submit(&self, session: &SessionId, submission: Submission) -> Result<Receipt, Declined> {
        submission.refuse_as_errand()?;
        self.submit_from_anyone(session, submission).await
    }

    /// The same, by another session too.
    pub(super) async fn submit_from_anyone(
        &self,
        session: &SessionId,
        submission: Submission,
    ) -> Result<Receipt, Declined> {
        let answer = self.to_the_end(session, |engine, slot| async move {
            let mut state = slot.state.lock().await;
            engine.command(&slot, &mut state, submission).await
        });
        self.counted(answer.await)
    }

    pub(super) async fn command(
        &self,
        slot: &Arc<SessionSlot>,
        state: &mut SlotState,
        submission: Submission,
    ) -> Result<Receipt, Declined> {
        let bytes = submission.command.to_string().len();
        if bytes > COMMAND_BYTES {
            return Err(Declined::TooLarge { bytes, most: COMMAND_BYTES });
        }
        state.elsewhere = false;
        for _ in 0..ATTEMPTS {
            let mut loaded = self.take_loaded(slot, state).await.map_err(|why| why.declined(slot))?;
            if !loaded.unsaved.is_empty() {
                // Finding out by a save would cost what is under way ahead of the log.
                let before = self.accepted_before(slot, &submission).await;
                if let Some(told) = before.map(|seq| seq.map(|seq| Receipt { seq, repeated: true })).transpose() {
                    state.loaded = Some(loaded);
                    return told;
                }
            }
            let elsewhere = self.calls_elsewhere(state, &mut loaded);
            self.settle_outcomes(state, &mut loaded);
            let now = self.now(&loaded, submission.by.clone());
            let decided = match loaded.live.decide(submission.command.clone(), &now) {
                Ok(decided) => decided,
                Err(no) => match self.is_current(slot, &loaded).await {
                    Ok(true) => {
                        state.loaded = Some(loaded);
                        return self.unless_repeated(slot, &submission, no).await;
                    }
                    Ok(false) => {
                        state.forget_unsaved(loaded.saved);
                        self.try_again_later(slot, state);
                        continue;
                    }
                    Err(failure) => {
                        state.loaded = Some(loaded);
                        return Err(Declined::Failed(failure));
                    }
                },
            };
            let changes_nothing = decided.is_empty();
            loaded.push(decided, now.time);
            let seq = loaded.live.seq();
            if changes_nothing && loaded.unsaved.is_empty() {
                state.loaded = Some(loaded);
                return Ok(Receipt { seq, repeated: false });
            }
            let accepted = submission.key.clone().map(|key| Accepted { key, seq });
            if state.elsewhere {
                self.count_calls_of_holder(&mut loaded, &elsewhere);
            } else {
                self.give_up_calls(state, &mut loaded);
                self.count_lost_calls(state, &mut loaded, &elsewhere);
                self.record_starts(state, &mut loaded);
            }
            let opening = loaded.opening.clone();
            match self.save(slot, state, &mut loaded, accepted).await {
                Ok(()) => {
                    self.after_acknowledging(slot, state, loaded).await;
                    return Ok(Receipt { seq, repeated: false });
                }
                Err(Unsaved::Duplicate(seq)) => {
                    self.try_again_later(slot, state);
                    return Ok(Receipt { seq, repeated: true });
                }
                Err(Unsaved::Conflict) => {
                    if let Some(opening) = opening {
                        return Err(self.not_opened(slot, opening).await);
                    }
                }
                Err(Unsaved::Failed(failure)) => {
                    if opening.is_none() {
                        self.try_again_later(slot, state);
                    }
                    return Err(Declined::Failed(failure));
                }
            }
        }
        self.try_again_later(slot, state);
        Err(Declined::Contended)
    }

    /// Why the store did not take a new session: the one it is to belong to is gone, or the name is not free.
    async fn not_opened(&self, slot: &SessionSlot, opening: SessionOpening) -> Declined {
        let Some(of) = opening.of else { return Declined::NameTaken(slot.id.clone()) };
        match self.store().find(&of).await {
            Ok(Some(_)) => Declined::NameTaken(slot.id.clone()),
            Ok(None) => Declined::UnknownSession(of),
            Err(failure) => Declined::Failed(failure),
        }
    }

    /// Whether the state is that of the log: before a command is refused, because another worker may have taken a turn.
    async fn is_current(&self, slot: &SessionSlot, loaded: &LoadedSession) -> Result<bool, Failure> {
        if loaded.opening.is_some() {
            return Ok(true);
        }
        let row = self.store().find(&slot.id).await?;
        Ok(row.is_some_and(|row| row.head == loaded.saved))
    }

    /// The command is in the log; what it made due is set going. A failure here is the session's to retry.
    async fn after_acknowledging(&self, slot: &Arc<SessionSlot>, state: &mut SlotState, mut loaded: LoadedSession) {
        if state.elsewhere {
            return;
        }
        match self.advance(slot, state, &mut loaded).await {
            Ok(()) => state.loaded = Some(loaded),
            Err(unsaved) => {
                tracing::warn!(session = %slot.id, ?unsaved, "could not go on after a command; will try again");
                self.try_again_later(slot, state);
            }
        }
    }

    /// A refusal stands, unless this very command was accepted before and the refusal only says so.
    async fn unless_repeated(
        &self,
        slot: &SessionSlot,
        submission: &Submission,
        no: NotDecided,
    ) -> Result<Receipt, Declined> {
        if let Some(seq) = self.accepted_before(slot, submission).await? {
            return Ok(Receipt { seq, repeated: true });
        }
        Err(match no {
            NotDecided::Malformed(why) => Declined::Malformed(why),
            NotDecided::Refused(refused) => Declined::Refused(refused),
        })
    }

    /// Where this very command ended, if it was accepted before.
    async fn accepted_before(&self, slot: &SessionSlot, submission: &Submission) -> Result<Option<Seq>, Declined> {
        let Some(key) = &submission.key else { return Ok(None) };
        self.store().accepted(&slot.id, key).await.map_err(Declined::Failed)
    }

    async fn opened_before(&self, slot: &SessionSlot, submission: &Submission) -> Result<Receipt, Declined> {
        if let Some(seq) = self.accepted_before(slot, submission).await? {
            return Ok(Receipt { seq, repeated: true });
        }
        Err(Declined::NameTaken(slot.id.clone()))
    }

    /// Runs work on a session as a task of its own.
    pub(super) async fn to_the_end<T, W>(
        &self,
        session: &SessionId,
        work: impl FnOnce(Engine, Arc<SessionSlot>) -> W,
    ) -> Result<T, Declined>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Declined>> + Send + 'static,
    {
        if self.is_closing() {
            return Err(Declined::Failed(Failure::Unreachable("Enza is shutting down".to_owned())));
        }
        let (send, receive) = tokio::sync::oneshot::channel();
        let work = work(self.clone(), self.slot(session));
        self.spawn(async move {
            let _ = send.send(work.await);
        });
        receive.await.unwrap_or_else(|_| {
            Err(Declined::Failed(Failure::Unreachable("Enza stopped before the answer was known".to_owned())))
        })
    }

    fn counted(&self, answer: Result<Receipt, Declined>) -> Result<Receipt, Declined> {
        let tallies = &self.0.tallies;
        Counters::count(if answer.is_ok() { &tallies.commands } else { &tallies.declined }, 1);
        answer
    }
}

impl NotLoaded {
    fn declined(self, slot: &SessionSlot) -> Declined {
        match self {
            Self::Unknown => Declined::UnknownSession(slot.id.clone()),
            Self::NoApplication(name) => Declined::UnknownApplication(name),
            Self::Failed(failure) => Declined::Failed(failure),
        }
    }
}
