//! Moves from step to step: by the table, one for each utterance, each with what brought it about.
//!
//! Code decides, the model proposes (G16). What the table forbids is refused, recorded and told. Failures have ways of
//! their own, which are not counted, and the number of recoveries is limited (G14).

use std::time::Duration;

use enza_kernel::application::Draft;
use enza_kernel::moves::{MoveKind, NotMoved};

use super::super::event::Event;
use super::super::note::Note;
use super::super::steps::{Status, Step};
use super::super::task::{Ending, ModelCall, Procedure, Task};
use super::super::{Companion, words};
use super::{call_model, leave_to_person, set_status};

/// A counter that no utterance has released for this long is released by itself (DUCK-77, G10).
const RELEASE: Duration = Duration::from_secs(60);

/// Makes a move, or records why not.
pub(in super::super) fn shift(draft: &mut Draft<'_, Companion>, id: u32, to: &str, trigger: &str) -> bool {
    go(draft, id, MoveKind::Ordinary, to, trigger)
}

fn go(draft: &mut Draft<'_, Companion>, id: u32, way: MoveKind, to: &str, trigger: &str) -> bool {
    let Some(task) = draft.state.task(id) else { return false };
    let from = task.at.at().to_owned();
    let is_stuck = task.moved_at.until(draft.now().time) >= RELEASE;
    match task.at.may(&draft.app.steps, way, to) {
        Err(NotMoved::TooMany { .. }) if is_stuck => draft.record(Event::Completed { desk: id }),
        Err(why) => {
            draft.record(Event::MoveRefused { desk: id, to: to.to_owned(), why, trigger: trigger.to_owned() });
            return false;
        }
        Ok(()) => {}
    }
    draft.record(Event::Moved { desk: id, way, from, to: to.to_owned(), trigger: trigger.to_owned() });
    true
}

/// What the model proposes is held against the table, so that a forbidden wish is told and not forgotten (DUCK-78). The
/// move itself is made by what happens: consent, work carried out, a review.
pub(in super::super) fn check_proposal(draft: &mut Draft<'_, Companion>, id: u32, to: Step) {
    let Some(task) = draft.state.task(id) else { return };
    if task.step() == to || task.at.at() != task.step().word() {
        return;
    }
    if let Err(why) = draft.app.steps.step(task.at.at(), to.word()) {
        let trigger = "model".to_owned();
        draft.record(Event::MoveRefused { desk: id, to: to.word().to_owned(), why: why.into(), trigger });
    }
}

/// Something failed: back to planning, which is not counted as a move, as often as it may be; then a person is asked. The
/// person is told the error, the model what came of everything.
pub(in super::super) fn recover(draft: &mut Draft<'_, Companion>, id: u32, error: &str, told: &str) {
    set_status(draft, id, Status::Error);
    back_to_planning(draft, id, "error");
    let tried = draft.state.task(id).and_then(|task| task.task.as_ref()).map_or(0, |work| work.recoveries);
    if tried >= draft.state.settings.recoveries {
        return leave_to_person(draft, id, Note::GivenUp { error: error.to_owned(), recoveries: Some(tried) });
    }
    draft.record(Event::Recovered { desk: id, error: error.to_owned() });
    let word = words::mend(draft.state.lang(), told);
    let procedure = draft.state.task(id).map_or(Procedure::Execution, Task::repair_procedure);
    call_model(draft, id, ModelCall::Alone(procedure), &word);
}

/// The person stops the work: back to planning.
pub(in super::super) fn stop(draft: &mut Draft<'_, Companion>, id: u32) {
    back_to_planning(draft, id, "stopped");
}

/// The person goes on to something else while a result waits: nobody accepted it, and no model can (G13).
pub(in super::super) fn leave_behind(draft: &mut Draft<'_, Companion>, id: u32) {
    back_to_planning(draft, id, "a new task");
    draft.record(Event::TaskEnded { desk: id, ending: Ending::LeftBehind });
}

/// A call failed: work that was being done goes back to planning, from where it is tried again (DUCK-75).
pub(in super::super) fn fall_back(draft: &mut Draft<'_, Companion>, id: u32) {
    if draft.state.task(id).is_some_and(|task| task.gate.is_none()) {
        back_to_planning(draft, id, "error");
    }
}

fn back_to_planning(draft: &mut Draft<'_, Companion>, id: u32, trigger: &str) {
    if draft.state.task(id).is_some_and(|task| task.step() != Step::Planning) {
        go(draft, id, MoveKind::Error, Step::Planning.word(), trigger);
    }
}

/// Turns were taken back: a task that began in them is over, an older one goes back to planning. So does every one where all
/// that was changed `stands`, since there is still something to be done about it.
pub(in super::super) fn take_back(draft: &mut Draft<'_, Companion>, turn: u32, stands: bool) {
    let tasks =
        draft.state.desks.iter().filter_map(|task| Some((task.id, task.gate.is_some(), task.task.as_ref()?.since)));
    for (id, has_gate, since) in tasks.collect::<Vec<_>>() {
        if has_gate {
            draft.record(Event::GateWithdrawn { desk: id });
            draft.record(Event::BatchEnded { desk: id });
        }
        if since >= turn && !stands {
            draft.record(Event::TaskEnded { desk: id, ending: Ending::TakenBack });
        } else {
            stop(draft, id);
            set_status(draft, id, Status::RequiresUserInput);
        }
    }
}
