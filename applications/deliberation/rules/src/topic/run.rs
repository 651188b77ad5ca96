//! A run: candidates are looked up and drawn by lot, summoned in parallel until a deadline, and sit down in a debate.
//!
//! Whoever declines makes room for the next of the lot. Too few are filled up with partners of the house where the topic
//! allows it; otherwise there is no debate, and the log says why.

use std::time::Duration;

use enza_deliberation_cast::partners;
use enza_kernel::application::Draft;
use enza_kernel::effect::{Key, Outcome, Wake};
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::time::Timestamp;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::Topics;
use super::event::{RunName, SkipReason, TopicEvent};
use super::state::TopicState;
use crate::of_chance;

/// How long debaters have to sit down.
pub(super) const SUMMONS: Duration = Duration::from_secs(60);
const DAY: i64 = 24 * 60 * 60 * 1_000;

pub(super) const RUN_TIMER: &str = "run";
pub(super) const SUMMONS_TIMER: &str = "summons";

/// These in the order of the lot: the same seed gives the same order, whoever draws again, and in whatever order they came.
pub fn lot(seed: [u64; 2], mut names: Vec<String>) -> Vec<String> {
    let ticket = |name: &String| {
        let mut sum = Sha256::new();
        sum.update(seed[0].to_be_bytes());
        sum.update(seed[1].to_be_bytes());
        sum.update(name.as_bytes());
        <[u8; 32]>::from(sum.finalize())
    };
    names.sort_by_key(|name| (ticket(name), name.clone()));
    names.dedup();
    names
}

/// The timers that are owed.
pub(super) fn timers(state: &TopicState) -> Vec<Wake> {
    let summons = state.run.as_ref().and_then(|run| run.until);
    let summons = summons.map(|at| Wake { name: SUMMONS_TIMER.to_owned(), at });
    let run = state.schedule.as_ref().filter(|_| state.is_active()).and_then(|schedule| schedule.wake(RUN_TIMER));
    run.into_iter().chain(summons).collect()
}

/// A timer rang.
pub(super) fn rang(draft: &mut Draft<'_, Topics>, wake: &Wake) {
    match wake.name.as_str() {
        RUN_TIMER => scheduled(draft, wake),
        SUMMONS_TIMER => give_up(draft, wake.at),
        _ => {}
    }
}

/// What was missed is caught up once, for the latest instant.
fn scheduled(draft: &mut Draft<'_, Topics>, wake: &Wake) {
    if !draft.state.is_active() {
        return;
    }
    let now = draft.now().time;
    let Some(start) = draft.state.schedule.as_ref().and_then(|schedule| schedule.rang(wake, now)) else { return };
    let name = RunName { at: start.at, start: Some(start) };
    let skip = |why| TopicEvent::RunSkipped { run: name, why, released: Vec::new() };
    if draft.state.run.is_some() {
        draft.record(skip(SkipReason::RunUnderWay));
    } else if draft.state.has_debate_under_way() {
        draft.record(skip(SkipReason::DebateUnderWay));
    } else {
        let turns = draft.state.settings.turns;
        begin(draft, name, Vec::new(), turns);
    }
}

/// Looks for candidates.
pub(super) fn begin(draft: &mut Draft<'_, Topics>, run: RunName, named: Vec<String>, turns: u32) {
    let days = i64::from(draft.state.settings.activity_days);
    let since = Timestamp(draft.now().time.0.saturating_sub(days * DAY));
    draft.record(TopicEvent::RunBegun { run, since, named, turns });
}

