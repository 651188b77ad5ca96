//! Why a text is no value of its field, and how the respondent is told.
//!
//! Each sentence says what is wanted, with an example. None repeats what was written beyond a few words, and none
//! blames: a text that we cannot read may be clear to people.

use enza_kernel::application::Reason as _;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::Lang;

use super::super::Kind;
use super::super::phrase::{self, quoted};
use super::{date, number, time};
use crate::words::words;

/// How many options are listed.
const MOST_LISTED: usize = 10;
/// How much of what was written is repeated.
const MOST_REPEATED: usize = 40;

/// Why a text is no value of its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueFault {
    /// It is empty or too long for any answer.
    Text(TextRefusal),
    NotANumber,
    /// It is no whole number.
    NotWhole,
    /// It is no day.
    NotADay,
    /// There is no such day in the calendar.
    NoSuchDay,
    /// It could be either of two days.
    AmbiguousDay {
        one: String,
        other: String,
    },
    /// The day falls on another weekday than it says.
    OtherWeekday {
        /// The day, as it is kept.
        day: String,
    },
    /// It is no time of day.
    NotATime,
    /// It is less or earlier than the field allows.
    BelowMin {
        /// A number, a day or a time.
        kind: Kind,
        /// The least, as it is kept.
        min: String,
    },
    /// It is more or later than the field allows.
    AboveMax {
        /// A number, a day or a time.
        kind: Kind,
        /// The greatest, as it is kept.
        max: String,
    },
    /// It is none of the options.
    NoSuchOption {
        /// What was given, shortened.
        given: String,
        /// The first options, as they are shown.
        options: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// It could be more than one of the options.
    SeveralOptions {
        options: Vec<String>,
    },
    /// It is neither yes nor no.
    NotYesOrNo,
    /// It is no e-mail address.
    NotAnAddress,
    NotATelephoneNumber,
    /// It may be a telephone number, but of a country that we do not know.
    TelephoneOfWhichCountry,
    NotAFile,
}

impl From<TextRefusal> for ValueFault {
    fn from(unfit: TextRefusal) -> Self {
        Self::Text(unfit)
    }
}

impl ValueFault {
    pub(super) fn no_such_option<'a>(given: &str, shown: impl Iterator<Item = &'a str>) -> Self {
        let mut options: Vec<String> = shown.map(str::to_owned).collect();
        let more = options.len().saturating_sub(MOST_LISTED);
        options.truncate(MOST_LISTED);
        let short: String = given.trim().chars().take(MOST_REPEATED).collect();
        let given = if short.len() < given.trim().len() { format!("{short}…") } else { short };
        Self::NoSuchOption { given, options, more }
    }

    /// One sentence for the respondent: what is wanted, with an example.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            Self::Text(unfit) => {
                let said = unfit.say(lang);
                format!("{}{}{}", said.message, lang.pick("", " "), said.hint)
            }
            Self::NotANumber => words(lang).say("value-fault.not_a_number").to_owned(),
            Self::NotWhole => words(lang).say("value-fault.not_whole").to_owned(),
            Self::NotADay => words(lang).say("value-fault.not_a_day").to_owned(),
            Self::NoSuchDay => words(lang).say("value-fault.no_such_day").to_owned(),
            Self::AmbiguousDay { one, other } => {
                let (one, other) = (shown(Kind::Date, one, lang), shown(Kind::Date, other, lang));
                words(lang).fill("value-fault.ambiguous_day", &[("one", &one), ("other", &other)])
            }
            Self::OtherWeekday { day } => {
                let (shown, weekday) = (shown(Kind::Date, day, lang), date::weekday_name(day, lang));
                words(lang).fill("value-fault.other_weekday", &[("shown", &shown), ("weekday", &weekday)])
            }
            Self::NotATime => words(lang).say("value-fault.not_a_time").to_owned(),
            Self::BelowMin { kind, min } => below(*kind, &shown(*kind, min, lang), lang),
            Self::AboveMax { kind, max } => above(*kind, &shown(*kind, max, lang), lang),
            Self::NoSuchOption { given, options, more } => no_such(given, options, *more, lang),
            Self::SeveralOptions { options } => {
                let options = listed(options, lang);
                words(lang).fill("value-fault.several_options", &[("options", &options)])
            }
            Self::NotYesOrNo => words(lang).say("value-fault.not_yes_or_no").to_owned(),
            Self::NotAnAddress => words(lang).say("value-fault.not_an_address").to_owned(),
            Self::NotATelephoneNumber => words(lang).say("value-fault.not_a_telephone_number").to_owned(),
            Self::TelephoneOfWhichCountry => words(lang).say("value-fault.telephone_of_which_country").to_owned(),
            Self::NotAFile => words(lang).say("value-fault.not_a_file").to_owned(),
        }
    }
}

fn shown(kind: Kind, value: &str, lang: Lang) -> String {
    let shown = match kind {
        Kind::Number | Kind::Integer => number::show(value),
        Kind::Date => date::show(value, lang),
        Kind::Time => time::show(value, lang),
        Kind::Text
        | Kind::LongText
        | Kind::Choice
        | Kind::Choices
        | Kind::Email
        | Kind::Phone
        | Kind::YesNo
        | Kind::File => None,
    };
    shown.unwrap_or_else(|| value.to_owned())
}

fn below(kind: Kind, min: &str, lang: Lang) -> String {
    if kind.is_numeric() {
        words(lang).fill("value-fault.number_below", &[("min", &min)])
    } else {
        words(lang).fill("value-fault.below", &[("min", &min)])
    }
}

fn above(kind: Kind, max: &str, lang: Lang) -> String {
    if kind.is_numeric() {
        words(lang).fill("value-fault.number_above", &[("max", &max)])
    } else {
        words(lang).fill("value-fault.above", &[("max", &max)])
    }
}

fn no_such(given: &str, options: &[String], more: usize, lang: Lang) -> String {
    let (given, listed) = (quoted(lang, given), listed(options, lang));
    let rest = if more > 0 { words(lang).fill("value-fault.more_options", &[("more", &more)]) } else { String::new() };
    words(lang).fill("value-fault.no_such_option", &[("given", &given), ("listed", &listed), ("rest", &rest)])
}

fn listed(options: &[String], lang: Lang) -> String {
    phrase::listed(lang, options.iter().map(String::as_str))
}
