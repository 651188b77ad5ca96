//! How an interview goes from field to field, and at last to the confirmation.
//!
//! Every change of a field's state passes `shift`, which asks the table. `close` is the one way to a value, and it is
//! entered from `reviewing` alone: no word of a model or of a respondent goes around the review. The confirmation
//! opens by itself when nothing is left to ask; the interviewer's thread is over then.

use enza_kernel::agent::{self, End, Step, What, Work};
use enza_kernel::application::Draft;
use enza_kernel::gate::{Gate, Points, Risk};
use enza_kernel::moves::{Stay, Way};
use serde_json::json;

use super::event::{Event, Purpose};
use super::finding::{Conclusion, Finding};
use super::state::{DONE, INTERVIEWER, INTERVIEWING, REVIEWER, REVIEWING, State};
use super::{Interview, prompts, words};

/// Moves a field, if the table has the move.
pub(super) fn shift(draft: &mut Draft<'_, Interview>, place: usize, to: &str) -> Result<(), Stay> {
    draft.state.records[place].at.may(&draft.app.fields, Way::Ordinary, to)?;
    let field_id = draft.state.form.fields[place].field_id.clone();
    draft.record(Event::FieldMoved { field_id, to: to.to_owned() });
    Ok(())
}

/// Hands a field's answers to a reviewer, in a thread of its own that starts from a written summary.
pub(super) fn begin_review(draft: &mut Draft<'_, Interview>, place: usize) -> Result<(), Stay> {
    shift(draft, place, REVIEWING)?;
    let thread = format!("{REVIEWER}-{}", draft.state.reviews);
    let summary = prompts::so_far(&draft.state);
    agent::start(draft, &thread, REVIEWER, &summary);
    Ok(())
}

/// Takes the result of a review: the field is closed, asked on, or put before the respondent.
pub(super) fn take_finding(draft: &mut Draft<'_, Interview>, place: usize, finding: Finding) -> Result<(), Stay> {
    let field = draft.state.form.fields[place].clone();
    let step = draft.state.records[place].review.next(finding.verdict());
    let conclusion = finding.conclude(&field, &step);
    draft.record(Event::Reviewed { field_id: field.field_id.clone(), finding: finding.clone(), step });
    match conclusion {
        Conclusion::Close { incomplete } => close(draft, place, &finding, incomplete),
        Conclusion::AskOn => {
            shift(draft, place, INTERVIEWING)?;
            give_back(draft, &result(&draft.state, place, &finding));
            Ok(())
        }
        Conclusion::AskForHelp => {
            shift(draft, place, INTERVIEWING)?;
            let text = words::plea(draft.state.form.language, &field, &finding.lacking());
            draft.record(Event::HelpAsked { field_id: field.field_id, text });
            Ok(())
        }
    }
}

/// Gives a field its value and goes on to the next.
fn close(draft: &mut Draft<'_, Interview>, place: usize, finding: &Finding, incomplete: bool) -> Result<(), Stay> {
    shift(draft, place, DONE)?;
    let lacking = if incomplete { finding.lacking() } else { Vec::new() };
    let field_id = draft.state.form.fields[place].field_id.clone();
    draft.record(Event::FieldClosed { field_id, value: finding.value(), incomplete, lacking });
    match draft.state.next_pending() {
        Some(next) => {
            shift(draft, next, INTERVIEWING)?;
            give_back(draft, &result(&draft.state, place, finding));
        }
        None => {
            give_back(draft, &result(&draft.state, place, finding));
            draft.record(step(What::Closed));
            ask_for_submission(draft);
        }
    }
    Ok(())
}

/// Puts the whole before the respondent, for a yes or a no.
pub(super) fn ask_for_submission(draft: &mut Draft<'_, Interview>) {
    let ask = words::submission(&draft.state);
    open_gate(draft, Purpose::Submit, ask, Risk::Medium);
}

/// Opens a gate for the respondent.
pub(super) fn open_gate(draft: &mut Draft<'_, Interview>, purpose: Purpose, ask: Points, risk: Risk) {
    let word = match purpose {
        Purpose::Submit => "submit",
        Purpose::Redeliver => "redeliver",
    };
    let id = format!("{word}-{}", draft.state.gates + 1);
    let gate = Gate { id, ask, risk, expires: None, may_answer: Vec::new() };
    draft.record(Event::GateOpened { purpose, gate });
}

/// What the interviewer is told when its call comes back: the review, how the field stands, and what is next.
fn result(state: &State, place: usize, finding: &Finding) -> String {
    let next = state.current().map(|(field, _)| field.field_id.as_str());
    json!({
        "field_id": state.form.fields[place].field_id,
        "field": state.records[place].at(),
        "review": finding,
        "next_field_id": next,
    })
    .to_string()
}

/// Ends the call that the interviewer waits for, whoever was to bring its result.
fn give_back(draft: &mut Draft<'_, Interview>, text: &str) {
    let Some(thread) = draft.state.cast.threads.get(INTERVIEWER) else { return };
    let waiting = thread.pending().iter().find_map(|pending| match pending.work {
        Work::Person => Some(What::Heard { text: text.into() }),
        Work::Child => Some(What::CallEnded { call: pending.call.id.clone(), text: text.into(), end: End::Done }),
        Work::Undecided | Work::Run { .. } | Work::Gate => None,
    });
    if let Some(what) = waiting {
        draft.record(step(what));
    }
}

fn step(what: What) -> Event {
    Event::Stepped(Step { thread: INTERVIEWER.to_owned(), what })
}
