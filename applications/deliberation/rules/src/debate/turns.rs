//! How a debate moves: from strategies to the first turn, through windows and freezes, to the last statement.
//!
//! `go_on` looks at a debate after every decision and does what follows by itself. Nothing in it depends on the order in
//! which replies came.

use std::time::Duration;

use enza_kernel::agent::{self, Step, ThreadEvent, ThreadState};
use enza_kernel::application::Draft;
use enza_kernel::effect::Wake;
use enza_kernel::time::Timestamp;

use super::event::{CancelReason, Card, DebateEvent, Status, TurnRow, TurnStatus};
use super::state::{DebateState, Stage};
use super::work::Work;
use super::{Debates, closing, replies};
use crate::of_words;

/// How long strategies are waited for (DEL-C10).
pub(super) const STRATEGIES: Duration = Duration::from_secs(60);
/// From this turn on, older ones enter prompts as a summary.
const COMPRESSED_FROM: u32 = 4;

const STRATEGY_TIMER: &str = "strategies";
const WINDOW_TIMER: &str = "window";

/// The timer that is owed.
pub(super) fn timer(state: &DebateState) -> Option<(&'static str, Timestamp)> {
    match state.stage {
        Stage::Preparing { until } => Some((STRATEGY_TIMER, until)),
        // Where it only goes as it might have gone, nobody is waited for.
        Stage::Waiting { until, .. } if state.altered.is_none() => Some((WINDOW_TIMER, until)),
        Stage::Unopened | Stage::Waiting { .. } | Stage::Speaking { .. } | Stage::Closing | Stage::Over => None,
    }
}

/// A timer rang. It is believed, since another clock may have rung it.
pub(super) fn rang(draft: &mut Draft<'_, Debates>, wake: &Wake) {
    match draft.state.stage {
        Stage::Preparing { until } if wake.name == STRATEGY_TIMER && wake.at >= until => {
            let late: Vec<Work> =
                draft.state.present().map(|seat| Work::Strategy { seat: seat.word.clone() }).collect();
            for work in late.iter().filter(|work| is_asking(&draft.state, work)).collect::<Vec<_>>() {
                replies::strategy_failed(draft, work, "it took too long");
                close_thread(draft, &work.thread());
            }
        }
        Stage::Waiting { until, .. } if wake.name == WINDOW_TIMER && wake.at >= until => freeze(draft),
        Stage::Unopened
        | Stage::Preparing { .. }
        | Stage::Waiting { .. }
        | Stage::Speaking { .. }
        | Stage::Closing
        | Stage::Over => {}
    }
}

/// Does what follows by itself.
pub(super) fn go_on(draft: &mut Draft<'_, Debates>) {
    loop {
        close_ended_threads(draft);
        let before = mark(&draft.state);
        match draft.state.stage.clone() {
            Stage::Preparing { .. } => {
                let is_preparing =
                    draft.state.cast.threads.keys().any(|name| matches!(Work::of(name), Some(Work::Strategy { .. })));
                if !is_preparing {
                    open(draft, 1);
                }
            }
            Stage::Waiting { .. } if draft.state.altered.is_some() => freeze(draft),
            Stage::Speaking { turn } => {
                let state = &draft.state;
                if state.present().all(|seat| state.statement(turn, &seat.word).is_some()) {
                    close(draft, turn);
                }
            }
            Stage::Closing => closing::go_on(draft),
            Stage::Unopened | Stage::Waiting { .. } | Stage::Over => {}
        }
        if mark(&draft.state) == before {
            return;
        }
    }
}

/// What changes whenever something followed by itself.
fn mark(state: &DebateState) -> (Stage, usize, usize) {
    (state.stage.clone(), state.cast.threads.len(), state.outcome.rankings.len())
}

