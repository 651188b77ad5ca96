//! Closed paths: outside the folder, secret, or closed by a rule; and the question whether one may be opened (G21, G22).
//!
//! The workshop says which path is closed, by what the file is really called. A person may open exactly that path, for
//! the operations under way and nothing else; then these are looked at and prepared again, and asked for as always.
//! Folders of the system and ways through links are never opened. The same for what a command was kept from reading: it is
//! run again then.

use enza_kernel::application::Draft;
use enza_kernel::gate::{Gate, Points, Risk};
use enza_kernel::text::Lang;

use super::super::action::Operation;
use super::super::batch::{Batch, OrderKind};
use super::super::consent::{self, Decision, Rule, Subject, is_change};
use super::super::event::Event;
use super::super::state::State;
use super::super::steps::Step;
use super::super::task::Task;
use super::super::{Companion, words};
use super::transition;
use enza_work::Fault;
use enza_work::hazard::{belongs_to_system, names_secrets};

/// From this phase on a path outside the folder is asked for; before, it is refused (DUCK-89, DUCK-90).
const ASKS: u8 = 3;

/// What becomes of a want that ran into a closed path, under these rules; none where it did not.
pub(super) fn decision(state: &State, task: &Task, batch: &Batch, place: usize, rules: &[Rule]) -> Option<Decision> {
    let (path, fault) = closed(batch, place)?;
    // What a command reads is a read, whatever the command is called.
    let is_command = matches!(fault, Fault::KeptFrom { .. });
    let operation = if is_command { Operation::Read } else { batch.wants[place].operation };
    let is_outside =
        matches!(fault, Fault::OutsideToRead { .. } | Fault::OutsideToWrite { .. } | Fault::KeptFrom { .. });
    let is_never_opened = belongs_to_system(path) || (is_command && names_secrets(path));
    let may_open = state.settings.safety_phase >= ASKS && path.starts_with('/') && !is_never_opened;
    let refused = |way: ClosedWay| Some(Decision::Denied(words::closed(state.lang(), fault, way)));
    if task.aside {
        return refused(ClosedWay::NotAside);
    }
    if batch.granted.iter().any(|granted| granted == path) {
        return refused(ClosedWay::None);
    }
    if is_outside && !may_open {
        return refused(match is_change(operation) {
            _ if is_never_opened => ClosedWay::Never,
            // Asking is set already: it is a way through a link.
            _ if state.settings.safety_phase >= ASKS => ClosedWay::None,
            true => ClosedWay::Write,
            false => ClosedWay::Read,
        });
    }
    if let Some(forbidden) = state.forbidden(path).filter(|_| is_change(operation)) {
        return Some(Decision::Denied(format!("{path}: {}", forbidden.text)));
    }
    let subject = Subject { operation, target: path, risk: Risk::High, always_asked: true };
    Some(consent::decide(&subject, rules, state.settings.mode))
}

/// What would open a path that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ClosedWay {
    /// A setting for reading, or a person from a phase on.
    Read,
    /// A person from a phase on.
    Write,
    /// Nothing: it belongs to the system.
    Never,
    /// The work itself, where it was asked aside.
    NotAside,
    /// Nothing that is known: it was opened, and did not come off.
    None,
}

/// The closed path that the want at this place ran into.
pub(in super::super) fn closed(batch: &Batch, place: usize) -> Option<(&str, &Fault)> {
    let changes = is_change(batch.wants.get(place)?.operation);
    let place = place as u32;
    let is_its = |does: OrderKind| {
        does == OrderKind::Look(place) || does == OrderKind::Run(place) || (changes && does == OrderKind::Prepare)
    };
    batch.orders.iter().find(|order| is_its(order.does))?.closed()
}

/// The decisions about a batch that is done, where a command was kept from reading what a person may open and has not
/// refused in the same task; none otherwise.
pub(super) fn offer(state: &State, id: u32, batch: &Batch) -> Option<Vec<Decision>> {
    let task = state.task(id).filter(|_| state.attended && batch.has_kept_command())?;
    let rules = state.all_rules();
    let asked = |place: usize, decided: &Decision| match decision(state, task, batch, place, &rules) {
        Some(Decision::Asked) if !task.has_turned_down(batch, place) => Decision::Asked,
        Some(Decision::Asked | Decision::Allowed(_) | Decision::Denied(_)) | None => decided.clone(),
    };
    let decisions: Vec<Decision> =
        batch.decisions.iter().enumerate().map(|(place, decided)| asked(place, decided)).collect();
    decisions.contains(&Decision::Asked).then_some(decisions)
}

/// The paths that are being asked for, each with its operation and why it is closed.
fn asked(batch: &Batch) -> Vec<(Operation, &str, &Fault)> {
    let mut asked: Vec<(Operation, &str, &Fault)> = Vec::new();
    for (place, decision) in batch.decisions.iter().enumerate() {
        if let Some((path, fault)) = closed(batch, place).filter(|_| *decision == Decision::Asked)
            && !asked.iter().any(|(_, known, _)| *known == path)
        {
            asked.push((batch.wants[place].operation, path, fault));
        }
    }
    asked
}

/// The paths that a yes opens.
pub(in super::super) fn paths(batch: &Batch) -> Vec<String> {
    asked(batch).into_iter().map(|(_, path, _)| path.to_owned()).collect()
}

/// The question whether closed paths may be opened; none where nothing asked for is closed.
pub(super) fn gate(state: &State, id: String, batch: &Batch) -> Option<Gate> {
    let lang = state.lang();
    let asked = asked(batch);
    if asked.is_empty() {
        return None;
    }
    let message = |(operation, path, fault): &(Operation, &str, &Fault)| words::opens(lang, *operation, path, fault);
    let wants = batch.wants.iter().zip(&batch.decisions).filter(|(_, decision)| **decision == Decision::Asked);
    let mut grounds: Vec<&str> = wants.map(|(want, _)| want.why.as_str()).collect();
    grounds.dedup();
    let ask = Points {
        intent: asked.iter().map(message).collect::<Vec<_>>().join("\n\n"),
        grounds: grounds.join("\n"),
        impact: impact(lang, &asked),
        alternatives: words::other_ways_than_opening(lang),
        diff: None,
    };
    Some(Gate { id, ask, risk: Risk::High, expires: None, may_answer: Vec::new() })
}

fn impact(lang: Lang, asked: &[(Operation, &str, &Fault)]) -> String {
    if asked.iter().any(|(_, _, fault)| matches!(fault, Fault::KeptFrom { .. })) {
        return words::opened_to_command(lang).to_owned();
    }
    let changes = asked.iter().any(|(operation, ..)| is_change(*operation));
    words::opened_once(lang, changes).to_owned()
}

/// A person said yes: exactly these paths are open, for the operations under way.
pub(in super::super) fn open(draft: &mut Draft<'_, Companion>, task: u32, paths: Vec<String>) {
    draft.record(Event::Granted { desk: task, paths });
    draft.record(Event::GateWithdrawn { desk: task });
    transition::shift(draft, task, Step::Execution.word(), "approved");
}
