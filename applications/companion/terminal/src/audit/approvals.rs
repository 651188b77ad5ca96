//! How often people said yes and no, by operation and by how much was at stake (DUCK-91).
//!
//! A question is about everything that was asked for at once; what was taken of it is counted operation by operation, so
//! that one which was left out is a no beside the yes to the rest. The risk is the one that the person was shown.

use std::collections::BTreeMap;

use enza_companion::{Batch, Decision, Event, Share, State, Taken};
use enza_kernel::gate::{GateState, Risk, Verdict};
use enza_terminal::screen::{Columns, Screen};
use serde_json::json;

use super::AuditLine;
use crate::words::lists as words;

/// The kind of the record.
pub const KIND: &str = "approvals";

/// The answers so far.
#[derive(Debug, Default)]
pub struct Approvals {
    counts: BTreeMap<(&'static str, Risk), Count>,
}

#[derive(Debug, Default)]
struct Count {
    yes: u32,
    part: u32,
    no: u32,
    withdrawn: u32,
}

impl Approvals {
    /// Takes in an event, which finds the session in this state.
    pub fn count(&mut self, state: &State, event: &Event) {
        let (desk, answer) = match event {
            Event::GateAnswered { desk, answer, left, shares, .. } => (desk, Some((answer.verdict, left, shares))),
            Event::GateWithdrawn { desk } => (desk, None),
            _ => return,
        };
        let Some(desk) = state.task(*desk) else { return };
        // An answer takes its question off, too, and is counted by then.
        let Some(gate) = desk.gate.as_ref().and_then(GateState::open) else { return };
        let Some(batch) = &desk.batch else { return };
        let asked = batch.decisions.iter().enumerate().filter(|(_, decision)| **decision == Decision::Asked);
        for (place, _) in asked {
            let count = self.counts.entry((batch.wants[place].operation.word(), gate.risk)).or_default();
            match answer {
                None => count.withdrawn += 1,
                Some((Verdict::No, ..)) => count.no += 1,
                Some((Verdict::Yes, left, _)) if left.contains(&(place as u32)) => count.no += 1,
                Some((Verdict::Yes, _, shares)) if is_in_part(batch, place, shares) => count.part += 1,
                Some((Verdict::Yes, ..)) => count.yes += 1,
            }
        }
    }

    /// As a record.
    pub fn told(&self) -> AuditLine {
        let sum = |of: fn(&Count) -> u32| self.counts.values().map(of).sum::<u32>();
        let (yes, part) = (sum(|one| one.yes), sum(|one| one.part));
        let (no, withdrawn) = (sum(|one| one.no), sum(|one| one.withdrawn));
        let counts: Vec<_> = self
            .counts
            .iter()
            .map(|((operation, risk), count)| {
                json!({
                    "operation": operation, "risk": risk, "yes": count.yes, "in_part": count.part, "no": count.no,
                    "withdrawn": count.withdrawn,
                })
            })
            .collect();
        AuditLine {
            who: "people".to_owned(),
            kind: KIND,
            what: format!("{yes} yes, {part} in part, {no} no, {withdrawn} withdrawn"),
            why: String::new(),
            more: Some(json!({ "counts": counts })),
        }
    }

    /// As a table, below an empty line; nothing where nobody was asked.
    pub fn table(&self, screen: &Screen) -> Vec<String> {
        if self.counts.is_empty() {
            return Vec::new();
        }
        let mut columns = Columns::new(&words::approvals(screen.lang));
        for ((operation, risk), count) in &self.counts {
            let numbers = [count.yes, count.part, count.no, count.withdrawn].map(|number| number.to_string());
            columns.row([(*operation).to_owned(), risk.word(screen.lang).to_owned()].into_iter().chain(numbers));
        }
        std::iter::once(String::new()).chain(columns.lines(screen.width())).collect()
    }
}

/// Whether only some of what one operation would change was taken.
fn is_in_part(batch: &Batch, place: usize, shares: &[Share]) -> bool {
    let changes = batch.prepared.iter().filter(|one| batch.is_of(place, one));
    let mut taken = changes.filter_map(|one| shares.iter().find(|share| share.what == one.change.path));
    taken.any(|share| share.taken != Taken::Whole)
}
