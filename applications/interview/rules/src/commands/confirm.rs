//! The respondent looks at the whole: submits it, or changes an answer first.
//!
//! Nothing is submitted while a required field is not done. The gate opens only then, and the answer is checked
//! against the state once more: the rule does not rest on who opened the gate.

use enza_kernel::application::Draft;
use enza_kernel::gate::Verdict;
use enza_kernel::limits;
use enza_kernel::refusal::CommonRefusal;

use super::{answer_gate, must_be_respondent, must_be_unsubmitted};
use crate::event::{Event, GatePurpose};
use crate::refusal::Refusal;
use crate::state::{FieldRecord, Stage};
use crate::{Interview, delivery, flow};

pub(super) fn confirm(
    draft: &mut Draft<'_, Interview>,
    gate: &str,
    verdict: Verdict,
    note: Option<String>,
) -> Result<(), Refusal> {
    must_be_respondent(draft)?;
    if draft.state.stage == Stage::Abandoned {
        return Err(Refusal::Abandoned);
    }
    let purpose = match &draft.state.gate {
        Some((purpose, known)) if known.gate().id == gate => *purpose,
        Some(_) | None => return Err(Refusal::Common(CommonRefusal::NoSuchGate)),
    };
    let note = note.map(|note| limits::NOTE.check_optional(&note)).transpose().map_err(Refusal::Text)?;
    answer_gate(draft, verdict, note.filter(|note| !note.is_empty()))?;
    match (purpose, verdict) {
        (GatePurpose::Submit, Verdict::Yes) => submit(draft),
        (GatePurpose::Submit, Verdict::No) => Ok(()),
        (GatePurpose::Redeliver, Verdict::Yes) => {
            draft.record(Event::DeliveryRequeued);
            Ok(())
        }
        (GatePurpose::Redeliver, Verdict::No) => {
            delivery::arrived(draft, None);
            Ok(())
        }
    }
}

fn submit(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    let labels = draft.state.required_not_done();
    if !labels.is_empty() {
        return Err(Refusal::FieldsMissing { labels });
    }
    let submission = draft.state.submission();
    draft.record(Event::Submitted { submission });
    Ok(())
}

/// Opens a field again, and turns to it. While the gate is open this is the respondent's no.
pub(super) fn change(draft: &mut Draft<'_, Interview>, field_id: &str) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    let state = &draft.state;
    let asked = |record: &&FieldRecord| state.applies(record) && !state.field_of(record).hidden;
    if state.record(field_id).filter(asked).is_none() {
        return Err(Refusal::UnknownField { field_id: field_id.to_owned() });
    }
    match state.stage {
        Stage::Confirming => answer_gate(draft, Verdict::No, None)?,
        Stage::Choosing => {}
        Stage::Interviewing if state.question().is_some() => {}
        Stage::New
        | Stage::Greeting
        | Stage::Planning
        | Stage::Interviewing
        | Stage::Delivering
        | Stage::Delivered
        | Stage::Abandoned => return Err(Refusal::NotYourTurn),
    }
    flow::take(draft, field_id).map_err(Refusal::Move)
}

pub(super) fn reconfirm(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    if draft.state.stage != Stage::Choosing {
        return Err(Refusal::NotConfirming);
    }
    let labels = draft.state.required_not_done();
    if !labels.is_empty() {
        return Err(Refusal::FieldsMissing { labels });
    }
    flow::finish(draft);
    Ok(())
}
