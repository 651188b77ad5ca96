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
            Self::NotANumber => lang
                .pick("数字で教えてください（例：12、1.5）。", "Please give a number, such as 12 or 1.5.")
                .to_owned(),
            Self::NotWhole => lang
                .pick("小数点のない数字で教えてください（例：12）。", "Please give a whole number, such as 12.")
                .to_owned(),
            Self::NotADay => lang
                .pick(
                    "日付を一つ教えてください（例：2026年11月3日、明日）。",
                    "Please give one date, such as November 3, 2026 or tomorrow.",
                )
                .to_owned(),
            Self::NoSuchDay => lang
                .pick(
                    "その日付はカレンダーにありません。年月日を確かめてください（例：2026年11月3日）。",
                    "There is no such day in the calendar; please check it, such as November 3, 2026.",
                )
                .to_owned(),
            Self::AmbiguousDay { one, other } => {
                let (one, other) = (shown(Kind::Date, one, lang), shown(Kind::Date, other, lang));
                lang.pick(
                    format!("{one}と{other}のどちらでしょうか。月の名前か「2026年11月3日」の形で教えてください。"),
                    format!("Do you mean {one} or {other}? Please write the month as a word."),
                )
            }
            Self::OtherWeekday { day } => {
                let (shown, weekday) = (shown(Kind::Date, day, lang), date::weekday_name(day, lang));
                lang.pick(
                    format!("{shown}は{weekday}です。日付と曜日のどちらが正しいか教えてください。"),
                    format!("{shown} is a {weekday}; please say which is right, the date or the weekday."),
                )
            }
            Self::NotATime => lang
                .pick("時刻を教えてください（例：14:30、午後2時半）。", "Please give a time, such as 14:30 or 2:30 pm.")
                .to_owned(),
            Self::BelowMin { kind, min } => below(*kind, &shown(*kind, min, lang), lang),
            Self::AboveMax { kind, max } => above(*kind, &shown(*kind, max, lang), lang),
            Self::NoSuchOption { given, options, more } => no_such(given, options, *more, lang),
            Self::SeveralOptions { options } => {
                let options = listed(options, lang);
                lang.pick(
                    format!("{options}のうち、どれでしょうか。一つずつ名前で教えてください。"),
                    format!("Which of these do you mean: {options}? Please give the full name."),
                )
            }
            Self::NotYesOrNo => {
                lang.pick("「はい」か「いいえ」で教えてください。", "Please answer \"yes\" or \"no\".").to_owned()
            }
            Self::NotAnAddress => lang
                .pick(
                    "メールアドレスを一つ教えてください（例：hanako@example.jp）。",
                    "Please give one e-mail address, such as jane@example.com.",
                )
                .to_owned(),
            Self::NotATelephoneNumber => lang
                .pick(
                    "電話番号を数字だけで教えてください（例：090-1234-5678、+81 90 1234 5678）。",
                    "Please give a telephone number in digits only, such as +1 415 555 2671.",
                )
                .to_owned(),
            Self::TelephoneOfWhichCountry => lang
                .pick(
                    "電話番号を国番号から教えてください（例：+81 90 1234 5678）。",
                    "Please give the telephone number with its country code, such as +1 415 555 2671.",
                )
                .to_owned(),
            Self::NotAFile => lang.pick("ファイルを一つ添付してください。", "Please attach one file.").to_owned(),
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
        lang.pick(
            format!("{min}以上の数字で教えてください（例：{min}）。"),
            format!("Please give a number of at least {min}, such as {min}."),
        )
    } else {
        lang.pick(
            format!("{min}以降で教えてください（例：{min}）。"),
            format!("It must not be before {min}; {min} itself will do."),
        )
    }
}

fn above(kind: Kind, max: &str, lang: Lang) -> String {
    if kind.is_numeric() {
        lang.pick(
            format!("{max}以下の数字で教えてください（例：{max}）。"),
            format!("Please give a number of at most {max}, such as {max}."),
        )
    } else {
        lang.pick(
            format!("{max}以前で教えてください（例：{max}）。"),
            format!("It must not be after {max}; {max} itself will do."),
        )
    }
}

fn no_such(given: &str, options: &[String], more: usize, lang: Lang) -> String {
    let (given, listed) = (quoted(lang, given), listed(options, lang));
    let rest =
        if more > 0 { lang.pick(format!("、ほか{more}件"), format!(" and {more} more")) } else { String::new() };
    lang.pick(
        format!("{given}は選択肢にありません。次の中から選んでください：{listed}{rest}。"),
        format!("{given} is not one of the options; please choose from: {listed}{rest}."),
    )
}

fn listed(options: &[String], lang: Lang) -> String {
    phrase::listed(lang, options.iter().map(String::as_str))
}
