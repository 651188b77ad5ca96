//! What becomes of the fields when something has happened.

use enza_kernel::moves::MoveKind;
use enza_kernel::review::ReviewStep;

use crate::event::Source;
use crate::findings::{Finding, Stance};
use crate::form::Form;
use crate::plan::Plan;
use crate::state::{
    EXCHANGES_KEPT, Exchange, FACTS_KEPT, FieldRecord, INTERVIEWING, REVIEWER, REVIEWING, Stage, State, record_id,
};
use crate::values::Absence;

/// Records of the fields that stand alone, in this order. Those of groups come item by item.
pub(super) fn in_order<'a>(form: &Form, ids: impl Iterator<Item = &'a str>) -> Vec<FieldRecord> {
    let places = ids.filter_map(|id| form.find(id)).filter(|(_, field)| field.group.is_none());
    places.map(|(place, field)| fresh(form, place, None, form.follow_ups(field))).collect()
}

pub(super) fn planned(state: &mut State, plan: &Plan) {
    state.stage = Stage::Interviewing;
    let planned = plan.fields.iter().map(|planned| planned.field_id.as_str());
    let hidden = state.form.fields.iter().filter(|field| field.hidden).map(|field| field.field_id.as_str());
    state.records = in_order(&state.form, planned.chain(hidden));
    state.plan = Some(plan.clone());
}

pub(super) fn taken(state: &mut State, id: &str) {
    state.stage = Stage::Interviewing;
    state.current = Some(id.to_owned());
    state.answered = false;
    state.plea = None;
    if let Some(record) = state.record_mut(id) {
        record.set_aside = false;
    }
}

pub(super) fn moved(state: &mut State, id: &str, to: &str) {
    state.stage = Stage::Interviewing;
    let thread = (to == REVIEWING).then(|| {
        state.reviews += 1;
        format!("{REVIEWER}-{}", state.reviews)
    });
    // Logs of the first version do not say which field is taken: there, it is the one that moves.
    if to == INTERVIEWING && state.plan.is_none() {
        state.current = Some(id.to_owned());
    }
    if let Some(record) = state.record_mut(id) {
        record.at.take(MoveKind::Ordinary, to);
        record.thread = thread;
    }
}

pub(super) fn answer_given(state: &mut State, id: &str, text: &str, source: Source) {
    let question = match source {
        // The question is still open here: the thread hears of the answer in a later event.
        Source::Question => state.question().unwrap_or_default().to_owned(),
        Source::Aside | Source::Filled | Source::Link => String::new(),
    };
    let is_current = state.current.as_deref() == Some(id);
    state.answered |= is_current;
    if is_current {
        state.plea = None;
    }
    state.utterances += u64::from(source == Source::Question);
    let heard = state.utterances;
    if let Some(record) = state.record_mut(id) {
        record.exchanges.push(Exchange { question, answer: text.to_owned(), source });
        keep_last(&mut record.exchanges, EXCHANGES_KEPT);
        record.heard = heard;
        record.set_aside = false;
        record.unreviewed = true;
    }
}

pub(super) fn set_aside(state: &mut State, id: &str) {
    if state.current.as_deref() == Some(id) {
        state.current = None;
        state.plea = None;
    }
    if let Some(record) = state.record_mut(id) {
        record.set_aside = true;
    }
}

pub(super) fn reviewed(state: &mut State, id: &str, finding: &Finding, step: Option<&ReviewStep>) {
    let Some(record) = state.record_mut(id) else { return };
    record.unreviewed = false;
    match step {
        Some(step) => record.review.evolve(step),
        None => {
            record.asides += 1;
            // What was said about something else is nothing to judge the field by.
            if finding.stance == Stance::Elsewhere {
                record.exchanges.pop();
            }
        }
    }
    for fact in finding.facts() {
        if !record.facts.contains(&fact) {
            record.facts.push(fact);
        }
    }
    keep_last(&mut record.facts, FACTS_KEPT);
    record.finding = Some(finding.clone());
}

pub(super) fn closed(
    state: &mut State,
    id: &str,
    value: Option<&String>,
    absence: Option<Absence>,
    sentence: Option<&String>,
    incomplete: bool,
) {
    if state.current.as_deref() == Some(id) {
        state.current = None;
        state.plea = None;
    }
    if let Some(record) = state.record_mut(id) {
        record.value = value.cloned();
        record.absence = absence;
        record.sentence = sentence.cloned();
        record.incomplete = incomplete;
        record.set_aside = false;
        // The log has the words; the value is what the session goes on with.
        record.exchanges.clear();
    }
}

pub(super) fn reopened(state: &mut State, id: &str) {
    state.stage = Stage::Interviewing;
    if let Some(record) = state.record_mut(id) {
        *record = record.begun_again();
    }
}

pub(super) fn item_added(state: &mut State, group_id: &str, item: u32) {
    let within = |place: &usize| state.form.fields[*place].group.as_deref() == Some(group_id);
    let places: Vec<usize> = (0..state.form.fields.len()).filter(within).collect();
    let at = end_of_group(state, group_id);
    let form = state.form.clone();
    let records = places.into_iter().map(|place| fresh(&form, place, Some(item), form.follow_ups(&form.fields[place])));
    state.records.splice(at..at, records);
}

pub(super) fn more_asked(state: &mut State, group_id: &str, after: u32, label: &str) {
    let at = end_of_group(state, group_id);
    let record = FieldRecord::more(&state.form, group_id, after, label);
    state.records.insert(at, record);
}

/// Where the next record of a group goes: after its last, or where the plan has its first.
fn end_of_group(state: &State, group_id: &str) -> usize {
    let is_within = |record: &FieldRecord| state.form.fields[record.place].group.as_deref() == Some(group_id);
    if let Some(last) = state.records.iter().rposition(is_within) {
        return last + 1;
    }
    let order: Vec<&str> = match &state.plan {
        Some(plan) => plan.fields.iter().map(|planned| planned.field_id.as_str()).collect(),
        None => state.form.fields.iter().map(|field| field.field_id.as_str()).collect(),
    };
    let place = |id: &str| order.iter().position(|one| *one == id);
    let first = state.form.fields.iter().filter(|field| field.group.as_deref() == Some(group_id));
    let first = first.filter_map(|field| place(&field.field_id)).min();
    let is_later = |record: &FieldRecord| place(&state.form.fields[record.place].field_id) > first;
    let is_unplanned = |record: &FieldRecord| place(&state.form.fields[record.place].field_id).is_none();
    let later = state.records.iter().position(|record| is_later(record) || is_unplanned(record));
    later.unwrap_or(state.records.len())
}

fn fresh(form: &Form, place: usize, item: Option<u32>, follow_ups: u32) -> FieldRecord {
    FieldRecord::fresh(record_id(form, place, item), place, item, follow_ups)
}

fn keep_last<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}
