//! The owner's rules: until when, how many, how long kept, how much spent.
//!
//! Rules are set as a whole. A close date must lie ahead when it is set; one that has passed since may stay, so that
//! another rule can be changed beside it.

use crate::words::words;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many days submissions may be kept, at least and at most.
pub const KEEP_DAYS: std::ops::RangeInclusive<u32> = 1..=3_650;
/// The last moment that calendars of four digits know.
const LAST_MOMENT: Timestamp = Timestamp(253_402_300_799_999);

/// What holds for everyone who answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// From when on nobody is let in, in milliseconds since 1970.
    #[schemars(with = "Option<i64>")]
    pub closes: Option<Timestamp>,
    /// How many submissions are taken; none for no limit. Whoever was let in before may still submit.
    pub most_answers: Option<u64>,
    /// After how many days a submission is deleted; none for never.
    pub keep_days: Option<u32>,
    /// The most tokens that one interview may spend; none for no limit.
    pub budget: Option<u64>,
    /// How the respondent's language and country are found out.
    pub locale: AskLocale,
}

/// How the respondent's language and country are found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskLocale {
    /// From the browser, without a question.
    #[default]
    Infer,
    /// By asking.
    Ask,
}

/// Which rule does not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFault {
    /// The close date has passed already, or lies beyond all calendars.
    Closes,
    /// A form that takes no answer at all.
    MostAnswers,
    /// Fewer days than one, or too many.
    KeepDays,
    /// Nothing to spend.
    Budget,
}

impl Rules {
    /// Whether these rules can take the place of `current`.
    pub(super) fn check(&self, current: &Self, now: Timestamp) -> Result<(), RuleFault> {
        let is_new = self.closes != current.closes;
        if self.closes.is_some_and(|closes| is_new && !(now < closes && closes <= LAST_MOMENT)) {
            return Err(RuleFault::Closes);
        }
        if self.most_answers == Some(0) {
            return Err(RuleFault::MostAnswers);
        }
        if self.keep_days.is_some_and(|days| !KEEP_DAYS.contains(&days)) {
            return Err(RuleFault::KeepDays);
        }
        if self.budget == Some(0) {
            return Err(RuleFault::Budget);
        }
        Ok(())
    }

    /// Whether the close date has come.
    pub fn has_closed(&self, now: Timestamp) -> bool {
        self.closes.is_some_and(|closes| now >= closes)
    }
}

impl RuleFault {
    /// What is wrong, and what to do.
    pub(super) fn say(self, lang: Lang) -> Said {
        let (least, most) = (KEEP_DAYS.start(), KEEP_DAYS.end());
        match self {
            Self::Closes => words(lang).said("rules.closes", &[]),
            Self::MostAnswers => words(lang).said("rules.most_answers", &[]),
            Self::KeepDays => words(lang).said("rules.keep_days", &[("least", &least), ("most", &most)]),
            Self::Budget => words(lang).said("rules.budget", &[]),
        }
    }
}
