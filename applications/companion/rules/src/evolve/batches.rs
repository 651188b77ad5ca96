//! Operations on their way: wanted, decided, answered for, carried out.

use enza_kernel::effect::Key;
use enza_kernel::gate::{Answer, Verdict as Yes};
use enza_kernel::time::Seq;

use super::{on_assignment, on_order, on_task};
use crate::action::Operation;
use crate::agent_state::Delta;
use crate::batch::{Batch, OrderKind, OrderState, Stage, Want};
use crate::command::Pick;
use crate::commit;
use crate::consent::{Decision, LEFT_OUT, Scope, is_change};
use crate::flow::closed_paths;
use crate::orders;
use crate::settings::CheckCommand;
use crate::state::{DetachedOrder, State, StoppingRun};
use crate::task::Task;
use crate::turned_down::TurnedDown;
use crate::words::words;
use enza_work::{Change, Fault, Receipt, RunEnd, RunResult};

/// Looks are done and changes prepared at once: neither touches anything.
pub(super) fn want(task: &mut Task, wants: &[Want], seq: Seq) {
    let looks = wants.iter().enumerate().filter(|(_, want)| want.operation.only_looks());
    let mut does: Vec<OrderKind> = looks.map(|(place, _)| OrderKind::Look(place as u32)).collect();
    if wants.iter().any(|want| is_change(want.operation)) {
        does.push(OrderKind::Prepare);
    }
    task.batch = Some(Batch {
        wants: wants.to_vec(),
        decisions: Vec::new(),
        stage: Stage::Preparing,
        orders: ordered(does, seq),
        prepared: Vec::new(),
        picks: Vec::new(),
        put_back: Vec::new(),
        granted: Vec::new(),
        readable: Vec::new(),
    });
}

fn ordered(does: Vec<OrderKind>, seq: Seq) -> Vec<OrderState> {
    let order = |(ordinal, does): (usize, OrderKind)| {
        let key = Key { seq, ordinal: ordinal as u16 };
        OrderState { key, does, started: None, receipt: None, lost: false }
    };
    does.into_iter().enumerate().map(order).collect()
}

pub(super) fn decide(task: &mut Task, decisions: &[Decision]) {
    let Some(batch) = &mut task.batch else { return };
    batch.decisions = decisions.to_vec();
    // Where a closed path is asked for first, everything is decided once more afterwards, by what was prepared.
    if closed_paths::paths(batch).is_empty() {
        batch.drop_denied();
    }
    if decisions.contains(&Decision::Asked) {
        batch.stage = Stage::Asking;
    }
}

/// A person's answer: an utterance, and the decision about everything that was asked.
pub(super) fn answer(task: &mut Task, answer: &Answer, scope: Scope, picks: &[Pick], left: &[u32]) {
    if let Some(gate) = &mut task.gate {
        gate.close(answer);
    }
    task.at.begin_utterance();
    let Some(batch) = &task.batch else { return };
    let is_refused = |place: &usize| answer.verdict == Yes::No || left.contains(&(*place as u32));
    let asked: Vec<usize> = batch.asked().collect();
    let refused = asked.iter().filter(|place| is_refused(place));
    // What is spoken of in a no is wanted otherwise, and may come again.
    let is_over = |one: &TurnedDown| !answer.note.as_ref().is_some_and(|note| one.is_brought_up(note));
    let turned_down = refused.filter_map(|place| TurnedDown::of(task, batch, *place));
    let turned_down: Vec<TurnedDown> = turned_down.filter(is_over).collect();
    if let Some(work) = &mut task.task {
        turned_down.into_iter().for_each(|one| work.turn_down(one));
    }
    let Some(batch) = &mut task.batch else { return };
    batch.picks = picks.to_vec();
    for place in asked {
        batch.decisions[place] = match answer.verdict {
            Yes::Yes if left.contains(&(place as u32)) => Decision::Denied(LEFT_OUT.to_owned()),
            Yes::Yes => Decision::Allowed(format!("{} ({})", answer.by, scope.word())),
            Yes::No => Decision::Denied(answer.by.clone()),
        };
    }
}

