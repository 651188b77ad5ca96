//! The threads of a debate by what they are for. The name of a thread says it all: which turn, which seat.

use super::event::Redraw;

/// What a thread is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    Strategy {
        seat: String,
    },
    Speak {
        turn: u32,
        seat: String,
    },
    /// The same statement drawn again.
    Redraw {
        way: Redraw,
        turn: u32,
        seat: String,
    },
    TurnSummary {
        turn: u32,
    },
    Summary,
    Verdict,
    Candidates,
    Ranking {
        seat: String,
    },
    Next,
}

pub(super) const STRATEGIST: &str = "strategist";
pub(super) const SPEAKER: &str = "speaker";
pub(super) const CHRONICLER: &str = "chronicler";
pub(super) const JUDGE: &str = "judge";
pub(super) const CLOSER: &str = "closer";
pub(super) const SCOUT: &str = "scout";

/// Everyone who speaks in threads.
#[cfg(test)]
pub(super) const AGENTS: [&str; 6] = [STRATEGIST, SPEAKER, CHRONICLER, JUDGE, CLOSER, SCOUT];

impl Work {
    /// The thread's name.
    pub fn thread(&self) -> String {
        match self {
            Self::Strategy { seat } => format!("strategy/{seat}"),
            Self::Speak { turn, seat } => format!("turn-{turn}/{seat}"),
            Self::Redraw { way: Redraw::Without, turn, seat } => format!("without-{turn}/{seat}"),
            Self::Redraw { way: Redraw::Unchanged, turn, seat } => format!("again-{turn}/{seat}"),
            Self::TurnSummary { turn } => format!("summary-{turn}"),
            Self::Summary => "summary".to_owned(),
            Self::Verdict => "verdict".to_owned(),
            Self::Candidates => "closing".to_owned(),
            Self::Ranking { seat } => format!("ranking/{seat}"),
            Self::Next => "next".to_owned(),
        }
    }

    /// What a thread of this name is for.
    pub fn of(thread: &str) -> Option<Self> {
        let (what, seat) = thread.split_once('/').unwrap_or((thread, ""));
        let (what, turn) = what.split_once('-').unwrap_or((what, ""));
        let (seat, number) = (seat.to_owned(), turn.parse().ok());
        Some(match (what, seat.is_empty(), number) {
            ("strategy", false, None) => Self::Strategy { seat },
            ("turn", false, Some(turn)) => Self::Speak { turn, seat },
            ("without", false, Some(turn)) => Self::Redraw { way: Redraw::Without, turn, seat },
            ("again", false, Some(turn)) => Self::Redraw { way: Redraw::Unchanged, turn, seat },
            ("summary", true, Some(turn)) => Self::TurnSummary { turn },
            ("summary", true, None) => Self::Summary,
            ("verdict", true, None) => Self::Verdict,
            ("closing", true, None) => Self::Candidates,
            ("ranking", false, None) => Self::Ranking { seat },
            ("next", true, None) => Self::Next,
            _ => return None,
        })
    }

    /// Who speaks in it.
    pub(super) fn agent(&self) -> &'static str {
        match self {
            Self::Strategy { .. } => STRATEGIST,
            Self::Speak { .. } | Self::Redraw { .. } => SPEAKER,
            Self::TurnSummary { .. } | Self::Summary => CHRONICLER,
            Self::Verdict => JUDGE,
            Self::Candidates | Self::Ranking { .. } => CLOSER,
            Self::Next => SCOUT,
        }
    }

    /// The seat whose thread it is: nobody else reads in it.
    pub fn seat(&self) -> Option<&str> {
        match self {
            Self::Strategy { seat } | Self::Speak { seat, .. } | Self::Redraw { seat, .. } | Self::Ranking { seat } => {
                Some(seat)
            }
            Self::TurnSummary { .. } | Self::Summary | Self::Verdict | Self::Candidates | Self::Next => None,
        }
    }
}
