//! What can have happened to a form.
//!
//! A row is made from one event without the state around it, so every event that changes what a list shows carries the
//! whole card. A version is kept whole in its event: an interview of last year can be read against the form of then.

use std::collections::BTreeMap;

use enza_kernel::agent::Step;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::link::LinkKind;
use super::rules::Rules;
use super::webhook::Webhook;
use enza_interview::Form;

/// A fact in the history of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It began.
    Begun {
        owner: String,
        /// The first draft.
        form: Form,
        /// What lists show now.
        card: Card,
    },
    /// The draft was replaced.
    Edited {
        /// The new draft.
        form: Form,
        by: Author,
        /// What lists show now.
        card: Card,
    },
    /// The owner said what the form is to be; the architect is to write it.
    Described {
        /// The owner's words.
        sentence: String,
    },
    /// A version was frozen, and is open.
    Published {
        /// The form of this version.
        form: Form,
        /// What lists show now; the version is here.
        card: Card,
    },
    /// No more answers are taken.
    Closed {
        why: CloseReason,
        /// What lists show now.
        card: Card,
    },
    /// Answers are taken again.
    Reopened {
        /// What lists show now.
        card: Card,
    },
    /// The rules are others now.
    RulesSet { rules: Rules },
    /// Submissions are sent on to someone else, or to nobody.
    WebhookSet { webhook: Option<Webhook> },
    /// A way in was made.
    LinkMade {
        /// What stands in the address.
        token: String,
        /// How often it counts.
        kind: LinkKind,
        /// What the owner calls it.
        note: String,
        /// Values that are known beforehand, by field id.
        prefill: BTreeMap<String, String>,
    },
    /// A way in was withdrawn.
    LinkRevoked {
        /// The token in its address.
        token: String,
        /// What the owner calls it.
        note: String,
    },
    /// A respondent was let in.
    Admitted {
        token: String,
        session: String,
        /// To answer which version.
        version: u64,
    },
    /// A submission arrived.
    Received {
        /// From which interview.
        session: String,
        count: u64,
    },
    /// An interview was deleted; its name is dropped.
    Forgotten {
        session: String,
        /// How many copies that the owner had made of it went with it.
        #[serde(default, skip_serializing_if = "is_none")]
        copies: u64,
        #[serde(default)]
        why: Going,
    },
    /// Something happened in the architect's thread.
    Stepped(Step),
}

/// What lists show of a form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Card {
    /// The draft's title, as short as a list needs it.
    pub title: String,
    /// The newest version; 0 where none was published.
    pub version: u64,
    /// Whether answers are taken, as far as the owner is concerned.
    #[serde(rename = "open")]
    pub is_open: bool,
    /// How often the draft was replaced.
    pub edition: u64,
}

/// Who wrote a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Owner,
    Architect,
}

/// Why an interview was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Going {
    /// The owner wanted to.
    #[default]
    Owner,
    /// The respondent wanted to.
    Respondent,
    /// Its days were over.
    Days,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_none(copies: &u64) -> bool {
    *copies == 0
}

/// Why a form takes no more answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// The owner wanted to.
    Owner,
    /// The close date came.
    Date,
}
