//! What sessions sent one another: taken once, by whoever it was sent to, and told of truly.
//!
//! One log alone cannot show it, so all logs of the store are read, those of sessions that other sessions opened, too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use enza_kernel::time::Seq;

use super::checks::Violation;
use super::role::{Role, Sending};
use super::world::World;
use crate::seams::store::{Filter, SessionId, Store};

/// What became of one thing that was sent.
#[derive(Default)]
struct Trace {
    sender: Option<SessionId>,
    takers: Vec<SessionId>,
    arrived: bool,
    came_back: bool,
}

/// Holds all logs to it.
pub(super) async fn check(world: &World, store: &Arc<dyn Store>) -> Vec<Violation> {
    let roles = world.witness.lock().expect("witness").roles();
    let mut traces: BTreeMap<String, Trace> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for row in store.list(&Filter::default()).await.unwrap_or_default() {
        let Some(role) = roles.iter().find(|role| role.application() == row.application) else { continue };
        // Forks share what was before them.
        if row.parent.is_some() || !seen.insert(row.id.clone()) {
            continue;
        }
        for recorded in store.events(&row.id, Seq::START, usize::MAX).await.unwrap_or_default() {
            if let Some(sending) = role.sending(&recorded) {
                note(&mut traces, &row.id, sending);
            }
        }
    }
    traces.iter().flat_map(|(what, trace)| trace.faults(what)).collect()
}

fn note(traces: &mut BTreeMap<String, Trace>, session: &SessionId, sending: Sending) {
    match sending {
        Sending::Sent(what) => traces.entry(what).or_default().sender = Some(session.clone()),
        Sending::Taken(what) => traces.entry(what).or_default().takers.push(session.clone()),
        Sending::Arrived(what) => traces.entry(what).or_default().arrived = true,
        Sending::CameBack(what) => traces.entry(what).or_default().came_back = true,
    }
}

impl Trace {
    fn faults(&self, what: &str) -> Vec<Violation> {
        let what = what.to_owned();
        let Some(sender) = &self.sender else {
            let takers = self.takers.iter().map(|taker| taker.to_string());
            return takers.map(|session| Violation::NeverSent { session, what: what.clone() }).collect();
        };
        let session = sender.to_string();
        let mut faults = Vec::new();
        if self.takers.len() > 1 {
            faults.push(Violation::TakenTwice { session: session.clone(), what: what.clone() });
        }
        if (self.arrived && self.takers.is_empty()) || (self.came_back && !self.takers.is_empty()) {
            faults.push(Violation::ToldWrongly { session, what });
        }
        faults
    }
}

/// The roles of a run, one of each application.
pub(super) fn one_of_each<'a>(roles: impl Iterator<Item = &'a Arc<dyn Role>>) -> Vec<Arc<dyn Role>> {
    let mut known = BTreeSet::new();
    roles.filter(|role| known.insert(role.application())).cloned().collect()
}
