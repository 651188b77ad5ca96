//! Takes recorded events into the state. Never fails: what is recorded has happened.

mod batches;
mod tasks;

use enza_kernel::agent::What;
use enza_kernel::application::Entry;
use enza_kernel::effect::Key;
use enza_kernel::gate::GateState;
use enza_kernel::limits;
use enza_kernel::time::{Seq, Timestamp};

use super::command::When;
use super::constraints::{self, Constraint};
use super::desk::{Call, Desk, Ordered, Work};
use super::event::{Event, Opened};
use super::memory::SUMMARY;
use super::state::{EXCHANGES, Exchange, MOST_MOVES, MOST_TURNS, MoveTold, Queued, State, TakingBack, Turn};
use super::steps::{Status, Step};

/// Takes in one event.
pub(super) fn evolve(state: &mut State, entry: &Entry<Event>) {
    let (seq, at) = (entry.seq, entry.at);
    state.changed = at;
    match &entry.event {
        Event::Opened(opened) => open(state, opened),
        Event::Heard { desk, text, when, files: _ } => heard(state, *desk, text, *when, seq),
        Event::Queued { text, files } => {
            state.queue.push(Queued { text: text.clone(), files: files.clone() });
        }
        Event::DeskSet { desk, aside } => {
            state.desks.push(Desk::new(*desk, *aside));
            state.desks_made = state.desks_made.max(*desk);
            if !aside {
                state.focus = *desk;
            }
        }
        Event::Stepped(step) => {
            state.cast.evolve(seq, step);
            if let What::Replied { .. } = &step.what
                && let Some(id) = state.desk_of(&step.thread).map(|desk| desk.id)
            {
                on_work(state, id, |work| work.rounds += 1);
            }
        }
        Event::Judged { desk, verdict } => on(state, *desk, |desk| {
            (desk.verdict, desk.obeyed) = (Some(verdict.clone()), false);
        }),
        Event::Obeyed { desk } => on(state, *desk, |desk| desk.obeyed = true),
        Event::Spoke { desk, text } => spoke(state, *desk, text),
        Event::Noted { .. } | Event::SentBack { .. } => {}
        Event::Minded { desk, delta, cut: _ } => on(state, *desk, |desk| desk.mind.take(delta)),
        Event::TaskBegun { desk, title } => on(state, *desk, |desk| tasks::begin(desk, title)),
        Event::TaskEnded { desk, ending } => tasks::end(state, *desk, *ending),
        Event::Planned { desk, plan_id, plan } => on(state, *desk, |desk| tasks::plan(desk, plan_id, plan)),
        Event::Moved { desk, way, from, to, trigger } => {
            on(state, *desk, |desk| {
                desk.at.take(*way, to.clone());
                desk.moved_at = at;
                desk.mind.pending_gate = to == Step::AwaitingApproval.word();
                desk.mind.last_delta = limits::one_line(&format!("{from} → {to}: {trigger}"), 200);
            });
            remember_move(state, *desk, from, to, trigger, true, at);
        }
        Event::MoveRefused { desk, to, why: _, trigger } => {
            let from = state.desk(*desk).map(|desk| desk.at.at().to_owned()).unwrap_or_default();
            remember_move(state, *desk, &from, to, trigger, false, at);
        }
        Event::StatusSet { desk, status } => on(state, *desk, |desk| desk.status = *status),
        Event::Completed { desk } => on(state, *desk, |desk| desk.at.begin_utterance()),
        Event::CallSet { desk, call } => on(state, *desk, |desk| desk.call = *call),
        Event::Wanted { desk, wants, trace } => {
            on_work(state, *desk, |work| work.traces.push(trace.clone()));
            on(state, *desk, |desk| batches::want(desk, wants, seq));
        }
        Event::Decided { desk, decisions } => on(state, *desk, |desk| batches::decide(desk, decisions)),
        Event::CarriedOn { desk } => batches::carry_on(state, *desk, seq),
        Event::OrderStarted { order, mark } => on_order(state, *order, |order| order.started = Some(mark.clone())),
        Event::OrderEnded { order, receipt } => batches::end_order(state, *order, receipt),
        Event::OrderLost { order } => on_order(state, *order, |order| order.lost = true),
        Event::BatchEnded { desk } => on(state, *desk, |desk| desk.batch = None),
        Event::GateOpened { desk, gate } => {
            state.gates += 1;
            on(state, *desk, |desk| desk.gate = Some(GateState::Open(gate.clone())));
        }
        Event::GateAnswered { desk, answer, scope, picks } => {
            on(state, *desk, |desk| batches::answer(desk, answer, *scope, picks));
        }
        Event::GateWithdrawn { desk } => on(state, *desk, |desk| desk.gate = None),
        Event::Reviewed { desk, review } => on_work(state, *desk, |work| tasks::review(work, review)),
        Event::Recovered { desk, error: _ } => on_work(state, *desk, |work| work.recoveries += 1),
        Event::RuleKept { rule, scope: _ } => state.rules.push(rule.clone()),
        Event::RuleForgotten { place } => remove(&mut state.rules, *place),
        Event::Forbidden { constraint } => forbid(state, constraint),
        Event::Lifted { place } => remove(&mut state.constraints, *place),
        Event::BroughtForward { desk } => state.focus = *desk,
        Event::DeskCleared { desk } => state.desks.retain(|one| one.id != *desk),
        Event::TakingBack { turn, changes } => {
            let key = Key { seq, ordinal: 0 };
            state.taking_back = Some(TakingBack { key, turn: *turn, changes: changes.clone() });
        }
        Event::TakenBack { turn, restored: _ } => {
            state.taking_back = None;
            state.turns.retain(|one| one.number < *turn);
        }
        Event::ModeSet { mode } => state.settings.mode = *mode,
        Event::BudgetRaised { tokens } => {
            state.settings.budget = Some(*tokens);
            state.cast.ledger.limit = Some(*tokens);
        }
        Event::Closed => state.closed = true,
    }
}

