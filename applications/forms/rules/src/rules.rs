//! The owner's rules: until when, how many, how long kept, how much spent.
//!
//! Rules are set as a whole. A close date must lie ahead when it is set; one that has passed since may stay, so that
//! another rule can be changed beside it.

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
        let (message, hint) = match self {
            Self::Closes => lang.pick(
                ("締め切りの日時がもう過ぎています。", "これからの日時にするか、すぐに受け付けを終えてください。"),
                ("The close date does not lie ahead.", "Choose a later one, or close the form now."),
            ),
            Self::MostAnswers => lang.pick(
                ("回答数の上限は1以上です。", "上限をなくすか、1以上にしてください。"),
                ("A form takes at least one answer.", "Leave the limit out, or make it 1 or more."),
            ),
            Self::KeepDays => {
                return Said::new(
                    lang.pick(
                        format!("回答を残す日数は{least}日から{most}日までです。"),
                        format!("Answers are kept for {least} to {most} days."),
                    ),
                    lang.pick("日数を直すか、指定をなくしてください。", "Choose a number between, or leave it out."),
                );
            }
            Self::Budget => lang.pick(
                ("インタビューの予算が0です。", "上限をなくすか、1以上にしてください。"),
                ("An interview needs something to spend.", "Leave the budget out, or make it 1 or more."),
            ),
        };
        Said::new(message, hint)
    }
}
