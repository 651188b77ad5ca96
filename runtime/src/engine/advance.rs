//! What happens after a change: outcomes are settled, starts recorded, saves made where a promise
//! needs one, and due effects set going.
//!
//! A save is one synced transaction, so there are as few as the promises allow. It is made before a
//! person is told that a command was accepted, before a tool that must not be repeated starts, at the
//! end of a turn, and before model calls run further ahead than a crash would be charged for. What runs
//! ahead of the log otherwise is saved a moment later anyway, so that watchers see it and a crash
//! loses little.
//!
//! A model call that the state no longer calls for is given up, and what it may have cost is counted. A tool is not: it
//! has begun to do something, and how to end that is the application's to say.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use enza_kernel::effect::{Effect, Key, Outcome, RunTool, Safety};
use enza_kernel::errand::ErrandKind;
use enza_kernel::time::{Actor, Seq};

use super::Engine;
use super::lost_calls::{crash_charge, reserve};
use super::metrics::Counters;
use super::slot::{LoadedSession, NotLoaded, SessionSlot, SlotState};
use crate::seams::store::{Accepted, Append, Appended, Failure, LEASE, Lease, Snapshot};

/// How long events may stay unsaved while a turn goes on.
const LINGER: Duration = Duration::from_millis(50);
/// How many events may come before the next snapshot.
const SNAPSHOT_EVERY: u64 = 1_000;
/// How often to go on at once after another worker was faster.
const CONFLICTS: u32 = 16;

/// Why a save did not go through. The state it came from must be dropped.
#[derive(Debug)]
pub(super) enum Unsaved {
    /// The log has moved on.
    Conflict,
    /// The command had been accepted before.
    Duplicate(Seq),
    /// The world broke; nobody knows whether it was saved.
    Failed(Failure),
}

impl Engine {
    /// Settles what has come in and does what is due; after a failure, tries again later.
    pub(super) async fn go_on(&self, slot: &Arc<SessionSlot>, state: &mut SlotState) {
        for _ in 0..CONFLICTS {
            match self.try_to_go_on(slot, state).await {
                Ok(()) => {
                    state.retries = 0;
                    return;
                }
                Err(Unsaved::Conflict | Unsaved::Duplicate(_)) => {}
                Err(Unsaved::Failed(failure)) => {
                    tracing::warn!(session = %slot.id, %failure, "could not go on; will try again");
                    break;
                }
            }
        }
        self.try_again_later(slot, state);
    }

    async fn try_to_go_on(&self, slot: &Arc<SessionSlot>, state: &mut SlotState) -> Result<(), Unsaved> {
        let mut loaded = match self.take_loaded(slot, state).await {
            Ok(loaded) => loaded,
            Err(NotLoaded::Failed(failure)) => return Err(Unsaved::Failed(failure)),
            Err(NotLoaded::Unknown | NotLoaded::NoApplication(_)) => {
                state.outcomes.clear();
                return Ok(());
            }
        };
        let elsewhere = self.calls_elsewhere(state, &mut loaded);
        self.count_lost_calls(state, &mut loaded, &elsewhere);
        self.settle_outcomes(state, &mut loaded);
        if state.elsewhere {
            self.count_calls_of_holder(&mut loaded, &elsewhere);
        }
        self.advance(slot, state, &mut loaded).await?;
        state.loaded = Some(loaded);
        Ok(())
    }

