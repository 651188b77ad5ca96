//! Why a topic says no, and what to do next, in both languages.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::schedule::ScheduleFault;
use enza_kernel::text::{Lang, Said};

use crate::words::words;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TopicRefusal {
    Common(CommonRefusal),
    Text(TextRefusal),
    /// It is over.
    Archived,
    /// Debaters of another run are being summoned.
    RunUnderWay,
    /// No run waits for this debater.
    NotSummoned,
    /// There is no such proposal.
    ProposalUnknown,
    DebateUnknown,
    Settings(SettingsFault),
}

/// What is wrong with how debates are set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsFault {
    Seats,
    Turns,
    Mode,
    Days,
    PerRun,
    Window,
    Schedule(ScheduleFault),
}

impl Reason for TopicRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Text(unfit) => unfit.code(),
            Self::Archived => "topic-archived",
            Self::RunUnderWay => "run-under-way",
            Self::NotSummoned => "not-summoned",
            Self::ProposalUnknown => "proposal-unknown",
            Self::DebateUnknown => "debate-unknown",
            Self::Settings(SettingsFault::Schedule(fault)) => fault.code(),
            Self::Settings(_) => "topic-settings-unfit",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let words = words(lang);
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Archived => words.said("topic_refusal.archived", &[]),
            Self::RunUnderWay => words.said("topic_refusal.run_under_way", &[]),
            Self::NotSummoned => words.said("topic_refusal.not_summoned", &[]),
            Self::ProposalUnknown => words.said("topic_refusal.proposal_unknown", &[]),
            Self::DebateUnknown => words.said("topic_refusal.debate_unknown", &[]),
            Self::Settings(SettingsFault::Schedule(fault)) => fault.say(lang),
            Self::Settings(SettingsFault::Seats) => words.said("topic_refusal.seats", &[]),
            Self::Settings(SettingsFault::Turns) => words.said("topic_refusal.turns", &[]),
            Self::Settings(SettingsFault::Mode) => words.said("topic_refusal.mode", &[]),
            Self::Settings(SettingsFault::Days) => words.said("topic_refusal.days", &[]),
            Self::Settings(SettingsFault::PerRun) => words.said("topic_refusal.per_run", &[]),
            Self::Settings(SettingsFault::Window) => words.said("topic_refusal.window", &[]),
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::ProposalUnknown | Self::DebateUnknown => ReasonKind::Unknown,
            Self::Archived => ReasonKind::Gone,
            Self::Common(_) | Self::Text(_) | Self::RunUnderWay | Self::NotSummoned | Self::Settings(_) => {
                ReasonKind::AsThingsStand
            }
        }
    }
}
