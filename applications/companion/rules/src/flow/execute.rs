//! Operations are carried out: looked at, prepared, asked for, done, checked; and what came of them is told.
//!
//! Nothing is touched before every operation of a reply is decided: those that need consent are all shown in one gate
//! (G12). What is done is exactly what was shown; a file that changed meanwhile stops it, the model hears of it, and
//! whatever it proposes then is prepared and asked for anew (G28).

use enza_kernel::application::Draft;

use super::super::batch::{Batch, OrderKind, Stage};
use super::super::consent::Decision;
use super::super::event::Event;
use super::super::note::Note;
use super::super::state::State;
use super::super::steps::{Status, Step};
use super::super::task::{ModelCall, Procedure, Task};
use super::super::verdict::NextStep;
use super::super::{Companion, words};
use super::{
    call_model, closed_paths, dispatch, leave_to_person, permit, report, rests, revert, set_status, transition,
};
use enza_work::{Fault, Receipt, RunEnd};

/// Records what follows for one piece of work, if anything does.
pub(super) fn advance(draft: &mut Draft<'_, Companion>, id: u32) -> bool {
    let Some(task) = draft.state.task(id) else { return false };
    if !rests(draft, task) {
        return false;
    }
    if !task.obeyed
        && let Some(verdict) = task.verdict.clone()
    {
        draft.record(Event::Obeyed { desk: id });
        dispatch::act_on(draft, id, &verdict);
        return true;
    }
    let Some(batch) = task.batch.as_ref().filter(|batch| batch.is_settled()).cloned() else { return false };
    if matches!(batch.stage, Stage::Doing | Stage::Checking) && revert::forbidden_changes(draft, id, &batch) {
        return true;
    }
    match batch.stage {
        Stage::Preparing if batch.decisions.is_empty() => decide_prepared(draft, id, &batch),
        Stage::Preparing | Stage::Asking => return start_chosen(draft, id, &batch),
        Stage::Doing => after_doing(draft, id, &batch),
        Stage::Checking => finish(draft, id),
    }
    true
}

/// Everything was looked at: it is decided what may be done.
fn decide_prepared(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) {
    if !batch.granted.is_empty() {
        // What a person opened has been looked at, which is an utterance (G11): the change itself may be asked for.
        draft.record(Event::Completed { desk: id });
    }
    let decisions = permit::decisions(&draft.state, id, batch);
    let opens = decisions.contains(&Decision::Asked) && batch.orders.iter().any(|order| order.closed().is_some());
    // What could not be prepared cannot be shown, and so nobody is asked about it; unless the question is what closes it.
    if let Some(fault) = first_fault(batch, |does| does == OrderKind::Prepare).filter(|_| !opens) {
        return unprepared(draft, id, batch, &fault);
    }
    let wants_more = batch.wants.iter().any(|want| !want.operation.only_looks());
    let asked = decisions.contains(&Decision::Asked);
    let allowed = batch
        .wants
        .iter()
        .zip(&decisions)
        .any(|(want, decision)| !want.operation.only_looks() && matches!(decision, Decision::Allowed(_)));
    draft.record(Event::Decided { desk: id, decisions });
    match (wants_more, asked, allowed) {
        (_, true, _) => ask(draft, id),
        (true, false, true) => start(draft, id, "allowed by a rule"),
        (true, false, false) | (false, false, _) => finish(draft, id),
    }
}

/// A change that cannot even be prepared goes back to the model.
fn unprepared(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch, fault: &Fault) {
    let text = report::fault(draft.state.lang(), fault);
    let told = words::not_done(draft.state.lang(), &report::results(&draft.state, batch));
    draft.record(Event::Noted { desk: id, note: Note::Failed { text } });
    draft.record(Event::BatchEnded { desk: id });
    call_again(draft, id, &told);
}

/// A person is asked, in one gate for everything.
fn ask(draft: &mut Draft<'_, Companion>, id: u32) {
    dispatch::begin_work(draft, id);
    if draft.state.task(id).is_some_and(|task| task.step() != Step::AwaitingApproval)
        && !transition::shift(draft, id, Step::AwaitingApproval.word(), "needs consent")
    {
        draft.record(Event::BatchEnded { desk: id });
        return set_status(draft, id, Status::RequiresUserInput);
    }
    if let Some(gate) = permit::gate(&draft.state, id) {
        draft.record(Event::GateOpened { desk: id, gate });
    }
    set_status(draft, id, Status::RequiresUserInput);
}

