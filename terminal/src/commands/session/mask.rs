//! What is printed of some applications' sessions has its secrets masked, since what is printed is passed on: pasted,
//! saved, sent. What masks them is the application's, and the same that its exports from a server go through.
//!
//! The log keeps what was typed as it was. Whoever needs exactly that, to compare or to keep it, asks for it raw.

use enza_runtime::seams::store::{Recorded, SessionRow};
use enza_server::state::Mask;
use serde_json::Value;

use crate::applications::Applications;

/// How a session is printed.
#[derive(Debug, Clone, Copy)]
pub enum SecretMasking {
    Raw,
    /// With its secrets masked.
    Masked(Mask),
}

impl SecretMasking {
    /// The form for a session: raw where it is wanted so, and where there is nothing to mask.
    pub fn of(applications: &Applications, row: &SessionRow, raw: bool) -> Self {
        let mask = applications.mask_of(&row.application).filter(|_| !raw);
        mask.map_or(Self::Raw, Self::Masked)
    }

    /// A value in this form.
    pub fn value(self, value: Value) -> Value {
        match self {
            Self::Raw => value,
            Self::Masked(mask) => masked(mask, &value),
        }
    }

    /// A text in this form.
    pub fn text(self, text: &str) -> String {
        match self.value(Value::from(text)) {
            Value::String(text) => text,
            other => other.to_string(),
        }
    }

    /// An event in this form.
    pub fn event(self, mut recorded: Recorded) -> Recorded {
        match self {
            Self::Raw => {}
            Self::Masked(mask) => recorded.stored.body = mask(&recorded.stored.body),
        }
        recorded
    }
}

/// A value without its secrets. What is no JSON any more is shown as the text that it has become.
fn masked(mask: Mask, value: &Value) -> Value {
    let text = mask(&value.to_string());
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}
