//! Why a debater says no, and what to do next, in both languages.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::moves::NotAllowed;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

use crate::limits::KNOWLEDGE_SLOTS;
use crate::words::words;

/// Why a command to a debater was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DebaterRefusal {
    /// What a session of any kind may refuse.
    Common(CommonRefusal),
    Text(TextRefusal),
    /// The table of seats has no such move.
    Move(NotAllowed),
    /// Not exactly three different ones of the twenty-four.
    ValuesUnfit,
    /// It left for good.
    Retired,
    /// It is not drawn while it rests.
    InReserve,
    /// It cannot rest while it sits in a debate.
    Seated,
    /// It has a seat in this debate already, or had one.
    AlreadySeated,
    /// It has no seat in this debate.
    NoSuchSeat,
    /// It sits in as many debates of this run as it may.
    RunFull {
        most_per_run: u32,
    },
    /// All places for knowledge are taken (DEL-60).
    KnowledgeFull,
    KnowledgeUnknown,
    /// Feedback is for debates that are over (DEL-50).
    NotCompleted,
    /// It took no part in this debate (DEL-52).
    NotAParticipant,
    /// There is a feedback on this debate already (DEL-51).
    FeedbackExists,
    /// Its next debate has a seat for it (DEL-53).
    FeedbackClosed,
    FeedbackUnknown,
    /// The persona has learnt from it already.
    FeedbackApplied,
    /// The persona is growing just now.
    Growing,
    /// The newest growth is another, or there is none that was not taken back.
    NothingToTakeBack,
    /// Another feedback is being tried out.
    TrialUnderWay,
    /// Its persona is not written yet.
    Unborn,
}

impl Reason for DebaterRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Text(unfit) => unfit.code(),
            Self::Move(refusal) => refusal.code(),
            Self::ValuesUnfit => "values-unfit",
            Self::Retired => "debater-retired",
            Self::InReserve => "debater-in-reserve",
            Self::Seated => "debater-seated",
            Self::AlreadySeated => "seat-taken",
            Self::NoSuchSeat => "seat-unknown",
            Self::RunFull { .. } => "run-full",
            Self::KnowledgeFull => "knowledge-full",
            Self::KnowledgeUnknown => "knowledge-unknown",
            Self::NotCompleted => "debate-not-completed",
            Self::NotAParticipant => "not-a-participant",
            Self::FeedbackExists => "feedback-exists",
            Self::FeedbackClosed => "feedback-closed",
            Self::FeedbackUnknown => "feedback-unknown",
            Self::FeedbackApplied => "feedback-applied",
            Self::Growing => "debater-growing",
            Self::NothingToTakeBack => "nothing-to-take-back",
            Self::TrialUnderWay => "trial-under-way",
            Self::Unborn => "debater-unborn",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let words = words(lang);
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Move(refusal) => refusal.say(lang),
            Self::ValuesUnfit => words.said("debater_refusal.values_unfit", &[]),
            Self::Retired => words.said("debater_refusal.retired", &[]),
            Self::InReserve => words.said("debater_refusal.in_reserve", &[]),
            Self::Seated => words.said("debater_refusal.seated", &[]),
            Self::AlreadySeated => words.said("debater_refusal.already_seated", &[]),
            Self::NoSuchSeat => words.said("debater_refusal.no_such_seat", &[]),
            Self::RunFull { most_per_run } => words.said("debater_refusal.run_full", &[("most", most_per_run)]),
            Self::KnowledgeFull => words.said("debater_refusal.knowledge_full", &[("most", &KNOWLEDGE_SLOTS)]),
            Self::KnowledgeUnknown => words.said("debater_refusal.knowledge_unknown", &[]),
            Self::NotCompleted => words.said("debater_refusal.not_completed", &[]),
            Self::NotAParticipant => words.said("debater_refusal.not_a_participant", &[]),
            Self::FeedbackExists => words.said("debater_refusal.feedback_exists", &[]),
            Self::FeedbackClosed => words.said("debater_refusal.feedback_closed", &[]),
            Self::FeedbackUnknown => words.said("debater_refusal.feedback_unknown", &[]),
            Self::FeedbackApplied => words.said("debater_refusal.feedback_applied", &[]),
            Self::Growing => words.said("debater_refusal.growing", &[]),
            Self::NothingToTakeBack => words.said("debater_refusal.nothing_to_take_back", &[]),
            Self::TrialUnderWay => words.said("debater_refusal.trial_under_way", &[]),
            Self::Unborn => words.said("debater_refusal.unborn", &[]),
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::KnowledgeUnknown | Self::FeedbackUnknown | Self::NoSuchSeat => ReasonKind::Unknown,
            Self::Retired | Self::FeedbackClosed => ReasonKind::Gone,
            Self::Common(_)
            | Self::Text(_)
            | Self::Move(_)
            | Self::ValuesUnfit
            | Self::InReserve
            | Self::Seated
            | Self::AlreadySeated
            | Self::RunFull { .. }
            | Self::KnowledgeFull
            | Self::NotCompleted
            | Self::NotAParticipant
            | Self::FeedbackExists
            | Self::FeedbackApplied
            | Self::Growing
            | Self::NothingToTakeBack
            | Self::TrialUnderWay
            | Self::Unborn => ReasonKind::AsThingsStand,
        }
    }
}
