//! Where a stable stands: whose it is, which debaters there are, and how far the tutorial is.

use enza_kernel::errand::Errand;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::house::DebaterStatus;

/// The state of a stable.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StableState {
    /// None until it has begun.
    pub(super) owner: Option<String>,
    pub(super) lang: Lang,
    /// In the order in which they were raised.
    pub(super) debaters: Vec<KeptDebater>,
    pub(super) tutorial: Option<Tutorial>,
    pub(super) errands: Vec<StableErrand>,
}

/// A debater, as its stable knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDebater {
    pub debater: String,
    pub name: String,
    pub status: DebaterStatus,
    /// The status that it was asked to take, until it has answered.
    pub asked: Option<DebaterStatus>,
    /// Whether its session is there.
    pub is_ready: bool,
    /// The tutorial that waits for it to be there.
    pub tutorial: Option<String>,
}

/// The tutorial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tutorial {
    pub debate: String,
    pub debater: String,
    pub step: TutorialStep,
    /// When it is given up, while it has not come about.
    pub deadline: Option<Timestamp>,
}

/// How far a tutorial is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TutorialStep {
    Summoned,
    Seated,
    Running,
    Over,
}

/// An errand under way, and what it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StableErrand {
    pub errand: Errand,
    pub purpose: ErrandPurpose,
}

/// What an errand is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrandPurpose {
    Create {
        debater: String,
    },
    Rename {
        debater: String,
        name: String,
    },
    Status {
        debater: String,
        status: DebaterStatus,
    },
    Summon {
        debate: String,
    },
    OpenDebate {
        debate: String,
    },
    /// Nothing follows from its end.
    News,
}

impl StableState {
    /// Whose it is; none while it has not begun.
    pub fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The debaters, in the order in which they were raised.
    pub fn debaters(&self) -> &[KeptDebater] {
        &self.debaters
    }

    /// The tutorial, where one has begun.
    pub fn tutorial(&self) -> Option<&Tutorial> {
        self.tutorial.as_ref()
    }

    /// How many are active, or were asked to be; one that was asked to rest counts until it does.
    pub fn active(&self) -> usize {
        let is_active =
            |kept: &&KeptDebater| kept.status == DebaterStatus::Active || kept.asked == Some(DebaterStatus::Active);
        self.debaters.iter().filter(is_active).count()
    }

    pub(super) fn kept(&self, debater: &str) -> Option<&KeptDebater> {
        self.debaters.iter().find(|kept| kept.debater == debater)
    }

    /// Whether somebody is, or is about to be, in the tutorial.
    pub(super) fn has_used_tutorial(&self) -> bool {
        self.tutorial.is_some() || self.debaters.iter().any(|kept| kept.tutorial.is_some())
    }
}
