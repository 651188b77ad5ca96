//! What an owner may spend, in all and in a day, over all of the owner's sessions.
//!
//! A session's own budget is the application's: it decides in its log. An owner's is here, because it is shared by
//! sessions that know nothing of each other. Before a call its reserve is held in both ledgers, or the call is not
//! made; what is already spent is read from the store each time, so that other workers' spending counts. Their calls
//! under way do not: with several workers an owner can go past the limit by what those have set aside.

use std::collections::BTreeMap;
use std::sync::Mutex;

use enza_kernel::budget::{Exceeded, Ledgers};
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::Engine;
use crate::seams::store::{Failure, OwnerSpent};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// What an owner may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Allowance {
    /// In tokens.
    pub tokens: Limit,
    /// In money, in millionths of a US dollar.
    pub money: Limit,
}

/// How much of one thing may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Limit {
    /// In all; none for no limit.
    pub in_all: Option<u64>,
    /// In a day, by UTC; none for no limit.
    pub per_day: Option<u64>,
}

impl Allowance {
    /// Of each limit the lower.
    pub fn lower(self, other: Self) -> Self {
        let least = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let both = |one: Limit, other: Limit| Limit {
            in_all: least(one.in_all, other.in_all),
            per_day: least(one.per_day, other.per_day),
        };
        Self { tokens: both(self.tokens, other.tokens), money: both(self.money, other.money) }
    }
}

/// Says what each owner may spend; asked before every model call, so that a change counts at once.
pub trait Allowances: Send + Sync {
    /// This owner's.
    fn of(&self, owner: &str) -> Allowance;
}

/// The same for everyone.
impl Allowances for Allowance {
    fn of(&self, _owner: &str) -> Allowance {
        *self
    }
}

/// Tokens, and what they cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Amount {
    pub tokens: u64,
    pub money: u64,
}

/// The purses of the owners who have spent something since the start.
#[derive(Default)]
pub(super) struct OwnerBudgets(Mutex<BTreeMap<String, OwnerBudget>>);

/// One owner's two purses, and the day they are for.
struct OwnerBudget {
    day: i64,
    tokens: Ledgers,
    money: Ledgers,
}

/// Why a call may not be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotHeld {
    #[error("{0}")]
    Exceeded(Exceeded),
    #[error("what has been spent could not be read: {0}")]
    Failed(Failure),
}

impl NotHeld {
    /// Whether the same call may be held later without anyone doing anything.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Exceeded(_) => false,
            Self::Failed(failure) => failure.may_retry(),
        }
    }
}

impl Engine {
    /// Sets an amount aside for a call of this owner's.
    pub(super) async fn hold(&self, owner: &str, reserve: Amount) -> Result<(), NotHeld> {
        let allowance = self.0.setup.allowances.of(owner);
        if allowance == Allowance::default() {
            return Ok(());
        }
        let today = day_of(self.0.setup.clock.now());
        let spent = self.store().spent(owner, today).await.map_err(NotHeld::Failed)?;
        let mut purses = self.0.purses.0.lock().expect("purses");
        let both = purses.entry(owner.to_owned()).or_insert_with(|| OwnerBudget::new(today));
        both.allow(allowance);
        both.catch_up(today, spent);
        both.tokens.hold(reserve.tokens).map_err(NotHeld::Exceeded)?;
        both.money.hold(reserve.money).map_err(|exceeded| {
            both.tokens.settle(reserve.tokens, 0);
            NotHeld::Exceeded(exceeded)
        })
    }

    /// Gives back what was set aside, and counts what was spent.
    pub(super) fn settle_budget(&self, owner: &str, reserve: Amount, spent: Amount) {
        if let Some(both) = self.0.purses.0.lock().expect("purses").get_mut(owner) {
            both.tokens.settle(reserve.tokens, spent.tokens);
            both.money.settle(reserve.money, spent.money);
        }
    }
}

impl OwnerBudget {
    fn new(day: i64) -> Self {
        Self { day, tokens: Ledgers::default(), money: Ledgers::default() }
    }

    fn allow(&mut self, allowance: Allowance) {
        for (purse, limit) in [(&mut self.tokens, allowance.tokens), (&mut self.money, allowance.money)] {
            purse.owner.limit = limit.in_all;
            purse.day.limit = limit.per_day;
        }
    }

    /// Counts what the store knows. What was settled here and is not saved yet is ahead of it; what others spent is
    /// ahead of us.
    fn catch_up(&mut self, today: i64, spent: OwnerSpent) {
        let is_new_day = self.day != today;
        self.day = today;
        let OwnerSpent { in_all, on_day } = spent;
        let tokens = (&mut self.tokens, in_all.total(), on_day.total());
        let money = (&mut self.money, in_all.cost, on_day.cost);
        for (purse, in_all, on_day) in [tokens, money] {
            if is_new_day {
                purse.day.spent = 0;
            }
            purse.owner.spent = purse.owner.spent.max(in_all);
            purse.day.spent = purse.day.spent.max(on_day);
        }
    }
}

fn day_of(time: Timestamp) -> i64 {
    time.0.div_euclid(DAY)
}
