//! Takes recorded events into the state. Never fails: what is recorded has happened.

mod fields;

use std::sync::Arc;

use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::application::Entry;
use enza_kernel::budget::Ledger;
use enza_kernel::effect::Key;
use enza_kernel::gate::{Answer, GateState, Verdict};
use enza_kernel::time::{Seq, Timestamp};

use super::event::{Event, GatePurpose, Source};
use super::form::Form;
use super::state::{ARCHITECT, Delivery, DeliveryPhase, FILES_KEPT, INTERVIEWER, Stage, State};
use super::values::digest_of;

pub(super) fn evolve(state: &mut State, entry: &Entry<Event>) {
    state.changed = entry.at;
    if is_of_a_person(&entry.event) {
        state.seen = entry.at;
    }
    if is_answer(&entry.event) {
        state.spoke = entry.at;
    }
    match &entry.event {
        Event::Opened {
            form,
            respondent,
            budget,
            version,
            bootstrap,
            consented,
            prefill,
            delivery,
            key,
            link,
            keep_days,
        } => {
            opened(state, form, entry.at, *budget);
            respondent.clone_into(&mut state.respondent);
            state.version = *version;
            state.bootstrap = bootstrap.clone();
            state.consented = *consented;
            state.prefill = prefill.clone();
            state.delivery_way = *delivery;
            state.key = key.clone();
            state.link = link.clone();
            state.keep_days = *keep_days;
        }
        Event::Greeted { .. } => {
            state.greetings += 1;
            state.utterances += 1;
        }
        Event::Settled { bootstrap, .. } => state.bootstrap = bootstrap.clone(),
        Event::Planned { plan, .. } => fields::planned(state, plan),
        Event::FieldTaken { field_id } => fields::taken(state, field_id),
        Event::FieldMoved { field_id, to } => fields::moved(state, field_id, to),
        Event::AnswerGiven { field_id, text, source, on } => {
            fields::answer_given(state, field_id, text, *source);
            if !on.is_empty() {
                on.clone_into(&mut state.today);
            }
        }
        Event::FileTaken { digest, .. } => file_taken(state, digest),
        Event::FileLeft { digest } => state.files.retain(|known| known != digest),
        Event::FieldDeclined { .. } => state.plea = None,
        Event::FieldSetAside { field_id, .. } => fields::set_aside(state, field_id),
        Event::Reviewed { field_id, finding, step, .. } => fields::reviewed(state, field_id, finding, step.as_ref()),
        Event::HelpAsked { text, .. } => state.plea = Some(text.clone()),
        Event::FieldClosed { field_id, value, absence, sentence, incomplete, .. } => {
            fields::closed(state, field_id, value.as_ref(), *absence, sentence.as_ref(), *incomplete);
        }
        Event::FieldReopened { field_id, .. } => fields::reopened(state, field_id),
        Event::ItemAdded { group_id, item } => fields::item_added(state, group_id, *item),
        Event::MoreAsked { group_id, after, label } => fields::more_asked(state, group_id, *after, label),
        Event::Gathered { .. } => state.stage = Stage::Choosing,
        Event::GateOpened { purpose, gate } => {
            state.gates += 1;
            state.gate = Some((*purpose, GateState::Open(gate.clone())));
            match purpose {
                GatePurpose::Submit => state.stage = Stage::Confirming,
                GatePurpose::Redeliver => {}
            }
        }
        Event::GateAnswered { answer } => gate_answered(state, answer),
        Event::Submitted { .. } => {
            state.stage = Stage::Delivering;
            let key = Key { seq: entry.seq, ordinal: 0 };
            state.delivery =
                Some(Delivery { id: key.to_string(), key, phase: DeliveryPhase::Queued, failed: 0, since: entry.at });
        }
        Event::DeliveryRequeued => requeued(state, entry.seq),
        Event::DeliveryStarted { mark } => set_delivery(state, DeliveryPhase::Started { mark: mark.clone() }),
        Event::DeliveryFailed { again, .. } => delivery_failed(state, *again),
        Event::DeliveryLost => set_delivery(state, DeliveryPhase::Lost),
        Event::Delivered { .. } => {
            set_delivery(state, DeliveryPhase::Done);
            state.stage = Stage::Delivered;
        }
        Event::BudgetRaised { budget } => state.cast.ledger.limit = Some(*budget),
        Event::Abandoned { .. } => state.stage = Stage::Abandoned,
        Event::Stepped(step) => stepped(state, entry.seq, step),
    }
}

