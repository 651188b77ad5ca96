//! The respondent answers the open question, or leaves an optional field empty.

use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::limits;
use enza_kernel::prompt::fence;

use super::must_be_asked;
use crate::interview::event::Event;
use crate::interview::finding::Finding;
use crate::interview::refusal::Refusal;
use crate::interview::state::{INTERVIEWER, REVIEWING};
use crate::interview::{Interview, flow};

/// An answer goes to the interviewer, which must have it reviewed. After the rounds are used up it goes to the
/// reviewer at once: there is nothing left for the interviewer to ask.
pub(super) fn say(draft: &mut Draft<'_, Interview>, text: &str) -> Result<(), Refusal> {
    let place = must_be_asked(draft)?;
    let text = limits::MESSAGE.check(text).map_err(Refusal::Text)?;
    let answers_a_plea = draft.state.plea.is_some();
    let field_id = draft.state.form.fields[place].field_id.clone();
    draft.record(Event::AnswerGiven { field_id, text: text.clone() });
    if answers_a_plea {
        return flow::begin_review(draft, place).map_err(Refusal::Move);
    }
    agent::hear(draft, INTERVIEWER, &fence("answer", &text));
    Ok(())
}

/// An optional field that is left empty has nothing to check, so its review passes by rule, without a model.
pub(super) fn skip(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    let place = must_be_asked(draft)?;
    let field = &draft.state.form.fields[place];
    if field.required {
        return Err(Refusal::Required { label: field.label.clone() });
    }
    let field_id = field.field_id.clone();
    draft.record(Event::FieldDeclined { field_id });
    flow::shift(draft, place, REVIEWING).map_err(Refusal::Move)?;
    flow::take_finding(draft, place, Finding::declined()).map_err(Refusal::Move)?;
    agent::govern(draft);
    Ok(())
}
