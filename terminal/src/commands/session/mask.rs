//! What is printed of some applications' sessions has its secrets masked, since what is printed is passed on: pasted,
//! saved, sent. Which applications these are, their list says.
//!
//! The log keeps what was typed as it was. Whoever needs exactly that, to compare or to keep it, asks for it raw.

use enza_runtime::seams::store::{Recorded, SessionRow};
use enza_work::hazard;
use serde_json::Value;

use crate::applications::Applications;

/// How a session is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretMasking {
    Raw,
    /// With its secrets masked.
    Masked,
}

impl SecretMasking {
    /// The form for a session: raw where it is wanted so, and where there is nothing to mask.
    pub fn of(applications: &Applications, row: &SessionRow, raw: bool) -> Self {
        if raw || !applications.masks(&row.application) { Self::Raw } else { Self::Masked }
    }

    /// A value in this form.
    pub fn value(self, mut value: Value) -> Value {
        match self {
            Self::Raw => {}
            Self::Masked => hazard::mask_value(&mut value),
        }
        value
    }

    /// A text in this form.
    pub fn text(self, text: &str) -> String {
        match self {
            Self::Raw => text.to_owned(),
            Self::Masked => hazard::mask(text).into_owned(),
        }
    }

    /// An event in this form.
    pub fn event(self, mut recorded: Recorded) -> Recorded {
        match self {
            Self::Raw => {}
            Self::Masked => recorded.stored.body = hazard::mask_json(&recorded.stored.body),
        }
        recorded
    }
}
