//! What keeps these orders from their end, with its code and its exit status. The sentences are in `words/trouble.rs`.

use enza_interview::FormFault;
use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use enza_terminal::trouble::{ApplicationTrouble, Trouble};

use crate::words::trouble as words;

/// Why an order did not do what it was asked.
#[derive(Debug)]
pub enum InterviewTrouble {
    /// The form cannot be asked.
    Form(FormFault),
    /// Forms that were checked cannot be asked.
    UnsoundForms { count: usize },
    /// The form asks for consent, and nobody is there to give it.
    AtConsent { title: String },
    /// A question is open and nobody is there to answer.
    AtQuestion { session: SessionId, question: String },
    /// A gate is open and nobody is there to answer.
    AtGate { session: SessionId, intent: String },
    /// The session cannot go on without help, and nobody is there to give it.
    Stuck { session: SessionId, why: String },
}

impl ApplicationTrouble for InterviewTrouble {
    fn code(&self) -> &'static str {
        match self {
            Self::Form(fault) => fault.code(),
            Self::UnsoundForms { .. } => "form-faulty",
            Self::AtConsent { .. } => "consent-missing",
            Self::AtQuestion { .. } => "waiting-for-an-answer",
            Self::AtGate { .. } => "waiting-at-a-gate",
            Self::Stuck { .. } => "session-stuck",
        }
    }

    fn exit(&self) -> u8 {
        match self {
            Self::Form(_) | Self::UnsoundForms { .. } => 3,
            Self::AtConsent { .. } | Self::AtQuestion { .. } | Self::AtGate { .. } | Self::Stuck { .. } => 4,
        }
    }

    fn say(&self, lang: Lang) -> Said {
        words::say(self, lang)
    }

    fn session(&self) -> Option<&SessionId> {
        match self {
            Self::AtQuestion { session, .. } | Self::AtGate { session, .. } | Self::Stuck { session, .. } => {
                Some(session)
            }
            Self::Form(_) | Self::UnsoundForms { .. } | Self::AtConsent { .. } => None,
        }
    }
}

impl From<InterviewTrouble> for Trouble {
    fn from(trouble: InterviewTrouble) -> Self {
        Self::Application(Box::new(trouble))
    }
}

impl From<FormFault> for InterviewTrouble {
    fn from(fault: FormFault) -> Self {
        Self::Form(fault)
    }
}