/// A person has opened closed paths: whatever ran into one is looked at and prepared again, and a command is run again.
pub(super) fn grant(task: &mut Task, paths: &[String], seq: Seq) {
    let Some(batch) = &mut task.batch else { return };
    let closed: Vec<OrderKind> =
        batch.orders.iter().filter(|order| order.closed().is_some()).map(|order| order.does).collect();
    let is_command = batch.has_kept_command();
    batch.orders.retain(|order| order.closed().is_none());
    batch.orders.extend(ordered(closed, seq));
    if is_command {
        batch.readable.extend_from_slice(paths);
        batch.stage = Stage::Doing;
        return;
    }
    batch.granted.extend_from_slice(paths);
    batch.decisions.clear();
    batch.stage = Stage::Preparing;
}

/// From looking to doing: what a person picked is worked out first; then the changes at once, commands and tools in
/// order; and after all of it the project's own checks.
pub(super) fn carry_on(state: &mut State, id: u32, seq: Seq) {
    let checks = state.settings.checks.len() as u32;
    let Some(batch) = state.task_mut(id).and_then(|task| task.batch.as_mut()) else { return };
    let does = match batch.stage {
        Stage::Preparing | Stage::Asking if batch.must_choose() => vec![OrderKind::Choose],
        Stage::Preparing | Stage::Asking => {
            batch.stage = Stage::Doing;
            deeds(batch)
        }
        Stage::Doing => {
            batch.stage = Stage::Checking;
            (0..checks).map(OrderKind::Check).collect()
        }
        Stage::Checking => Vec::new(),
    };
    batch.orders.extend(ordered(does, seq));
}

/// The project's own checks alone.
pub(super) fn check_again(state: &mut State, id: u32, seq: Seq) {
    let checks = state.settings.checks.len() as u32;
    on_task(state, id, |task| {
        want(task, &[], seq);
        if let Some(work) = &mut task.task {
            work.unchecked = true;
        }
        if let Some(batch) = &mut task.batch {
            batch.stage = Stage::Checking;
            batch.orders = ordered((0..checks).map(OrderKind::Check).collect(), seq);
        }
    });
}

/// What commands changed against the rules is put back, as an order of its own.
pub(super) fn put_back(task: &mut Task, changes: &[Change], seq: Seq) {
    let Some(batch) = &mut task.batch else { return };
    let from = batch.put_back.len() as u32;
    batch.put_back.extend_from_slice(changes);
    batch.orders.extend(ordered(vec![OrderKind::PutBack(from)], seq));
}

fn deeds(batch: &Batch) -> Vec<OrderKind> {
    let mut does = if batch.allows_change() { vec![OrderKind::Make] } else { Vec::new() };
    for (place, want) in batch.allowed() {
        match want.operation {
            Operation::Run => does.push(OrderKind::Run(place)),
            Operation::Tool => does.push(OrderKind::Tool(place)),
            Operation::List
            | Operation::Read
            | Operation::Search
            | Operation::Write
            | Operation::Edit
            | Operation::Append
            | Operation::Patch
            | Operation::Create
            | Operation::Delete
            | Operation::Move => {}
        }
    }
    does
}

/// Operations are over, by themselves or because the person broke in. What is being made at that moment is made to the end,
/// and a command that runs is stopped.
pub(super) fn end(state: &mut State, id: u32, seq: Seq) {
    let under_way = state.running_order().filter(|(task, _)| task.id == id);
    let leaving = under_way.and_then(|(task, order)| leaving(state, task, order, seq));
    state.leaving.extend(leaving);
    on_task(state, id, |task| task.batch = None);
}

