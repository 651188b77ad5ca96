//! The watchman: takes up work that nobody holds, rings timers, keeps leases, clears memory.
//!
//! After a crash this is what makes sessions go on: a session that owes something and whose lease has
//! ended is claimed, loaded, and advanced. A timer that rings twice is settled twice; the second time
//! the state no longer calls for it, and nothing changes.
//!
//! A lease that is said to end later than any lease should was taken by a worker whose clock is ahead. It may be alive:
//! then it moves the end every few seconds. One that was not seen to move for as long as a lease lasts, by our own
//! timer, is dead, and is taken over.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use enza_kernel::effect::{Effect, Outcome, Wake};
use enza_kernel::time::Timestamp;
use tokio::time::Instant;

use super::Engine;
use super::slot::SessionSlot;
use crate::seams::store::{Failure, HeldLease, LEASE, SessionId};

/// How many sessions to claim at a time.
const CLAIM: usize = 64;
/// How long a session stays in memory unused.
const IDLE: Duration = Duration::from_secs(60);

/// Leases that end too late, and since when each was seen as it is.
#[derive(Debug, Default)]
struct StuckLeases {
    leases: BTreeMap<SessionId, (HeldLease, Instant)>,
}

impl StuckLeases {
    /// Looks at what is there now; says which have not moved for as long as a lease lasts.
    fn look(&mut self, seen: Vec<HeldLease>, now: Instant) -> Vec<HeldLease> {
        let mut before = std::mem::take(&mut self.leases);
        let mut dead = Vec::new();
        for held in seen {
            let since =
                before.remove(&held.session).filter(|(known, _)| *known == held).map_or(now, |(_, since)| since);
            if now.duration_since(since) >= LEASE {
                dead.push(held.clone());
            }
            self.leases.insert(held.session.clone(), (held, since));
        }
        dead
    }
}

impl Engine {
    /// Goes round until the engine stops.
    pub(super) async fn run_scheduler(&self) {
        let mut renewed = Instant::now();
        let mut watched = StuckLeases::default();
        self.ask_shared_time().await;
        loop {
            let claimed = match self.claim_and_go_on().await {
                Ok(claimed) => claimed,
                Err(failure) => {
                    tracing::warn!(%failure, "could not look for unfinished work; will try again");
                    0
                }
            };
            if renewed.elapsed() >= LEASE / 3 {
                renewed = Instant::now();
                self.ask_shared_time().await;
                self.renew_leases().await;
                if let Err(failure) = self.take_over_dead_leases(&mut watched).await {
                    tracing::warn!(%failure, "could not look at the leases of others; will try again");
                }
            }
            self.clear_memory();
            if claimed < CLAIM {
                self.rest().await;
            }
        }
    }

    async fn claim_and_go_on(&self) -> Result<usize, Failure> {
        let now = self.lease_time();
        let claimed = self.store().claim(&self.0.setup.worker, now, now + LEASE, CLAIM).await?;
        claimed.iter().for_each(|session| self.go_on_with(session));
        Ok(claimed.len())
    }

    fn go_on_with(&self, session: &SessionId) {
        let slot = self.slot(session);
        let engine = self.clone();
        self.spawn(async move { engine.take_up(&slot).await });
    }

    /// Takes over what workers whose clocks were ahead have left behind.
    async fn take_over_dead_leases(&self, watched: &mut StuckLeases) -> Result<(), Failure> {
        let (worker, now) = (&self.0.setup.worker, self.lease_time());
        let seen = self.store().overlong(worker, now, now + LEASE, CLAIM).await?;
        for held in watched.look(seen, Instant::now()) {
            if self.store().take_over(worker, &held, now + LEASE).await? {
                tracing::warn!(session = %held.session, from = held.worker, "took over a lease that had stopped moving");
                self.go_on_with(&held.session);
            }
        }
        Ok(())
    }

    async fn ask_shared_time(&self) {
        match self.store().shared_time().await {
            Ok(said) => *self.0.shared_time.lock().expect("shared time") = said.map(|said| (said, Instant::now())),
            Err(failure) => tracing::debug!(%failure, "the shared clock did not answer; the last answer is kept"),
        }
    }

