//! A session's slot in memory: its state, what ran ahead of the log, and what is under way.
//!
//! The state is a cache. Whoever works on it takes it out of its slot and puts it back when all
//! went well; after a panic, a conflict or a failed save it is simply not put back, and the next one
//! loads it again. What is under way in this process is kept beside it and survives that.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use enza_kernel::application::Row;
use enza_kernel::conversation::{PromptPrefix, Usage};
use enza_kernel::effect::{Effect, Key, Outcome, Wake};
use enza_kernel::time::{Seq, Timestamp};
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::Instant;

use super::Engine;
use super::call::Call;
use super::lost_calls::{LostCalls, crash_charge};
use crate::host::{AnyApplication, Decided, SessionState};
use crate::seams::store::{
    Failure, NewEvent, SessionId, SessionOpening, SessionRow, SnapshotUse, Spent, StoredSession,
};

/// A session's slot in the engine.
pub(super) struct SessionSlot {
    pub id: SessionId,
    pub state: Mutex<SlotState>,
    /// Told whenever the session comes to rest.
    pub rest: Notify,
    /// Whether the session was deleted: calls that are under way for it are given up.
    pub gone: watch::Sender<bool>,
}

impl SessionSlot {
    pub fn new(id: SessionId) -> Self {
        let state = SlotState {
            loaded: None,
            outcomes: Vec::new(),
            running: HashMap::new(),
            marks: HashSet::new(),
            holds: false,
            lost: LostCalls::default(),
            elsewhere: false,
            forked: false,
            lingering: false,
            retries: 0,
            retrying: false,
            used_at: Instant::now(),
        };
        Self { id, state: Mutex::new(state), rest: Notify::new(), gone: watch::Sender::new(false) }
    }
}

/// What the slot's lock guards.
pub(super) struct SlotState {
    /// The loaded session; absent until loaded, and after anything went wrong.
    pub loaded: Option<LoadedSession>,
    /// Outcomes that are not saved yet, in the order they came.
    pub outcomes: Vec<(Effect, Outcome)>,
    /// Effects under way in this process.
    pub running: HashMap<Key, Attempt>,
    /// The marks of starts that this process has tried to record and not yet acted upon: a recorded one of them is its own
    /// to run, once.
    pub marks: HashSet<String>,
    /// Whether this worker holds the session's lease, as far as it knows. Only then does it perform anything.
    pub holds: bool,
    /// Calls made here whose replies can no longer be recorded, until it is in the log that they count.
    pub lost: LostCalls,
    /// Whether another worker holds the session.
    pub elsewhere: bool,
    /// Whether the session is a fork that was made here.
    pub forked: bool,
    /// Whether a delayed save is on its way.
    pub lingering: bool,
    /// Failed attempts to go on, in a row.
    pub retries: u32,
    /// Whether another attempt is on its way.
    pub retrying: bool,
    /// When it was last of use.
    pub used_at: Instant,
}

impl SlotState {
    /// Whether forgetting the slot loses nothing.
    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
            && self.outcomes.is_empty()
            && !self.retrying
            && self.loaded.as_ref().is_none_or(|loaded| loaded.unsaved.is_empty())
    }

    /// Forgets everything, once the session is deleted. What comes of attempts under way is dropped when it comes.
    pub fn clear(&mut self) {
        self.loaded = None;
        self.outcomes.clear();
        self.running.clear();
        self.marks.clear();
        self.holds = false;
        self.forked = false;
        self.lost = LostCalls::default();
    }

    /// Drops the state after a save that did not go through. What was attempted for unsaved events goes with it, and
    /// so does what was asked on a state that has seen some: after a reload the same places may hold something else.
    /// Model calls among them count as lost.
    pub fn forget_unsaved(&mut self, saved: Seq) {
        self.loaded = None;
        self.holds = false;
        let lost = &mut self.lost;
        self.running.retain(|key, attempt| {
            let stays = key.seq <= saved && attempt.seen <= saved;
            if let Some(call) = attempt.call.as_ref().filter(|_| !stays) {
                lost.add(call.ask(), call.ask().reserve);
            }
            stays
        });
        self.outcomes.retain(|(effect, outcome)| {
            let is_known = effect.key().is_none_or(|key| key.seq <= saved);
            let (stays, cost) = match outcome {
                Outcome::Replied { reply, asked_at, .. } => (is_known && *asked_at <= saved, reply.usage.total()),
                Outcome::CallsLost { tokens } => (is_known, *tokens),
                Outcome::Unanswered { .. }
                | Outcome::TooLong { .. }
                | Outcome::Starting { .. }
                | Outcome::Returned { .. }
                | Outcome::ToolFailed { .. }
                | Outcome::Unknown
                | Outcome::Delivered { .. }
                | Outcome::Declined { .. }
                | Outcome::Found { .. }
                | Outcome::Rang => (is_known, 0),
            };
            if let Effect::AskModel(ask) = effect
                && !stays
            {
                lost.add(ask, cost);
            }
            stays
        });
    }

    /// Whether an effect is under way here, or has come to an end here that is still to be saved.
    pub fn has_in_hand(&self, effect: &Effect) -> bool {
        effect.key().is_some_and(|key| {
            self.running.contains_key(&key) || self.outcomes.iter().any(|(settled, _)| settled.key() == Some(key))
        })
    }
}

