//! What the till keeps in mind, what is recorded of it, and what may be asked of it.

use serde::{Deserialize, Serialize};

use super::parcels::Parcels;
use super::seats::{SeatCommand, SeatEvent, Seats};
use crate::agent::{Step, Threads};
use crate::effect::Key;
use crate::gate::{Answer, Gate, GateState, Verdict as Yes};
use crate::time::Timestamp;

/// The state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// Whose till it is.
    pub owner: String,
    /// What the auditor alone knows.
    pub floor: String,
    pub cast: Threads,
    /// The gate, open or answered, and the call that waits at it.
    pub gate: Option<(GateState, String)>,
    /// Notes taken.
    pub notes: u32,
    /// When anyone last spoke.
    pub heard_at: Timestamp,
    /// When it becomes too quiet.
    pub idle_at: Option<Timestamp>,
    /// Calls of which nobody knows how they ended.
    pub unknown: u32,
    pub closed: Option<String>,
    #[serde(default)]
    pub parcels: Parcels,
    /// Who else is at it.
    #[serde(default)]
    pub seats: Seats,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The till was opened.
    Opened {
        owner: String,
        /// Tokens it may spend.
        budget: Option<u64>,
        /// What the auditor alone may know.
        floor: String,
        /// When it closes if nobody says a word.
        idle_at: Timestamp,
    },
    /// The customer spoke.
    Spoke {
        /// When it closes if nobody says another word.
        idle_at: Timestamp,
    },
    /// Something happened in a thread.
    Agent(Step),
    /// A note was taken.
    Noted,
    /// A gate was opened for a call.
    GateOpened {
        gate: Gate,
        /// The call that waits.
        call: String,
    },
    GateAnswered {
        answer: Answer,
    },
    /// Nobody knows how a call ended.
    LeftUnknown {
        call: String,
    },
    /// A parcel is on its way to another till.
    ParcelSent {
        to: String,
        parcel: String,
    },
    /// A branch is to be opened.
    BranchPlanned {
        session: String,
    },
    /// What all tills have taken is to be counted.
    CountBegun,
    /// The other till has it.
    ParcelArrived {
        key: Key,
        parcel: String,
    },
    /// The other till did not take it, or what else was asked for was declined.
    ParcelCameBack {
        key: Key,
        parcel: String,
        code: String,
    },
    BranchOpened {
        key: Key,
    },
    Counted {
        key: Key,
        parcels: u32,
    },
    /// A parcel came from another till.
    ParcelTaken {
        parcel: String,
        from: String,
    },
    /// The till was closed.
    Closed {
        why: String,
    },
    /// Something changed about who is at it, or somebody there took a note.
    Seats(SeatEvent),
}

/// What may be asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Open the till.
    Open {
        /// Tokens it may spend.
        budget: Option<u64>,
        /// What the auditor alone may know.
        floor: String,
    },
    Say {
        text: String,
    },
    /// Answer the gate.
    Answer {
        gate: String,
        verdict: Yes,
    },
    /// Try again after a failure.
    Retry,
    /// Send another till a parcel.
    Send {
        to: String,
        parcel: String,
    },
    /// Take a parcel that another till has sent.
    Take {
        parcel: String,
    },
    /// Open another till.
    Branch {
        session: String,
    },
    /// Count what all tills have taken.
    Count,
    /// Close the till.
    Close,
    /// Something about those who are at it.
    Seats(SeatCommand),
}