fn leaving(state: &State, task: &Task, order: &OrderState, seq: Seq) -> Option<DetachedOrder> {
    let batch = task.batch.as_ref()?;
    match order.does {
        OrderKind::Make => {
            let changes = batch.prepared.iter().map(|one| one.change.clone()).collect();
            Some(DetachedOrder {
                key: order.key,
                desk: task.id,
                turn: task.turn,
                changes,
                back: false,
                stopping: None,
                recovers: None,
            })
        }
        OrderKind::Run(_) | OrderKind::Check(_) => {
            // A command whose start is not recorded has not begun.
            let started = order.started.clone()?;
            let run = orders::command(state, task, order.does)?;
            let halt = Some(Key { seq, ordinal: 0 });
            let stopping = Some(StoppingRun { run, started, halt, granted: batch.readable.clone() });
            Some(DetachedOrder {
                key: order.key,
                desk: task.id,
                turn: task.turn,
                changes: Vec::new(),
                back: false,
                stopping,
                recovers: None,
            })
        }
        OrderKind::Recover(place) => {
            let recovers = Some(batch.orders.get(place as usize)?.key);
            Some(DetachedOrder {
                key: order.key,
                desk: task.id,
                turn: task.turn,
                changes: Vec::new(),
                back: false,
                stopping: None,
                recovers,
            })
        }
        OrderKind::Look(_) | OrderKind::Prepare | OrderKind::Choose | OrderKind::Tool(_) | OrderKind::PutBack(_) => {
            None
        }
    }
}

/// Nobody knows how an order ended.
pub(super) fn lose_order(state: &mut State, key: Key) {
    state.leaving.retain(|one| one.key != key);
    on_order(state, key, |order| order.lost = true);
    if let Some((id, does)) = doing(state, key) {
        // Nobody knows what it would have said.
        checked(state, id, does, None);
    }
}

/// What a command left behind can be found out, though nobody saw its end.
pub(super) fn recover(state: &mut State, key: Key, seq: Seq) {
    for one in state.leaving.iter_mut().filter(|one| one.key == key && one.stopping.is_some()) {
        *one = DetachedOrder { key: Key { seq, ordinal: 0 }, stopping: None, recovers: Some(key), ..one.clone() };
    }
    let Some((id, place)) = state.find_order(key).map(|(task, place)| (task.id, place)) else { return };
    on_task(state, id, |task| {
        let Some(batch) = &mut task.batch else { return };
        if matches!(batch.orders[place].does, OrderKind::Run(_) | OrderKind::Check(_)) {
            // Before whatever comes next: that would no longer tell apart what the lost one did.
            batch.orders.splice(place + 1..place + 1, ordered(vec![OrderKind::Recover(place as u32)], seq));
        }
    });
}

/// What came of an order that nobody waited for any longer; false if it is none of those.
fn leave(state: &mut State, key: Key, receipt: &Receipt, seq: Seq) -> bool {
    let halts = |one: &&mut StoppingRun| one.halt == Some(key);
    if let Some(halted) = state.leaving.iter_mut().filter_map(|one| one.stopping.as_mut()).find(halts) {
        halted.halt = None;
        return true;
    }
    let Some(place) = state.leaving.iter().position(|one| one.key == key) else { return false };
    let left = state.leaving.remove(place);
    if left.back {
        let restored = receipt.restored().unwrap_or_default();
        if let Some(turn) = state.turns.find_mut(|turn| turn.number == left.turn) {
            turn.forget(|change| left.changes.contains(change) && restored.contains(&change.path));
        }
        commit::forget(&mut state.uncommitted, restored);
        return true;
    }
    let changes = match receipt {
        Receipt::Made(changes) => changes.clone(),
        Receipt::Ran(ran) => ran.changes.clone(),
        // It may have been made by an attempt that a crash cut short.
        Receipt::Refused(Fault::System { .. } | Fault::HalfMade { .. }) => left.changes,
        Receipt::Listed(_)
        | Receipt::Read(_)
        | Receipt::Found(_)
        | Receipt::Prepared(_)
        | Receipt::Restored(_)
        | Receipt::Halted
        | Receipt::Used(_)
        | Receipt::Committed(_)
        | Receipt::Refused(_) => Vec::new(),
    };
    commit::remember(&mut state.uncommitted, &changes);
    if !changes.is_empty() {
        // Nothing of its batch is left that would run the checks.
        on_assignment(state, left.desk, |work| work.unchecked = true);
    }
    put_back_forbidden(state, left.desk, left.turn, receipt, seq);
    if let Some(turn) = state.turns.find_mut(|turn| turn.number == left.turn) {
        turn.add(changes, seq);
    }
    true
}