/// What may be done is done.
pub(in super::super) fn start(draft: &mut Draft<'_, Companion>, id: u32, trigger: &str) {
    let step = draft.state.task(id).map(Task::step);
    if step != Some(Step::Execution) && !transition::shift(draft, id, Step::Execution.word(), trigger) {
        draft.record(Event::BatchEnded { desk: id });
        return set_status(draft, id, Status::RequiresUserInput);
    }
    set_status(draft, id, Status::InProgress);
    withhold(draft, id);
    draft.record(Event::CarriedOn { desk: id });
}

/// What was forbidden since it was allowed is not done.
fn withhold(draft: &mut Draft<'_, Companion>, id: u32) {
    let batch = draft.state.task(id).and_then(|task| task.batch.as_ref());
    if let Some(decisions) = batch.and_then(|batch| permit::withheld(&draft.state, batch)) {
        draft.record(Event::Decided { desk: id, decisions });
    }
}

/// The same for changes that wait until others are through with the folder.
pub(super) fn withhold_waiting(draft: &mut Draft<'_, Companion>) {
    let in_folder = draft.state.running_order().map(|(task, _)| task.id);
    let waits = |task: &&Task| {
        let makes = |batch: &Batch| batch.under_way().is_some_and(|order| order.does == OrderKind::Make);
        Some(task.id) != in_folder && task.batch.as_ref().is_some_and(makes)
    };
    for id in draft.state.desks.iter().filter(waits).map(|task| task.id).collect::<Vec<_>>() {
        withhold(draft, id);
    }
}

/// What a person picked was worked out: it is done.
fn start_chosen(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) -> bool {
    if !batch.orders.iter().any(|order| order.does == OrderKind::Choose) {
        return false;
    }
    match first_fault(batch, |does| does == OrderKind::Choose) {
        Some(fault) => unprepared(draft, id, batch, &fault),
        None => {
            withhold(draft, id);
            draft.record(Event::CarriedOn { desk: id });
        }
    }
    true
}

/// It was done: the project's checks follow where files changed, also where a command failed beside it; else it is told.
fn after_doing(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) {
    if let Some(decisions) = closed_paths::offer(&draft.state, id, batch) {
        // What was done is an utterance of its own (G11), so the question may follow.
        draft.record(Event::Completed { desk: id });
        draft.record(Event::Decided { desk: id, decisions });
        return ask(draft, id);
    }
    if let Some(Fault::Changed { path }) = first_fault(batch, |does| does == OrderKind::Make) {
        draft.record(Event::Noted { desk: id, note: Note::ChangedSince { path } });
    }
    let has_changed = batch.orders.iter().any(|order| match order.receipt.as_deref() {
        Some(Receipt::Made(changes)) => !changes.is_empty(),
        Some(Receipt::Ran(ran)) => !ran.changes.is_empty(),
        _ => false,
    });
    if has_changed && !draft.state.settings.checks.is_empty() {
        draft.record(Event::CarriedOn { desk: id });
    } else {
        finish(draft, id);
    }
}