    /// Goes on with a claimed session: rings what is due, settles, performs.
    async fn take_up(&self, slot: &Arc<SessionSlot>) {
        let mut state = slot.state.lock().await;
        state.elsewhere = false;
        if !state.holds {
            // Whoever held the session before may have worked on it.
            state.loaded = None;
        }
        match self.take_loaded(slot, &mut state).await {
            Ok(mut loaded) => {
                let now = self.lease_time();
                for wake in loaded.timers_due() {
                    let effect = Effect::Wake(wake.clone());
                    let waits = state.outcomes.iter().any(|(waiting, _)| *waiting == effect);
                    if wake.at <= now && !waits {
                        state.outcomes.push((effect, Outcome::Rang));
                    }
                }
                state.loaded = Some(loaded);
                state.holds = true;
            }
            Err(why) => {
                // The lease is kept until it ends: nobody else would fare better before that.
                tracing::error!(session = %slot.id, ?why, "a session that owes work cannot be loaded");
                return;
            }
        }
        self.go_on(slot, &mut state).await;
        if state.is_idle() {
            state.holds = false;
        }
        if state.is_idle()
            && let Err(failure) = self.store().release(&self.0.setup.worker, std::slice::from_ref(&slot.id)).await
        {
            tracing::debug!(session = %slot.id, %failure, "a lease could not be given up; it ends by itself");
        }
    }

    async fn renew_leases(&self) {
        let held: Vec<SessionId> = self
            .slots()
            .into_iter()
            .filter(|slot| slot.state.try_lock().map_or(true, |state| !state.running.is_empty()))
            .map(|slot| slot.id.clone())
            .collect();
        if held.is_empty() {
            return;
        }
        let until = self.lease_time() + LEASE;
        if let Err(failure) = self.store().renew(&self.0.setup.worker, &held, until).await {
            tracing::warn!(%failure, "leases could not be renewed; will try again");
        }
    }

    /// Sessions that have not been of use for a while leave memory; so do the least recent beyond the set number.
    pub(super) fn clear_memory(&self) {
        let mut idle: Vec<(Instant, SessionId)> = self
            .slots()
            .into_iter()
            .filter_map(|slot| {
                let state = slot.state.try_lock().ok()?;
                state.is_idle().then(|| (state.used_at, slot.id.clone()))
            })
            .collect();
        idle.sort();
        let beyond = self.loaded().saturating_sub(self.0.setup.keep_loaded);
        let mut slots = self.0.slots.lock().expect("slots");
        for (state, (used_at, session)) in idle.into_iter().enumerate() {
            if state >= beyond && used_at.elapsed() < IDLE {
                break;
            }
            // Whoever holds another reference is about to use it.
            if slots.get(&session).is_some_and(|slot| Arc::strong_count(slot) == 1) {
                slots.remove(&session);
            }
        }
    }

    /// Waits for the next timer, a new one, or the next round.
    async fn rest(&self) {
        let patrol = self.0.setup.patrol;
        let now = self.lease_time();
        let until_timer = match self.store().next_wake().await {
            Ok(Some(at)) => now.until(at).max(Duration::from_millis(10)).min(patrol),
            Ok(None) | Err(_) => patrol,
        };
        self.0.rounds.store((now + until_timer).0, Ordering::Relaxed);
        tokio::select! {
            biased;
            () = self.0.wake.notified() => {}
            () = tokio::time::sleep(until_timer) => {}
        }
    }

    /// Wakes the watchman where a timer rings before its next round.
    pub(super) fn wake_scheduler(&self, timers: &[Wake]) {
        let next_round = Timestamp(self.0.rounds.load(Ordering::Relaxed));
        if timers.iter().any(|wake| wake.at < next_round) {
            self.0.wake.notify_one();
        }
    }

    fn slots(&self) -> Vec<Arc<SessionSlot>> {
        self.0.slots.lock().expect("slots").values().cloned().collect()
    }
}
