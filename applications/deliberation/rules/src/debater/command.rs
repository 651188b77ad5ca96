//! What may be asked of a debater: by its owner, by the stable it lives in, by a topic that wants it at a table, and by the
//! debates it sat in.

use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::brief::OwnStatement;
use crate::stable::{DebaterStatus, HouseRules};

/// An order to a debater.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DebaterCommand {
    /// Be born. From the stable.
    Open {
        /// The name of this very session.
        debater: String,
        owner: String,
        name: String,
        /// Keys of three different values of the twenty-four.
        values: [String; 3],
        #[serde(default)]
        lang: Lang,
        #[serde(default)]
        status: DebaterStatus,
        #[serde(default)]
        house: HouseRules,
    },
    /// Be called otherwise. From the stable.
    Rename { name: String },
    /// Be drawn into debates, or rest. From the stable.
    SetStatus { status: DebaterStatus },
    /// Leave for good. From the stable.
    Retire,
    /// Come and sit down. From a topic; from the stable for the tutorial.
    Summon {
        debate: String,
        /// The instant of the schedule that seats are counted by.
        #[schemars(with = "i64")]
        run: Timestamp,
        most_per_run: u32,
        title: String,
    },
    /// The seat is not needed after all. From whoever summoned.
    Release { debate: String },
    /// The debate has opened. From whoever summoned.
    Seated {
        debate: String,
        #[schemars(with = "i64")]
        started_at: Timestamp,
    },
    /// The debate is over. From the debate itself.
    Completed {
        debate: String,
        title: String,
        #[schemars(with = "i64")]
        completed_at: Timestamp,
        /// What this debater said there, turn by turn.
        #[schemars(with = "serde_json::Value")]
        own: Vec<OwnStatement>,
        #[serde(default)]
        summary: String,
        #[serde(default)]
        highlights: Vec<String>,
    },
    /// The debate was cancelled. From the debate itself.
    Released { debate: String },
    /// Learn something.
    AddKnowledge { title: String, content: String },
    /// Know something otherwise.
    EditKnowledge { id: String, title: String, content: String },
    /// Forget something.
    RemoveKnowledge { id: String },
    /// Say what is to be better after a debate, or answer the question that the debater asked.
    GiveFeedback { debate: String, content: String },
    /// Put a feedback into other words.
    EditFeedback { id: String, content: String },
    /// See what a feedback would lead to, without giving it.
    TryFeedback { debate: String, content: String },
    /// Let a growth that failed be tried again.
    RetryGrowth,
    /// Take the newest growth back.
    TakeBack {
        /// The growth's id.
        change: String,
    },
}
