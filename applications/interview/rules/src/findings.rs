//! What a reviewer finds, as its one tool takes it, and what follows from it.
//!
//! The shape is the schema that the model is shown; what the shape cannot say is checked here, in words for the model.
//! Nothing a reviewer sends closes a field by itself: `conclude` weighs it with the rounds that are left.

use enza_kernel::limits;
use enza_kernel::review::{Review, ReviewPhase, ReviewStep, ReviewVerdict};
use enza_kernel::schema::Check;
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::Field;
use super::values::Absence;
use super::words;

/// How many facts one review may name.
const MOST_NAMED: usize = 20;

/// The result of a review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What the last message is to this field.
    #[serde(default, skip_serializing_if = "Stance::is_answer")]
    pub stance: Stance,
    /// Whether the answers satisfy every fact and its done criteria.
    pub passed: bool,
    /// What to tell the interviewer, if something is lacking.
    #[schemars(length(max = 300))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The facts that are not known yet.
    #[schemars(length(max = 8), inner(length(max = 200)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_facts: Option<Vec<String>>,
    /// The facts that the answers yield.
    #[schemars(length(max = 8), inner(length(max = 200)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extracted_facts: Option<Vec<String>>,
    /// The value of the field, in the respondent's own words as far as possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_value: Option<String>,
    /// The ids of other fields that the last message answers or corrects.
    #[schemars(length(max = 8), inner(length(max = 80)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_fields: Option<Vec<String>>,
}

/// What a message is to the field that is being asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// An answer, complete or not.
    #[default]
    Answer,
    /// A question or a remark that answers nothing.
    Question,
    /// About other fields only.
    Elsewhere,
    /// The respondent wants to go on without an answer.
    Skipped,
    /// The respondent would rather not say.
    Declined,
    /// The respondent does not know.
    Unknown,
    /// The field does not apply to the respondent.
    NotApplicable,
}

impl Stance {
    /// The absence behind it, where the respondent has no answer.
    pub fn absence(self) -> Option<Absence> {
        match self {
            Self::Answer | Self::Question | Self::Elsewhere => None,
            Self::Skipped => Some(Absence::Skipped),
            Self::Declined => Some(Absence::Declined),
            Self::Unknown => Some(Absence::Unknown),
            Self::NotApplicable => Some(Absence::NotApplicable),
        }
    }

    fn is_answer(&self) -> bool {
        *self == Self::Answer
    }
}

/// What becomes of a field after a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Conclusion {
    /// It has its value, or is left empty.
    Close {
        /// Whether something is still lacking.
        incomplete: bool,
    },
    /// The interviewer asks on.
    AskOn,
    /// The rounds are used up and there is no value: the respondent decides.
    AskForHelp,
}

impl Finding {
    /// What a rule finds where the whole answer is the value.
    pub(super) fn value_is(value: String) -> Self {
        Self { passed: true, field_value: Some(value), ..Self::default() }
    }

    /// What a rule finds where the respondent says that there is no answer.
    pub(super) fn absent(absence: Absence, field: &Field, lang: Lang) -> Self {
        let stance = match absence {
            Absence::Skipped => Stance::Skipped,
            Absence::Declined => Stance::Declined,
            Absence::Unknown => Stance::Unknown,
            Absence::NotApplicable => Stance::NotApplicable,
        };
        let feedback = field.required.then(|| words::needed(lang, absence).to_owned());
        Self { stance, passed: !field.required, feedback, ..Self::default() }
    }

    /// The same finding, with something lacking after all.
    pub(super) fn but_lacking(self, what: String) -> Self {
        Self { passed: false, missing_facts: Some(vec![what]), ..self }
    }

    /// What is wrong with it for this field at this stage of its review, in words for the model.
    pub(super) fn fits(&self, field: &Field, review: &Review) -> Result<(), String> {
        if self.stance != Stance::Answer {
            return Ok(());
        }
        if self.passed && field.required && self.value().is_none() {
            return Err("This field is required: passed is true, so field_value must hold its value. \
                        If there is no value, passed must be false, with missing_facts."
                .to_owned());
        }
        if self.passed && !self.missing().is_empty() && !is_last_round(review) {
            return Err("passed is true, but missing_facts names what is lacking. \
                        Set passed to false, or leave missing_facts out."
                .to_owned());
        }
        if !self.passed && self.lacking().is_empty() {
            return Err("passed is false: say what is lacking in missing_facts, or at least in feedback.".to_owned());
        }
        Ok(())
    }

    /// The verdict behind it.
    pub(super) fn verdict(&self) -> ReviewVerdict {
        if self.passed && self.missing().is_empty() {
            ReviewVerdict::Pass
        } else {
            ReviewVerdict::Lacking(self.lacking())
        }
    }

    /// What becomes of the field.
    pub(super) fn conclude(&self, field: &Field, step: &ReviewStep) -> Conclusion {
        match step {
            ReviewStep::Passed => Conclusion::Close { incomplete: false },
            ReviewStep::SentBack { .. } => Conclusion::AskOn,
            ReviewStep::Escalated { .. } if self.value().is_some() || (self.passed && !field.required) => {
                Conclusion::Close { incomplete: self.verdict() != ReviewVerdict::Pass }
            }
            ReviewStep::Escalated { .. } => Conclusion::AskForHelp,
        }
    }

    /// The value, if there is one to see.
    pub(super) fn value(&self) -> Option<String> {
        self.field_value.as_deref().and_then(|value| limits::MESSAGE.check(value).ok())
    }

    /// What is lacking: the missing facts, or else the feedback.
    pub(super) fn lacking(&self) -> Vec<String> {
        let missing = self.missing();
        if missing.is_empty() { self.feedback.iter().filter_map(|text| seen(text)).collect() } else { missing }
    }

    /// The facts it found.
    pub(super) fn facts(&self) -> Vec<String> {
        self.extracted_facts.iter().flatten().filter_map(|fact| seen(fact)).collect()
    }

    fn missing(&self) -> Vec<String> {
        self.missing_facts.iter().flatten().filter_map(|fact| seen(fact)).collect()
    }
}

/// Whether nothing can be sent back any more.
pub(super) fn is_last_round(review: &Review) -> bool {
    review.rounds_left() == 0 || review.phase == ReviewPhase::WithPerson
}

fn seen(text: &str) -> Option<String> {
    limits::NOTE.check(text).ok()
}

impl Check for Finding {
    fn check(&self) -> Result<(), String> {
        let most = MOST_NAMED;
        let lists = [
            ("missing_facts", &self.missing_facts),
            ("extracted_facts", &self.extracted_facts),
            ("other_fields", &self.other_fields),
        ];
        for (name, list) in lists {
            let list = list.as_deref().unwrap_or_default();
            if list.len() > most {
                return Err(format!("{name} has {} entries, at most {most} are allowed", list.len()));
            }
            for text in list {
                limits::NOTE.check_optional(text).map_err(|unfit| format!("{name}: {unfit}"))?;
            }
        }
        let feedback = self.feedback.as_deref().unwrap_or_default();
        limits::NOTE.check_optional(feedback).map_err(|unfit| format!("feedback: {unfit}"))?;
        let value = self.field_value.as_deref().unwrap_or_default();
        limits::MESSAGE.check_optional(value).map_err(|unfit| format!("field_value: {unfit}"))?;
        Ok(())
    }
}