    /// Takes outcomes into the state whose effects are still due; the others came too late and change nothing, but what a
    /// call that was given up may have cost is counted.
    pub(super) fn settle_outcomes(&self, state: &SlotState, loaded: &mut LoadedSession) {
        for (effect, outcome) in &state.outcomes[loaded.taken..] {
            loaded.taken += 1;
            if !outcome.is_only_a_cost() && !loaded.due().iter().any(|due| same(due, effect)) {
                continue;
            }
            let now = self.now(loaded, if effect.key().is_some() { Actor::Runtime } else { Actor::Clock });
            match outcome {
                Outcome::Replied { reply, .. } => loaded.spend(&reply.model, reply.usage, 1),
                Outcome::CallsLost { tokens } => loaded.spend_unknown(*tokens),
                Outcome::Unanswered { .. }
                | Outcome::TooLong { .. }
                | Outcome::Starting { .. }
                | Outcome::Returned { .. }
                | Outcome::ToolFailed { .. }
                | Outcome::Unknown
                | Outcome::Delivered { .. }
                | Outcome::Declined { .. }
                | Outcome::Found { .. }
                | Outcome::Rang => {}
            }
            let decided = loaded.live.settle(effect, outcome.clone(), &now);
            loaded.push(decided, now.time);
        }
    }

    /// Does what the state calls for.
    pub(super) async fn advance(
        &self,
        slot: &Arc<SessionSlot>,
        state: &mut SlotState,
        loaded: &mut LoadedSession,
    ) -> Result<(), Unsaved> {
        if state.elsewhere {
            return self.leave_to_another(slot, state, loaded).await;
        }
        self.give_up_calls(state, loaded);
        self.count_lost_calls(state, loaded, &[]);
        self.record_starts(state, loaded);
        let due = loaded.due();
        let owed: Vec<Effect> = due
            .iter()
            .filter(|effect| {
                effect.key().is_some_and(|key| !state.running.contains_key(&key)) && may_begin(state, effect)
            })
            .cloned()
            .collect();
        let turn_is_over = owed.is_empty() && state.running.is_empty();
        let ahead = loaded.uncovered + reserve(&owed) > loaded.cover;
        let unsaved = !loaded.unsaved.is_empty() || (turn_is_over && loaded.timers_due() != loaded.timers);
        let unleased = !owed.is_empty() && !state.holds;
        if unleased || (unsaved && (loaded.must_save || turn_is_over || ahead)) {
            self.save(slot, state, loaded, None).await?;
        }
        for effect in owed {
            self.start_effect(slot, state, loaded, effect);
        }
        if loaded.unsaved.is_empty() {
            // Whatever is left came too late and changed nothing.
            state.outcomes.clear();
            loaded.taken = 0;
        } else {
            self.save_soon(slot, state);
        }
        if turn_is_over {
            state.marks.clear();
            slot.rest.notify_waiters();
        }
        Ok(())
    }

    /// Another worker holds the session: what came of our own attempts is added to its log, and the rest is its to do.
    async fn leave_to_another(
        &self,
        slot: &Arc<SessionSlot>,
        state: &mut SlotState,
        loaded: &mut LoadedSession,
    ) -> Result<(), Unsaved> {
        if !loaded.unsaved.is_empty() {
            self.save(slot, state, loaded, None).await?;
        }
        state.outcomes.clear();
        loaded.taken = 0;
        Ok(())
    }

    /// Records the start of tools that must not be repeated, and what nobody knows about those a dead process started. What
    /// led to a settled one is saved before it runs.
    pub(super) fn record_starts(&self, state: &mut SlotState, loaded: &mut LoadedSession) {
        // One that is recorded as unknown may make the next one due, whose start is to be recorded too.
        let mut recorded = HashSet::new();
        while let Some(run) = unrecorded(state, loaded, &recorded) {
            recorded.insert(run.key);
            let outcome = match run.started {
                Some(_) => Outcome::Unknown,
                None => Outcome::Starting { mark: self.new_mark(state) },
            };
            let now = self.now(loaded, Actor::Runtime);
            let decided = loaded.live.settle(&Effect::RunTool(run), outcome, &now);
            loaded.push(decided, now.time);
            loaded.must_save = true;
        }
        let is_ahead = loaded.saved < loaded.live.seq();
        loaded.must_save |= is_ahead && loaded.due().iter().any(|effect| is_settled_and_to_run(state, effect));
    }

