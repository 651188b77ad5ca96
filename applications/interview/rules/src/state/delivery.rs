//! A submission on its way.

use enza_kernel::effect::Key;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::State;

/// A submission on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delivery {
    /// The submission's name for whoever receives it: the key of the first attempt.
    pub id: String,
    /// The key of this attempt.
    pub key: Key,
    pub phase: DeliveryPhase,
    /// How many attempts failed.
    pub failed: u32,
    /// When the respondent said yes.
    pub since: Timestamp,
}

/// Where a delivery stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryPhase {
    Queued,
    Started {
        /// Of the attempt that is under way.
        mark: String,
    },
    /// It waits to be told to try again.
    Failed,
    /// It tries again by itself.
    Resting {
        until: Timestamp,
    },
    /// It was cut off; a gate asks what to make of it.
    Lost,
    Done,
}

impl State {
    /// Whether the delivery failed and waits to be tried again.
    pub fn is_undelivered(&self) -> bool {
        self.delivery.as_ref().is_some_and(|delivery| delivery.phase == DeliveryPhase::Failed)
    }

    /// When the delivery tries again by itself.
    pub fn delivers_again(&self) -> Option<Timestamp> {
        match self.delivery.as_ref()?.phase {
            DeliveryPhase::Resting { until } => Some(until),
            DeliveryPhase::Queued
            | DeliveryPhase::Started { .. }
            | DeliveryPhase::Failed
            | DeliveryPhase::Lost
            | DeliveryPhase::Done => None,
        }
    }
}
