//! Why a debate says no, and what to do next, in both languages.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

use crate::words::words;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DebateRefusal {
    Common(CommonRefusal),
    Text(TextRefusal),
    /// It has not begun, or is over.
    NotActive,
    /// The seat is not one of the sender's.
    NotSeated,
    DirectionExists,
    DirectionUnknown,
    /// The turn of the direction has begun.
    DirectionFrozen,
    TurnInFuture {
        turn: u32,
    },
    /// No turn waits.
    NoWindow,
    StatementUnknown,
    /// The statement had no direction that could be left out.
    NothingDirected,
    RedrawUnderWay,
    /// What it is to be opened with does not do.
    Opening(OpeningFault),
}

/// Why a debate cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpeningFault {
    Seats,
    Turns,
    Mode,
    Persona,
    Name,
}

impl Reason for DebateRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Text(unfit) => unfit.code(),
            Self::NotActive => "debate-not-active",
            Self::NotSeated => "debate-not-seated",
            Self::DirectionExists => "direction-exists",
            Self::DirectionUnknown => "direction-unknown",
            Self::DirectionFrozen => "direction-frozen",
            Self::TurnInFuture { .. } => "turn-in-future",
            Self::NoWindow => "no-direction-window",
            Self::StatementUnknown => "statement-unknown",
            Self::NothingDirected => "nothing-directed",
            Self::RedrawUnderWay => "redraw-under-way",
            Self::Opening(_) => "debate-opening-unfit",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let words = words(lang);
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::NotActive => words.said("refusal.not_active", &[]),
            Self::NotSeated => words.said("refusal.not_seated", &[]),
            Self::DirectionExists => words.said("refusal.direction_exists", &[]),
            Self::DirectionUnknown => words.said("refusal.direction_unknown", &[]),
            Self::DirectionFrozen => words.said("refusal.direction_frozen", &[]),
            Self::TurnInFuture { turn } => words.said("refusal.turn_future", &[("turn", turn)]),
            Self::NoWindow => words.said("refusal.no_window", &[]),
            Self::StatementUnknown => words.said("refusal.statement_unknown", &[]),
            Self::NothingDirected => words.said("refusal.nothing_directed", &[]),
            Self::RedrawUnderWay => words.said("refusal.redraw_under_way", &[]),
            Self::Opening(fault) => {
                let why = words.of("opening", fault.word());
                words.said("refusal.opening_unfit", &[("why", &why)])
            }
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::DirectionUnknown | Self::StatementUnknown => ReasonKind::Unknown,
            Self::Common(_)
            | Self::Text(_)
            | Self::NotActive
            | Self::NotSeated
            | Self::DirectionExists
            | Self::DirectionFrozen
            | Self::TurnInFuture { .. }
            | Self::NoWindow
            | Self::NothingDirected
            | Self::RedrawUnderWay
            | Self::Opening(_) => ReasonKind::AsThingsStand,
        }
    }
}

impl OpeningFault {
    fn word(self) -> &'static str {
        match self {
            Self::Seats => "seats",
            Self::Turns => "turns",
            Self::Mode => "mode",
            Self::Persona => "persona",
            Self::Name => "name",
        }
    }
}
