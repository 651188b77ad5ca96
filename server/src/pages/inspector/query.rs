//! What the inspector was asked to show: which event, from which side.

use std::collections::BTreeMap;

use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;

use super::read::ReadPast;
use crate::problem::Problem;

/// An event, seen from one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InspectorQuery {
    pub at: Seq,
    pub side: InspectorSide,
}

/// A side of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InspectorSide {
    /// The event itself.
    #[default]
    Event,
    /// The state it led to.
    State,
    /// The prompts around it.
    Prompt,
    /// Where everything stands in its moves.
    Moves,
}

impl InspectorSide {
    /// All of them, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Event, Self::State, Self::Prompt, Self::Moves];

    /// The word for it in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::State => "state",
            Self::Prompt => "prompt",
            Self::Moves => "moves",
        }
    }
}

impl InspectorQuery {
    /// Reads the address. Without an event it is the last; a number that the log does not have is an error, since the
    /// reader should not take another event for the one that was asked for.
    pub fn read(asked: &BTreeMap<String, String>, past: &ReadPast) -> Result<Self, Problem> {
        let head = past.row.head;
        let at = match asked.get("at").map(|at| at.trim()) {
            None | Some("") => head,
            Some(at) => at.parse().map(Seq).map_err(|_| Problem::NoSuchEvent)?,
        };
        if at == Seq::START || at > head {
            return Err(Problem::NoSuchEvent);
        }
        let word = asked.get("side").map(String::as_str).unwrap_or_default();
        let side = InspectorSide::ALL.into_iter().find(|side| side.word() == word).unwrap_or_default();
        Ok(Self { at, side })
    }
}

/// Where an event is looked at from a side.
pub fn address(session: &SessionId, at: Seq, side: InspectorSide) -> String {
    match side {
        InspectorSide::Event => format!("/sessions/{session}/inspect?at={at}"),
        InspectorSide::State | InspectorSide::Prompt | InspectorSide::Moves => {
            format!("/sessions/{session}/inspect?at={at}&side={}", side.word())
        }
    }
}

/// Where a side of an event is found in full.
pub fn raw_address(session: &SessionId, at: Seq, side: InspectorSide) -> String {
    format!("/sessions/{session}/inspect/raw?at={at}&side={}", side.word())
}
