//! Tokens and money: what may be spent, what is set aside, what is gone.
//!
//! Before a call its reserve is held; after it the reserve is released and the real amount charged. As long as no
//! call costs more than its reserve, no ledger with a limit ever goes past it. A ledger counts in one unit, tokens or
//! millionths of a currency, and does not care which.
//!
//! Looking up prices, and keeping the ledgers of owners and days, belongs to the runtime.

use serde::{Deserialize, Serialize};

use crate::application::Reason;
use crate::conversation::Usage;
use crate::text::{Lang, Said};
use crate::words::words;

/// One account. Without a limit by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// The most that may be spent; `None` for no limit.
    pub limit: Option<u64>,
    pub spent: u64,
    /// What is set aside for calls under way.
    pub held: u64,
}

/// The ledgers that one call is charged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledgers {
    /// The session's, shared with its children.
    pub session: Ledger,
    /// The owner's, over all sessions.
    pub owner: Ledger,
    /// The owner's for today.
    pub day: Ledger,
}

/// Whose ledger it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerScope {
    Session,
    Owner,
    /// The day's.
    Day,
}

/// A reserve that did not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("the {} budget has {left} left and {need} are needed", which.word(Lang::En))]
pub struct Exceeded {
    /// Whose budget it was. A ledger on its own speaks as the session's.
    pub which: LedgerScope,
    /// What was to be set aside.
    pub need: u64,
    pub left: u64,
}

/// What a model costs, in millionths of a currency per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Price {
    /// For tokens read anew.
    pub input_per_million: u64,
    /// For tokens written.
    pub output_per_million: u64,
    /// For tokens read from the provider's cache.
    #[serde(default)]
    pub cache_read_per_million: u64,
    /// For tokens written to the provider's cache.
    #[serde(default)]
    pub cache_write_per_million: u64,
}

impl Ledger {
    /// An empty ledger with a limit.
    pub fn limited(limit: u64) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Sets an amount aside, if it fits.
    pub fn hold(&mut self, reserve: u64) -> Result<(), Exceeded> {
        self.room_for(reserve, LedgerScope::Session)?;
        self.held = self.held.saturating_add(reserve);
        Ok(())
    }

    /// Releases a reserve and charges what was really spent; zero where the call was never made.
    pub fn settle(&mut self, reserve: u64, actual: u64) {
        self.held = self.held.saturating_sub(reserve);
        self.charge(actual);
    }

    /// Charges what was spent without a reserve.
    pub fn charge(&mut self, actual: u64) {
        self.spent = self.spent.saturating_add(actual);
    }

    /// Whether an amount could be set aside now.
    pub fn fits(&self, reserve: u64) -> bool {
        self.left().is_none_or(|left| reserve <= left)
    }

    /// What is neither gone nor set aside; `None` for no limit.
    pub fn left(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.spent.saturating_add(self.held)))
    }

    fn room_for(&self, need: u64, which: LedgerScope) -> Result<(), Exceeded> {
        match self.left() {
            Some(left) if need > left => Err(Exceeded { which, need, left }),
            Some(_) | None => Ok(()),
        }
    }
}

impl Ledgers {
    /// Sets an amount aside in every ledger, or in none.
    pub fn hold(&mut self, reserve: u64) -> Result<(), Exceeded> {
        self.session.room_for(reserve, LedgerScope::Session)?;
        self.owner.room_for(reserve, LedgerScope::Owner)?;
        self.day.room_for(reserve, LedgerScope::Day)?;
        for ledger in self.ledgers() {
            ledger.held = ledger.held.saturating_add(reserve);
        }
        Ok(())
    }

    /// Releases a reserve in every ledger and charges what was really spent.
    pub fn settle(&mut self, reserve: u64, actual: u64) {
        self.ledgers().into_iter().for_each(|ledger| ledger.settle(reserve, actual));
    }

    /// Charges every ledger without a reserve.
    pub fn charge(&mut self, actual: u64) {
        self.ledgers().into_iter().for_each(|ledger| ledger.charge(actual));
    }

    /// Whether an amount could be set aside now in every ledger.
    pub fn fits(&self, reserve: u64) -> bool {
        [self.session, self.owner, self.day].iter().all(|ledger| ledger.fits(reserve))
    }

    /// What the tightest ledger has left; `None` where none has a limit.
    pub fn left(&self) -> Option<u64> {
        [self.session, self.owner, self.day].iter().filter_map(Ledger::left).min()
    }

    fn ledgers(&mut self) -> [&mut Ledger; 3] {
        [&mut self.session, &mut self.owner, &mut self.day]
    }
}

impl Price {
    /// What a call cost, in millionths of the currency, rounded up.
    pub fn cost(&self, usage: Usage) -> u64 {
        const MILLION: u128 = 1_000_000;
        let anew = usage.input.saturating_sub(usage.cache_read.saturating_add(usage.cache_write));
        let sum = [
            (anew, self.input_per_million),
            (usage.output, self.output_per_million),
            (usage.cache_read, self.cache_read_per_million),
            (usage.cache_write, self.cache_write_per_million),
        ]
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .fold(0, u128::saturating_add);
        u64::try_from(sum.div_ceil(MILLION)).unwrap_or(u64::MAX)
    }
}

impl LedgerScope {
    /// The word for it in messages.
    pub fn word(self, lang: Lang) -> &'static str {
        match self {
            Self::Session => words(lang).say("budget.session"),
            Self::Owner => words(lang).say("budget.owner"),
            Self::Day => words(lang).say("budget.day"),
        }
    }
}

impl Reason for Exceeded {
    fn code(&self) -> &'static str {
        "budget-exceeded"
    }

    fn say(&self, lang: Lang) -> Said {
        let Self { which, need, left } = self;
        let whose = which.word(lang);
        let hint = match which {
            LedgerScope::Session | LedgerScope::Owner => words(lang).say("budget.raise_hint"),
            LedgerScope::Day => words(lang).say("budget.day_hint"),
        };
        Said::new(words(lang).fill("budget.exceeded", &[("whose", &whose), ("need", &need), ("left", &left)]), hint)
    }
}