    fn new_mark(&self, state: &mut SlotState) -> String {
        let mark = format!("{}#{}", self.0.setup.worker, self.new_ticket());
        state.marks.insert(mark.clone());
        mark
    }

    /// Appends everything unsaved in one transaction.
    pub(super) async fn save(
        &self,
        slot: &Arc<SessionSlot>,
        state: &mut SlotState,
        loaded: &mut LoadedSession,
        accepted: Option<Accepted>,
    ) -> Result<(), Unsaved> {
        let append = self.append_of(slot, state, loaded, accepted);
        let saved = loaded.saved;
        let holds = matches!(append.lease, Lease::Hold { .. });
        let snapshot_at = append.snapshot.as_ref().map(|snapshot| snapshot.seq);
        let timers = append.timers.clone();
        let shown = self.0.feeds.copy(&slot.id, saved, &append.events);
        match self.store().append(append).await {
            Ok(Appended::Appended(head)) => {
                debug_assert_eq!(head, loaded.live.seq());
                Counters::count(&self.0.tallies.events, head.0 - saved.0);
                loaded.saved = head;
                for line in loaded.logged.drain(..) {
                    tracing::debug!(session = %slot.id, "{line}");
                }
                loaded.opening = None;
                loaded.must_save = false;
                state.holds = holds;
                state.lost.counted(std::mem::take(&mut loaded.counted));
                loaded.taken = 0;
                state.outcomes.clear();
                loaded.snapshot_at = snapshot_at.unwrap_or(loaded.snapshot_at);
                if let Some(timers) = timers {
                    self.wake_scheduler(&timers);
                    loaded.timers = timers;
                }
                let due = loaded.due();
                loaded.cover = crash_charge(&due);
                loaded.uncovered = reserve(&running_only(&due, state));
                self.0.feeds.saved(&slot.id, shown);
                Ok(())
            }
            Ok(Appended::Conflict { head }) => {
                state.elsewhere = head == saved;
                state.forget_unsaved(saved);
                Err(Unsaved::Conflict)
            }
            Ok(Appended::Duplicate { seq }) => {
                state.forget_unsaved(saved);
                Err(Unsaved::Duplicate(seq))
            }
            Err(failure) => {
                state.forget_unsaved(saved);
                Err(Unsaved::Failed(failure))
            }
        }
    }

    fn append_of(
        &self,
        slot: &SessionSlot,
        state: &SlotState,
        loaded: &mut LoadedSession,
        accepted: Option<Accepted>,
    ) -> Append {
        let due = loaded.due();
        let standing = loaded.live.standing_owing(&due);
        let timers = loaded.timers_due();
        let now = self.lease_time();
        let working = standing.phase == enza_kernel::application::Phase::Working;
        let lease = match (state.elsewhere, working) {
            (true, _) => Lease::Leave,
            (false, true) => Lease::Hold { worker: self.0.setup.worker.clone(), now, until: now + LEASE },
            (false, false) => Lease::Free,
        };
        let head = loaded.live.seq();
        let snapshot = (head.0 - loaded.snapshot_at.0 >= SNAPSHOT_EVERY).then(|| Snapshot {
            seq: head,
            version: loaded.host.state_version(),
            body: loaded.live.to_snapshot(),
        });
        Append {
            session: slot.id.clone(),
            opening: loaded.opening.clone(),
            expected: loaded.saved,
            events: std::mem::take(&mut loaded.unsaved),
            accepted,
            standing,
            timers: (timers != loaded.timers).then_some(timers),
            rows: std::mem::take(&mut loaded.rows),
            usage: std::mem::take(&mut loaded.spent),
            snapshot,
            lease,
        }
    }

    /// Saves what ran ahead of the log, if the rest of the turn has not done so by then.
    fn save_soon(&self, slot: &Arc<SessionSlot>, state: &mut SlotState) {
        if std::mem::replace(&mut state.lingering, true) {
            return;
        }
        let (engine, slot) = (self.clone(), slot.clone());
        self.spawn(async move {
            tokio::time::sleep(LINGER).await;
            let mut state = slot.state.lock().await;
            state.lingering = false;
            engine.save_leftovers(&slot, &mut state).await;
        });
    }

