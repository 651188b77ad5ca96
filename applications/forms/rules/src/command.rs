//! What may be asked of a form: by its owner, and on behalf of those who answer it.
//!
//! Tokens and secrets are drawn by whoever sends the command, since nothing here draws a number.

use std::collections::BTreeMap;

use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Going;
use super::link::LinkKind;
use super::rules::Rules;
use super::webhook::Webhook;
use enza_interview::Form;

/// An order to a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Begin. Whoever begins a form is its owner.
    Begin {
        /// What it is called; where it is empty, the given form's own title counts.
        #[serde(default)]
        title: String,
        /// The language of a form that is written anew; a given form has its own.
        #[serde(default)]
        language: Lang,
        /// What to start from; an empty draft where there is none.
        #[serde(default)]
        form: Option<Form>,
        /// What the architect is to write a draft from.
        #[serde(default)]
        sentence: Option<String>,
    },
    /// Replace the draft. Calls the architect off, if it is writing.
    Edit {
        /// The whole new draft.
        form: Form,
        /// The edition that it was made from.
        edition: u64,
    },
    /// Have the architect write the draft anew.
    Describe {
        /// What the form is to be.
        sentence: String,
    },
    /// Freeze the draft as the next version, and take answers to it.
    Publish,
    /// Take no more answers.
    Close,
    /// Take answers again.
    Reopen,
    /// Say who may answer, until when, and what is kept.
    SetRules {
        /// All rules.
        rules: Rules,
    },
    /// Say where submissions are sent on to.
    SetWebhook {
        /// The receiver; none for nobody.
        webhook: Option<Webhook>,
    },
    /// Make a way in.
    MakeLink {
        /// What stands in the address.
        token: String,
        /// How often it counts.
        kind: LinkKind,
        /// What the owner calls it.
        #[serde(default)]
        note: String,
        /// Values that are known beforehand, by field id.
        #[serde(default)]
        prefill: BTreeMap<String, String>,
    },
    /// Withdraw a way in.
    RevokeLink {
        /// The token in its address.
        token: String,
    },
    /// Let a respondent in, on the respondent's behalf.
    Admit {
        /// The link's token.
        token: String,
        /// The interview's session.
        session: String,
    },
    /// Count a submission.
    Receive {
        /// The interview's session.
        session: String,
    },
    /// Forget an interview that was deleted.
    Forget {
        /// The session that it was.
        session: String,
        /// How many copies that the owner had made of it went with it.
        #[serde(default)]
        copies: u64,
        /// Why it went.
        #[serde(default)]
        why: Going,
    },
    /// Let an architect who failed try again.
    RetryModel,
}
