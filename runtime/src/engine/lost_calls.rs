//! Lost calls: made and charged for, and nothing of them will be recorded but their cost.
//!
//! Whoever loads a session counts what is due there as what a process before it may have had under way. So an append that
//! makes something no longer due must count it: after that, nobody finds it any more. That holds for calls of our own, which
//! are given up, and for calls of another process, whether it is dead or holds the session.

use enza_kernel::effect::{AskModel, Effect, Key, Outcome};
use enza_kernel::time::Actor;

use super::Engine;
use super::advance::same;
use super::slot::{LoadedSession, SlotState};

/// Calls that were charged and of which nothing can be recorded but their cost.
#[derive(Default)]
pub(super) struct LostCalls {
    /// What they cost, or may have cost.
    pub tokens: u64,
    /// One of them, in whose name they are counted.
    call: Option<AskModel>,
}

impl LostCalls {
    pub fn add(&mut self, ask: &AskModel, tokens: u64) {
        self.tokens += tokens;
        self.call.get_or_insert_with(|| ask.clone());
    }

    /// So many of them count in the log now.
    pub fn counted(&mut self, tokens: u64) {
        self.tokens = self.tokens.saturating_sub(tokens);
        self.call = self.call.take().filter(|_| self.tokens > 0);
    }
}

/// How many tokens more a call may set aside than the one before it, and still be covered. A longer reply or tool result
/// costs a save, nothing else.
const GROWTH: u64 = 2_000;

/// What a crash is charged for: every due model call, and one more after each, and one after each tool, since a turn may
/// run that far ahead of the log. Calls beyond that are made only after a save.
pub(super) fn crash_charge(due: &[Effect]) -> u64 {
    due.iter().map(charge).sum()
}

/// What a crash is charged for one due effect.
fn charge(effect: &Effect) -> u64 {
    match effect {
        Effect::AskModel(ask) => 2 * ask.reserve + GROWTH,
        Effect::RunTool(run) if run.reserve > 0 => run.reserve + GROWTH,
        Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => 0,
    }
}

/// The tokens that these effects set aside.
pub(super) fn reserve(effects: &[Effect]) -> u64 {
    effects
        .iter()
        .map(|effect| match effect {
            Effect::AskModel(ask) => ask.reserve,
            Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => 0,
        })
        .sum()
}

impl Engine {
    /// What is due and may be under way in another process. To be asked for before anything is decided: what a decision
    /// makes due, nobody has called yet, and what it calls off is to be counted.
    pub(super) fn calls_elsewhere(&self, state: &SlotState, loaded: &mut LoadedSession) -> Vec<Effect> {
        let (due, ran_elsewhere) = (loaded.due(), loaded.ran_elsewhere);
        let may_be_made = |effect: &Effect| state.elsewhere || (ran_elsewhere && !state.has_in_hand(effect));
        due.iter().filter(|effect| charge(effect) > 0 && may_be_made(effect)).cloned().collect()
    }

    /// Gives up the model calls that the state no longer calls for. What they may have cost is lost, and must be counted in
    /// the same append as what called them off: whoever loads that would find nothing due, and count nothing.
    pub(super) fn give_up_calls(&self, state: &mut SlotState, loaded: &mut LoadedSession) {
        let due = loaded.due();
        let is_due = |key: &Key| due.iter().any(|effect| effect.key() == Some(*key));
        let called_off = state.running.iter().filter(|(key, attempt)| attempt.call.is_some() && !is_due(key));
        let mut called_off: Vec<Key> = called_off.map(|(key, _)| *key).collect();
        called_off.sort();
        for key in called_off {
            if let Some(call) = state.running.remove(&key).and_then(|attempt| attempt.call) {
                let ask = call.ask().clone();
                state.lost.add(&ask, call.give_up());
            }
        }
    }

    /// Lost calls count as spent before any is made again, so that no number of crashes can exceed a budget: those of this
    /// process, and what another may have had under way. They stay lost until that is saved.
    pub(super) fn count_lost_calls(&self, state: &SlotState, loaded: &mut LoadedSession, elsewhere: &[Effect]) {
        if state.elsewhere {
            return;
        }
        loaded.ran_elsewhere = false;
        let tokens = state.lost.tokens.saturating_sub(loaded.counted) + crash_charge(elsewhere);
        let ours = state.lost.call.clone().map(Effect::AskModel);
        let Some(in_name_of) = ours.or_else(|| first_call(elsewhere)).filter(|_| tokens > 0) else { return };
        loaded.counted = state.lost.tokens;
        self.count(loaded, &in_name_of, tokens);
    }

    /// Another worker holds the session, and something is added to its log all the same. What it may have under way and can
    /// no longer record, or what is now due with less set aside, counts in that append: it may die before it reads it.
    pub(super) fn count_calls_of_holder(&self, loaded: &mut LoadedSession, before: &[Effect]) {
        let Some(in_name_of) = first_call(before) else { return };
        let mut counted = 0;
        loop {
            let due = loaded.due();
            let still = |effect: &Effect| due.iter().find(|due| same(due, effect)).map_or(0, charge);
            let gone: u64 = before.iter().map(|effect| charge(effect).saturating_sub(still(effect))).sum();
            if gone <= counted {
                return;
            }
            // What is counted leaves less for the calls that are still due, and may end them too.
            self.count(loaded, &in_name_of, gone - counted);
            counted = gone;
        }
    }

    fn count(&self, loaded: &mut LoadedSession, in_name_of: &Effect, tokens: u64) {
        let now = self.now(loaded, Actor::Runtime);
        let decided = loaded.live.settle(in_name_of, Outcome::CallsLost { tokens }, &now);
        loaded.spend_unknown(tokens);
        loaded.push(decided, now.time);
        loaded.must_save = true;
    }
}

/// In whose name the calls of another process are counted: the first model call, or else the first tool that one follows.
fn first_call(effects: &[Effect]) -> Option<Effect> {
    let is_call = |effect: &&Effect| matches!(effect, Effect::AskModel(_));
    effects.iter().find(is_call).or_else(|| effects.first()).cloned()
}
