//! Moves from step to step: by the table, one for each utterance, each with what brought it about.
//!
//! Code decides, the model proposes (G16). What the table forbids is refused, recorded and told. Failures have ways of
//! their own, which are not counted, and the number of recoveries is limited (G14).

use std::time::Duration;

use enza_kernel::application::Draft;
use enza_kernel::moves::{Stay, Way};

use super::super::desk::{Call, Procedure};
use super::super::event::{Event, Note};
use super::super::steps::{Status, Step};
use super::super::{Companion, words};
use super::{call, give_up, set_status};

/// A counter that no utterance has released for this long is released by itself (DUCK-77, G10).
const RELEASE: Duration = Duration::from_secs(60);

/// Makes a move, or records why not.
pub(in super::super) fn shift(draft: &mut Draft<'_, Companion>, id: u32, to: &str, trigger: &str) -> bool {
    go(draft, id, Way::Ordinary, to, trigger)
}

fn go(draft: &mut Draft<'_, Companion>, id: u32, way: Way, to: &str, trigger: &str) -> bool {
    let Some(desk) = draft.state.desk(id) else { return false };
    let from = desk.at.at().to_owned();
    let is_stuck = desk.moved_at.until(draft.now().time) >= RELEASE;
    match desk.at.may(&draft.app.steps, way, to) {
        Err(Stay::TooMany { .. }) if is_stuck => draft.record(Event::Completed { desk: id }),
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
pub(in super::super) fn proposed(draft: &mut Draft<'_, Companion>, id: u32, to: Step) {
    let Some(desk) = draft.state.desk(id) else { return };
    if desk.step() == to || desk.at.at() != desk.step().word() {
        return;
    }
    if let Err(why) = draft.app.steps.step(desk.at.at(), to.word()) {
        let trigger = "model".to_owned();
        draft.record(Event::MoveRefused { desk: id, to: to.word().to_owned(), why: why.into(), trigger });
    }
}

/// Something failed: back to planning, which is not counted as a move, as often as it may be; then a person is asked.
pub(in super::super) fn recover(draft: &mut Draft<'_, Companion>, id: u32, error: &str) {
    set_status(draft, id, Status::Error);
    let Some(desk) = draft.state.desk(id) else { return };
    if desk.step() != Step::Planning {
        go(draft, id, Way::Error, Step::Planning.word(), "error");
    }
    let tried = draft.state.desk(id).and_then(|desk| desk.task.as_ref()).map_or(0, |work| work.recoveries);
    if tried >= draft.state.settings.recoveries {
        return give_up(draft, id, Note::GivenUp { error: error.to_owned() });
    }
    draft.record(Event::Recovered { desk: id, error: error.to_owned() });
    let word = words::mend(draft.state.lang(), error);
    call(draft, id, Call::Alone(Procedure::Execution), &word);
}

/// The person stops the work: back to planning.
pub(in super::super) fn stop(draft: &mut Draft<'_, Companion>, id: u32) {
    if draft.state.desk(id).is_some_and(|desk| desk.step() != Step::Planning) {
        go(draft, id, Way::Error, Step::Planning.word(), "stopped");
    }
}
