//! How scripted people go through interviews in crash tests.
//!
//! What they say comes from their number and the state of the log alone, so that one who was killed says the same again.

use std::sync::Arc;

use enza_interview::{Absence, Command, DELIVER, Event, Form, Interview, Open, State};
use enza_kernel::application::Application as _;
use enza_kernel::gate::Verdict;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_runtime::seams::tools::ToolRegistry;
use enza_terminal::environment::Environment;
use enza_terminal::part::{DrillScript, DrillTrace};
use serde_json::{Value, json};

use crate::delivery::DeliveryLog;

/// Where its deliveries are counted.
const COUNTED: &str = "outbox/deliveries.log";

/// The script.
pub struct InterviewDrill;

impl DrillScript for InterviewDrill {
    fn application(&self) -> &'static str {
        Interview::NAME
    }

    fn tools(&self, around: &Environment, registry: ToolRegistry) -> ToolRegistry {
        registry.with(DELIVER, Arc::new(DeliveryLog { file: around.data.join(COUNTED) }))
    }

    fn opening(&self) -> Value {
        json!(Command::Open(Box::new(Open::at_home(Form::sample(Lang::En)))))
    }

    fn next(&self, person: u32, session: &SessionId, seq: Seq, state: &dyn SessionState) -> (Value, Option<String>) {
        let state = state.typed::<Interview>().expect("a script plays sessions of its own application");
        let (command, said) = next(person, session, seq, state);
        (json!(command), said)
    }

    fn trace(&self, event: &Recorded) -> Option<DrillTrace> {
        trace(event.event::<Interview>().ok()?)
    }

    fn counted(&self) -> Option<&'static str> {
        Some(COUNTED)
    }
}

fn trace(event: Event) -> Option<DrillTrace> {
    match event {
        Event::AnswerGiven { text, .. } => Some(DrillTrace::Said(text)),
        Event::GateOpened { .. } => Some(DrillTrace::GateOpened),
        Event::GateAnswered { .. } => Some(DrillTrace::GateAnswered),
        // Without a receipt it is the respondent who says that it arrived.
        Event::Delivered { receipt, .. } => receipt.map(|_| DrillTrace::Done),
        Event::DeliveryLost => Some(DrillTrace::CutOff),
        Event::Opened { .. }
        | Event::Greeted { .. }
        | Event::Settled { .. }
        | Event::Planned { .. }
        | Event::FieldTaken { .. }
        | Event::FieldMoved { .. }
        | Event::FileTaken { .. }
        | Event::FileLeft { .. }
        | Event::FieldDeclined { .. }
        | Event::FieldSetAside { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
        | Event::FieldClosed { .. }
        | Event::FieldReopened { .. }
        | Event::ItemAdded { .. }
        | Event::MoreAsked { .. }
        | Event::Gathered { .. }
        | Event::Submitted { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryFailed { .. }
        | Event::BudgetRaised { .. }
        | Event::Abandoned { .. }
        | Event::Stepped(_) => None,
    }
}

fn next(person: u32, session: &SessionId, seq: Seq, state: &State) -> (Command, Option<String>) {
    if let Some(gate) = state.gate() {
        return (at_gate(person, state, gate.id.clone()), None);
    }
    if state.is_undelivered() {
        return (Command::RetryDelivery, None);
    }
    if state.failure().is_some() {
        return (Command::RetryModel, None);
    }
    let is_optional = state.current().is_some_and(|(field, _)| !field.required);
    if is_optional && person.is_multiple_of(3) {
        return (Command::Skip { absence: Absence::Skipped }, None);
    }
    let text = format!("{session} says this at {seq}");
    (Command::Say { text: text.clone() }, Some(text))
}

/// Submits, some after changing an answer. Of a delivery that was cut off the person says that it is done.
fn at_gate(person: u32, state: &State, gate: String) -> Command {
    if gate.starts_with("redeliver") {
        return Command::Confirm { gate, verdict: Verdict::No, note: None };
    }
    if person % 5 == 1 && gate == "submit-1" {
        return Command::ChangeAnswer { field_id: state.form().fields[1].field_id.clone() };
    }
    Command::Confirm { gate, verdict: Verdict::Yes, note: None }
}
