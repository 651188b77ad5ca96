//! What each owner may spend: what the house allows and what the person has set, of each limit the lower.
//!
//! The engine asks before every model call and cannot wait, so the answer is kept in memory. It is read from the
//! register at the start, every few seconds, and at once after a change that was made here. While the register cannot
//! be read, what was known last holds.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use enza_runtime::engine::{Allowance, Allowances};
use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::Failure;

use super::rules::Rules;

/// How often to read the register.
const EVERY: Duration = Duration::from_secs(5);
/// How many people to read at a time.
const PAGE: usize = 1_000;

/// What each owner may spend.
pub struct AllowanceCache {
    register: Arc<dyn Register>,
    known: RwLock<CachedLimits>,
}

#[derive(Default)]
struct CachedLimits {
    rules: Rules,
    /// What people have set for themselves; only those who have.
    own: HashMap<String, Allowance>,
}

impl AllowanceCache {
    /// One that has not read the register yet and knows of no limit. Whoever starts an engine uses `open`.
    pub fn unread(register: Arc<dyn Register>) -> Arc<Self> {
        Arc::new(Self { register, known: RwLock::default() })
    }

    /// Reads the register, and goes on reading it for as long as anyone holds this.
    pub async fn open(register: Arc<dyn Register>) -> Result<Arc<Self>, Failure> {
        let allowances = Self::unread(register);
        allowances.refresh().await?;
        let watched = Arc::downgrade(&allowances);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                let Some(allowances) = watched.upgrade() else { return };
                if let Err(failure) = allowances.refresh().await {
                    tracing::warn!(%failure, "what people may spend could not be read; what was known holds");
                }
            }
        });
        Ok(allowances)
    }

    /// Reads the register now.
    pub async fn refresh(&self) -> Result<(), Failure> {
        let rules = Rules::read(&*self.register).await?;
        let mut own = HashMap::new();
        let mut after: Option<String> = None;
        loop {
            let page = self.register.people(after.as_deref(), PAGE).await?;
            let full = page.len() == PAGE;
            after = page.last().map(|last| last.name.clone());
            let limited = page.into_iter().filter(|person| person.allowance != Allowance::default());
            own.extend(limited.map(|person| (person.name, person.allowance)));
            if !full {
                break;
            }
        }
        *self.known.write().expect("known") = CachedLimits { rules, own };
        Ok(())
    }
}

impl Allowances for AllowanceCache {
    fn of(&self, owner: &str) -> Allowance {
        let known = self.known.read().expect("known");
        let own = known.own.get(owner).copied().unwrap_or_default();
        known.rules.of(owner).allowance().lower(own)
    }
}
