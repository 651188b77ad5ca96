//! How many connections there may be, in all and for each address, and the room that is kept for checks.
//!
//! A connection beyond the most is not turned away unheard: it comes into a small room in which only `/health` and
//! `/ready` are answered, and everything else is told to come back. Where that room is full too, the one who has been in
//! it longest goes, so that a check comes through however many sit there and say nothing.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use crate::access::Address;

/// How many connections are in the room for checks at a time.
const FOR_CHECKS: usize = 16;

/// How many connections there may be, and how long a silent one is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// The most in all.
    pub in_all: usize,
    /// The most from one address, behind which a whole school may sit. A proxy that was named has no such limit.
    pub per_address: usize,
    /// How long the head of a request may take, and how long nothing may come between two requests.
    pub silence: Duration,
    /// How long a client may take nothing of what there is to be sent.
    pub stalled: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self { in_all: 4_096, per_address: 512, silence: Duration::from_secs(30), stalled: Duration::from_secs(60) }
    }
}

/// In which room a connection is. Every request of it carries this along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceLevel {
    /// Everything is answered.
    Usual,
    /// Only checks are.
    ForChecks,
}

/// All connections that there are.
pub struct Slots {
    most: Connections,
    taken: Arc<Mutex<SlotCounts>>,
}

#[derive(Default)]
struct SlotCounts {
    in_all: usize,
    by_address: HashMap<IpAddr, usize>,
    /// Those in the room for checks, who came first standing first.
    for_checks: VecDeque<Arc<Notify>>,
}

/// One connection, until it is dropped.
pub struct Slot {
    taken: Arc<Mutex<SlotCounts>>,
    place: SlotKind,
    pushed_out: Arc<Notify>,
}

enum SlotKind {
    Usual(IpAddr),
    /// Its proxy's connections are not counted apart.
    OfProxy,
    ForChecks,
}

impl Slots {
    pub fn new(most: Connections) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// A slot for a connection from an address.
    pub fn take(&self, peer: IpAddr, is_proxy: bool) -> Slot {
        let mut taken = self.taken.lock().expect("taken");
        let pushed_out = Arc::new(Notify::new());
        let network = Address(Some(peer)).network().unwrap_or(peer);
        let here = taken.by_address.get(&network).copied().unwrap_or(0);
        let place = if taken.in_all >= self.most.in_all || (!is_proxy && here >= self.most.per_address) {
            if taken.for_checks.len() >= FOR_CHECKS
                && let Some(longest) = taken.for_checks.pop_front()
            {
                longest.notify_one();
            }
            taken.for_checks.push_back(pushed_out.clone());
            SlotKind::ForChecks
        } else {
            taken.in_all += 1;
            match is_proxy {
                true => SlotKind::OfProxy,
                false => {
                    *taken.by_address.entry(network).or_default() += 1;
                    SlotKind::Usual(network)
                }
            }
        };
        Slot { taken: self.taken.clone(), place, pushed_out }
    }
}

impl Slot {
    pub fn service_level(&self) -> ServiceLevel {
        match self.place {
            SlotKind::Usual(_) | SlotKind::OfProxy => ServiceLevel::Usual,
            SlotKind::ForChecks => ServiceLevel::ForChecks,
        }
    }

    /// Is notified when somebody else needs the place.
    pub fn evicted(&self) -> Arc<Notify> {
        self.pushed_out.clone()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().expect("taken");
        match self.place {
            SlotKind::ForChecks => taken.for_checks.retain(|one| !Arc::ptr_eq(one, &self.pushed_out)),
            SlotKind::OfProxy => taken.in_all -= 1,
            SlotKind::Usual(network) => {
                taken.in_all -= 1;
                if let Some(count) = taken.by_address.get_mut(&network) {
                    *count -= 1;
                    if *count == 0 {
                        taken.by_address.remove(&network);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(slots: &[Slot]) -> Vec<ServiceLevel> {
        slots.iter().map(Slot::service_level).collect()
    }

    #[test]
    fn each_address_has_its_most_and_all_together_have_theirs() {
        let most = Connections { in_all: 4, per_address: 2, ..Connections::default() };
        let slots = Slots::new(most);
        let [here, there, proxy] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|one| one.parse().expect("an address"));
        let mut held: Vec<_> = [here, here, here].map(|peer| slots.take(peer, false)).into();
        assert_eq!(rooms(&held), [ServiceLevel::Usual, ServiceLevel::Usual, ServiceLevel::ForChecks]);
        held.extend([slots.take(there, false), slots.take(there, false), slots.take(proxy, true)]);
        assert_eq!(
            rooms(&held[3..]),
            [ServiceLevel::Usual, ServiceLevel::Usual, ServiceLevel::ForChecks],
            "four in all"
        );
        held.drain(..2);
        let proxies: Vec<_> = (0..3).map(|_| slots.take(proxy, true)).collect();
        assert_eq!(
            rooms(&proxies),
            [ServiceLevel::Usual, ServiceLevel::Usual, ServiceLevel::ForChecks],
            "a proxy has no most of its own"
        );
        drop((held, proxies));
        let taken = slots.taken.lock().expect("taken");
        assert_eq!((taken.in_all, taken.by_address.len(), taken.for_checks.len()), (0, 0, 0));
    }

    #[tokio::test]
    async fn whoever_sat_longest_in_the_room_for_checks_makes_room() {
        let slots = Slots::new(Connections { in_all: 0, ..Connections::default() });
        let peer = "192.0.2.1".parse().expect("an address");
        let held: Vec<_> = (0..=FOR_CHECKS).map(|_| slots.take(peer, false)).collect();
        held[0].evicted().notified().await;
        assert_eq!(slots.taken.lock().expect("taken").for_checks.len(), FOR_CHECKS);
        drop(held);
        assert!(slots.taken.lock().expect("taken").for_checks.is_empty());
    }
}
