//! What people see of the till, and how it answers where there is no model.
//!
//! By this alone it can be opened, spoken with and answered at any terminal and on any page.

use serde_json::json;

use super::{AUDITOR, CLERK, Command, Event, State, seats};
use crate::agent::{ThreadEvent, ThreadState};
use crate::conversation::{Reply, Request, Role, ToolCall};
use crate::floor::{Floor, Line, Offer, Opening, Tone, Weight, Who};
use crate::limits::MESSAGE;
use crate::panel::{Fact, Panel};
use crate::reader::Reader;
use crate::text::Lang;

/// The till without a budget and without a secret.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    vec![Opening {
        name: "plain".to_owned(),
        title: lang.pick("レジを開ける", "Open the till").to_owned(),
        about: lang.pick("店員と話します。", "Talk with a clerk.").to_owned(),
        command: json!(Command::Open { budget: None, floor: String::new() }),
    }]
}

/// What was said, by the customer and by the clerk, and what waits at the gate. Nothing of the auditor.
pub(super) fn line(event: &Event, reader: &Reader, lang: Lang) -> Option<Line> {
    let said = |who, text: &str| Line { who, tone: Tone::Said, text: text.to_owned(), gate: None };
    match event {
        Event::Agent(step) if step.thread == CLERK => match &step.what {
            ThreadEvent::Heard { text } => Some(said(customer(reader), text)),
            ThreadEvent::Replied { text, .. } if !text.is_empty() => Some(said(Who::Agent(CLERK.to_owned()), text)),
            _ => None,
        },
        Event::GateOpened { gate, .. } => {
            let gate_of_owner = reader.is_host().then(|| gate.clone());
            Some(Line { gate: gate_of_owner, ..said(Who::Session, &gate.ask.intent) })
        }
        Event::Closed { .. } => Some(Line {
            tone: Tone::Done,
            ..said(Who::Session, lang.pick("レジを閉めました。", "The till was closed."))
        }),
        Event::Agent(step) if step.thread != AUDITOR => seats::line(step, reader),
        Event::Agent(_)
        | Event::Seats(_)
        | Event::Opened { .. }
        | Event::Spoke { .. }
        | Event::Noted
        | Event::GateAnswered { .. }
        | Event::ParcelSent { .. }
        | Event::BranchPlanned { .. }
        | Event::CountBegun
        | Event::ParcelArrived { .. }
        | Event::ParcelCameBack { .. }
        | Event::BranchOpened { .. }
        | Event::Counted { .. }
        | Event::ParcelTaken { .. }
        | Event::LeftUnknown { .. } => None,
    }
}

/// The customer is the till's owner; others read who it was.
fn customer(reader: &Reader) -> Who {
    Who::Person((!reader.is_host()).then(|| "customer".to_owned()))
}

/// To speak while the clerk listens, to let a clerk who failed try again, and to close.
pub(super) fn floor(state: &State, reader: &Reader, lang: Lang) -> Floor {
    let gate = state.gate.as_ref().and_then(|(gate, _)| gate.open()).cloned();
    let press = |label: &str, command: Command, weight| Offer::Press {
        label: label.to_owned(),
        command: json!(command),
        weight,
    };
    let mut offers = Vec::new();
    if let (Some(clerk), None, None) = (state.cast.threads.get(CLERK), &gate, &state.closed) {
        if clerk.standing == ThreadState::Resting || clerk.open_question().is_some() {
            offers.push(Offer::Say {
                label: lang.pick("話す", "Say").to_owned(),
                limit: MESSAGE,
                command: json!(Command::Say { text: String::new() }),
                place: "/say/text".to_owned(),
            });
        }
        if clerk.standing.is_failed() {
            offers.push(press(lang.pick("もう一度", "Try again"), Command::Retry, Weight::Retry));
        }
        offers.push(press(lang.pick("閉める", "Close"), Command::Close, Weight::Grave));
    }
    let notes = Fact {
        label: lang.pick("メモ", "Notes").to_owned(),
        value: Some(state.notes.to_string()),
        remark: None,
        current: false,
        change: None,
    };
    let mut panels = vec![Panel::facts("till", lang.pick("レジ", "The till"), vec![notes])];
    if !reader.seats.is_empty() {
        // Whoever opened it may sit at it, too.
        let seated = seats::floor(&state.seats, reader, lang);
        offers.extend(seated.offers);
        panels.extend(seated.panels);
    }
    Floor { gate, offers, panels, ..Floor::default() }
}

/// Says back what was heard. A customer who says "pay" is paid out, behind the gate; the auditor finds all sound.
pub(super) fn understudy(request: &Request) -> Reply {
    let call = |tool: &str| {
        let id = format!("{tool}-{}", request.messages.len());
        Reply { calls: vec![ToolCall { id, tool: tool.to_owned(), arguments: json!({}) }], ..Reply::default() }
    };
    if request.agent == AUDITOR {
        return call("verdict");
    }
    match request.messages.last() {
        Some(last) if last.role == Role::Person && last.text.trim() == "pay" => call("pay"),
        Some(last) if last.role == Role::Person => {
            Reply { text: format!("“{}”: noted.", last.text), ..Reply::default() }
        }
        Some(_) | None => Reply { text: "At your service.".to_owned(), ..Reply::default() },
    }
}
