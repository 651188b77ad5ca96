//! Takes recorded events into the state. Never fails: what is recorded has happened.

mod batches;
mod tasks;

use enza_kernel::agent::ThreadEvent;
use enza_kernel::application::Entry;
use enza_kernel::effect::Key;
use enza_kernel::gate::{GateState, Verdict as Yes};
use enza_kernel::limits;
use enza_kernel::time::{Seq, Timestamp};

use super::batch::OrderState;
use super::command::When;
use super::commit::{self, PendingCommit};
use super::consent::Scope;
use super::constraints::Constraint;
use super::event::{Event, Opened};
use super::keep_rule::PendingRule;
use super::memory::SUMMARY;
use super::note::Note;
use super::state::{
    EXCHANGES, Exchange, LONG, MOST_MOVES, MOST_TURNS, MoveRecord, PendingUndo, Queued, State, TALKS, Turn,
};
use super::steps::{Status, Step};
use super::task::{Assignment, ModelCall, Task};
use crate::words::words;
use enza_work::RestoreResult;

/// Takes in one event.
pub(super) fn evolve(state: &mut State, entry: &Entry<Event>) {
    let (seq, at) = (entry.seq, entry.at);
    state.changed = at;
    match &entry.event {
        Event::Opened(opened) => open(state, opened),
        Event::Heard { desk: task, text, when, files: _ } => heard(state, *task, text, *when, seq),
        Event::Queued { text, files } => {
            state.queue.push(Queued { text: text.clone(), files: files.clone() });
        }
        Event::DeskSet { desk: task, aside } => {
            state.desks.push(Task::new(*task, *aside));
            state.desks_made = state.desks_made.max(*task);
            if !aside {
                state.focus = *task;
            }
        }
        Event::Stepped(step) => {
            state.cast.evolve(seq, step);
            if let ThreadEvent::Replied { .. } = &step.what
                && let Some(id) = state.task_of(&step.thread).map(|task| task.id)
            {
                on_task(state, id, |task| {
                    task.rounds += 1;
                    // The call that has just been answered was told of it.
                    task.refused = None;
                });
            }
        }
        Event::Judged { desk: task, verdict } => on_task(state, *task, |task| {
            (task.verdict, task.obeyed) = (Some(verdict.clone()), false);
        }),
        Event::Obeyed { desk: task } => on_task(state, *task, |task| task.obeyed = true),
        Event::Spoke { desk: task, text } => spoke(state, *task, text),
        Event::Asked { desk: task, question } => on_task(state, *task, |task| {
            task.mind.ask(question);
            task.asked = Some(question.clone());
        }),
        Event::PutBack { desk: task, changes } => on_task(state, *task, |task| batches::put_back(task, changes, seq)),
        Event::Idled { desk: task } => on_task(state, *task, |task| task.idle += 1),
        // What was chosen says more than the choice.
        Event::Noted { desk: task, note: Note::Took { offer } } => {
            on_task(state, *task, |task| task.said = format!("{} ({offer})", task.said));
        }
        Event::Noted { .. } | Event::SentBack { .. } => {}
        Event::Minded { desk: task, delta, cut: _ } => on_task(state, *task, |task| task.mind.take(delta)),
        Event::TaskBegun { desk: task, title } => tasks::begin(state, *task, title),
        Event::TaskEnded { desk: task, ending } => tasks::end(state, *task, *ending),
        Event::Planned { desk: task, plan_id, plan } => {
            state.plans += 1;
            on_task(state, *task, |task| tasks::plan(task, plan_id, plan));
        }
        Event::Moved { desk: task, way, from, to, trigger } => {
            let moved = state.lang().pick(
                format!("ステップを{from}から{to}に変更"),
                format!("the step changed from {from} to {to}: {trigger}"),
            );
            on_task(state, *task, |task| {
                task.at.take(*way, to.clone());
                task.moved_at = at;
                task.mind.pending_gate = to == Step::AwaitingApproval.word();
                task.mind.last_delta = limits::one_line(&moved, 200);
            });
            remember_move(state, *task, from, to, trigger, true, at);
        }
        Event::MoveRefused { desk: task, to, why, trigger } => {
            let from = state.task(*task).map(|task| task.at.at().to_owned()).unwrap_or_default();
            remember_move(state, *task, &from, to, trigger, false, at);
            on_task(state, *task, |task| task.refused = Some((to.clone(), why.clone())));
        }
        Event::StatusSet { desk: task, status } => on_task(state, *task, |task| task.status = *status),
        Event::Completed { desk: task } => on_task(state, *task, |task| task.at.begin_utterance()),
        Event::CallSet { desk: task, call } => set_call(state, *task, *call),
        Event::Wanted { desk: task, wants, trace } => {
            on_task(state, *task, |task| {
                task.idle = 0;
                task.traces.push(trace.clone());
                batches::want(task, wants, seq);
            });
        }
        Event::Decided { desk: task, decisions } => on_task(state, *task, |task| batches::decide(task, decisions)),
        Event::CarriedOn { desk: task } => batches::carry_on(state, *task, seq),
        Event::CheckedAgain { desk: task } => batches::check_again(state, *task, seq),
        Event::OrderStarted { order, mark } => start_order(state, *order, mark),
        Event::OrderEnded { order, receipt } => batches::end_order(state, *order, receipt, seq),
        Event::OrderLost { order, recovers } => {
            if *recovers {
                batches::recover(state, *order, seq);
            }
            batches::lose_order(state, *order);
        }
        Event::BatchEnded { desk: task } => batches::end(state, *task, seq),
        Event::GateOpened { desk: task, gate } => {
            state.gates += 1;
            on_task(state, *task, |task| task.gate = Some(GateState::Open(gate.clone())));
        }
        Event::GateAnswered { desk: task, answer, scope, picks, left, shares: _ } => {
            on_task(state, *task, |task| batches::answer(task, answer, *scope, picks, left));
            if let (Yes::No, Some(note)) = (answer.verdict, &answer.note) {
                let lang = state.lang();
                state.memory.learn(words(lang).fill("evolve.declined", &[("note", &note)]));
            }
        }
        Event::Granted { desk: task, paths } => on_task(state, *task, |task| batches::grant(task, paths, seq)),
        Event::GateWithdrawn { desk: task } => on_task(state, *task, |task| task.gate = None),
        Event::Reviewed { desk: task, review } => on_assignment(state, *task, |work| tasks::review(work, review)),
        Event::Recovered { desk: task, error: _ } => on_assignment(state, *task, |work| work.recoveries += 1),
        Event::RuleKept { rule, scope } => {
            state.rules.push(rule.clone());
            if *scope == Scope::Project {
                state.unwritten.push(PendingRule { key: Key { seq, ordinal: 0 }, rule: rule.clone() });
            }
        }
        Event::RuleWritten { order, .. } | Event::RuleNotWritten { order, .. } => {
            state.unwritten.retain(|one| one.key != *order);
        }
        Event::RuleForgotten { place } => remove(&mut state.rules, *place),
        Event::Forbidden { constraint } => forbid(state, constraint),
        Event::Lifted { place } => remove(&mut state.constraints, *place),
        Event::BroughtForward { desk: task } => state.focus = *task,
        Event::DeskCleared { desk: task } => state.desks.retain(|one| one.id != *task),
        Event::TakingBack { turn, changes } => {
            let key = Key { seq, ordinal: 0 };
            state.taking_back = Some(PendingUndo { key, turn: *turn, changes: changes.clone() });
        }
        Event::TakenBack { turn, restored } => {
            let was_due = state.taking_back.take().is_some_and(|back| !back.changes.is_empty());
            // Where nothing came of it, because the workshop failed, it can be tried again.
            if !was_due || *restored != RestoreResult::default() {
                state.turns.change(|one| one.number >= *turn, Turn::take_back);
            }
            commit::forget(&mut state.uncommitted, &restored.restored);
            // A task that goes on is as red as it was until its checks say otherwise.
            let tasks = state.desks.iter_mut().filter_map(|task| task.task.as_mut());
            tasks.for_each(|work| work.doubt_checks(!restored.restored.is_empty()));
        }
        Event::Renamed { title } => state.title = Some(title.clone()),
        Event::Committing { message, paths } => {
            let (key, message, paths) = (Key { seq, ordinal: 0 }, message.clone(), paths.clone());
            state.committing = Some(PendingCommit { key, started: None, message, paths });
        }
        Event::Committed { .. } => {
            let committed = state.committing.take().map(|one| one.paths).unwrap_or_default();
            commit::forget(&mut state.uncommitted, &committed);
        }
        Event::CommitFailed { .. } => state.committing = None,
        Event::ModeSet { mode } => state.settings.mode = *mode,
        Event::BudgetRaised { tokens } => {
            state.settings.budget = Some(*tokens);
            state.cast.ledger.limit = Some(*tokens);
        }
        Event::Closed => state.closed = true,
    }
}