/// What was forbidden while it was being changed is put back next. Commands that came to their end are held to the rules with
/// the rest of their batch.
fn put_back_forbidden(state: &mut State, task: u32, turn: u32, receipt: &Receipt, seq: Seq) {
    let changes = match receipt {
        Receipt::Made(changes) => state.forbidden_changes(changes),
        Receipt::Ran(ran) => state.forbidden_changes(&ran.changes),
        Receipt::Listed(_)
        | Receipt::Read(_)
        | Receipt::Found(_)
        | Receipt::Prepared(_)
        | Receipt::Restored(_)
        | Receipt::Halted
        | Receipt::Used(_)
        | Receipt::Committed(_)
        | Receipt::Refused(_) => Vec::new(),
    };
    if !changes.is_empty() {
        let key = Key { seq, ordinal: 0 };
        state.leaving.push(DetachedOrder {
            key,
            desk: task,
            turn,
            changes,
            back: true,
            stopping: None,
            recovers: None,
        });
    }
}

/// What came of an order. What was changed belongs to the turn, so that it can be taken back.
pub(super) fn end_order(state: &mut State, key: Key, receipt: &Receipt, seq: Seq) {
    if leave(state, key, receipt, seq) {
        return;
    }
    on_order(state, key, |order| order.receipt = Some(Box::new(receipt.clone())));
    let Some((id, does)) = doing(state, key) else { return };
    checked(state, id, does, Some(receipt));
    let changes = match receipt {
        Receipt::Made(changes) => changes.clone(),
        Receipt::Ran(ran) => ran.changes.clone(),
        Receipt::Prepared(prepared) => {
            on_task(state, id, |task| {
                if let Some(batch) = &mut task.batch {
                    batch.prepared.clone_from(prepared);
                }
            });
            Vec::new()
        }
        Receipt::Read(read) => {
            let context_refs = Some(vec![format!("file:{}", read.path)]);
            on_task(state, id, |task| task.mind.take(&Delta { context_refs, ..Delta::default() }));
            Vec::new()
        }
        Receipt::Restored(restored) => {
            forget(state, id, &restored.restored);
            Vec::new()
        }
        Receipt::Listed(_)
        | Receipt::Found(_)
        | Receipt::Halted
        | Receipt::Used(_)
        | Receipt::Committed(_)
        | Receipt::Refused(_) => Vec::new(),
    };
    let perhaps: Vec<Change> = match receipt {
        // Tried again after a crash, it may fail where the first attempt did not. What was never made is passed over when
        // it is taken back, so it does no harm to remember it.
        Receipt::Refused(Fault::System { .. } | Fault::HalfMade { .. }) if does == OrderKind::Make => {
            let prepared = state.task(id).and_then(|task| task.batch.as_ref()).map(|batch| &batch.prepared);
            prepared.into_iter().flatten().map(|one| one.change.clone()).collect()
        }
        _ => Vec::new(),
    };
    let is_done = !matches!(receipt, Receipt::Refused(_))
        && matches!(does, OrderKind::Make | OrderKind::Run(_) | OrderKind::Tool(_));
    state.memory.successful_operations += u64::from(is_done);
    // What a check changes itself is no reason to run it again.
    let is_check = matches!(does, OrderKind::Check(_));
    if !is_check && (!changes.is_empty() || !perhaps.is_empty()) {
        on_assignment(state, id, |work| work.unchecked = true);
    }
    if let Some(turn) = state.turn_of(id) {
        turn.add(perhaps, seq);
    }
    learn(state, id, does, receipt);
    if changes.is_empty() {
        return;
    }
    commit::remember(&mut state.uncommitted, &changes);
    state.memory.total_files += changes.iter().filter(|change| change.before.is_none()).count() as u64;
    on_assignment(state, id, |work| work.changed += changes.len() as u32);
    if does == OrderKind::Make
        && let Some(turn) = state.task(id).map(|task| task.turn)
    {
        put_back_forbidden(state, id, turn, receipt, seq);
    }
    if let Some(turn) = state.turn_of(id) {
        turn.add(changes, seq);
    }
}

