//! How often someone may try to come in, begin an interview, or send a file.
//!
//! Each key, a name or an address, may be tried a few times quickly and then once in a while. A key holds one number:
//! when it will have recovered fully. So the table stays small, and a key that has recovered may be forgotten. Time
//! comes as an argument. What is counted is lost with the process, which costs an attacker's patience little.

use std::collections::HashMap;
use std::sync::Mutex;

use enza_kernel::time::Timestamp;

use super::Address;
use crate::problem::Problem;

/// For a name: five quick tries, then one every ten seconds.
const NAME: Pace = Pace { burst: 5, every: 10_000 };
/// For an address, which many people may share: twenty quick tries, then one every three seconds.
const ADDRESS: Pace = Pace { burst: 20, every: 3_000 };
/// For beginning interviews by one link from one address, behind which a whole school may sit: sixty at once, then one a
/// second.
const LINK: Pace = Pace { burst: 60, every: 1_000 };
/// For files in one interview: twenty at once, then two a minute.
const UPLOAD: Pace = Pace { burst: 20, every: 30_000 };
/// How many keys are remembered.
const MOST: usize = 50_000;

#[derive(Clone, Copy)]
struct Pace {
    burst: i64,
    /// In milliseconds.
    every: i64,
}

/// Counts tries.
#[derive(Default)]
pub struct Tries(Mutex<HashMap<String, i64>>);

impl Tries {
    /// Counts a try for a name from an address, or says how long to wait.
    pub fn name(&self, name: &str, from: &Address, now: Timestamp) -> Result<(), Problem> {
        self.address(from, now)?;
        self.count(format!("name {name}"), NAME, now)
    }

    /// Counts a try from an address, or says how long to wait. An address that is not known is not counted.
    pub fn address(&self, from: &Address, now: Timestamp) -> Result<(), Problem> {
        match from.network() {
            Some(network) => self.count(format!("address {network}"), ADDRESS, now),
            None => Ok(()),
        }
    }

    /// Counts an interview that is begun by a link, or says how long to wait. An address that is not known is not counted.
    pub fn link(&self, link: &str, from: &Address, now: Timestamp) -> Result<(), Problem> {
        match from.network() {
            Some(network) => self.count(format!("link {network} {link}"), LINK, now),
            None => Ok(()),
        }
    }

    /// Counts a file that is sent in an interview, or says how long to wait.
    pub fn upload(&self, session: &str, now: Timestamp) -> Result<(), Problem> {
        self.count(format!("upload {session}"), UPLOAD, now)
    }

    /// A try for a name went well: the name has all its tries again.
    pub fn went_well(&self, name: &str) {
        self.0.lock().expect("tries").remove(&format!("name {name}"));
    }

    fn count(&self, key: String, pace: Pace, now: Timestamp) -> Result<(), Problem> {
        let mut all = self.0.lock().expect("tries");
        if all.len() >= MOST {
            make_room(&mut all, now);
        }
        let recovered = all.get(&key).copied().unwrap_or(now.0).max(now.0);
        let early = recovered - now.0 - (pace.burst - 1) * pace.every;
        if early > 0 {
            return Err(Problem::TooMany { after: early.unsigned_abs().div_ceil(1_000) });
        }
        all.insert(key, recovered + pace.every);
        Ok(())
    }
}

/// Forgets what has recovered; where that is not enough, what would recover first.
fn make_room(all: &mut HashMap<String, i64>, now: Timestamp) {
    all.retain(|_, recovered| *recovered > now.0);
    if all.len() >= MOST {
        let mut times: Vec<i64> = all.values().copied().collect();
        let middle = times.len() / 2;
        let (_, median, _) = times.select_nth_unstable(middle);
        let median = *median;
        all.retain(|_, recovered| *recovered > median);
    }
}
