//! What a person may decide at a gate of the companion beyond yes and no: file by file, hunk by hunk, and for how long.
//!
//! Places are those of the batch's prepared changes, which is what a pick names, so files that nobody asks about keep
//! their numbers. What cannot be worked out again by hunks, a move or what is no text, is taken whole or left out.

use enza_kernel::gate::{FileAsked, Gate, GateState, Leeway, OperationAsked, Picking};
use enza_kernel::text::Lang;

use super::Companion;
use super::batch::Batch;
use super::consent::{Decision, Ruling, is_change};
use super::flow::permit::decisions_under;
use super::flow::report;
use super::gate_answer::{others, rules};
use super::risk::RiskTable;
use super::state::State;
use super::task::Task;
use super::words;
use enza_work::{Finding, PreparedChange};

/// The leeway at an open gate.
pub(super) fn leeway(state: &State, gate: &Gate, lang: Lang) -> Leeway {
    let Some(batch) = asked_by(state, gate) else { return Leeway::default() };
    let is_asked = |one: &PreparedChange| batch.asked().any(|place| batch.is_of(place, one));
    let files = batch.prepared.iter().enumerate().filter(|(_, one)| is_asked(one));
    Leeway {
        files: files.map(|(place, one)| file(place, one, lang)).collect(),
        operations: besides(batch),
        asks_more: batch.asked().any(|place| !is_change(batch.wants[place].operation)),
        lasting: lasting(batch, &state.settings.risk),
    }
}

fn besides(batch: &Batch) -> Vec<OperationAsked> {
    let operation = |place: usize| OperationAsked { place: place as u32, text: report::want_line(batch, place) };
    others(batch).map(operation).collect()
}

fn file(place: usize, one: &PreparedChange, lang: Lang) -> FileAsked {
    let cut = one.findings.contains(&Finding::DiffCut);
    FileAsked {
        place: place as u32,
        path: one.change.path.clone(),
        to: one.change.to.clone(),
        added: one.added,
        removed: one.removed,
        hunks: one.hunks,
        diff: one.diff.clone(),
        remarks: one.findings.iter().map(|finding| words::finding(lang, finding)).collect(),
        picking: if Companion::has_hunks(one) && !cut { Picking::Hunks } else { Picking::Whole },
        content: one.change.after.filter(|_| Companion::has_hunks(one)),
    }
}

/// The operations that a gate asks about.
fn asked_by<'a>(state: &'a State, gate: &Gate) -> Option<&'a Batch> {
    asking(state, gate)?.batch.as_ref()
}

/// The piece of work that waits at a gate.
fn asking<'a>(state: &'a State, gate: &Gate) -> Option<&'a Task> {
    let asks = |task: &&Task| task.gate.as_ref().and_then(GateState::open).is_some_and(|open| open.id == gate.id);
    state.desks.iter().find(asks)
}

impl Companion {
    /// Whether a change can be taken in part or written anew: a move, an empty file and what is no text cannot.
    pub fn has_hunks(one: &PreparedChange) -> bool {
        one.hunks > 0 && one.change.to.is_none() && !one.findings.contains(&Finding::Binary)
    }

    /// Whether the same would be asked about again although a yes was to count for longer: what is not of low risk always is
    /// (G23).
    pub fn asks_again(state: &State, gate: &Gate) -> bool {
        let Some((id, batch)) = asking(state, gate).and_then(|task| Some((task.id, task.batch.as_ref()?))) else {
            return false;
        };
        let mut known = state.all_rules();
        known.extend(rules(batch, Ruling::Allow, &[], &state.settings.risk));
        decisions_under(state, id, batch, &known).contains(&Decision::Asked)
    }

    /// What a gate asks for besides changes of files, each of which can be left out.
    pub fn besides(state: &State, gate: &Gate) -> Vec<OperationAsked> {
        asked_by(state, gate).map(besides).unwrap_or_default()
    }

    /// What an answer for longer at this gate would hold for.
    pub fn lasting(state: &State, gate: &Gate) -> Vec<String> {
        asked_by(state, gate).map(|batch| lasting(batch, &state.settings.risk)).unwrap_or_default()
    }
}

/// What an answer for longer holds for, as the rules say it.
fn lasting(batch: &Batch, table: &RiskTable) -> Vec<String> {
    rules(batch, Ruling::Deny, &[], table).iter().map(|rule| format!("{} {}", rule.operation, rule.pattern)).collect()
}