    /// Saves what is unsaved, if anything is.
    pub(super) async fn save_leftovers(&self, slot: &Arc<SessionSlot>, state: &mut SlotState) {
        let Some(mut loaded) = state.loaded.take() else { return };
        if !loaded.unsaved.is_empty()
            && let Err(unsaved) = self.save(slot, state, &mut loaded, None).await
        {
            tracing::warn!(session = %slot.id, ?unsaved, "a delayed save did not go through; going on from the log");
            self.try_again_later(slot, state);
            return;
        }
        state.loaded = Some(loaded);
    }

    /// Goes on after a while, longer each time.
    pub(super) fn try_again_later(&self, slot: &Arc<SessionSlot>, state: &mut SlotState) {
        if self.is_closing() || std::mem::replace(&mut state.retrying, true) {
            return;
        }
        let pause = self.jittered(Duration::from_millis(100 << state.retries.min(6)));
        state.retries += 1;
        let (engine, slot) = (self.clone(), slot.clone());
        self.spawn(async move {
            tokio::time::sleep(pause).await;
            let mut state = slot.state.lock().await;
            state.retrying = false;
            engine.go_on(&slot, &mut state).await;
        });
    }
}

fn running_only(due: &[Effect], state: &SlotState) -> Vec<Effect> {
    due.iter().filter(|effect| effect.key().is_some_and(|key| state.running.contains_key(&key))).cloned().collect()
}

/// The first due tool that must not be repeated and of which nothing is recorded that lets this process run it.
fn unrecorded(state: &SlotState, loaded: &mut LoadedSession, recorded: &HashSet<Key>) -> Option<RunTool> {
    let due = loaded.due();
    due.iter().find_map(|effect| match effect {
        Effect::RunTool(run) => {
            let is_in_hand = state.running.contains_key(&run.key) || recorded.contains(&run.key);
            (!is_in_hand && !may_begin(state, effect)).then(|| run.clone())
        }
        Effect::AskModel(_) | Effect::RunErrand(_) | Effect::Wake(_) => None,
    })
}

/// Whether an effect may be set going: a tool that must not be repeated, only if its start is recorded as this process's
/// own and it has not been run since.
fn may_begin(state: &SlotState, effect: &Effect) -> bool {
    match effect {
        Effect::RunTool(RunTool { safety: Safety::Once, started, .. }) => {
            started.as_ref().is_some_and(|mark| state.marks.contains(mark))
        }
        Effect::RunTool(_) | Effect::AskModel(_) | Effect::RunErrand(_) => true,
        Effect::Wake(_) => false,
    }
}

/// Whether an effect is about to change something outside that stays, even if what led to it is forgotten.
fn is_settled_and_to_run(state: &SlotState, effect: &Effect) -> bool {
    let key = match effect {
        Effect::RunTool(RunTool { key, safety: Safety::Settled, .. }) => key,
        Effect::RunErrand(errand) if !matches!(errand.what, ErrandKind::Look(_)) => &errand.key,
        Effect::RunTool(_) | Effect::RunErrand(_) | Effect::AskModel(_) | Effect::Wake(_) => return false,
    };
    !state.running.contains_key(key)
}

/// Whether a due effect is the one that an outcome is for.
pub(super) fn same(due: &Effect, settled: &Effect) -> bool {
    match (due, settled) {
        (Effect::Wake(one), Effect::Wake(other)) => one == other,
        (Effect::AskModel(one), Effect::AskModel(other)) => one.key == other.key && one.thread == other.thread,
        (Effect::RunTool(one), Effect::RunTool(other)) => one.key == other.key && one.tool == other.tool,
        (Effect::RunErrand(one), Effect::RunErrand(other)) => one == other,
        (Effect::Wake(_) | Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_), _) => false,
    }
}
