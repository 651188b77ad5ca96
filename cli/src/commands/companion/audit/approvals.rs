//! How often people said yes and no, by operation and by how much was at stake (DUCK-91).
//!
//! A question is about everything that was asked for at once, so an answer counts for each of those operations. The risk is
//! the one that the person was shown.

use std::collections::BTreeMap;

use enza_applications::companion::{Decision, Event, State};
use enza_kernel::gate::{GateState, Risk, Verdict};
use serde_json::json;

use super::Told;
use crate::screen::{Columns, Screen};
use crate::words::companion::looks as words;

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
    no: u32,
    withdrawn: u32,
}

impl Approvals {
    /// Takes in an event, which finds the session in this state.
    pub fn count(&mut self, state: &State, event: &Event) {
        let (desk, add): (&u32, fn(&mut Count)) = if let Event::GateAnswered { desk, answer, .. } = event {
            match answer.verdict {
                Verdict::Yes => (desk, |count| count.yes += 1),
                Verdict::No => (desk, |count| count.no += 1),
            }
        } else if let Event::GateWithdrawn { desk } = event {
            (desk, |count| count.withdrawn += 1)
        } else {
            return;
        };
        let Some(desk) = state.desk(*desk) else { return };
        // An answer takes its question off, too, and is counted by then.
        let Some(gate) = desk.gate.as_ref().and_then(GateState::open) else { return };
        if let Some(batch) = &desk.batch {
            let asked = batch.wants.iter().zip(&batch.decisions).filter(|(_, decision)| **decision == Decision::Asked);
            asked.for_each(|(want, _)| add(self.counts.entry((want.operation.word(), gate.risk)).or_default()));
        }
    }

    /// As a record.
    pub fn told(&self) -> Told {
        let sum = |of: fn(&Count) -> u32| self.counts.values().map(of).sum::<u32>();
        let (yes, no, withdrawn) = (sum(|one| one.yes), sum(|one| one.no), sum(|one| one.withdrawn));
        let counts: Vec<_> = self
            .counts
            .iter()
            .map(|((operation, risk), count)| {
                json!({
                    "operation": operation, "risk": risk, "yes": count.yes, "no": count.no,
                    "withdrawn": count.withdrawn,
                })
            })
            .collect();
        Told {
            who: "people".to_owned(),
            kind: KIND,
            what: format!("{yes} yes, {no} no, {withdrawn} withdrawn"),
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
            let numbers = [count.yes, count.no, count.withdrawn].map(|number| number.to_string());
            columns.row([(*operation).to_owned(), risk.word(screen.lang).to_owned()].into_iter().chain(numbers));
        }
        std::iter::once(String::new()).chain(columns.lines(screen.width())).collect()
    }
}
