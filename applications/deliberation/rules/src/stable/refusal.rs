//! Why a stable says no, and what to do next, in both languages.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

use crate::words::words;

/// Why a command to a stable was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StableRefusal {
    /// What a session of any kind may refuse.
    Common(CommonRefusal),
    Text(TextRefusal),
    /// Not exactly three different ones of the twenty-four.
    ValuesUnfit,
    /// The name of a session is no UUID.
    IdUnfit,
    /// There is a debater of that name already.
    DebaterExists,
    DebaterUnknown,
    /// Its session is not there yet.
    DebaterUnready,
    /// Every place is taken.
    DebatersFull {
        most_debaters: u32,
    },
    /// As many are active as may be.
    ActiveFull {
        most_active: u32,
    },
    /// The debater has not answered an earlier change.
    ChangeUnderWay,
    /// There is one for each person.
    TutorialUsed,
}

impl Reason for StableRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Text(unfit) => unfit.code(),
            Self::ValuesUnfit => "values-unfit",
            Self::IdUnfit => "id-unfit",
            Self::DebaterExists => "debater-exists",
            Self::DebaterUnknown => "debater-unknown",
            Self::DebaterUnready => "debater-unready",
            Self::DebatersFull { .. } => "debaters-full",
            Self::ActiveFull { .. } => "active-full",
            Self::ChangeUnderWay => "change-under-way",
            Self::TutorialUsed => "tutorial-used",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let words = words(lang);
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::ValuesUnfit => words.said("debater_refusal.values_unfit", &[]),
            Self::IdUnfit => words.said("stable_refusal.id_unfit", &[]),
            Self::DebaterExists => words.said("stable_refusal.debater_exists", &[]),
            Self::DebaterUnknown => words.said("stable_refusal.debater_unknown", &[]),
            Self::DebaterUnready => words.said("stable_refusal.debater_unready", &[]),
            Self::DebatersFull { most_debaters } => {
                words.said("stable_refusal.debaters_full", &[("most", most_debaters)])
            }
            Self::ActiveFull { most_active } => words.said("stable_refusal.active_full", &[("most", most_active)]),
            Self::ChangeUnderWay => words.said("stable_refusal.change_under_way", &[]),
            Self::TutorialUsed => words.said("stable_refusal.tutorial_used", &[]),
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::DebaterUnknown => ReasonKind::Unknown,
            Self::Common(_)
            | Self::Text(_)
            | Self::ValuesUnfit
            | Self::IdUnfit
            | Self::DebaterExists
            | Self::DebaterUnready
            | Self::DebatersFull { .. }
            | Self::ActiveFull { .. }
            | Self::ChangeUnderWay
            | Self::TutorialUsed => ReasonKind::AsThingsStand,
        }
    }
}