fn on(state: &mut State, desk: u32, change: impl FnOnce(&mut Desk)) {
    if let Some(desk) = state.desk_mut(desk) {
        change(desk);
    }
}

fn on_work(state: &mut State, desk: u32, change: impl FnOnce(&mut Work)) {
    on(state, desk, |desk| {
        if let Some(work) = &mut desk.task {
            change(work);
        }
    });
}

fn on_order(state: &mut State, key: Key, change: impl FnOnce(&mut Ordered)) {
    let mut batches = state.desks.iter_mut().filter_map(|desk| desk.batch.as_mut());
    let order = batches.find_map(|batch| batch.orders.iter_mut().find(|order| order.key == key));
    if let Some(order) = order {
        change(order);
    }
}

fn remove<T>(list: &mut Vec<T>, place: u32) {
    if (place as usize) < list.len() {
        list.remove(place as usize);
    }
}

fn forbid(state: &mut State, constraint: &Constraint) {
    state.constraints.retain(|known| known.paths != constraint.paths);
    state.constraints.push(constraint.clone());
    let surplus = state.constraints.len().saturating_sub(constraints::MOST);
    state.constraints.drain(..surplus);
}

fn open(state: &mut State, opened: &Opened) {
    let open = &opened.open;
    *state = State {
        owner: opened.owner.clone(),
        folder: open.folder.clone(),
        lang: Some(open.language),
        settings: open.settings.clone(),
        instructions: open.instructions.clone(),
        name: open.name.clone(),
        on: opened.on.clone(),
        tools: open.tools.clone(),
        attended: open.attended,
        memory: open.memory.clone(),
        constraints: open.memory.constraints.iter().filter_map(|text| Constraint::of(text)).collect(),
        changed: state.changed,
        ..State::default()
    };
    state.cast.ledger.limit = open.settings.budget;
}

/// A new turn: what the person said is the desk's to answer, and its moves count anew.
fn heard(state: &mut State, id: u32, text: &str, when: When, seq: Seq) {
    state.turn += 1;
    if let Some(place) = state.queue.iter().position(|queued| queued.text == text) {
        state.queue.remove(place);
    }
    let before = Seq(seq.0.saturating_sub(1));
    let said = limits::one_line(text, SUMMARY);
    state.turns.push(Turn { number: state.turn, before, said, changes: Vec::new() });
    let surplus = state.turns.len().saturating_sub(MOST_TURNS);
    state.turns.drain(..surplus);
    on(state, id, |desk| {
        desk.said = text.to_owned();
        desk.at.begin_utterance();
        desk.status = Status::InProgress;
        desk.call = Call::Main;
        desk.verdict = None;
        if when == When::Now {
            desk.batch = None;
        }
        if let Some(work) = &mut desk.task {
            work.rounds = 0;
            work.recoveries = 0;
            work.traces.clear();
        }
    });
}

fn spoke(state: &mut State, id: u32, text: &str) {
    let Some(said) = state.desk(id).map(|desk| limits::one_line(&desk.said, SUMMARY)) else { return };
    let replied = limits::one_line(text, SUMMARY);
    match state.recent.last_mut() {
        Some(last) if last.said == said => last.replied = replied,
        Some(_) | None => {
            state.memory.hear(&said, &replied);
            state.recent.push(Exchange { said, replied });
        }
    }
    let surplus = state.recent.len().saturating_sub(EXCHANGES);
    state.recent.drain(..surplus);
}

fn remember_move(state: &mut State, desk: u32, from: &str, to: &str, trigger: &str, made: bool, at: Timestamp) {
    let (from, to, trigger) = (from.to_owned(), to.to_owned(), trigger.to_owned());
    state.moves.push(MoveTold { desk, from, to, trigger, made, at });
    let surplus = state.moves.len().saturating_sub(MOST_MOVES);
    state.moves.drain(..surplus);
}