/// What came of an errand.
pub(super) fn settle(draft: &mut Draft<'_, Topics>, errand: &Errand, outcome: Outcome) {
    let key = errand.key;
    if !draft.state.errands.iter().any(|one| one.key == key) {
        return;
    }
    match (&errand.what, outcome) {
        (ErrandKind::Look(_), Outcome::Found { rows, draw }) => {
            drawn(draft, rows.into_iter().map(|row| row.session).collect(), draw);
        }
        // Nothing can be drawn from: nobody is.
        (ErrandKind::Look(_), Outcome::Declined { .. }) => {
            ended(draft, key, None);
            skip(draft);
        }
        (ErrandKind::Tell { session, command }, Outcome::Delivered { .. }) if is_summons(command) => {
            draft.record(TopicEvent::SummonAnswered { key, debater: session.clone(), declined: None });
        }
        (ErrandKind::Tell { session, command }, Outcome::Declined { code, .. }) if is_summons(command) => {
            draft.record(TopicEvent::SummonAnswered { key, debater: session.clone(), declined: Some(code) });
        }
        (ErrandKind::Open { session, .. }, Outcome::Delivered { .. }) if draft.state.debates.contains_key(session) => {
            draft.record(TopicEvent::DebateOpened { key, debate: session.clone() });
        }
        (ErrandKind::Open { session, .. }, Outcome::Declined { code, .. })
            if draft.state.debates.contains_key(session) =>
        {
            draft.record(TopicEvent::DebateNotOpened { key, debate: session.clone(), code });
        }
        (_, Outcome::Declined { code, .. }) => ended(draft, key, Some(code)),
        (_, Outcome::Delivered { .. }) => ended(draft, key, None),
        (
            _,
            Outcome::Found { .. }
            | Outcome::Replied { .. }
            | Outcome::Unanswered { .. }
            | Outcome::TooLong { .. }
            | Outcome::CallsLost { .. }
            | Outcome::Starting { .. }
            | Outcome::Returned { .. }
            | Outcome::ToolFailed { .. }
            | Outcome::Unknown
            | Outcome::Rang,
        ) => {}
    }
    go_on(draft);
}

fn is_summons(command: &Value) -> bool {
    command.get("summon").is_some()
}

fn ended(draft: &mut Draft<'_, Topics>, key: Key, declined: Option<String>) {
    draft.record(TopicEvent::ErrandEnded { key, declined });
}

/// The lot: the debate gets a name that nobody can guess, and everybody a place in line.
fn drawn(draft: &mut Draft<'_, Topics>, found: Vec<String>, seed: [u64; 2]) {
    let Some(run) = &draft.state.run else { return };
    let named = run.named.clone();
    let (order, wanted) = match named.is_empty() {
        true => (lot(seed, found), draft.state.settings.participants),
        false => (named.clone(), named.len()),
    };
    let until = draft.now().time + SUMMONS;
    draft.record(TopicEvent::Drawn { debate: of_chance(seed), seed, order, wanted, until });
}

/// Summons as many as are wanted, and has them sit down once nobody is waited for.
pub(super) fn go_on(draft: &mut Draft<'_, Topics>) {
    let Some(run) = draft.state.run.as_ref().filter(|run| run.debate.is_some()) else { return };
    let missing = run.wanted.saturating_sub(run.briefs.len() + run.waiting.len());
    let debaters: Vec<String> = run.queue.iter().take(missing).cloned().collect();
    if !debaters.is_empty() {
        return draft.record(TopicEvent::Summoned { debaters });
    }
    if run.waiting.is_empty() {
        sit_down(draft);
    }
}

/// Time is up: whoever has not sat down is left out.
fn give_up(draft: &mut Draft<'_, Topics>, at: Timestamp) {
    let Some(run) = draft.state.run.as_ref().filter(|run| run.until.is_some_and(|until| at >= until)) else { return };
    let debaters = run.waiting.iter().cloned().collect();
    draft.record(TopicEvent::GivenUp { debaters });
    go_on(draft);
}

fn sit_down(draft: &mut Draft<'_, Topics>) {
    let Some(run) = &draft.state.run else { return };
    let settings = &draft.state.settings;
    let count = run.briefs.len();
    // Partners keep somebody company; among themselves they have no debate.
    let is_company = settings.partners && count > 0;
    let partners = if is_company { run.wanted.saturating_sub(count).min(partners().len()) } else { 0 };
    let Some(debate) = run.debate.clone().filter(|_| count + partners >= settings.minimum) else { return skip(draft) };
    let place = |debater: &String| run.order.iter().position(|one| one == debater);
    let mut debaters: Vec<String> = run.briefs.iter().map(|brief| brief.debater.clone()).collect();
    debaters.sort_by_key(place);
    draft.record(TopicEvent::Convened { debate, debaters, partners });
}

fn skip(draft: &mut Draft<'_, Topics>) {
    let Some(run) = &draft.state.run else { return };
    let released: Vec<String> = run.briefs.iter().map(|brief| brief.debater.clone()).collect();
    let why = SkipReason::TooFew { count: released.len() };
    draft.record(TopicEvent::RunSkipped { run: run.name, why, released });
}

/// The topic is over: a run that is under way comes to nothing.
pub(super) fn call_off(draft: &mut Draft<'_, Topics>) {
    let Some(run) = &draft.state.run else { return };
    let debaters: Vec<String> = run.waiting.iter().cloned().collect();
    if !debaters.is_empty() {
        draft.record(TopicEvent::GivenUp { debaters });
    }
    skip(draft);
}
