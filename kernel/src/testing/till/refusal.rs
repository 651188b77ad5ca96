//! Why the till says no.

use crate::application::Reason;
use crate::gate::GateRefusal;
use crate::limits::TextRefusal;
use crate::refusal::CommonRefusal;
use crate::text::{Lang, Said};

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What any session may refuse.
    Common(CommonRefusal),
    /// The clerk is still at work.
    NotYourTurn,
    /// The gate says no.
    Gate(GateRefusal),
    /// The text does not fit.
    Unfit(TextRefusal),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::NotYourTurn => "not-your-turn",
            Self::Gate(refusal) => refusal.code(),
            Self::Unfit(unfit) => unfit.code(),
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::NotYourTurn => lang.pick(
                Said::new("店員はまだ手が離せません。", "少し待ってください。"),
                Said::new("The clerk is still busy.", "Wait a moment."),
            ),
            Self::Gate(refusal) => refusal.say(lang),
            Self::Unfit(unfit) => unfit.say(lang),
        }
    }
}