/// The operations came to their end: one more utterance, and what came of them goes to the model.
fn finish(draft: &mut Draft<'_, Companion>, id: u32) {
    let lang = draft.state.lang();
    let Some(task) = draft.state.task(id) else { return };
    let Some(batch) = &task.batch.clone() else { return };
    let (aside, next) = (task.aside, task.verdict.as_ref().map(|verdict| verdict.next_step));
    let told = report::results(&draft.state, batch);
    let did = batch
        .orders
        .iter()
        .any(|order| !matches!(order.does, OrderKind::Look(_) | OrderKind::Prepare | OrderKind::Choose));
    let denied = report::denied(lang, batch);
    draft.record(Event::BatchEnded { desk: id });
    if !denied.is_empty() {
        draft.record(Event::Noted { desk: id, note: Note::Denied { lines: denied } });
    }
    let put_back = restored_paths(batch);
    if !put_back.is_empty() {
        draft.record(Event::Noted { desk: id, note: Note::PutBack { paths: put_back } });
    }
    if let Some(lost) = batch.orders.iter().find(|order| order.lost) {
        let what = report::order_name(&draft.state, batch, lost.does);
        return leave_to_person(draft, id, Note::Unknown { what, changed: left_behind(batch) });
    }
    if !did || aside {
        let told = if repeats(draft, id) { words::seen_before(lang, &told) } else { told };
        return call_again(draft, id, &told);
    }
    draft.record(Event::Completed { desk: id });
    match failure(&draft.state, batch) {
        Some(error) => {
            draft.record(Event::Noted { desk: id, note: Note::Failed { text: error.clone() } });
            transition::recover(draft, id, &error, &told);
        }
        None if next == Some(NextStep::Done) => {
            let told = report::to_review(told, batch);
            dispatch::to_review(draft, id, &words::review(lang, &told));
        }
        None => call_model(draft, id, ModelCall::Alone(Procedure::Execution), &words::go_on(lang, &told)),
    }
}

/// The first files that a command changed whose end nobody saw.
fn left_behind(batch: &Batch) -> Vec<String> {
    const NAMED: usize = 20;
    let recovered = batch.orders.iter().filter(|order| matches!(order.does, OrderKind::Recover(_)));
    let changes = recovered.filter_map(|order| match order.receipt.as_deref() {
        Some(Receipt::Ran(ran)) => Some(&ran.changes),
        _ => None,
    });
    changes.flatten().map(|change| change.path.clone()).take(NAMED).collect()
}

/// What commands changed against the rules, as far as it was put back.
fn restored_paths(batch: &Batch) -> Vec<String> {
    let restored = batch.orders.iter().filter_map(|order| match order.receipt.as_deref() {
        Some(Receipt::Restored(restored)) => Some(&restored.restored),
        _ => None,
    });
    restored.flatten().cloned().collect()
}

/// Whether what was just looked at had been asked for before, in the same words, since a person last spoke.
fn repeats(draft: &Draft<'_, Companion>, id: u32) -> bool {
    let task = draft.state.task(id);
    task.is_some_and(|task| task.traces.last().is_some_and(|trace| task.wanted(trace) > 1))
}

/// The same kind of call again, with what came of its wishes; or the procedure that the commander chose with them. A review
/// is begun by what was carried out, not by a look.
fn call_again(draft: &mut Draft<'_, Companion>, id: u32, told: &str) {
    let Some(task) = draft.state.task(id) else { return };
    let chosen = task.verdict.as_ref().and_then(|verdict| dispatch::procedure_for(task, verdict));
    match (task.call, chosen.filter(|procedure| *procedure != Procedure::Review)) {
        (ModelCall::Main, Some(procedure)) => {
            let word = format!("{told}\n\n{}", words::procedure(draft.state.lang(), procedure));
            call_model(draft, id, ModelCall::WithMain(procedure), &word);
        }
        (ModelCall::Main, None) => call_model(draft, id, ModelCall::Main, told),
        (ModelCall::WithMain(procedure) | ModelCall::Alone(procedure), _) => {
            call_model(draft, id, ModelCall::Alone(procedure), told);
        }
    }
}

/// What went wrong in what was done.
fn failure(state: &State, batch: &Batch) -> Option<String> {
    let lang = state.lang();
    batch.orders.iter().find_map(|order| match (order.does, order.receipt.as_deref()?) {
        (OrderKind::Look(_) | OrderKind::Prepare | OrderKind::Choose, _) => None,
        (_, Receipt::Refused(fault)) => Some(report::fault(lang, fault)),
        (does, Receipt::Ran(ran)) if ran.ended != RunEnd::Status(0) => {
            Some(format!("{}: {}", report::order_name(state, batch, does), ran.ended.say(lang)))
        }
        _ => None,
    })
}

fn first_fault(batch: &Batch, which: impl Fn(OrderKind) -> bool) -> Option<Fault> {
    batch.orders.iter().filter(|order| which(order.does)).find_map(|order| match order.receipt.as_deref()? {
        Receipt::Refused(fault) => Some(fault.clone()),
        _ => None,
    })
}
