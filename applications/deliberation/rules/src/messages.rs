//! What a topic or a debate tells a debater: the commands of its session, as they are written when an errand carries them.
//!
//! The debater decides about each of them; nothing here is checked.

use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::OwnStatement;

/// A command for a debater.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToDebater {
    /// Come and sit down. Its brief is owed to the topic where it does.
    Summon {
        debate: String,
        /// The instant of the schedule that the seats of a run are counted by.
        run: Timestamp,
        most_per_run: u32,
        title: String,
    },
    /// The seat is not needed after all.
    Release { debate: String },
    /// The debate has opened.
    Seated { debate: String, started_at: Timestamp },
    /// The debate is over.
    Completed {
        debate: String,
        title: String,
        completed_at: Timestamp,
        own: Vec<OwnStatement>,
        summary: String,
        highlights: Vec<String>,
    },
    /// The debate was cancelled.
    Released { debate: String },
}
