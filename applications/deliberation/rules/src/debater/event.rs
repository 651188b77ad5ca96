//! What can have happened to a debater.
//!
//! A row is made from one event without the state around it, so an event that changes what a table shows carries the whole
//! of that row.

use enza_kernel::agent::Step;
use enza_kernel::effect::Key;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::brief::{Brief, KnowledgeEntry, OwnStatement};
use crate::stable::{DebaterStatus, HouseRules};

/// A fact in the life of a debater.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DebaterEvent {
    /// It was called into being; its persona is being written.
    Opened {
        debater: String,
        owner: String,
        stable: String,
        name: String,
        values: [String; 3],
        lang: Lang,
        status: DebaterStatus,
        house: HouseRules,
    },
    /// Its persona is there.
    Born {
        by: PersonaAuthor,
        card: AgentCard,
        look_up: DebaterLookUp,
    },
    Renamed {
        card: AgentCard,
        look_up: DebaterLookUp,
    },
    StatusSet {
        card: AgentCard,
        look_up: DebaterLookUp,
    },
    KnowledgeAdded {
        entry: KnowledgeEntry,
        look_up: DebaterLookUp,
    },
    KnowledgeEdited {
        entry: KnowledgeEntry,
    },
    KnowledgeRemoved {
        entry: KnowledgeEntry,
        look_up: DebaterLookUp,
    },
    /// A seat is kept for it: feedback on debates that were over before is closed.
    SeatHeld {
        debate: String,
        title: String,
        run: Timestamp,
        by: SummonedBy,
    },
    /// What it brings to the debate was written down, and is on its way.
    Briefed {
        debate: String,
        to: String,
        brief: Brief,
    },
    SeatStarted {
        debate: String,
        started_at: Timestamp,
    },
    /// The seat was not used: feedback that it closed is open again.
    SeatReleased {
        debate: String,
    },
    DebateCompleted {
        debate: String,
        title: String,
        completed_at: Timestamp,
        own: Vec<OwnStatement>,
        summary: String,
        highlights: Vec<String>,
    },
    /// It asked its owner something.
    Reflected {
        reflection: AskedReflection,
    },
    FeedbackGiven {
        feedback: GivenFeedback,
        answers: Option<AskedReflection>,
        look_up: DebaterLookUp,
    },
    FeedbackEdited {
        feedback: GivenFeedback,
    },
    /// It is growing by these feedbacks.
    GrowthBegun {
        feedbacks: Vec<String>,
    },
    Grown {
        change: PersonaChange,
        feedbacks: Vec<GivenFeedback>,
        card: AgentCard,
    },
    /// Nothing was applied.
    GrowthFailed {
        why: String,
    },
    TakenBack {
        change: PersonaChange,
        card: AgentCard,
    },
    /// A feedback that was not given is being tried out.
    TrialBegun {
        trial: u64,
        debate: String,
        content: String,
    },
    TrialStrategy {
        trial: u64,
        strategy: String,
    },
    TrialSaid {
        trial: u64,
        side: TrialSide,
        sentence: String,
    },
    TrialFailed {
        trial: u64,
        why: String,
    },
    /// An errand has ended; there is a code where it was declined.
    ErrandEnded {
        key: Key,
        code: Option<String>,
    },
    /// It is gone, and with it the rows of all that it had.
    Retired {
        knowledge: Vec<String>,
        counted: DebaterCounts,
    },
    /// It sat down after it was gone: the debate is told.
    SeatGivenUp {
        debate: String,
    },
    /// Something happened in a thread.
    Stepped(Step),
}

/// Who wrote a persona.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonaAuthor {
    Model,
    /// A rule stood in.
    Rule,
}

/// Who wants it at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummonedBy {
    pub session: String,
    pub application: String,
}

/// The two ways in which a trial lets it begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialSide {
    With,
    Without,
}

/// What the table `agents` shows of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentCard {
    pub user_id: String,
    pub name: String,
    pub status: DebaterStatus,
    /// The persona as it was written.
    pub persona: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What a topic looks at before it draws.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebaterLookUp {
    pub owner: String,
    pub name: String,
    pub status: DebaterStatus,
    /// The latest of its birth, its knowledge and its feedback. Directions are no activity (DEL-65).
    pub active_at: Timestamp,
}

/// A feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFeedback {
    /// Its number among the feedbacks of its debater, from 1.
    pub number: u64,
    pub id: String,
    /// The debate that it is about.
    pub debate: String,
    pub content: String,
    pub created_at: Timestamp,
    pub applied_at: Option<Timestamp>,
}

/// A question to the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedReflection {
    /// Its number among the questions of its debater, from 1.
    pub number: u64,
    pub id: String,
    pub debate: String,
    pub title: String,
    pub question: String,
    pub context: String,
    /// When the debate was over.
    pub completed_at: Timestamp,
    pub created_at: Timestamp,
    pub is_answered: bool,
}

/// A step from one version of the persona to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonaChange {
    /// Its number among the changes of its debater, from 1.
    pub number: u64,
    pub id: String,
    pub before: String,
    pub after: String,
    /// The feedbacks that caused it.
    pub feedbacks: Vec<String>,
    pub created_at: Timestamp,
    /// The growth that it takes back, where it does.
    pub undoes: Option<String>,
}

/// How many there have been of what is counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DebaterCounts {
    pub feedbacks: u64,
    pub reflections: u64,
    pub changes: u64,
    pub trials: u64,
}