/// Whether it shows that somebody still cares for the interview.
fn is_of_a_person(event: &Event) -> bool {
    match event {
        Event::Opened { .. }
        | Event::Greeted { .. }
        | Event::AnswerGiven { .. }
        | Event::FieldDeclined { .. }
        | Event::FieldSetAside { .. }
        | Event::FieldReopened { .. }
        | Event::GateOpened { .. }
        | Event::GateAnswered { .. }
        | Event::BudgetRaised { .. } => true,
        Event::Stepped(step) => matches!(step.what, ThreadEvent::Retried),
        Event::Settled { .. }
        | Event::Planned { .. }
        | Event::FieldTaken { .. }
        | Event::FieldMoved { .. }
        | Event::FileTaken { .. }
        | Event::FileLeft { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
        | Event::FieldClosed { .. }
        | Event::ItemAdded { .. }
        | Event::MoreAsked { .. }
        | Event::Gathered { .. }
        | Event::Submitted { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryFailed { .. }
        | Event::DeliveryLost
        | Event::Delivered { .. }
        | Event::Abandoned { .. } => false,
    }
}

/// Whether it is an answer of the respondent's own, by which the days count that were promised. What rules and agents make
/// of one later is none, nor is what others do to keep the interview going, nor giving it up. A field is also opened again
/// or left for later by what an agent finds, so neither counts: an answer goes before or comes after.
fn is_answer(event: &Event) -> bool {
    match event {
        Event::Opened { .. } | Event::Greeted { .. } | Event::FieldDeclined { .. } | Event::GateAnswered { .. } => true,
        Event::AnswerGiven { source, .. } => match source {
            Source::Question | Source::Filled => true,
            // An agent may find this much later in what was said before; and a link is no respondent.
            Source::Aside | Source::Link => false,
        },
        Event::Settled { .. }
        | Event::Planned { .. }
        | Event::FieldTaken { .. }
        | Event::FieldMoved { .. }
        | Event::FileTaken { .. }
        | Event::FileLeft { .. }
        | Event::FieldSetAside { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
        | Event::FieldClosed { .. }
        | Event::FieldReopened { .. }
        | Event::ItemAdded { .. }
        | Event::MoreAsked { .. }
        | Event::Gathered { .. }
        | Event::GateOpened { .. }
        | Event::Submitted { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryFailed { .. }
        | Event::DeliveryLost
        | Event::Delivered { .. }
        | Event::BudgetRaised { .. }
        | Event::Abandoned { .. }
        | Event::Stepped(_) => false,
    }
}

/// The oldest that is no answer makes room where there are too many.
fn file_taken(state: &mut State, digest: &str) {
    state.files.push(digest.to_owned());
    if state.files.len() > FILES_KEPT {
        let is_answer =
            |file: &String| state.records.iter().any(|one| one.value.as_deref().and_then(digest_of) == Some(file));
        if let Some(place) = state.files.iter().position(|file| !is_answer(file)) {
            state.files.remove(place);
        }
    }
}

fn opened(state: &mut State, form: &Form, at: Timestamp, budget: Option<u64>) {
    state.stage = Stage::Greeting;
    state.form = Arc::new(form.clone());
    state.records = fields::in_order(form, form.fields.iter().map(|field| field.field_id.as_str()));
    state.opened = at;
    state.cast.ledger = Ledger { limit: budget, ..Ledger::default() };
}

fn stepped(state: &mut State, seq: Seq, step: &Step) {
    match &step.what {
        ThreadEvent::Began { agent, .. } if agent == ARCHITECT => state.stage = Stage::Planning,
        ThreadEvent::CallAsks { .. } if step.thread == INTERVIEWER => state.answered = false,
        ThreadEvent::Began { .. }
        | ThreadEvent::Heard { .. }
        | ThreadEvent::Replied { .. }
        | ThreadEvent::CallQueued { .. }
        | ThreadEvent::CallStarted { .. }
        | ThreadEvent::CallAsks { .. }
        | ThreadEvent::CallGated { .. }
        | ThreadEvent::CallDelegated { .. }
        | ThreadEvent::CallEnded { .. }
        | ThreadEvent::Nudged { .. }
        | ThreadEvent::Rested
        | ThreadEvent::Closed
        | ThreadEvent::Lightened { .. }
        | ThreadEvent::Compacted { .. }
        | ThreadEvent::Overran { .. }
        | ThreadEvent::CallsLost { .. }
        | ThreadEvent::Failed { .. }
        | ThreadEvent::Retried => {}
    }
    state.cast.evolve(seq, step);
}

fn gate_answered(state: &mut State, answer: &Answer) {
    let Some((purpose, gate)) = &mut state.gate else { return };
    gate.close(answer);
    match (*purpose, answer.verdict) {
        (GatePurpose::Submit, Verdict::No) => state.stage = Stage::Choosing,
        (GatePurpose::Submit, Verdict::Yes) | (GatePurpose::Redeliver, Verdict::Yes | Verdict::No) => {}
    }
}

fn requeued(state: &mut State, seq: Seq) {
    if let Some(delivery) = &mut state.delivery {
        delivery.key = Key { seq, ordinal: 0 };
        delivery.phase = DeliveryPhase::Queued;
    }
}

fn delivery_failed(state: &mut State, again: Option<Timestamp>) {
    if let Some(delivery) = &mut state.delivery {
        delivery.failed += 1;
        delivery.phase = again.map_or(DeliveryPhase::Failed, |until| DeliveryPhase::Resting { until });
    }
}

fn set_delivery(state: &mut State, phase: DeliveryPhase) {
    if let Some(delivery) = &mut state.delivery {
        delivery.phase = phase;
    }
}
