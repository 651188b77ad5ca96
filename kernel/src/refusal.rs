//! What a session of any kind may refuse, with one code and one page each.
//!
//! An application's own refusals wrap these, so that the same "no" reads the same everywhere. What only one application
//! refuses stays with it; what gates, texts and budgets refuse is said where they are.

use crate::application::Reason;
use crate::text::{Lang, Said};
use crate::words::words;

/// Why a command was not accepted, whatever the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommonRefusal {
    /// The session has not begun, or is over.
    NotOpen,
    /// It has begun already.
    AlreadyOpen,
    /// Only a person can ask for this.
    NotAPerson,
    /// Only another session can, by an errand.
    NotASession,
    /// The gate is not the one that waits.
    NoSuchGate,
    /// Nothing has failed.
    NothingToRetry,
    /// It is for somebody else in the session to do or to see.
    NotYourPart,
}

impl Reason for CommonRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotOpen => "not-open",
            Self::AlreadyOpen => "already-open",
            Self::NotAPerson => "needs-a-person",
            Self::NotASession => "needs-a-session",
            Self::NoSuchGate => "gate-unknown",
            Self::NothingToRetry => "nothing-to-retry",
            Self::NotYourPart => "not-your-part",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::NotOpen => words(lang).said("common.not_open", &[]),
            Self::AlreadyOpen => words(lang).said("common.already_open", &[]),
            Self::NotAPerson => words(lang).said("common.not_a_person", &[]),
            Self::NotASession => words(lang).said("common.not_a_session", &[]),
            Self::NoSuchGate => words(lang).said("common.no_such_gate", &[]),
            Self::NothingToRetry => words(lang).said("common.nothing_to_retry", &[]),
            Self::NotYourPart => words(lang).said("common.not_your_part", &[]),
        }
    }
}
