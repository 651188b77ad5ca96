//! What an administrator has set for the whole house: who may register, and what people may spend.
//!
//! It is one document in the register. What is not in it has its default, so an older document stays readable.

use std::collections::BTreeMap;

use enza_runtime::engine::{Allowance, Limit};
use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::{Failure, Quotas};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MEGABYTE: u64 = 1_000_000;

/// The rules of the house.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    pub registration: Registration,
    /// What everyone may spend, where nothing else is said of them.
    pub everyone: Limits,
    /// What one person may spend instead, by name.
    pub people: BTreeMap<String, Limits>,
    /// How much of guests' files is kept.
    pub files: FileLimits,
}

/// How many bytes of guests' files are kept: of those who come to a session by a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FileLimits {
    /// In one session.
    #[serde(rename = "per_interview")]
    pub per_session: u64,
    /// In all sessions that were begun by one link.
    pub per_link: u64,
    /// In all sessions that belong to one.
    #[serde(rename = "per_form")]
    pub per_family: u64,
    /// In all sessions of one owner.
    pub per_owner: u64,
}

impl Default for FileLimits {
    /// Room for a handful of large files in a session, and a bound on what strangers can fill a disk with.
    fn default() -> Self {
        Self {
            per_session: 50 * MEGABYTE,
            per_link: 500 * MEGABYTE,
            per_family: 1_000 * MEGABYTE,
            per_owner: 4_000 * MEGABYTE,
        }
    }
}

impl FileLimits {
    /// As the store knows it.
    pub fn quotas(self) -> Quotas {
        Quotas { session: self.per_session, link: self.per_link, family: self.per_family, owner: self.per_owner }
    }

    /// Whether a store can count so far: its columns have a sign.
    pub fn can_be_kept(self) -> bool {
        let all = [self.per_session, self.per_link, self.per_family, self.per_owner];
        all.into_iter().all(|number| i64::try_from(number).is_ok())
    }
}

/// Who may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Registration {
    /// Anyone who finds the address.
    Open,
    /// Whoever was invited.
    #[default]
    Invitation,
    /// Nobody.
    Closed,
}

impl Registration {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Open, Self::Invitation, Self::Closed];

    /// The word used in the API and in forms.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invitation => "invitation",
            Self::Closed => "closed",
        }
    }
}

/// What may be spent; none where there is no limit. Days are by UTC, money is in millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Tokens in a day.
    pub tokens_per_day: Option<u64>,
    /// Tokens in all.
    pub tokens_in_all: Option<u64>,
    /// Millionths of a US dollar in a day.
    pub money_per_day: Option<u64>,
    /// Millionths of a US dollar in all.
    pub money_in_all: Option<u64>,
}

impl Limits {
    /// As the engine knows it.
    pub fn allowance(self) -> Allowance {
        Allowance {
            tokens: Limit { in_all: self.tokens_in_all, per_day: self.tokens_per_day },
            money: Limit { in_all: self.money_in_all, per_day: self.money_per_day },
        }
    }

    /// From the engine's form.
    pub fn of(allowance: Allowance) -> Self {
        Self {
            tokens_per_day: allowance.tokens.per_day,
            tokens_in_all: allowance.tokens.in_all,
            money_per_day: allowance.money.per_day,
            money_in_all: allowance.money.in_all,
        }
    }

    /// Whether a store can keep it: its columns have a sign.
    pub fn can_be_kept(self) -> bool {
        let all = [self.tokens_per_day, self.tokens_in_all, self.money_per_day, self.money_in_all];
        all.into_iter().flatten().all(|number| i64::try_from(number).is_ok())
    }
}

impl Rules {
    /// The rules as they are now.
    pub async fn read(register: &dyn Register) -> Result<Self, Failure> {
        let Some(document) = register.settings().await? else { return Ok(Self::default()) };
        serde_json::from_value(document)
            .map_err(|error| Failure::Other(format!("the settings of the house cannot be read: {error}")))
    }

    /// Writes them.
    pub async fn write(&self, register: &dyn Register) -> Result<(), Failure> {
        let document = serde_json::to_value(self).expect("rules are plain data and always serialise");
        register.set_settings(&document).await
    }

    /// What the house lets a person spend.
    pub fn of(&self, person: &str) -> Limits {
        self.people.get(person).copied().unwrap_or(self.everyone)
    }
}
