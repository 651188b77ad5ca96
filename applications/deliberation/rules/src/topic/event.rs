//! What can have happened to a topic. What a debater brought along is in events of its own, which nobody is shown.

use enza_deliberation_cast::NextTopic;
use enza_kernel::effect::Key;
use enza_kernel::schedule::Start;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::command::{DebateOutcome, TopicSettings};
use crate::Brief;

/// A fact in the history of a topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TopicEvent {
    Begun {
        listing: Listing,
        settings: TopicSettings,
    },
    Edited {
        listing: Listing,
    },
    Configured {
        settings: TopicSettings,
    },
    Paused,
    Resumed,
    Archived {
        listing: Listing,
    },
    /// Candidates are looked for.
    RunBegun {
        run: RunName,
        /// Only debaters for whom something was done since then.
        since: Timestamp,
        /// Those who were named; nobody is drawn then.
        named: Vec<String>,
        turns: u32,
    },
    /// Candidates in the order of the lot, which `lot` makes again from the seed.
    Drawn {
        debate: String,
        seed: [u64; 2],
        order: Vec<String>,
        /// How many are wanted.
        wanted: usize,
        /// When whoever has not sat down is done without.
        until: Timestamp,
    },
    Summoned {
        debaters: Vec<String>,
    },
    /// A debater has sat down, or will not.
    SummonAnswered {
        key: Key,
        debater: String,
        declined: Option<String>,
    },
    /// What a debater brought. For nobody to read.
    BriefTaken {
        brief: Brief,
    },
    /// They did not come in time.
    GivenUp {
        debaters: Vec<String>,
    },
    /// There was no debate of this run.
    RunSkipped {
        run: RunName,
        why: SkipReason,
        /// Those who had sat down, and need not have.
        released: Vec<String>,
    },
    /// A debate is to be opened, with these debaters and so many partners of the house.
    Convened {
        debate: String,
        debaters: Vec<String>,
        partners: usize,
    },
    DebateOpened {
        key: Key,
        debate: String,
    },
    DebateNotOpened {
        key: Key,
        debate: String,
        code: String,
    },
    DebateEnded {
        debate: String,
        outcome: DebateOutcome,
        summary: String,
        next: Option<NextTopic>,
    },
    /// A topic goes on from what a debate proposed; this one is over.
    NextAccepted {
        debate: String,
        session: String,
        next: NextTopic,
        listing: Listing,
    },
    NextDropped {
        debate: String,
    },
    /// An errand of which nothing more follows came to its end.
    ErrandEnded {
        key: Key,
        declined: Option<String>,
    },
}

/// What lists show of a topic.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// The topic's own session, where it was told.
    pub session: Option<String>,
    pub title: String,
    pub description: String,
    pub lang: Lang,
    pub owner: String,
    pub status: TopicStatus,
    /// The topic that it follows.
    pub predecessor: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Whether debates are held on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TopicStatus {
    #[default]
    Active,
    Archived,
}

/// Which run it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunName {
    /// The instant by which debaters count the seats of a run.
    pub at: Timestamp,
    /// The start of the schedule that it is; none where somebody asked for it.
    pub start: Option<Start>,
}

/// Why there was no debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// So many sat down, and that is too few.
    TooFew { count: usize },
    /// A debate of this topic is still going on.
    DebateUnderWay,
    /// Another run is.
    RunUnderWay,
}
