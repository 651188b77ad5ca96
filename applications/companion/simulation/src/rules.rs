//! The companion's own rules, held against a whole log (DUCK-36 to DUCK-42, DUCK-62 to DUCK-76, DUCK-87, DUCK-95,
//! G11, G23, G29).
//!
//! They are written down here a second time, without a look at how the application keeps them: the table of moves, what
//! counts as an utterance, and what counts as consent. Events of one time belong to one decision, and what must hold
//! between decisions is looked at there.

use std::collections::BTreeMap;

use enza_companion::{Companion, Constraint, Decision, Event, Mode, Rule, State, Step, Task, Want, is_change};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::gate::{GateState, Verdict};
use enza_kernel::moves::MoveKind;
use enza_runtime::seams::store::Recorded;
use enza_work::{Change, Fault, Receipt};

use super::{FORBIDDEN, event};

/// The moves of the document, and the end of a task.
const ALLOWED: [(&str, &str); 10] = [
    ("PLANNING", "EXECUTION"),
    ("PLANNING", "REVIEW"),
    ("PLANNING", "AWAITING_APPROVAL"),
    ("EXECUTION", "REVIEW"),
    ("EXECUTION", "AWAITING_APPROVAL"),
    ("REVIEW", "EXECUTION"),
    ("REVIEW", "AWAITING_APPROVAL"),
    ("REVIEW", "DONE"),
    ("AWAITING_APPROVAL", "EXECUTION"),
    ("AWAITING_APPROVAL", "PLANNING"),
];

/// What a log breaks, by name.
pub fn broken(log: &[Recorded]) -> Vec<String> {
    let mut watch = RuleChecker::default();
    for (place, recorded) in log.iter().enumerate() {
        let Some(event) = event(recorded) else {
            watch.broken.push(format!("{} cannot be read", recorded.seq));
            continue;
        };
        watch.look(&event);
        let entry = Entry { seq: recorded.seq, at: recorded.at, event };
        Companion::evolve(&mut watch.state, &entry);
        let is_last = log.get(place + 1).is_none_or(|next| next.at != recorded.at);
        if is_last {
            watch.between_decisions(recorded.seq.0);
        }
    }
    if !watch.owed_back.is_empty() {
        let paths = watch.owed_back.join(", ");
        watch.broken.push(format!("a path that was forbidden while it was being changed was not put back: {paths}"));
    }
    watch.broken.dedup();
    watch.broken
}

/// What has been seen so far.
#[derive(Default)]
struct RuleChecker {
    state: State,
    /// Ordinary moves of each piece of work since its last utterance.
    moves: BTreeMap<u32, u32>,
    /// What is wanted and decided, by piece of work.
    wants: BTreeMap<u32, (Vec<Want>, Vec<Decision>)>,
    mode: Mode,
    rules: Vec<Rule>,
    forbidden: Vec<Constraint>,
    /// How many of those there were when a piece of work was about to be done; what was forbidden later may come too late to
    /// stop it, and is put back.
    forbidden_then: BTreeMap<u32, usize>,
    /// Files that were made although they had been forbidden meanwhile, until they are put back or it is told why not.
    owed_back: Vec<String>,
    /// Paths outside that a person has opened, by piece of work, until it wants something else.
    granted: BTreeMap<u32, Vec<String>>,
    broken: Vec<String>,
}

impl RuleChecker {
    fn look(&mut self, event: &Event) {
        match event {
            Event::Opened(opened) => {
                self.mode = opened.open.settings.mode;
                self.forbidden =
                    opened.open.memory.constraints.iter().filter_map(|text| Constraint::of(text)).collect();
            }
            Event::ModeSet { mode } => self.mode = *mode,
            Event::RuleKept { rule, .. } => self.rules.push(rule.clone()),
            Event::Forbidden { constraint } => self.forbidden.push(constraint.clone()),
            Event::Heard { desk: task, .. } | Event::Completed { desk: task } | Event::TaskBegun { desk: task, .. } => {
                self.moves.insert(*task, 0);
            }
            Event::Moved { desk: task, way, from, to, .. } => self.moved(*task, *way, from, to),
            Event::Wanted { desk: task, wants, .. } => {
                self.wants.insert(*task, (wants.clone(), Vec::new()));
                self.granted.remove(task);
            }
            Event::CarriedOn { desk: task } => {
                self.forbidden_then.insert(*task, self.forbidden.len());
            }
            Event::Granted { desk: task, paths } => {
                self.granted.entry(*task).or_default().extend_from_slice(paths);
                // The yes was to opening them, and everything is decided anew.
                if let Some((_, decisions)) = self.wants.get_mut(task) {
                    decisions.clear();
                }
            }
            Event::Decided { desk: task, decisions } => self.decided(*task, decisions),
            Event::GateAnswered { desk: task, answer, .. } => {
                self.moves.insert(*task, 0);
                if answer.by != "ada" {
                    self.broken.push(format!("{} answered a gate", answer.by));
                }
                if let Some((_, decisions)) = self.wants.get_mut(task) {
                    for decision in decisions.iter_mut().filter(|one| **one == Decision::Asked) {
                        *decision = match answer.verdict {
                            Verdict::Yes => Decision::Allowed("a person".to_owned()),
                            Verdict::No => Decision::Denied("a person".to_owned()),
                        };
                    }
                }
            }
            Event::OrderEnded { order, receipt } => {
                if let Receipt::Made(changes) = &**receipt {
                    let tasks = &self.state.desks;
                    let task = tasks.iter().find(|task| {
                        task.batch.as_ref().is_some_and(|batch| batch.orders.iter().any(|one| one.key == *order))
                    });
                    self.made(task.map(|task| task.id), changes);
                }
                let left = self.state.leaving.iter().find(|one| one.key == *order && one.back);
                for change in left.into_iter().flat_map(|one| &one.changes) {
                    self.owed_back.retain(|path| *path != change.path && Some(path) != change.to.as_ref());
                }
            }
            // What is closed does nothing any more.
            Event::Closed => self.owed_back.clear(),
            Event::TaskEnded { desk: task, .. } => {
                self.moves.remove(task);
            }
            _ => {}
        }
    }

