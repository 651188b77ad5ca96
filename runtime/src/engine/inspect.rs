//! Looking at sessions: states and prompts as they were, replays.
//!
//! Everything here is derived from the log by the same functions that made it. Nothing is performed.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::application::{Phase, Standing};
use enza_kernel::conversation::{Digest, Request};
use enza_kernel::effect::Effect;
use enza_kernel::time::Seq;
use serde_json::Value;

use super::slot::{NotLoaded, SessionSlot, rebuild_state};
use super::{Declined, Engine};
use crate::host::{AnyApplication, SessionState};
use crate::seams::store::{Failure, Recorded, SessionId, SessionRow, SnapshotUse, StoredSession};

/// How long to wait for a sign of rest before looking at the log.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// A prompt, rendered again.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    pub thread: String,
    /// The last event that it had seen.
    pub asked_at: Seq,
    pub request: Request,
    /// The digest that the log keeps, where the reply is recorded.
    pub recorded: Option<Digest>,
}

impl Prompt {
    /// Whether it is, byte for byte, the prompt that was used.
    pub fn is_exact(&self) -> bool {
        self.recorded.is_none_or(|recorded| recorded == self.request.digest())
    }
}

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// How many events.
    pub events: u64,
    /// The digest of the state they lead to.
    pub state: Digest,
    /// Whether the state by way of the newest snapshot is the same, byte for byte.
    pub snapshot_agrees: bool,
    /// How many recorded prompts were rendered again.
    pub prompts: u64,
    /// Replies whose prompt could not be rendered to the same bytes.
    pub prompts_that_differ: Vec<Seq>,
}

/// A session's whole log, read as of one moment, with the rules to fold it by. Its events can be looked at even where
/// one of them cannot be read.
pub struct Past {
    pub row: SessionRow,
    /// Every event, from the first.
    pub events: Vec<Recorded>,
    pub host: Arc<dyn AnyApplication>,
}

impl Past {
    /// An event.
    pub fn event(&self, seq: Seq) -> Option<&Recorded> {
        self.events.get(usize::try_from(seq.0.checked_sub(1)?).ok()?)
    }

    /// The state as of an event.
    pub fn state_at(&self, seq: Seq) -> Result<Box<dyn SessionState>, Failure> {
        let upto = usize::try_from(seq.0).unwrap_or(usize::MAX).min(self.events.len());
        let loaded = StoredSession {
            row: SessionRow { head: Seq(upto as u64), ..self.row.clone() },
            snapshot: None,
            events: self.events[..upto].to_vec(),
            timers: Vec::new(),
        };
        Ok(rebuild_state(&*self.host, loaded)?.0)
    }

    /// The state before an event, as JSON, and the state after it.
    pub fn around(&self, seq: Seq) -> Result<(Value, Box<dyn SessionState>), Failure> {
        let mut live = self.state_at(Seq(seq.0.saturating_sub(1)))?;
        let before = live.to_json();
        if let Some(recorded) = self.event(seq) {
            let unreadable = |error| Failure::Unreadable(format!("{error} in {}", self.row.id));
            live.take(recorded).map_err(unreadable)?;
        }
        Ok((before, live))
    }
}

impl Engine {
    /// A session's row.
    pub async fn row(&self, session: &SessionId) -> Result<SessionRow, Declined> {
        let row = self.store().find(session).await.map_err(Declined::Failed)?;
        row.ok_or_else(|| Declined::UnknownSession(session.clone()))
    }

    /// Waits until this worker owes the session nothing more, and says where it stands. Loads it where need be.
    pub async fn wait_for_rest(&self, session: &SessionId) -> Result<Standing, Declined> {
        let slot = self.slot(session);
        loop {
            let mut rest = std::pin::pin!(slot.rest.notified());
            rest.as_mut().enable();
            let mut state = slot.state.lock().await;
            let mut loaded = self.take_loaded(&slot, &mut state).await.map_err(|why| not_loaded(why, session))?;
            let due = loaded.due();
            let standing = loaded.live.standing_owing(&due);
            let at_rest = standing.phase != Phase::Working && loaded.unsaved.is_empty();
            state.loaded = Some(loaded);
            if at_rest {
                return Ok(standing);
            }
            drop(state);
            // Another worker may be the one that brings it to rest; then only looking again shows it.
            if tokio::time::timeout(LOOK_AGAIN, rest).await.is_err() {
                self.forget_if_stale(&slot).await;
            }
        }
    }

    /// Drops a state that nobody here works on, so that the next look is at the log.
    async fn forget_if_stale(&self, slot: &SessionSlot) {
        let mut state = slot.state.lock().await;
        if state.is_idle() {
            state.loaded = None;
        }
    }

    /// A session's whole log.
    pub async fn past(&self, session: &SessionId) -> Result<Past, Declined> {
        let loaded = self.whole(session).await?;
        let host = self.host_of(&loaded.row).map_err(|why| not_loaded(why, session))?;
        Ok(Past { row: loaded.row, events: loaded.events, host })
    }

