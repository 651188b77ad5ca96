//! How an interview goes from field to field, and at last to the confirmation.
//!
//! Every change of a field's state passes `shift`, which asks the table. `reviewing::close` is the one way to a value,
//! and it is entered from `reviewing` alone: no word of a model or of a respondent goes around the review. `go_on` is
//! the one place that decides what comes next, and it waits until no review is under way. The confirmation opens by
//! itself when nothing is left to ask; the interviewer's thread is over then.

pub(super) mod correction;
pub(super) mod groups;
pub(super) mod review;
pub(super) mod start;

use enza_kernel::agent::{self, CallWork, Step, ThreadEvent};
use enza_kernel::application::Draft;
use enza_kernel::gate::{Gate, Points, Risk};
use enza_kernel::moves::{MoveKind, NotMoved};

use super::event::{Event, GatePurpose};
use super::state::{DONE, INTERVIEWER, INTERVIEWING, PENDING};
use super::{Interview, prompts, words};

/// Moves a field, if the table has the move.
pub(super) fn move_field(draft: &mut Draft<'_, Interview>, id: &str, to: &str) -> Result<(), NotMoved> {
    if let Some(record) = draft.state.record(id) {
        record.at.may(&draft.app.fields, MoveKind::Ordinary, to)?;
        draft.record(Event::FieldMoved { field_id: id.to_owned(), to: to.to_owned() });
    }
    Ok(())
}

/// Goes on, once no review is under way: with the field that is spoken of, with the next, or to the confirmation.
pub(super) fn advance(draft: &mut Draft<'_, Interview>) -> Result<(), NotMoved> {
    if draft.state.is_reviewing() {
        return Ok(());
    }
    groups::expand(draft);
    let stays = draft
        .state
        .current()
        .is_some_and(|(_, record)| !record.is_done() && !record.is_set_aside() && draft.state.applies(record));
    if stays {
        // A plea is already a question; and whoever has not answered yet has one before them.
        if draft.state.answered && draft.state.plea.is_none() {
            ask_on(draft);
        }
        return Ok(());
    }
    match draft.state.next_to_ask().map(|record| record.id.clone()) {
        Some(next) => take(draft, &next),
        None => {
            finish(draft);
            Ok(())
        }
    }
}

/// Turns to a field. Its thread is new: what matters of the others is in the prompt, so that the thirtieth field costs
/// what the third did.
pub(super) fn take(draft: &mut Draft<'_, Interview>, id: &str) -> Result<(), NotMoved> {
    let is_first = draft.state.records.iter().all(|record| record.at() == PENDING);
    let was_done = draft.state.record(id).is_some_and(|record| record.value.is_some());
    open(draft, id, None)?;
    draft.record(Event::FieldTaken { field_id: id.to_owned() });
    let word = match (is_first, was_done) {
        (true, _) => prompts::opening(&draft.state),
        (false, true) => prompts::reopening(&draft.state),
        (false, false) => prompts::next(&draft.state),
    };
    agent::start(draft, INTERVIEWER, INTERVIEWER, &word);
    Ok(())
}

/// Opens a field for an answer, whether it was asked before or not.
pub(super) fn open(draft: &mut Draft<'_, Interview>, id: &str, because_of: Option<&str>) -> Result<(), NotMoved> {
    let Some(record) = draft.state.record(id) else { return Ok(()) };
    match record.at() {
        PENDING => move_field(draft, id, INTERVIEWING),
        DONE => {
            let label = draft.state.label(record);
            shift_may(draft, id)?;
            let because_of = because_of.map(str::to_owned);
            draft.record(Event::FieldReopened { field_id: id.to_owned(), label, because_of });
            move_field(draft, id, INTERVIEWING)
        }
        _ => Ok(()),
    }
}

/// Leaves a required field for later, and with it the submission.
pub(super) fn set_aside(draft: &mut Draft<'_, Interview>, id: &str) {
    if let Some(record) = draft.state.record(id) {
        let label = draft.state.label(record);
        draft.record(Event::FieldSetAside { field_id: id.to_owned(), label });
    }
}

/// Nothing is left to ask: the respondent looks at the whole.
pub(super) fn finish(draft: &mut Draft<'_, Interview>) {
    if draft.state.cast.threads.contains_key(INTERVIEWER) {
        draft.record(step(INTERVIEWER, ThreadEvent::Closed));
    }
    let missing = draft.state.required_not_done();
    if missing.is_empty() {
        let ask = words::submission(&draft.state);
        open_gate(draft, GatePurpose::Submit, ask, Risk::Medium);
    } else {
        draft.record(Event::Gathered { missing });
    }
}

/// Opens a gate for the respondent.
pub(super) fn open_gate(draft: &mut Draft<'_, Interview>, purpose: GatePurpose, ask: Points, risk: Risk) {
    let word = match purpose {
        GatePurpose::Submit => "submit",
        GatePurpose::Redeliver => "redeliver",
    };
    let id = format!("{word}-{}", draft.state.gates + 1);
    let gate = Gate { id, ask, risk, expires: None, may_answer: Vec::new() };
    draft.record(Event::GateOpened { purpose, gate });
}

/// Something that happened in a thread.
pub(super) fn step(thread: &str, what: ThreadEvent) -> Event {
    Event::Stepped(Step { thread: thread.to_owned(), what })
}

/// Gives the interviewer the review of the last answer, for the next question about the same field.
fn ask_on(draft: &mut Draft<'_, Interview>) {
    let text = prompts::result(&draft.state);
    let thread = draft.state.cast.threads.get(INTERVIEWER);
    let waits = thread.is_some_and(|thread| thread.pending().iter().any(|pending| pending.work == CallWork::Person));
    if waits {
        agent::hear(draft, INTERVIEWER, &text);
    } else {
        let word = prompts::asking_on(&draft.state);
        agent::start(draft, INTERVIEWER, INTERVIEWER, &word);
    }
}

/// Whether a done field may be opened again, asked before anything is recorded.
fn shift_may(draft: &Draft<'_, Interview>, id: &str) -> Result<(), NotMoved> {
    draft.state.record(id).map_or(Ok(()), |record| record.at.may(&draft.app.fields, MoveKind::Ordinary, INTERVIEWING))
}