    /// DUCK-42, DUCK-62 to DUCK-76.
    fn moved(&mut self, task: u32, way: MoveKind, from: &str, to: &str) {
        match way {
            MoveKind::Ordinary => {
                if !ALLOWED.contains(&(from, to)) {
                    self.broken.push(format!("DUCK-73: moved from {from} to {to}"));
                }
                let moves = self.moves.entry(task).or_default();
                *moves += 1;
                if *moves > 1 {
                    self.broken.push(format!("DUCK-76: {moves} moves in one utterance, at last to {to}"));
                }
            }
            MoveKind::Error if to != "PLANNING" => {
                self.broken.push(format!("DUCK-74: a failure led from {from} to {to}"));
            }
            MoveKind::Error => {}
        }
    }

    /// G23: what is allowed without a person is allowed by a rule or a mode that somebody set. What was allowed before, by a
    /// person's answer too, stays so where it is decided once more because something beside it was forbidden.
    fn decided(&mut self, task: u32, decisions: &[Decision]) {
        let known: Vec<String> = self.rules.iter().map(Rule::say).collect();
        let before = self.wants.get(&task).map(|(_, decided)| decided.as_slice()).unwrap_or_default();
        for (place, decision) in decisions.iter().enumerate() {
            if let Decision::Allowed(by) = decision
                && !matches!(before.get(place), Some(Decision::Allowed(_)))
            {
                let is_mode = by == "mode = accept_edits" && self.mode == Mode::AcceptEdits;
                if by != "look" && !is_mode && !known.contains(by) {
                    self.broken.push(format!("G23: allowed by {by:?}, which nobody set"));
                }
            }
        }
        if let Some((_, decided)) = self.wants.get_mut(&task) {
            *decided = decisions.to_vec();
        }
    }

    /// DUCK-95: everything that is made was wanted and allowed, and nothing of it was forbidden.
    fn made(&mut self, task: Option<u32>, changes: &[Change]) {
        let allowed = task.and_then(|task| self.wants.get(&task)).is_some_and(|(wants, decisions)| {
            let of_changes = wants.iter().zip(decisions).filter(|(want, _)| !want.operation.only_looks());
            of_changes.clone().count() > 0
                && of_changes.map(|(_, one)| one).any(|one| matches!(one, Decision::Allowed(_)))
        });
        // Whoever broke in while it was being made finds it made: it was allowed before.
        if !allowed && !changes.is_empty() && task.is_some() {
            self.broken.push("DUCK-95: a change was made without a yes".to_owned());
        }
        let known = task.and_then(|task| self.forbidden_then.get(&task)).copied().unwrap_or(usize::MAX);
        let known = if task.is_none() { 0 } else { known.min(self.forbidden.len()) };
        for path in changes.iter().flat_map(|change| std::iter::once(&change.path).chain(&change.to)) {
            let is_forbidden =
                self.forbidden[..known].iter().any(|one| one.forbids(path)) || path.starts_with(FORBIDDEN);
            if self.forbidden[known..].iter().any(|one| one.forbids(path)) {
                self.owed_back.push(path.clone());
            }
            let is_open = task.and_then(|task| self.granted.get(&task)).is_some_and(|open| open.contains(path));
            if path.starts_with('/') && !is_open {
                self.broken.push(format!("G22: {path} was changed and nobody had opened it"));
            }
            if is_forbidden {
                let wanted = task.and_then(|task| self.wants.get(&task));
                self.broken.push(format!("a forbidden path was changed: {path}, wanted and decided {wanted:?}"));
            }
        }
    }

    /// G29: a pending gate, the step that waits for it and the gate itself are one.
    fn between_decisions(&mut self, seq: u64) {
        for task in &self.state.desks {
            let waits = task.step() == Step::AwaitingApproval;
            let is_open = task.gate.as_ref().is_some_and(|gate| gate.open().is_some());
            if (waits, waits) != (task.mind.pending_gate, is_open) {
                let found = format!("step {}, pending {}, open {is_open}", task.step().word(), task.mind.pending_gate);
                self.broken.push(format!("G29: {found} (task {}, event {seq})", task.id));
            }
            if is_open && asks_for_the_unseen(task) {
                let wants =
                    task.batch.as_ref().map(|batch| batch.wants.iter().zip(&batch.decisions).collect::<Vec<_>>());
                self.broken.push(format!("DUCK-87: a gate without a diff (task {}, event {seq}): {wants:?}", task.id));
            }
        }
    }
}

/// Whether a gate asks for a change that it does not show. Where it asks to open a path, nothing is worked out yet.
fn asks_for_the_unseen(task: &Task) -> bool {
    let (Some(batch), Some(gate)) = (&task.batch, task.gate.as_ref().and_then(GateState::open)) else { return false };
    let mut asked = batch.wants.iter().zip(&batch.decisions).filter(|(_, decision)| **decision == Decision::Asked);
    let asks_for_change = asked.any(|(want, _)| is_change(want.operation));
    let is_closed = batch.orders.iter().any(|order| {
        matches!(
            order.receipt.as_deref(),
            Some(Receipt::Refused(
                Fault::OutsideToRead { .. }
                    | Fault::OutsideToWrite { .. }
                    | Fault::Secret { .. }
                    | Fault::Closed { .. }
            ))
        )
    });
    asks_for_change && gate.ask.diff.is_none() && !is_closed
}
