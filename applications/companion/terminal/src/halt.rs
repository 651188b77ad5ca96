//! How a run of the companion comes to a halt without having done what it was asked.
//!
//! Scripts tell these apart by the exit status: 1 failed (its checks too, or the end of its budget), 3 refused, 4 a person is needed (at a gate, or to answer what was
//! asked), 130 interrupted. Which of them it was is in the last lines of `--json`.
//! The session stays in every case and can be gone on with.

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// A question is open and nobody is there to answer it.
    Gate {
        intent: String,
        /// What would allow the same beforehand, rule by rule; empty where it is asked for every time.
        beforehand: Vec<String>,
    },
    /// It asked something, and nobody is there to answer.
    Question { question: String },
    /// It held back, since it doubted itself whether it should go on.
    Doubt { doubt: String },
    /// It could not be done.
    Failed {
        /// What went wrong.
        why: String,
    },
    /// The project's checks fail, whatever the model says of its work.
    ChecksFailed { checks: Vec<String> },
    /// The budget has no room for another call.
    Budget {
        spent: u64,
        /// Of how many tokens.
        limit: u64,
        /// What the next call can take.
        need: u64,
    },
    /// A rule, the mode or something forbidden kept it from being done.
    Denied {
        /// What was not done, in one line each.
        lines: Vec<String>,
    },
    /// The person pressed Ctrl-C.
    Interrupted,
}

impl Halt {
    /// The outward code; it has a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Gate { .. } => "waiting-at-a-gate",
            Self::Question { .. } | Self::Doubt { .. } => "waiting-for-an-answer",
            Self::Failed { .. } => "session-stuck",
            Self::ChecksFailed { .. } => "checks-failed",
            Self::Budget { .. } => "budget-exceeded",
            Self::Denied { .. } => "operation-denied",
            Self::Interrupted => "interrupted",
        }
    }

    /// The exit status.
    pub fn exit(&self) -> u8 {
        match self {
            Self::Failed { .. } | Self::ChecksFailed { .. } | Self::Budget { .. } => 1,
            Self::Denied { .. } => 3,
            Self::Gate { .. } | Self::Question { .. } | Self::Doubt { .. } => 4,
            Self::Interrupted => 130,
        }
    }
}