fn on_task(state: &mut State, task: u32, change: impl FnOnce(&mut Task)) {
    if let Some(task) = state.task_mut(task) {
        change(task);
    }
}

fn on_assignment(state: &mut State, task: u32, change: impl FnOnce(&mut Assignment)) {
    on_task(state, task, |task| {
        if let Some(work) = &mut task.task {
            change(work);
        }
    });
}

/// Which call comes next. The thread says so too: it is asked in the role that speaks in it.
fn set_call(state: &mut State, id: u32, call: ModelCall) {
    let Some(task) = state.task_mut(id) else { return };
    task.call = call;
    let thread = task.thread();
    if let Some(thread) = state.cast.threads.get_mut(&thread) {
        call.role().clone_into(&mut thread.agent);
    }
}

fn on_order(state: &mut State, key: Key, change: impl FnOnce(&mut OrderState)) {
    let mut batches = state.desks.iter_mut().filter_map(|task| task.batch.as_mut());
    let order = batches.find_map(|batch| batch.orders.iter_mut().find(|order| order.key == key));
    if let Some(order) = order {
        change(order);
    }
}

fn start_order(state: &mut State, key: Key, mark: &str) {
    match state.committing.as_mut().filter(|committing| committing.key == key) {
        Some(committing) => committing.started = Some(mark.to_owned()),
        None => on_order(state, key, |order| order.started = Some(mark.to_owned())),
    }
}

