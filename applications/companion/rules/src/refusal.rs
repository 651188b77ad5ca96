//! Why a command was not accepted.

use crate::words::words;
use enza_kernel::application::Reason;
use enza_kernel::gate::GateRefusal;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::{Lang, Said};

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The session is open already.
    AlreadyOpen,
    /// The session is not open, or over.
    NotOpen,
    /// A text does not fit.
    Text(TextRefusal),
    /// Too many messages wait.
    QueueFull,
    /// Too many tasks are under way.
    TooManyTasks,
    NoSuchTask,
    /// There is no such gate, or it cannot be answered.
    Gate(GateRefusal),
    /// There is no gate of that name.
    NoSuchGate,
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
    NothingFailed,
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
            Self::AlreadyOpen => "already-open",
            Self::NotOpen => "not-open",
            Self::Text(unfit) => unfit.code(),
            Self::QueueFull => "queue-full",
            Self::TooManyTasks => "too-many-tasks",
            Self::NoSuchTask => "no-such-task",
            Self::Gate(refusal) => refusal.code(),
            Self::NoSuchGate => "no-such-gate",
            Self::NothingToAccept => "nothing-to-accept",
            Self::ChecksFailed { .. } => "checks-failed",
            Self::NothingToCommit => "nothing-to-commit",
            Self::NothingUnderWay => "nothing-under-way",
            Self::NoSuchTurn => "no-such-turn",
            Self::Busy => "work-under-way",
            Self::NothingFailed => "nothing-failed",
            Self::ForbidsNothing => "forbids-nothing",
            Self::TooMuchForbidden => "too-much-forbidden",
            Self::NoSuchLine => "no-such-line",
            Self::NoSuchHunk => "no-such-hunk",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Text(unfit) => unfit.say(lang),
            Self::Gate(refusal) => refusal.say(lang),
            Self::AlreadyOpen => words(lang).said("refusal.already_open", &[]),
            Self::NotOpen => words(lang).said("refusal.not_open", &[]),
            Self::QueueFull => words(lang).said("refusal.queue_full", &[]),
            Self::TooManyTasks => words(lang).said("refusal.too_many_tasks", &[]),
            Self::NoSuchTask => words(lang).said("refusal.no_such_task", &[]),
            Self::NoSuchGate => words(lang).said("refusal.no_such_gate", &[]),
            Self::ChecksFailed { checks } => {
                words(lang).said("refusal.checks_failed", &[("checks", &checks.join(lang.pick("、", ", ")))])
            }
            Self::NothingToAccept => words(lang).said("refusal.nothing_to_accept", &[]),
            Self::NothingToCommit => words(lang).said("refusal.nothing_to_commit", &[]),
            Self::NothingUnderWay => words(lang).said("refusal.nothing_under_way", &[]),
            Self::NoSuchTurn => words(lang).said("refusal.no_such_turn", &[]),
            Self::Busy => words(lang).said("refusal.busy", &[]),
            Self::NothingFailed => words(lang).said("refusal.nothing_failed", &[]),
            Self::ForbidsNothing => words(lang).said("refusal.forbids_nothing", &[]),
            Self::TooMuchForbidden => words(lang).said("refusal.too_much_forbidden", &[]),
            Self::NoSuchLine => words(lang).said("refusal.no_such_line", &[]),
            Self::NoSuchHunk => words(lang).said("refusal.no_such_hunk", &[]),
        }
    }
}
