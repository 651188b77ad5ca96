//! What the house says about every person's debaters, and the two ways in which a debater can be kept.

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::words;

/// How many debaters a person may have, and when they grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HouseRules {
    /// How many debaters a person may own.
    pub most_debaters: u32,
    /// How many of these may be drawn into debates.
    pub most_active: u32,
    #[serde(default)]
    pub growth: GrowthTime,
}

impl Default for HouseRules {
    fn default() -> Self {
        Self { most_debaters: 4, most_active: 2, growth: GrowthTime::AtCompletion }
    }
}

/// When feedback reaches a persona (DEL-C12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthTime {
    /// When the next debate of the debater is over.
    #[default]
    AtCompletion,
    /// When the feedback is given.
    AtOnce,
}

/// Whether a debater can be drawn into debates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DebaterStatus {
    #[default]
    Active,
    /// It can be trained and is not drawn.
    Reserve,
}

impl DebaterStatus {
    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Reserve => "reserve",
        }
    }

    /// The word for people.
    pub(crate) fn called(self, lang: Lang) -> &'static str {
        match self {
            Self::Active => words(lang).say("stable.status_active"),
            Self::Reserve => words(lang).say("stable.status_reserve"),
        }
    }
}