/// Whose order it is, and what it does.
fn doing(state: &State, key: Key) -> Option<(u32, OrderKind)> {
    state.find_order(key).and_then(|(task, place)| Some((task.id, task.batch.as_ref()?.orders.get(place)?.does)))
}

/// What a check says is remembered until it says otherwise, whoever ran it: it decides whether the work is done.
fn checked(state: &mut State, id: u32, does: OrderKind, receipt: Option<&Receipt>) {
    let passed = matches!(receipt, Some(Receipt::Ran(RunResult { ended: RunEnd::Status(0), .. })));
    let turn = state.task(id).map_or(0, |task| task.turn);
    let checks = state.settings.checks.len() as u32;
    let command = match does {
        OrderKind::Check(place) => state.settings.checks.get(place as usize).map(CheckCommand::typed),
        OrderKind::Run(place) if passed => {
            let wants = state.task(id).and_then(|task| task.batch.as_ref()).map(|batch| &batch.wants);
            wants.and_then(|wants| wants.get(place as usize)).map(|want| want.target.clone())
        }
        OrderKind::Run(_)
        | OrderKind::Look(_)
        | OrderKind::Prepare
        | OrderKind::Choose
        | OrderKind::Make
        | OrderKind::Tool(_)
        | OrderKind::PutBack(_)
        | OrderKind::Recover(_) => None,
    };
    let Some(command) = command else { return };
    on_assignment(state, id, |work| {
        work.red.retain(|one| *one != command);
        if !passed {
            work.red.push(command);
        }
        if let OrderKind::Check(place) = does {
            work.checked = turn;
            work.unchecked &= place + 1 < checks;
        }
    });
}

/// What was put back is as if it had never been changed.
fn forget(state: &mut State, id: u32, paths: &[String]) {
    let put_back = state.task(id).and_then(|task| task.batch.as_ref()).map(|batch| batch.put_back.clone());
    let put_back = put_back.unwrap_or_default();
    if let Some(turn) = state.turn_of(id) {
        turn.forget(|change| put_back.contains(change) && paths.contains(&change.path));
    }
    commit::forget(&mut state.uncommitted, paths);
}

/// A command that came off is worth knowing next time.
fn learn(state: &mut State, id: u32, does: OrderKind, receipt: &Receipt) {
    let Receipt::Ran(RunResult { ended: RunEnd::Status(0), .. }) = receipt else { return };
    let command = match does {
        OrderKind::Run(place) => {
            state.task(id).and_then(|task| Some(task.batch.as_ref()?.wants.get(place as usize)?.target.clone()))
        }
        OrderKind::Check(place) => state.settings.checks.get(place as usize).map(CheckCommand::typed),
        OrderKind::Look(_)
        | OrderKind::Prepare
        | OrderKind::Choose
        | OrderKind::Make
        | OrderKind::Tool(_)
        | OrderKind::PutBack(_)
        | OrderKind::Recover(_) => None,
    };
    let lang = state.lang();
    if let Some(command) = command {
        state.memory.learn(words(lang).fill("evolve.command_works", &[("command", &command)]));
    }
}
