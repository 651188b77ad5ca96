//! What can have happened in a debate.
//!
//! Each event is for everybody or for one seat, never a mixture: whoever may read it may read all of it (DEL-C22). Events
//! that change what lists show carry the whole card, since a row is made from one event.

use enza_deliberation_cast::{Candidate, NextTopic, Verdict};
use enza_kernel::agent::Step;
use enza_kernel::effect::Key;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::command::{Choice, DebateSettings, TopicCard};
use crate::Brief;

/// A fact in the history of a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DebateEvent {
    Opened {
        card: Card,
        topic: TopicCard,
        settings: DebateSettings,
        /// In milliseconds.
        window: u64,
        /// When strategies that are not there are done without.
        strategies_until: Timestamp,
    },
    /// A debater sat down, with everything it brought. For its owner alone.
    SeatTaken {
        seat: String,
        /// The row's id.
        id: String,
        brief: Brief,
    },
    /// Something happened in a thread.
    Stepped(Step),
    /// For the seat alone.
    StrategyMade {
        strategy: Strategy,
    },
    /// For the seat alone.
    StrategyFailed {
        seat: String,
        debater: String,
        why: String,
    },
    TurnOpened {
        card: Card,
        turn: TurnRow,
        /// When it begins, whoever has not spoken.
        until: Timestamp,
    },
    /// For the seat alone, as are its changes.
    DirectionGiven {
        direction: Direction,
    },
    DirectionChanged {
        direction: Direction,
    },
    DirectionWithdrawn {
        seat: String,
        id: String,
    },
    /// The owner of these seats looks at the turn.
    Arrived {
        seats: Vec<String>,
    },
    /// The owner of these seats wants the turn to begin.
    WantedNow {
        seats: Vec<String>,
    },
    /// Directions are settled, and everybody speaks.
    TurnFrozen {
        turn: TurnRow,
        /// The turn whose rolling summary stands for the oldest ones.
        summary_of: Option<u32>,
    },
    Spoke {
        statement: Statement,
    },
    /// What a debater thought with its statement. For its owner alone.
    Thought {
        statement: Statement,
        thinking: String,
    },
    /// A debater said nothing that could be used.
    SpeakerFailed {
        statement: Statement,
    },
    TurnClosed {
        turn: TurnRow,
    },
    /// Everything up to a turn in few words.
    TurnSummed {
        turn: TurnRow,
        by: Author,
    },
    /// The last turn is over; outcomes are worked out.
    ClosingBegun,
    SummaryWritten {
        text: String,
        by: Author,
    },
    VerdictGiven {
        verdict: Verdict,
        by: Author,
    },
    CandidatesWritten {
        candidates: Vec<Candidate>,
        by: Author,
    },
    /// The candidates as a seat would have them, by their places.
    SeatRanked {
        seat: String,
        order: Vec<usize>,
        by: Author,
    },
    NextProposed {
        next: NextTopic,
        by: Author,
    },
    Completed {
        card: Card,
        /// The closing statement that the seats chose.
        closing: Option<String>,
    },
    Cancelled {
        card: Card,
        why: CancelReason,
    },
    /// A debater is gone, and with it what was kept for it.
    SeatWithdrawn {
        seat: String,
        /// The row's id.
        id: String,
        directions: Vec<String>,
        strategy: Option<String>,
    },
    /// For nobody to read: how many there are of each is shown.
    VoteCast {
        statement: String,
        person: String,
        choice: Choice,
    },
    /// A statement is to be drawn again. For the seat alone.
    RedrawAsked {
        turn: u32,
        seat: String,
    },
    /// It was. No prompt reads it.
    Redrawn {
        turn: u32,
        seat: String,
        way: Redraw,
        /// None where nothing came of it.
        text: Option<String>,
    },
    /// From here on it goes as it might have gone.
    CounterfactualBegun {
        turn: u32,
        seat: String,
        direction: Option<Direction>,
    },
    /// An errand came to its end.
    ErrandEnded {
        key: Key,
        /// The code where it was declined.
        declined: Option<String>,
    },
}

/// What lists show of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Card {
    pub topic_id: String,
    pub topic_title: String,
    pub mode: String,
    pub status: Status,
    /// The open turn; 0 before the first.
    pub current_turn: u32,
    pub max_turns: u32,
    pub participant_count: usize,
    pub summary: Option<String>,
    pub is_tutorial: bool,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub completed_at: Option<i64>,
}

/// How far a debate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Pending,
    Active,
    Completed,
    Cancelled,
}

/// A turn as its table shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRow {
    pub id: String,
    pub turn_number: u32,
    pub status: TurnStatus,
    pub summary: Option<String>,
    pub created_at: i64,
    pub completed_at: Option<i64>,
}

/// How far a turn is, as the table of turns says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnStatus {
    /// Waits for directions.
    Pending,
    /// Everybody speaks.
    Processing,
    Completed,
}

/// A word of steering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Direction {
    pub id: String,
    pub seat: String,
    #[serde(rename = "agent_id")]
    pub debater: String,
    #[serde(rename = "turn_number")]
    pub turn: u32,
    pub content: String,
    pub created_at: i64,
    /// It came after its turn had begun, and changes nothing.
    #[serde(rename = "too_late")]
    pub is_late: bool,
}

/// What a debater has set out to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strategy {
    pub id: String,
    pub seat: String,
    #[serde(rename = "agent_id")]
    pub debater: String,
    pub feedback_id: Option<String>,
    #[serde(rename = "strategy")]
    pub text: String,
    pub created_at: i64,
}

/// What a debater said in a turn, or that it said nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub id: String,
    /// Its number in the debate, by which it is cited.
    pub number: u32,
    pub turn_id: String,
    #[serde(rename = "turn_number")]
    pub turn: u32,
    pub seat: String,
    #[serde(rename = "agent_id")]
    pub debater: String,
    #[serde(rename = "agent_name")]
    pub name: String,
    /// Blank where the speaker failed.
    pub content: String,
    pub created_at: i64,
}

/// Who wrote an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Model,
    /// A rule, since no model did.
    Rule,
}

/// Why a debate has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    Host,
    /// Too few debaters are left.
    Withdrawn,
}

/// Which way a statement was drawn again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Redraw {
    /// Without its direction.
    Without,
    /// With nothing changed, so that chance is not taken for effect.
    Unchanged,
}