/// An attempt at an effect.
pub(super) struct Attempt {
    /// Its number among all attempts of this engine.
    pub ticket: u64,
    /// The last event that it was made with: for a model call, the last that its prompt has seen.
    pub seen: Seq,
    /// The model call, where it is one. A tool is never given up.
    pub call: Option<Call>,
}

/// Where a session comes from, which decides how much of what it owes is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was opened.
    Own,
    /// It is a fork, and runs no errands.
    Fork,
    /// It only tries how else it might have gone: no timer wakes it either.
    QuietFork,
}

impl Origin {
    fn of(row: &SessionRow) -> Self {
        match (&row.parent, row.quiet) {
            (None, _) => Self::Own,
            (Some(_), false) => Self::Fork,
            (Some(_), true) => Self::QuietFork,
        }
    }
}

/// A loaded session.
pub(super) struct LoadedSession {
    pub host: Arc<dyn AnyApplication>,
    pub live: Box<dyn SessionState>,
    /// What is owed in this state, where that has been asked for.
    due: Option<Arc<[Effect]>>,
    /// What the prompt of its last model call began with.
    pub beginning: PromptPrefix,
    /// Who pays for its model calls.
    pub owner: Arc<str>,
    pub origin: Origin,
    /// The time of its last event.
    pub last_at: Timestamp,
    /// What the session is, where its first append is still to come.
    pub opening: Option<SessionOpening>,
    /// The last event in the log.
    pub saved: Seq,
    /// Events decided after it.
    pub unsaved: Vec<NewEvent>,
    /// Their table rows.
    pub rows: Vec<Row>,
    /// What they leave in the program's own log.
    pub logged: Vec<String>,
    /// What they spent, by model.
    pub spent: Vec<Spent>,
    /// How many of the slot's outcomes are in the state.
    pub taken: usize,
    /// The timers in the store.
    pub timers: Vec<Wake>,
    /// The last event in the newest snapshot.
    pub snapshot_at: Seq,
    /// Whether what is unsaved must be saved before anything is performed.
    pub must_save: bool,
    /// Tokens of model calls that a crash after the last save would be charged for.
    pub cover: u64,
    /// Tokens set aside for calls made since.
    pub uncovered: u64,
    /// Whether another process may have had calls under way, which are yet to be counted.
    pub ran_elsewhere: bool,
    /// How many tokens of the slot's lost calls are counted in what is unsaved.
    pub counted: u64,
}

impl LoadedSession {
    /// A session before its first event.
    pub fn opening(host: Arc<dyn AnyApplication>, opening: SessionOpening) -> Self {
        let loaded = Self::at(host.fresh(), host, &opening.owner, Vec::new(), Seq::START);
        Self { opening: Some(opening), ..loaded }
    }

    fn at(
        live: Box<dyn SessionState>,
        host: Arc<dyn AnyApplication>,
        owner: &str,
        timers: Vec<Wake>,
        snapshot_at: Seq,
    ) -> Self {
        let saved = live.seq();
        let due: Arc<[Effect]> = live.due().into();
        let cover = crash_charge(&due);
        Self {
            host,
            live,
            due: Some(due),
            beginning: PromptPrefix::default(),
            owner: owner.into(),
            origin: Origin::Own,
            last_at: Timestamp(i64::MIN),
            opening: None,
            saved,
            unsaved: Vec::new(),
            rows: Vec::new(),
            logged: Vec::new(),
            spent: Vec::new(),
            taken: 0,
            timers,
            snapshot_at,
            must_save: false,
            cover,
            uncovered: 0,
            ran_elsewhere: false,
            counted: 0,
        }
    }

    /// Takes decided events to be saved.
    pub fn push(&mut self, decided: Vec<Decided>, at: Timestamp) {
        self.due = None;
        self.last_at = if decided.is_empty() { self.last_at } else { at };
        for Decided { stored, rows, logged } in decided {
            self.unsaved.push(NewEvent { at, stored });
            self.rows.extend(rows);
            self.logged.extend(logged);
        }
    }