fn remove<T>(list: &mut Vec<T>, place: u32) {
    if (place as usize) < list.len() {
        list.remove(place as usize);
    }
}

fn forbid(state: &mut State, constraint: &Constraint) {
    state.constraints.retain(|known| !constraint.replaces(known));
    state.constraints.push(constraint.clone());
}

fn open(state: &mut State, opened: &Opened) {
    let open = &opened.open;
    *state = State {
        owner: opened.owner.clone(),
        folder: open.folder.clone(),
        lang: Some(open.language),
        settings: open.settings.clone(),
        instructions: open.instructions.clone(),
        map: open.map.clone(),
        name: open.name.clone(),
        tools: open.tools.clone(),
        attended: open.attended,
        memory: open.memory.clone(),
        constraints: kept(&open.memory.constraints),
        changed: state.changed,
        ..State::default()
    };
    state.memory.user_settings = open.settings.said(state.lang());
    state.cast.ledger.limit = open.settings.budget;
}

/// What was forbidden in an earlier session, as far as there is room for it.
fn kept(texts: &[String]) -> Vec<Constraint> {
    let mut kept: Vec<Constraint> = Vec::new();
    for constraint in texts.iter().filter_map(|text| Constraint::meant(text)) {
        if constraint.fits_beside(&kept) {
            kept.push(constraint);
        }
    }
    kept
}

/// A new turn: what the person said is the task's to answer, and its moves count anew.
fn heard(state: &mut State, id: u32, text: &str, when: When, seq: Seq) {
    state.turn += 1;
    if let Some(place) = state.queue.iter().position(|queued| queued.text == text) {
        state.queue.remove(place);
    }
    let before = Seq(seq.0.saturating_sub(1));
    let said = limits::one_line(text, SUMMARY);
    if state.began_with.is_empty() {
        state.began_with.clone_from(&said);
    }
    let new = Turn { number: state.turn, before, said, changes: Vec::new(), told_at: Vec::new(), taken_back: None };
    state.turns.push(new, MOST_TURNS);
    let turn = state.turn;
    on_task(state, id, |task| {
        task.said = text.to_owned();
        task.turn = turn;
        task.idle = 0;
        if let Some(asked) = task.asked.take() {
            task.mind.open_questions.retain(|question| *question != asked);
        }
        task.at.begin_utterance();
        task.status = Status::InProgress;
        task.verdict = None;
        if when == When::Now {
            task.batch = None;
        }
        task.rounds = 0;
        task.traces.clear();
        if let Some(work) = &mut task.task {
            work.recoveries = 0;
            work.turned_down.retain(|one| !one.is_brought_up(text));
        }
    });
    set_call(state, id, ModelCall::Main);
}

fn spoke(state: &mut State, id: u32, text: &str) {
    let Some((whole, turn)) = state.task(id).map(|task| (task.said.clone(), task.turn)) else { return };
    let long = |text: &str| text.chars().take(LONG).collect::<String>();
    state.talk.retain(|exchange| exchange.turn != turn);
    state.talk.push(Exchange { turn, said: long(&whole), replied: long(text) }, TALKS);
    let said = limits::one_line(&whole, SUMMARY);
    let replied = limits::one_line(text, SUMMARY);
    // Work in the background speaks again after others have: it is still the same exchange.
    match state.recent.iter_mut().find(|exchange| exchange.turn == turn) {
        Some(exchange) => {
            state.memory.hear_again(&said, &exchange.replied, &replied);
            exchange.replied = replied;
        }
        None => {
            state.memory.hear(&said, &replied);
            state.recent.push(Exchange { turn, said, replied });
        }
    }
    let surplus = state.recent.len().saturating_sub(EXCHANGES);
    state.recent.drain(..surplus);
}

fn remember_move(state: &mut State, task: u32, from: &str, to: &str, trigger: &str, made: bool, at: Timestamp) {
    let (from, to, trigger) = (from.to_owned(), to.to_owned(), trigger.to_owned());
    state.moves.push(MoveRecord { desk: task, from, to, trigger, made, at }, MOST_MOVES);
}
