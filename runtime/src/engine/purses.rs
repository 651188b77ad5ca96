//! What an owner may spend, in all and in a day, over all of the owner's sessions.
//!
//! A session's own budget is the application's: it decides in its log. An owner's is here, because it is shared by
//! sessions that know nothing of each other. Before a call its reserve is held in both ledgers, or the call is not
//! made; what is already spent is read from the store each time, so that other workers' spending counts. Their calls
//! under way do not: with several workers an owner can go past the limit by what those have set aside.

use std::collections::BTreeMap;
use std::sync::Mutex;

use enza_kernel::budget::{Exceeded, Ledger, Purse};
use enza_kernel::time::Timestamp;

use super::Engine;
use crate::seams::store::{Failure, UsageRow};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// What every owner may spend, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    /// In all; none for no limit.
    pub in_all: Option<u64>,
    /// In a day, by UTC; none for no limit.
    pub per_day: Option<u64>,
}

/// The purses of the owners who have spent something since the start, each with the day it is for.
#[derive(Default)]
pub(super) struct Purses(Mutex<BTreeMap<String, (i64, Purse)>>);

/// Why a call may not be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotHeld {
    #[error("{0}")]
    Exceeded(Exceeded),
    #[error("what has been spent could not be read: {0}")]
    Failed(Failure),
}

impl Engine {
    /// Sets tokens aside for a call of this owner's.
    pub(super) async fn hold(&self, owner: &str, reserve: u64) -> Result<(), NotHeld> {
        let allowance = self.0.setup.allowance;
        if allowance == Allowance::default() {
            return Ok(());
        }
        let today = day_of(self.0.setup.clock.now());
        let rows = self.store().usage(Some(owner), None).await.map_err(NotHeld::Failed)?;
        let mut purses = self.0.purses.0.lock().expect("purses");
        let (day, purse) = purses.entry(owner.to_owned()).or_insert_with(|| (today, new_purse(allowance)));
        if *day != today {
            *day = today;
            purse.day = Ledger { spent: 0, ..purse.day };
        }
        // What was settled here and is not saved yet is ahead of the store; what others spent is ahead of us.
        purse.owner.spent = purse.owner.spent.max(total(&rows, |_| true));
        purse.day.spent = purse.day.spent.max(total(&rows, |row| row.day == today));
        purse.hold(reserve).map_err(NotHeld::Exceeded)
    }

    /// Gives back what was set aside, and counts what was spent.
    pub(super) fn settle_purse(&self, owner: &str, reserve: u64, spent: u64) {
        if let Some((_, purse)) = self.0.purses.0.lock().expect("purses").get_mut(owner) {
            purse.settle(reserve, spent);
        }
    }
}

fn new_purse(allowance: Allowance) -> Purse {
    let ledger = |limit| Ledger { limit, ..Ledger::default() };
    Purse { session: Ledger::default(), owner: ledger(allowance.in_all), day: ledger(allowance.per_day) }
}

fn total(rows: &[UsageRow], counts: impl Fn(&UsageRow) -> bool) -> u64 {
    rows.iter().filter(|row| counts(row)).map(|row| row.usage.total()).sum()
}

fn day_of(time: Timestamp) -> i64 {
    time.0.div_euclid(DAY)
}