/// Opens a turn: it waits for directions, from the first on with every strategy there is (DEL-71).
fn open(draft: &mut Draft<'_, Debates>, number: u32) {
    let now = draft.now().time;
    let started_at = draft.state.card.started_at.or(Some(now.0));
    let card = Card { status: Status::Active, current_turn: number, started_at, ..draft.state.card.clone() };
    let turn = TurnRow {
        id: of_words(&["turn", &draft.state.settings.debate, &number.to_string()]),
        turn_number: number,
        status: TurnStatus::Pending,
        summary: None,
        created_at: now.0,
        completed_at: None,
    };
    let until = now + Duration::from_millis(draft.state.window);
    draft.record(DebateEvent::TurnOpened { card, turn, until });
}

/// Settles the directions of the open turn and begins all speakers, in one decision (DEL-C7).
pub(super) fn freeze(draft: &mut Draft<'_, Debates>) {
    let Stage::Waiting { turn, .. } = draft.state.stage else { return };
    let Some(open) = draft.state.turn(turn) else { return };
    let row = TurnRow { status: TurnStatus::Processing, ..open.row.clone() };
    let summary_of = turn.checked_sub(3).filter(|_| turn >= COMPRESSED_FROM);
    let has_summary = |number: &u32| draft.state.turn(*number).is_some_and(|turn| turn.row.summary.is_some());
    let summary_of = summary_of.filter(has_summary);
    draft.record(DebateEvent::TurnFrozen { turn: row, summary_of });
    let seats: Vec<String> = draft.state.present().map(|seat| seat.word.clone()).collect();
    for seat in seats {
        begin(draft, &Work::Speak { turn, seat });
    }
}

fn close(draft: &mut Draft<'_, Debates>, number: u32) {
    let Some(turn) = draft.state.turn(number) else { return };
    let completed_at = Some(draft.now().time.0);
    let row = TurnRow { status: TurnStatus::Completed, completed_at, ..turn.row.clone() };
    draft.record(DebateEvent::TurnClosed { turn: row });
    if number >= draft.state.card.max_turns {
        return closing::begin(draft);
    }
    // Only a summary that a later prompt reads is asked for.
    if number + COMPRESSED_FROM - 1 <= draft.state.card.max_turns {
        begin(draft, &Work::TurnSummary { turn: number });
    }
    open(draft, number + 1);
}

/// Ends a debate without an outcome.
pub(super) fn cancel(draft: &mut Draft<'_, Debates>, why: CancelReason) {
    close_all_threads(draft);
    let completed_at = Some(draft.now().time.0);
    let card = Card { status: Status::Cancelled, completed_at, ..draft.state.card.clone() };
    draft.record(DebateEvent::Cancelled { card, why });
}

/// Begins a thread. What it is asked with is rendered from state; the first word only says what it is for.
pub(super) fn begin(draft: &mut Draft<'_, Debates>, work: &Work) {
    let thread = work.thread();
    agent::start(draft, &thread, work.agent(), &thread);
}

fn is_asking(state: &DebateState, work: &Work) -> bool {
    state.cast.threads.get(&work.thread()).is_some_and(|thread| thread.asking().is_some())
}

/// What a thread came to is in the debate's own events: the thread goes.
fn close_ended_threads(draft: &mut Draft<'_, Debates>) {
    let is_ended = |standing: &ThreadState| match standing {
        ThreadState::Resting | ThreadState::Failed { .. } => true,
        ThreadState::Asking { .. } | ThreadState::Acting { .. } => false,
    };
    let threads = draft.state.cast.threads.iter().filter(|(_, thread)| is_ended(&thread.standing));
    let ended: Vec<String> = threads.map(|(name, _)| name.clone()).collect();
    for thread in ended {
        close_thread(draft, &thread);
    }
}

pub(super) fn close_all_threads(draft: &mut Draft<'_, Debates>) {
    let all: Vec<String> = draft.state.cast.threads.keys().cloned().collect();
    for thread in all {
        close_thread(draft, &thread);
    }
}

pub(super) fn close_thread(draft: &mut Draft<'_, Debates>, thread: &str) {
    if draft.state.cast.threads.contains_key(thread) {
        draft.record(DebateEvent::Stepped(Step { thread: thread.to_owned(), what: ThreadEvent::Closed }));
    }
}
