//! Operations on their way: wanted, decided, answered for, carried out.

use enza_kernel::effect::Key;
use enza_kernel::gate::{Answer, Verdict as Yes};
use enza_kernel::time::Seq;

use super::{on, on_order, on_work};
use crate::companion::action::Operation;
use crate::companion::agent_state::Delta;
use crate::companion::command::Pick;
use crate::companion::consent::{Decision, Scope, is_change};
use crate::companion::desk::{Batch, Desk, Does, Ordered, Stage, Want};
use crate::companion::state::State;
use crate::companion::work::Receipt;

/// Looks are done and changes prepared at once: neither touches anything.
pub(super) fn want(desk: &mut Desk, wants: &[Want], seq: Seq) {
    let looks = wants.iter().enumerate().filter(|(_, want)| want.operation.only_looks());
    let mut does: Vec<Does> = looks.map(|(place, _)| Does::Look(place as u32)).collect();
    if wants.iter().any(|want| is_change(want.operation)) {
        does.push(Does::Prepare);
    }
    desk.batch = Some(Batch {
        wants: wants.to_vec(),
        decisions: Vec::new(),
        stage: Stage::Preparing,
        orders: ordered(does, seq),
        prepared: Vec::new(),
        picks: Vec::new(),
    });
}

fn ordered(does: Vec<Does>, seq: Seq) -> Vec<Ordered> {
    let order = |(ordinal, does): (usize, Does)| {
        let key = Key { seq, ordinal: ordinal as u16 };
        Ordered { key, does, started: None, receipt: None, lost: false }
    };
    does.into_iter().enumerate().map(order).collect()
}

pub(super) fn decide(desk: &mut Desk, decisions: &[Decision]) {
    let Some(batch) = &mut desk.batch else { return };
    batch.decisions = decisions.to_vec();
    if decisions.contains(&Decision::Asked) {
        batch.stage = Stage::Asking;
    }
}

/// A person's answer: an utterance, and the decision about everything that was asked.
pub(super) fn answer(desk: &mut Desk, answer: &Answer, scope: Scope, picks: &[Pick]) {
    if let Some(gate) = &mut desk.gate {
        gate.close(answer);
    }
    desk.at.begin_utterance();
    let Some(batch) = &mut desk.batch else { return };
    batch.picks = picks.to_vec();
    for decision in batch.decisions.iter_mut().filter(|decision| **decision == Decision::Asked) {
        *decision = match answer.verdict {
            Yes::Yes => Decision::Allowed(format!("{} ({})", answer.by, scope.word())),
            Yes::No => Decision::Denied(answer.by.clone()),
        };
    }
}

/// From looking to doing: what a person picked is worked out first; then the changes at once, commands and tools in
/// order; and after all of it the project's own checks.
pub(super) fn carry_on(state: &mut State, id: u32, seq: Seq) {
    let checks = state.settings.checks.len() as u32;
    let Some(batch) = state.desk_mut(id).and_then(|desk| desk.batch.as_mut()) else { return };
    let does = match batch.stage {
        Stage::Preparing | Stage::Asking if batch.must_choose() => vec![Does::Choose],
        Stage::Preparing | Stage::Asking => {
            batch.stage = Stage::Doing;
            deeds(batch)
        }
        Stage::Doing => {
            batch.stage = Stage::Checking;
            (0..checks).map(Does::Check).collect()
        }
        Stage::Checking => Vec::new(),
    };
    batch.orders.extend(ordered(does, seq));
}

fn deeds(batch: &Batch) -> Vec<Does> {
    let mut does = if batch.allows_change() { vec![Does::Make] } else { Vec::new() };
    for (place, want) in batch.allowed() {
        match want.operation {
            Operation::Run => does.push(Does::Run(place)),
            Operation::Tool => does.push(Does::Tool(place)),
            Operation::List
            | Operation::Read
            | Operation::Search
            | Operation::Write
            | Operation::Edit
            | Operation::Patch
            | Operation::Create
            | Operation::Delete
            | Operation::Move => {}
        }
    }
    does
}

/// What came of an order. What was changed belongs to the turn, so that it can be taken back.
pub(super) fn end_order(state: &mut State, key: Key, receipt: &Receipt) {
    on_order(state, key, |order| order.receipt = Some(Box::new(receipt.clone())));
    let Some((id, does)) =
        state.order(key).and_then(|(desk, place)| Some((desk.id, desk.batch.as_ref()?.orders.get(place)?.does)))
    else {
        return;
    };
    let changes = match receipt {
        Receipt::Made(changes) => changes.clone(),
        Receipt::Ran(ran) => ran.changes.clone(),
        Receipt::Prepared(prepared) => {
            on(state, id, |desk| {
                if let Some(batch) = &mut desk.batch {
                    batch.prepared.clone_from(prepared);
                }
            });
            Vec::new()
        }
        Receipt::Read(read) => {
            let context_refs = Some(vec![format!("file:{}", read.path)]);
            on(state, id, |desk| desk.mind.take(&Delta { context_refs, ..Delta::default() }));
            Vec::new()
        }
        Receipt::Listed(_) | Receipt::Found(_) | Receipt::Restored(_) | Receipt::Used(_) | Receipt::Refused(_) => {
            Vec::new()
        }
    };
    let is_done = !matches!(receipt, Receipt::Refused(_)) && matches!(does, Does::Make | Does::Run(_) | Does::Tool(_));
    state.memory.successful_operations += u64::from(is_done);
    if changes.is_empty() {
        return;
    }
    state.memory.total_files += changes.iter().filter(|change| change.before.is_none()).count() as u64;
    on_work(state, id, |work| work.changed += changes.len() as u32);
    if let Some(turn) = state.turns.last_mut() {
        turn.changes.extend(changes);
    }
}

impl Batch {
    /// The wants that may be done, with their places.
    pub(in crate::companion) fn allowed(&self) -> impl Iterator<Item = (u32, &Want)> {
        let is_allowed = |place: usize| matches!(self.decisions.get(place), Some(Decision::Allowed(_)));
        self.wants
            .iter()
            .enumerate()
            .filter(move |(place, _)| is_allowed(*place))
            .map(|(place, want)| (place as u32, want))
    }

    /// Whether any change to files may be made.
    pub(in crate::companion) fn allows_change(&self) -> bool {
        self.allowed().any(|(_, want)| is_change(want.operation))
    }

    /// Whether a person picked some of the changes and it is not yet worked out what that comes to.
    fn must_choose(&self) -> bool {
        let is_chosen = self.orders.iter().any(|order| order.does == Does::Choose);
        self.allows_change() && !self.picks.is_empty() && !is_chosen
    }
}
