//! Why a command was not accepted.

use crate::words::words;
use enza_kernel::application::Reason;
use enza_kernel::gate::GateRefusal;
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What a session of any kind may refuse.
    Common(CommonRefusal),
    /// A text does not fit.
    Text(TextRefusal),
    /// Too many messages wait.
    QueueFull,
    /// Too many tasks are under way.
    TooManyTasks,
    NoSuchTask,
    /// There is no such gate, or it cannot be answered.
    Gate(GateRefusal),
    NothingToAccept,
    /// The project's checks fail: there is no result to accept.
    ChecksFailed {
        checks: Vec<String>,
    },
    NothingToCommit,
    NothingUnderWay,
    /// There is no such turn to take back.
    NoSuchTurn,
    /// Work is under way; it must rest first.
    Busy,
    /// There are no words that could forbid anything.
    ForbidsNothing,
    /// What is forbidden takes all the room there is for it.
    TooMuchForbidden,
    /// There is no such line in the list.
    NoSuchLine,
    /// A picked file or hunk is not in the gate.
    NoSuchHunk,
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Common(refusal) => refusal.code(),
            Self::Text(unfit) => unfit.code(),
            Self::QueueFull => "queue-full",
            Self::TooManyTasks => "too-many-tasks",
            Self::NoSuchTask => "no-such-task",
            Self::Gate(refusal) => refusal.code(),
            Self::NothingToAccept => "nothing-to-accept",
            Self::ChecksFailed { .. } => "checks-failed",
            Self::NothingToCommit => "nothing-to-commit",
            Self::NothingUnderWay => "nothing-under-way",
            Self::NoSuchTurn => "no-such-turn",
            Self::Busy => "work-under-way",
            Self::ForbidsNothing => "forbids-nothing",
            Self::TooMuchForbidden => "too-much-forbidden",
            Self::NoSuchLine => "no-such-line",
            Self::NoSuchHunk => "no-such-hunk",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Gate(refusal) => refusal.say(lang),
            Self::QueueFull => words(lang).said("refusal.queue_full", &[]),
            Self::TooManyTasks => words(lang).said("refusal.too_many_tasks", &[]),
            Self::NoSuchTask => words(lang).said("refusal.no_such_task", &[]),
            Self::ChecksFailed { checks } => {
                words(lang).said("refusal.checks_failed", &[("checks", &lang.list(checks))])
            }
            Self::NothingToAccept => words(lang).said("refusal.nothing_to_accept", &[]),
            Self::NothingToCommit => words(lang).said("refusal.nothing_to_commit", &[]),
            Self::NothingUnderWay => words(lang).said("refusal.nothing_under_way", &[]),
            Self::NoSuchTurn => words(lang).said("refusal.no_such_turn", &[]),
            Self::Busy => words(lang).said("refusal.busy", &[]),
            Self::ForbidsNothing => words(lang).said("refusal.forbids_nothing", &[]),
            Self::TooMuchForbidden => words(lang).said("refusal.too_much_forbidden", &[]),
            Self::NoSuchLine => words(lang).said("refusal.no_such_line", &[]),
            Self::NoSuchHunk => words(lang).said("refusal.no_such_hunk", &[]),
        }
    }
}