    /// A session's state as of an event, or as of its last.
    pub async fn state_at(&self, session: &SessionId, at: Option<Seq>) -> Result<Box<dyn SessionState>, Declined> {
        let mut loaded = self.whole(session).await?;
        let head = loaded.row.head;
        let at = at.unwrap_or(head).min(head);
        loaded.row.head = at;
        loaded.events.retain(|recorded| recorded.seq <= at);
        self.fold(loaded)
    }

    /// The prompts around an event: the one behind it, where it records a reply; else those due after it.
    pub async fn prompts_at(&self, session: &SessionId, seq: Seq) -> Result<Vec<Prompt>, Declined> {
        let recorded = self.store().events(session, Seq(seq.0.saturating_sub(1)), 1).await.map_err(Declined::Failed)?;
        let live = self.state_at(session, Some(seq)).await?;
        if let Some(reply) = recorded.first().and_then(|recorded| live.prompt_of(recorded)) {
            let then = self.state_at(session, Some(reply.asked_at)).await?;
            let mut prompts = prompts_due(&*then);
            prompts.retain(|prompt| prompt.thread == reply.thread);
            prompts.iter_mut().for_each(|prompt| prompt.recorded = Some(reply.digest));
            return Ok(prompts);
        }
        Ok(prompts_due(&*live))
    }

    /// Folds the log anew and compares what it can: the snapshot, and every recorded prompt.
    pub async fn replay(&self, session: &SessionId) -> Result<Replay, Declined> {
        let loaded = self.whole(session).await?;
        let host = self.host_of(&loaded.row).map_err(|why| not_loaded(why, session))?;
        let version = SnapshotUse::Version(host.state_version());
        let fast = self.store().load(session, version).await.map_err(Declined::Failed)?;
        let fast = fast.ok_or_else(|| Declined::UnknownSession(session.clone()))?;
        let by_snapshot = match rebuild_state(&*host, fast) {
            Ok((live, _)) => Some(live.to_snapshot()),
            // The log below says whether it is the snapshot that cannot be read, or an event.
            Err(Failure::Unreadable(_)) => None,
            Err(failure) => return Err(Declined::Failed(failure)),
        };

        let mut live = host.fresh();
        let (mut prompts, mut differ) = (0, Vec::new());
        let mut asked = std::collections::BTreeMap::new();
        for recorded in &loaded.events {
            if let Some(reply) = live.prompt_of(recorded) {
                prompts += 1;
                if asked.get(&(reply.asked_at, reply.thread)) != Some(&reply.digest) {
                    differ.push(recorded.seq);
                }
            }
            live.take(recorded).map_err(|error| not_readable(&error, session))?;
            for prompt in prompts_due(&*live) {
                asked.insert((live.seq(), prompt.thread), prompt.request.digest());
            }
        }
        let state = live.to_snapshot();
        Ok(Replay {
            events: loaded.events.len() as u64,
            snapshot_agrees: by_snapshot.as_ref() == Some(&state),
            state: Digest::of(&state),
            prompts,
            prompts_that_differ: differ,
        })
    }

    async fn whole(&self, session: &SessionId) -> Result<StoredSession, Declined> {
        let loaded = self.store().load(session, SnapshotUse::Never).await.map_err(Declined::Failed)?;
        loaded.ok_or_else(|| Declined::UnknownSession(session.clone()))
    }

    fn fold(&self, loaded: StoredSession) -> Result<Box<dyn SessionState>, Declined> {
        let session = loaded.row.id.clone();
        let host = self.host_of(&loaded.row).map_err(|why| not_loaded(why, &session))?;
        Ok(rebuild_state(&*host, loaded).map_err(Declined::Failed)?.0)
    }
}

fn prompts_due(live: &dyn SessionState) -> Vec<Prompt> {
    let due = live.due();
    let asks = due.iter().filter_map(|effect| match effect {
        Effect::AskModel(ask) => Some(ask),
        Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => None,
    });
    asks.map(|ask| Prompt {
        thread: ask.thread.clone(),
        asked_at: live.seq(),
        request: live.request(ask),
        recorded: None,
    })
    .collect()
}

pub(super) fn no_such_event(head: Seq, at: Seq) -> Declined {
    Declined::Malformed(format!("the session has events 1 to {head}, not {at}"))
}

fn not_loaded(why: NotLoaded, session: &SessionId) -> Declined {
    match why {
        NotLoaded::Unknown => Declined::UnknownSession(session.clone()),
        NotLoaded::NoApplication(name) => Declined::UnknownApplication(name),
        NotLoaded::Failed(failure) => Declined::Failed(failure),
    }
}

fn not_readable(error: &enza_kernel::application::Unreadable, session: &SessionId) -> Declined {
    Declined::Failed(Failure::Unreadable(format!("{error} in {session}")))
}
