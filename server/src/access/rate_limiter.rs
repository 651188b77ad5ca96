//! How often someone may try to come in, or do what a part of the server counts.
//!
//! Each key, an address or a name from an address, may be tried a few times quickly and then once in a while. A name is
//! counted for each address apart, so that a stranger's wrong tries elsewhere do not lock out whoever has the right
//! password; what all strangers together may cost is bounded by `hash_pool`
//! ([decision 0025](../../../docs/decisions/0025-tries-and-cost.md)).
//!
//! A key holds one number: when it will have recovered fully. So the table stays small, and a key that has recovered may
//! be forgotten. Time comes as an argument and may go back: what then lies further ahead than tries can lead is cut down
//! to that, so that nobody waits longer than a full burst takes. What is counted is lost with the process, which costs an
//! attacker's patience little.

use std::collections::HashMap;
use std::sync::Mutex;

use enza_kernel::time::Timestamp;

use super::Address;
use crate::problem::Problem;

/// For a name from one address: five quick tries, then one every ten seconds.
const NAME: Rate = Rate { burst: 5, every: 10_000 };
/// For an address, which many people may share: twenty quick tries, then one every three seconds.
const ADDRESS: Rate = Rate { burst: 20, every: 3_000 };
/// How many keys are remembered.
const MOST: usize = 50_000;

/// How often something may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many quick tries there are.
    pub burst: i64,
    /// After them, one in so many milliseconds.
    pub every: i64,
}

impl Rate {
    /// How long a key takes from its last try to having every try again, at the most.
    fn whole(self) -> i64 {
        self.burst * self.every
    }
}

/// Counts tries.
#[derive(Default)]
pub struct RateLimiter(Mutex<HashMap<String, Recovery>>);

/// When a key will have every try again.
#[derive(Debug, Clone, Copy)]
struct Recovery {
    at: i64,
    /// How far ahead of now that can be, unless the clock has gone back.
    whole: i64,
}

impl RateLimiter {
    /// Counts a try for a name from an address, or says how long to wait.
    pub fn name(&self, name: &str, from: &Address, now: Timestamp) -> Result<(), Problem> {
        self.address(from, now)?;
        self.count(name_from(name, from), NAME, now)
    }

    /// Counts a try from an address, or says how long to wait. An address that is not known is not counted.
    pub fn address(&self, from: &Address, now: Timestamp) -> Result<(), Problem> {
        match from.network() {
            Some(network) => self.count(format!("address {network}"), ADDRESS, now),
            None => Ok(()),
        }
    }

    /// A try for a name went well: from there the name has all its tries again.
    pub fn went_well(&self, name: &str, from: &Address) {
        self.0.lock().expect("tries").remove(&name_from(name, from));
    }

    /// A try for a name was never looked at, since the server was too busy: it does not count.
    pub fn give_back(&self, name: &str, from: &Address) {
        let mut all = self.0.lock().expect("tries");
        let network = from.network().map(|network| (format!("address {network}"), ADDRESS));
        for (key, pace) in network.into_iter().chain([(name_from(name, from), NAME)]) {
            if let Some(recovered) = all.get_mut(&key) {
                recovered.at -= pace.every;
            }
        }
    }

    /// Counts a try for a key, or says how long to wait. A key begins with a word for what is tried, so that no two mean
    /// the same.
    pub fn count(&self, key: String, pace: Rate, now: Timestamp) -> Result<(), Problem> {
        let mut all = self.0.lock().expect("tries");
        if all.len() >= MOST {
            make_room(&mut all, now);
        }
        // Further ahead than this it can only be because the clock has gone back.
        let latest = now.0.saturating_add(pace.whole());
        let recovered = all.get(&key).map_or(now.0, |known| known.at).clamp(now.0, latest);
        let early = recovered - now.0 - (pace.burst - 1) * pace.every;
        if early > 0 {
            all.insert(key, Recovery { at: recovered, whole: pace.whole() });
            return Err(Problem::TooMany { after: early.unsigned_abs().div_ceil(1_000) });
        }
        all.insert(key, Recovery { at: recovered.saturating_add(pace.every), whole: pace.whole() });
        Ok(())
    }
}

fn name_from(name: &str, from: &Address) -> String {
    let place = from.network().map_or_else(String::new, |network| network.to_string());
    format!("name {place} {name}")
}

/// Forgets what has recovered, and what a clock that has gone back left far ahead; where that is not enough, what would
/// recover first.
fn make_room(all: &mut HashMap<String, Recovery>, now: Timestamp) {
    all.retain(|_, one| one.at > now.0 && one.at <= now.0.saturating_add(one.whole));
    if all.len() >= MOST {
        let mut times: Vec<i64> = all.values().map(|one| one.at).collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        all.retain(|_, one| one.at > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN_YEARS: i64 = 10 * 365 * 24 * 60 * 60 * 1_000;

    fn address(text: &str) -> Address {
        Address(Some(text.parse().expect("an address")))
    }

    #[test]
    fn a_clock_that_jumped_ahead_and_back_locks_nobody_out_for_ten_years() {
        let (tries, nowhere, now) = (RateLimiter::default(), Address::default(), 1_000_000);
        for _ in 0..NAME.burst {
            assert_eq!(tries.name("ada", &nowhere, Timestamp(now + TEN_YEARS)), Ok(()));
        }
        // The clock is right again. Whoever had just tried waits for one try, not for the years to pass.
        assert_eq!(tries.name("ada", &nowhere, Timestamp(now)), Err(Problem::TooMany { after: 10 }));
        assert_eq!(tries.name("ada", &nowhere, Timestamp(now + NAME.every)), Ok(()));
        let (link, pace) = (|| "link l".to_owned(), Rate { burst: 60, every: 1_000 });
        assert_eq!(tries.count(link(), pace, Timestamp(now + TEN_YEARS)), Ok(()));
        assert_eq!(tries.count(link(), pace, Timestamp(now)), Err(Problem::TooMany { after: 1 }));
        assert_eq!(tries.count(link(), pace, Timestamp(now + pace.every)), Ok(()));
    }

    #[test]
    fn a_flood_in_which_nobody_was_looked_at_does_not_use_up_the_tries_of_whoever_knows_the_password() {
        let (tries, from, now) = (RateLimiter::default(), address("192.0.2.7"), Timestamp(1_000_000));
        for _ in 0..100 {
            assert_eq!(tries.name("ada", &from, now), Ok(()));
            tries.give_back("ada", &from);
        }
    }

    #[test]
    fn what_a_clock_left_far_ahead_does_not_fill_the_table_for_good() {
        let recovery = |at| Recovery { at, whole: NAME.whole() };
        let mut all: HashMap<_, _> = (0..10).map(|key| (key.to_string(), recovery(TEN_YEARS))).collect();
        all.insert("now".to_owned(), recovery(2_000));
        make_room(&mut all, Timestamp(1_000));
        assert_eq!(all.into_keys().collect::<Vec<_>>(), ["now"]);
    }
}
