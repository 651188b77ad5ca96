//! Operations are carried out: looked at, prepared, asked for, done, checked; and what came of them is told.
//!
//! Nothing is touched before every operation of a reply is decided: those that need consent are all shown in one gate
//! (G12). What is done is exactly what was shown; a file that changed meanwhile stops it, the model hears of it, and
//! whatever it proposes then is prepared and asked for anew (G28).

use enza_kernel::application::Draft;

use super::super::batch::{Batch, Does, Stage};
use super::super::consent::Decision;
use super::super::desk::{Call, Desk, Procedure};
use super::super::event::Event;
use super::super::note::Note;
use super::super::state::State;
use super::super::steps::{Status, Step};
use super::super::verdict::NextStep;
use super::super::work::{Ended, Fault, Receipt};
use super::super::{Companion, words};
use super::{call, consenting, leave_to_person, moving, obeying, opening, rests, set_status, telling, trespassing};

/// Records what follows for one piece of work, if anything does.
pub(super) fn advance(draft: &mut Draft<'_, Companion>, id: u32) -> bool {
    let Some(desk) = draft.state.desk(id) else { return false };
    if !rests(draft, desk) {
        return false;
    }
    if !desk.obeyed
        && let Some(verdict) = desk.verdict.clone()
    {
        draft.record(Event::Obeyed { desk: id });
        obeying::obey(draft, id, &verdict);
        return true;
    }
    let Some(batch) = desk.batch.as_ref().filter(|batch| batch.is_settled()).cloned() else { return false };
    if matches!(batch.stage, Stage::Doing | Stage::Checking) && trespassing::put_back(draft, id, &batch) {
        return true;
    }
    match batch.stage {
        Stage::Preparing if batch.decisions.is_empty() => prepared(draft, id, &batch),
        Stage::Preparing | Stage::Asking => return chosen(draft, id, &batch),
        Stage::Doing => done(draft, id, &batch),
        Stage::Checking => finish(draft, id),
    }
    true
}

/// Everything was looked at: it is decided what may be done.
fn prepared(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) {
    if !batch.granted.is_empty() {
        // What a person opened has been looked at, which is an utterance (G11): the change itself may be asked for.
        draft.record(Event::Completed { desk: id });
    }
    let decisions = consenting::decisions(&draft.state, id, batch);
    let opens = decisions.contains(&Decision::Asked) && batch.orders.iter().any(|order| order.closed().is_some());
    // What could not be prepared cannot be shown, and so nobody is asked about it; unless the question is what closes it.
    if let Some(fault) = first_fault(batch, |does| does == Does::Prepare).filter(|_| !opens) {
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
        (true, false, true) => begin(draft, id, "allowed by a rule"),
        (true, false, false) | (false, false, _) => finish(draft, id),
    }
}

/// A change that cannot even be prepared goes back to the model.
fn unprepared(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch, fault: &Fault) {
    let text = telling::fault(draft.state.lang(), fault);
    let told = words::not_done(draft.state.lang(), &telling::results(&draft.state, batch));
    draft.record(Event::Noted { desk: id, note: Note::Failed { text } });
    draft.record(Event::BatchEnded { desk: id });
    again(draft, id, &told);
}

/// A person is asked, in one gate for everything.
fn ask(draft: &mut Draft<'_, Companion>, id: u32) {
    obeying::begin_work(draft, id);
    if draft.state.desk(id).is_some_and(|desk| desk.step() != Step::AwaitingApproval)
        && !moving::shift(draft, id, Step::AwaitingApproval.word(), "needs consent")
    {
        draft.record(Event::BatchEnded { desk: id });
        return set_status(draft, id, Status::RequiresUserInput);
    }
    if let Some(gate) = consenting::gate(&draft.state, id) {
        draft.record(Event::GateOpened { desk: id, gate });
    }
    set_status(draft, id, Status::RequiresUserInput);
}

/// What may be done is done.
pub(in super::super) fn begin(draft: &mut Draft<'_, Companion>, id: u32, trigger: &str) {
    let step = draft.state.desk(id).map(Desk::step);
    if step != Some(Step::Execution) && !moving::shift(draft, id, Step::Execution.word(), trigger) {
        draft.record(Event::BatchEnded { desk: id });
        return set_status(draft, id, Status::RequiresUserInput);
    }
    set_status(draft, id, Status::InProgress);
    withhold(draft, id);
    draft.record(Event::CarriedOn { desk: id });
}

/// What was forbidden since it was allowed is not done.
fn withhold(draft: &mut Draft<'_, Companion>, id: u32) {
    let batch = draft.state.desk(id).and_then(|desk| desk.batch.as_ref());
    if let Some(decisions) = batch.and_then(|batch| consenting::withheld(&draft.state, batch)) {
        draft.record(Event::Decided { desk: id, decisions });
    }
}

/// The same for changes that wait until others are through with the folder.
pub(super) fn withhold_waiting(draft: &mut Draft<'_, Companion>) {
    let in_folder = draft.state.under_way().map(|(desk, _)| desk.id);
    let waits = |desk: &&Desk| {
        let makes = |batch: &Batch| batch.under_way().is_some_and(|order| order.does == Does::Make);
        Some(desk.id) != in_folder && desk.batch.as_ref().is_some_and(makes)
    };
    for id in draft.state.desks.iter().filter(waits).map(|desk| desk.id).collect::<Vec<_>>() {
        withhold(draft, id);
    }
}

