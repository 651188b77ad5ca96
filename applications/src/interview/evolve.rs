//! Takes recorded events into the state. Never fails: what is recorded has happened.

use std::sync::Arc;

use enza_kernel::agent::What;
use enza_kernel::application::Entry;
use enza_kernel::budget::Ledger;
use enza_kernel::effect::Key;
use enza_kernel::gate::{Answer, GateState, Verdict};
use enza_kernel::moves::Way;
use enza_kernel::review::ReviewStep;
use enza_kernel::time::Seq;

use super::event::{Event, Purpose};
use super::finding::Finding;
use super::form::Form;
use super::state::{Delivery, DeliveryPhase, EXCHANGES_KEPT, Exchange, FACTS_KEPT, REVIEWING, Record, Stage, State};

pub(super) fn evolve(state: &mut State, entry: &Entry<Event>) {
    if is_of_a_person(&entry.event) {
        state.seen = entry.at;
    }
    match &entry.event {
        Event::Opened { form, respondent, budget } => opened(state, form, respondent, *budget),
        Event::FieldMoved { field_id, to } => field_moved(state, field_id, to),
        Event::AnswerGiven { field_id, text } => answer_given(state, field_id, text),
        Event::FieldDeclined { .. } => state.plea = None,
        Event::Reviewed { field_id, finding, step } => reviewed(state, field_id, finding, step),
        Event::HelpAsked { text, .. } => state.plea = Some(text.clone()),
        Event::FieldClosed { field_id, value, incomplete, .. } => {
            field_closed(state, field_id, value.clone(), *incomplete);
        }
        Event::FieldReopened { field_id } => field_reopened(state, field_id),
        Event::GateOpened { purpose, gate } => {
            state.gates += 1;
            state.gate = Some((*purpose, GateState::Open(gate.clone())));
            match purpose {
                Purpose::Submit => state.stage = Stage::Confirming,
                Purpose::Redeliver => {}
            }
        }
        Event::GateAnswered { answer } => gate_answered(state, answer),
        Event::Submitted { .. } => {
            state.stage = Stage::Delivering;
            let key = Key { seq: entry.seq, ordinal: 0 };
            state.delivery = Some(Delivery { id: key.to_string(), key, phase: DeliveryPhase::Queued });
        }
        Event::DeliveryRequeued => requeued(state, entry.seq),
        Event::DeliveryStarted { mark } => set_delivery(state, DeliveryPhase::Started { mark: mark.clone() }),
        Event::DeliveryFailed { .. } => set_delivery(state, DeliveryPhase::Failed),
        Event::DeliveryLost => set_delivery(state, DeliveryPhase::Lost),
        Event::Delivered { .. } => {
            set_delivery(state, DeliveryPhase::Done);
            state.stage = Stage::Delivered;
        }
        Event::BudgetRaised { budget } => state.cast.ledger.limit = Some(*budget),
        Event::Abandoned { .. } => state.stage = Stage::Abandoned,
        Event::Stepped(step) => state.cast.evolve(entry.seq, step),
    }
}

/// Whether it shows that the respondent is still there.
fn is_of_a_person(event: &Event) -> bool {
    match event {
        Event::Opened { .. }
        | Event::AnswerGiven { .. }
        | Event::FieldDeclined { .. }
        | Event::FieldReopened { .. }
        | Event::GateOpened { .. }
        | Event::GateAnswered { .. }
        | Event::BudgetRaised { .. } => true,
        Event::Stepped(step) => matches!(step.what, What::Retried),
        Event::FieldMoved { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
        | Event::FieldClosed { .. }
        | Event::Submitted { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryFailed { .. }
        | Event::DeliveryLost
        | Event::Delivered { .. }
        | Event::Abandoned { .. } => false,
    }
}

fn opened(state: &mut State, form: &Form, respondent: &str, budget: Option<u64>) {
    state.stage = Stage::Interviewing;
    state.records = form.fields.iter().map(|_| Record::fresh()).collect();
    state.form = Arc::new(form.clone());
    respondent.clone_into(&mut state.respondent);
    state.cast.ledger = Ledger { limit: budget, ..Ledger::default() };
}

fn field_moved(state: &mut State, field_id: &str, to: &str) {
    if to == REVIEWING {
        state.reviews += 1;
    }
    if let Some(record) = state.record_of(field_id) {
        record.at.take(Way::Ordinary, to);
    }
}

fn answer_given(state: &mut State, field_id: &str, text: &str) {
    // The question is still open here: the thread hears the answer in a later event.
    let question = state.question().unwrap_or_default().to_owned();
    state.plea = None;
    if let Some(record) = state.record_of(field_id) {
        record.exchanges.push(Exchange { question, answer: text.to_owned() });
        keep_last(&mut record.exchanges, EXCHANGES_KEPT);
        record.unreviewed = true;
    }
}

fn reviewed(state: &mut State, field_id: &str, finding: &Finding, step: &ReviewStep) {
    let Some(record) = state.record_of(field_id) else { return };
    record.unreviewed = false;
    record.review.evolve(step);
    for fact in finding.facts() {
        if !record.facts.contains(&fact) {
            record.facts.push(fact);
        }
    }
    keep_last(&mut record.facts, FACTS_KEPT);
    record.finding = Some(finding.clone());
}

fn field_closed(state: &mut State, field_id: &str, value: Option<String>, incomplete: bool) {
    if let Some(record) = state.record_of(field_id) {
        record.value = value;
        record.incomplete = incomplete;
        // The log has the words; the value is what the session goes on with.
        record.exchanges.clear();
    }
}

fn field_reopened(state: &mut State, field_id: &str) {
    state.stage = Stage::Interviewing;
    if let Some(record) = state.record_of(field_id) {
        *record = Record { at: record.at.clone(), value: record.value.take(), ..Record::fresh() };
    }
}

fn gate_answered(state: &mut State, answer: &Answer) {
    let Some((purpose, gate)) = &mut state.gate else { return };
    gate.close(answer);
    match (*purpose, answer.verdict) {
        (Purpose::Submit, Verdict::No) => state.stage = Stage::Choosing,
        (Purpose::Submit, Verdict::Yes) | (Purpose::Redeliver, Verdict::Yes | Verdict::No) => {}
    }
}

fn requeued(state: &mut State, seq: Seq) {
    if let Some(delivery) = &mut state.delivery {
        delivery.key = Key { seq, ordinal: 0 };
        delivery.phase = DeliveryPhase::Queued;
    }
}

fn set_delivery(state: &mut State, phase: DeliveryPhase) {
    if let Some(delivery) = &mut state.delivery {
        delivery.phase = phase;
    }
}

fn keep_last<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}
