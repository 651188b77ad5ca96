//! The respondent answers the open question, writes into fields, or leaves one without a value.

use std::collections::BTreeMap;

use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::gate::Verdict;
use enza_kernel::limits;
use enza_kernel::review::ReviewPhase;

use super::{answer_gate, must_be_asked, must_be_unsubmitted};
use crate::Interview;
use crate::event::Source;
use crate::flow::correction::{find, holds_more};
use crate::flow::review::ReviewedBy;
use crate::flow::{self, review, start};
use crate::refusal::Refusal;
use crate::state::{Stage, State, record_id};
use crate::values::{self, Absence};

/// An answer goes to its review at once; parts that name other fields go to theirs.
pub(super) fn say(draft: &mut Draft<'_, Interview>, text: &str) -> Result<(), Refusal> {
    let field = must_be_asked(draft)?;
    let text = limits::MESSAGE.check(text).map_err(Refusal::Text)?;
    let Some(id) = field else { return start::greeted(draft, &text).map_err(Refusal::Move) };
    let named: Vec<(String, String)> = named_parts(&draft.state, &text);
    let corrected = if named.is_empty() { find(&draft.state, &text) } else { None };
    let is_elsewhere = corrected.as_ref().is_some_and(|corrected| !holds_more(&draft.state, &id, &text, corrected))
        || (!named.is_empty() && named.iter().all(|(other, _)| *other != id) && says_no_more(&draft.state, &text));
    let judge = if is_elsewhere { ReviewedBy::Elsewhere } else { ReviewedBy::Either };
    review::answered_by(draft, &id, &text, Source::Question, judge).map_err(Refusal::Move)?;
    for (other, part) in named.into_iter().chain(corrected) {
        review::volunteered(draft, &id, &other, &part).map_err(Refusal::Move)?;
    }
    go_on(draft)
}

/// Writes into fields. Everything is checked before anything is changed.
pub(super) fn fill(draft: &mut Draft<'_, Interview>, answers: BTreeMap<String, String>) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    let state = &draft.state;
    let may_write = match state.stage {
        Stage::Confirming | Stage::Choosing => true,
        Stage::Planning => state.failure().is_some(),
        // Whoever would rather write than be greeted begins with what is known of where they are at home.
        Stage::Greeting | Stage::Interviewing => state.failure().is_some() || state.question().is_some(),
        Stage::New | Stage::Delivering | Stage::Delivered | Stage::Abandoned => false,
    };
    if !may_write {
        return Err(Refusal::NotYourTurn);
    }
    let judge = if state.failure().is_some() { ReviewedBy::Rule } else { ReviewedBy::Either };
    let is_greeted_no_more = state.stage == Stage::Greeting && state.failure().is_none();
    start::without_agents(draft).map_err(Refusal::Move)?;
    if is_greeted_no_more {
        start::prefilled(draft).map_err(Refusal::Move)?;
    }
    let mut written = Vec::new();
    for (id, text) in answers {
        let text = limits::MESSAGE.check_optional(&text).map_err(Refusal::Text)?;
        check(&draft.state, &id, &text)?;
        let is_new = draft.state.record(&id).is_some_and(|record| record.value().unwrap_or_default() != text);
        if is_new || draft.state.record(&id).is_some_and(|record| !record.is_done()) {
            written.push((id, text));
        }
    }
    if draft.state.stage == Stage::Confirming && !written.is_empty() {
        answer_gate(draft, Verdict::No, None)?;
    }
    for (id, text) in written {
        let done = if text.is_empty() {
            review::declined(draft, &id, Absence::Skipped)
        } else {
            review::answered_by(draft, &id, &text, Source::Filled, judge)
        };
        done.map_err(Refusal::Move)?;
    }
    if draft.state.stage == Stage::Interviewing { go_on(draft) } else { Ok(()) }
}

/// Leaves the current field without a value, which needs no model.
pub(super) fn skip(draft: &mut Draft<'_, Interview>, absence: Absence) -> Result<(), Refusal> {
    let id = must_be_asked(draft)?.ok_or(Refusal::NoQuestion)?;
    review::declined(draft, &id, absence).map_err(Refusal::Move)?;
    go_on(draft)
}

/// Keeps what was said, once the reviewer has used up its rounds.
pub(super) fn keep_as_is(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    let id = must_be_asked(draft)?.ok_or(Refusal::NoQuestion)?;
    if !may_keep_as_is(&draft.state) {
        return Err(Refusal::NotYet);
    }
    review::kept_as_is(draft, &id).map_err(Refusal::Move)?;
    go_on(draft)
}

/// Whether what was said about the current field could be kept as it is.
pub(crate) fn may_keep_as_is(state: &State) -> bool {
    state.current().is_some_and(|(field, record)| {
        record.review.phase == ReviewPhase::WithPerson && field.kind.is_free_text() && !record.said().is_empty()
    })
}

/// Whether a text can be written into a field.
fn check(state: &State, id: &str, text: &str) -> Result<(), Refusal> {
    let unknown = || Refusal::UnknownField { field_id: id.to_owned() };
    let record = state.record(id).filter(|record| state.applies(record)).ok_or_else(unknown)?;
    let field = state.field_of(record);
    if field.hidden {
        return Err(unknown());
    }
    if text.is_empty() {
        return if field.required { Err(Refusal::Required { label: state.label(record) }) } else { Ok(()) };
    }
    if record.value() == Some(text) {
        return Ok(());
    }
    match review::read_here(state, field, text) {
        Ok(_) => Ok(()),
        Err(unread) => Err(Refusal::Unread { field_id: id.to_owned(), label: state.label(record), unread }),
    }
}

/// The parts of a message that name other fields of the form, as "Label: value".
fn named_parts(state: &State, text: &str) -> Vec<(String, String)> {
    let parts = values::labelled(&state.form, text).into_iter();
    let alone = parts.filter(|(place, _)| state.form.fields[*place].group.is_none());
    alone.map(|(place, part)| (record_id(&state.form, place, None), part.to_owned())).collect()
}

/// Whether a message says nothing but what it gives to fields by name, and perhaps that something was wrong before.
fn says_no_more(state: &State, text: &str) -> bool {
    const A_FEW_WORDS: usize = 80;
    let rest: Vec<&str> = text.lines().filter(|line| values::labelled(&state.form, line).is_empty()).collect();
    let rest = rest.join(" ");
    rest.trim().is_empty() || (values::retracts(&rest) && limits::length(&rest) <= A_FEW_WORDS)
}

fn go_on(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    flow::advance(draft).map_err(Refusal::Move)?;
    agent::enforce_limits(draft);
    Ok(())
}