/// What a person picked was worked out: it is done.
fn chosen(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) -> bool {
    if !batch.orders.iter().any(|order| order.does == Does::Choose) {
        return false;
    }
    match first_fault(batch, |does| does == Does::Choose) {
        Some(fault) => unprepared(draft, id, batch, &fault),
        None => {
            withhold(draft, id);
            draft.record(Event::CarriedOn { desk: id });
        }
    }
    true
}

/// It was done: the project's checks follow where files changed, also where a command failed beside it; else it is told.
fn done(draft: &mut Draft<'_, Companion>, id: u32, batch: &Batch) {
    if let Some(decisions) = opening::offer(&draft.state, id, batch) {
        // What was done is an utterance of its own (G11), so the question may follow.
        draft.record(Event::Completed { desk: id });
        draft.record(Event::Decided { desk: id, decisions });
        return ask(draft, id);
    }
    if let Some(Fault::Changed { path }) = first_fault(batch, |does| does == Does::Make) {
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
    let Some(desk) = draft.state.desk(id) else { return };
    let Some(batch) = &desk.batch.clone() else { return };
    let (aside, next) = (desk.aside, desk.verdict.as_ref().map(|verdict| verdict.next_step));
    let told = telling::results(&draft.state, batch);
    let did = batch.orders.iter().any(|order| !matches!(order.does, Does::Look(_) | Does::Prepare | Does::Choose));
    let denied = telling::denied(lang, batch);
    draft.record(Event::BatchEnded { desk: id });
    if !denied.is_empty() {
        draft.record(Event::Noted { desk: id, note: Note::Denied { lines: denied } });
    }
    let put_back = put_back(batch);
    if !put_back.is_empty() {
        draft.record(Event::Noted { desk: id, note: Note::PutBack { paths: put_back } });
    }
    if let Some(lost) = batch.orders.iter().find(|order| order.lost) {
        let what = telling::name(&draft.state, batch, lost.does);
        return leave_to_person(draft, id, Note::Unknown { what, changed: left_behind(batch) });
    }
    if !did || aside {
        let told = if repeats(draft, id) { words::seen_before(lang, &told) } else { told };
        return again(draft, id, &told);
    }
    draft.record(Event::Completed { desk: id });
    match failure(&draft.state, batch) {
        Some(error) => {
            draft.record(Event::Noted { desk: id, note: Note::Failed { text: error.clone() } });
            moving::recover(draft, id, &error, &told);
        }
        None if next == Some(NextStep::Done) => {
            let told = telling::to_review(told, batch);
            obeying::to_review(draft, id, &words::review(lang, &told));
        }
        None => call(draft, id, Call::Alone(Procedure::Execution), &words::go_on(lang, &told)),
    }
}

/// The first files that a command changed whose end nobody saw.
fn left_behind(batch: &Batch) -> Vec<String> {
    const NAMED: usize = 20;
    let recovered = batch.orders.iter().filter(|order| matches!(order.does, Does::Recover(_)));
    let changes = recovered.filter_map(|order| match order.receipt.as_deref() {
        Some(Receipt::Ran(ran)) => Some(&ran.changes),
        _ => None,
    });
    changes.flatten().map(|change| change.path.clone()).take(NAMED).collect()
}

/// What commands changed against the rules, as far as it was put back.
fn put_back(batch: &Batch) -> Vec<String> {
    let restored = batch.orders.iter().filter_map(|order| match order.receipt.as_deref() {
        Some(Receipt::Restored(restored)) => Some(&restored.restored),
        _ => None,
    });
    restored.flatten().cloned().collect()
}

/// Whether what was just looked at had been asked for before, in the same words, since a person last spoke.
fn repeats(draft: &Draft<'_, Companion>, id: u32) -> bool {
    let desk = draft.state.desk(id);
    desk.is_some_and(|desk| desk.traces.last().is_some_and(|trace| desk.wanted(trace) > 1))
}

/// The same kind of call again, with what came of its wishes; or the procedure that the commander chose with them. A review
/// is begun by what was carried out, not by a look.
fn again(draft: &mut Draft<'_, Companion>, id: u32, told: &str) {
    let Some(desk) = draft.state.desk(id) else { return };
    let chosen = desk.verdict.as_ref().and_then(|verdict| obeying::dispatched(desk, verdict));
    match (desk.call, chosen.filter(|procedure| *procedure != Procedure::Review)) {
        (Call::Main, Some(procedure)) => {
            let word = format!("{told}\n\n{}", words::procedure(draft.state.lang(), procedure));
            call(draft, id, Call::WithMain(procedure), &word);
        }
        (Call::Main, None) => call(draft, id, Call::Main, told),
        (Call::WithMain(procedure) | Call::Alone(procedure), _) => call(draft, id, Call::Alone(procedure), told),
    }
}

/// What went wrong in what was done.
fn failure(state: &State, batch: &Batch) -> Option<String> {
    let lang = state.lang();
    batch.orders.iter().find_map(|order| match (order.does, order.receipt.as_deref()?) {
        (Does::Look(_) | Does::Prepare | Does::Choose, _) => None,
        (_, Receipt::Refused(fault)) => Some(telling::fault(lang, fault)),
        (does, Receipt::Ran(ran)) if ran.ended != Ended::Status(0) => {
            Some(format!("{}: {}", telling::name(state, batch, does), ran.ended.say(lang)))
        }
        _ => None,
    })
}

fn first_fault(batch: &Batch, which: impl Fn(Does) -> bool) -> Option<Fault> {
    batch.orders.iter().filter(|order| which(order.does)).find_map(|order| match order.receipt.as_deref()? {
        Receipt::Refused(fault) => Some(fault.clone()),
        _ => None,
    })
}
