//! What a respondent may ask of an interview.

use std::collections::BTreeMap;

use enza_kernel::gate::Verdict;
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::Form;
use super::values::Absence;

/// An order to an interview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Begin. Whoever opens an interview is its respondent.
    Open(Box<Open>),
    /// Answer the open question.
    Say {
        /// The answer.
        text: String,
    },
    /// Write answers into fields, whichever is being asked about. An empty text leaves an optional field empty.
    Fill {
        /// By field id.
        answers: BTreeMap<String, String>,
    },
    /// Take note of a file that this interview took in: only such a one can be an answer. For whoever keeps files, and
    /// never for a person.
    TakeFile {
        /// The digest of its contents, in hexadecimal digits.
        digest: String,
        /// What it is called.
        name: String,
        /// How many bytes it has.
        size: u64,
    },
    /// Take note that a file was given up again, since nothing came of it.
    LeaveFile {
        /// The digest of its contents, in hexadecimal digits.
        digest: String,
    },
    /// Leave the current field without a value: an optional one empty, a required one for later.
    Skip {
        /// What that means.
        #[serde(default)]
        absence: Absence,
    },
    /// Keep what was said about the current field, though something is lacking.
    KeepAsIs,
    /// Answer a field again.
    ChangeAnswer {
        /// As the form calls it; in a group with the item's number, as in `guests.1.name`.
        field_id: String,
    },
    /// Speak another language from now on. The open question is asked in it at once.
    ChangeLanguage {
        /// BCP 47, or its name.
        language: String,
    },
    /// Go to the confirmation with nothing changed.
    Reconfirm,
    /// Answer the open gate.
    Confirm {
        /// The id under which the confirmation is open.
        gate: String,
        /// Yes or no.
        verdict: Verdict,
        /// A remark.
        #[serde(default)]
        note: Option<String>,
    },
    /// Let a failed agent try again.
    RetryModel,
    /// Allow more to be spent, in all.
    RaiseBudget {
        /// The new limit.
        budget: u64,
    },
    /// Try a failed delivery again.
    RetryDelivery,
    /// Give up.
    Abandon,
}

/// How an interview begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// What is to be filled in.
    pub form: Form,
    /// The version under which the form was published.
    #[serde(default)]
    pub version: Option<u64>,
    /// The most tokens that may be spent; none for no limit.
    #[serde(default)]
    pub budget: Option<u64>,
    /// What is known of the respondent beforehand; the greeter asks for the rest.
    #[serde(default)]
    pub bootstrap: Bootstrap,
    /// Whether the respondent has agreed to what the form asks consent for.
    #[serde(default)]
    pub consented: bool,
    /// What the link fills in, by field id.
    #[serde(default)]
    pub prefill: BTreeMap<String, String>,
    /// How the submission is delivered.
    #[serde(default)]
    pub delivery: DeliveryWay,
    /// The digest of the secret by which a respondent without an account comes back; none where the respondent has one.
    #[serde(default)]
    pub key: Option<String>,
    /// The digest of the link by which the respondent came; none where there was none.
    #[serde(default)]
    pub link: Option<String>,
    /// How many days the respondent was told that answers are kept; none where nothing was said.
    #[serde(default)]
    pub keep_days: Option<u32>,
}

impl Open {
    /// A form, and nothing known yet.
    pub fn form(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// A form for someone at home in its language.
    pub fn at_home(form: Form) -> Self {
        Self { bootstrap: Bootstrap::of(form.language), ..Self::form(form) }
    }
}

/// Where a respondent is at home: what the greeter finds out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bootstrap {
    /// BCP 47.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// IANA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
}

impl Bootstrap {
    /// Someone at home in a language of ours, where nothing else is known: the greeter has nothing to ask.
    pub fn of(lang: Lang) -> Self {
        let (language, country) = lang.pick(("ja", "JP"), ("en", "US"));
        Self { language: Some(language.to_owned()), country: Some(country.to_owned()), timezone: None }
    }
}

/// How a submission is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryWay {
    /// At most once: what was cut off in the middle is put before the respondent.
    #[default]
    Once,
    /// Until it arrives, for about three days: the receiver knows a repetition by its id.
    UntilItArrives,
}