    /// Counts what was spent on a model, to be saved with the events that spent it.
    pub fn spend(&mut self, model: &str, usage: Usage, calls: u64) {
        match self.spent.iter_mut().find(|spent| spent.model == model) {
            Some(spent) => {
                spent.usage = spent.usage.plus(usage);
                spent.calls += calls;
            }
            None => self.spent.push(Spent { model: model.to_owned(), usage, calls }),
        }
    }

    /// Counts what calls may have cost of which nothing came. Nobody knows any more whose they were.
    pub fn spend_unknown(&mut self, tokens: u64) {
        self.spend("", Usage { input: tokens, ..Usage::default() }, 0);
    }

    /// What is owed in this state. Asked for many times between two changes, and derived once.
    pub fn due(&mut self) -> Arc<[Effect]> {
        self.due.get_or_insert_with(|| self.live.due().into()).clone()
    }

    /// The timers that the state calls for; of a quiet fork none.
    pub fn timers_due(&mut self) -> Vec<Wake> {
        match self.origin {
            Origin::Own | Origin::Fork => timers_in(&self.due()),
            Origin::QuietFork => Vec::new(),
        }
    }
}

/// The timers among what is due, in order.
pub(super) fn timers_in(due: &[Effect]) -> Vec<Wake> {
    let timer = |effect: &Effect| match effect {
        Effect::Wake(wake) => Some(wake.clone()),
        Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) => None,
    };
    let mut timers: Vec<_> = due.iter().filter_map(timer).collect();
    timers.sort();
    timers
}

/// Why a session could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotLoaded {
    Unknown,
    NoApplication(String),
    Failed(Failure),
}

impl From<Failure> for NotLoaded {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Engine {
    /// Takes the loaded session out of its slot, loading it where it is not there.
    pub(super) async fn take_loaded(
        &self,
        slot: &SessionSlot,
        state: &mut SlotState,
    ) -> Result<LoadedSession, NotLoaded> {
        state.used_at = Instant::now();
        if let Some(loaded) = state.loaded.take() {
            return Ok(loaded);
        }
        let row = self.store().find(&slot.id).await?.ok_or(NotLoaded::Unknown)?;
        let host = self.host_of(&row)?;
        let snapshots = SnapshotUse::Version(host.state_version());
        let stored = self.store().load(&slot.id, snapshots).await?.ok_or(NotLoaded::Unknown)?;
        // Of a fork that was made here it is known that nobody else has called anything: they would have counted first, and its
        // head would have moved.
        let never_ran = state.forked && stored.row.parent.as_ref().is_some_and(|(_, at)| *at == stored.row.head);
        let timers = stored.timers.clone();
        let (live, snapshot_at) = match rebuild_state(&*host, stored) {
            Err(Failure::Unreadable(why)) => {
                tracing::warn!(session = %slot.id, why, "loading every event instead of the snapshot");
                let whole = self.store().load(&slot.id, SnapshotUse::Never).await?.ok_or(NotLoaded::Unknown)?;
                rebuild_state(&*host, whole)?
            }
            woken => woken?,
        };
        let mut loaded = LoadedSession::at(live, host, &row.owner, timers, snapshot_at);
        loaded.ran_elsewhere = !never_ran;
        loaded.origin = Origin::of(&row);
        loaded.last_at = row.changed_at;
        Ok(loaded)
    }

    pub(super) fn host_of(&self, row: &SessionRow) -> Result<Arc<dyn AnyApplication>, NotLoaded> {
        self.applications().find(&row.application).ok_or_else(|| NotLoaded::NoApplication(row.application.clone()))
    }
}

/// The state of a loaded session, and the snapshot it started from.
pub(super) fn rebuild_state(
    host: &dyn AnyApplication,
    loaded: StoredSession,
) -> Result<(Box<dyn SessionState>, Seq), Failure> {
    let mut live = match &loaded.snapshot {
        Some(snapshot) => host.restore_snapshot(snapshot.seq, &snapshot.body).ok_or_else(|| {
            Failure::Unreadable(format!("the snapshot of session {} at event {}", loaded.row.id, snapshot.seq))
        })?,
        None => host.fresh(),
    };
    let snapshot_at = live.seq();
    for recorded in &loaded.events {
        if recorded.seq != live.seq().next() {
            let why = format!("session {}: event {} follows {}", loaded.row.id, recorded.seq, live.seq());
            return Err(Failure::Damaged(why));
        }
        live.take(recorded).map_err(|error| Failure::Unreadable(format!("{error} in {}", loaded.row.id)))?;
    }
    if live.seq() != loaded.row.head {
        let why = format!("session {} ends at {}, its row says {}", loaded.row.id, live.seq(), loaded.row.head);
        return Err(Failure::Damaged(why));
    }
    Ok((live, snapshot_at))
}
