//! What was wrong with a form, and beside which field to say it.
//!
//! A form that was not accepted is shown again with everything that was typed but secrets, so that only what was wrong
//! has to be typed again.

use axum::http::StatusCode;
use enza_kernel::text::{Lang, Said};
use maud::{Markup, html};

use crate::access::{FileLimits, Limits};
use crate::design::{Tone, notice};
use crate::problem::Problem;

/// Something that was wrong, or nothing.
#[derive(Default)]
pub struct FormError {
    said: Option<(&'static str, Said, StatusCode)>,
    lang: Lang,
}

impl FormError {
    /// A problem, to be said beside a field; beside none where the field is empty.
    pub fn at(field: &'static str, problem: &Problem, lang: Lang) -> Self {
        Self { said: Some((field, problem.say(lang), problem.status())), lang }
    }

    /// A field that could not be read.
    pub fn unread(unread: Unread, lang: Lang) -> Self {
        Self::at(unread.field, &Problem::BodyUnfit(unread.typed), lang)
    }

    /// What to say beside a field.
    pub fn beside(&self, field: &str) -> Option<String> {
        let (at, said, _) = self.said.as_ref()?;
        (*at == field).then(|| format!("{}{}{}", said.message, self.lang.pick("", " "), said.hint))
    }

    /// What to say above the form, where it belongs to no field.
    pub fn above(&self) -> Markup {
        match &self.said {
            Some(("", said, _)) => notice(Tone::Bad, &said.message, &said.hint),
            Some(_) | None => html! {},
        }
    }

    /// The status of the page.
    pub fn status(&self) -> StatusCode {
        self.said.as_ref().map_or(StatusCode::OK, |(_, _, status)| *status)
    }
}

/// A field whose content is no number that can be used.
#[derive(Debug, PartialEq, Eq)]
pub struct Unread {
    field: &'static str,
    typed: String,
}

/// Reads a number of tokens; empty for no limit.
pub fn read_tokens(field: &'static str, typed: &str) -> Result<Option<u64>, Unread> {
    let digits: String = typed.chars().filter(|letter| !matches!(letter, ',' | '_' | ' ')).collect();
    if digits.is_empty() {
        return Ok(None);
    }
    digits.parse().map(Some).map_err(|_| Unread { field, typed: typed.to_owned() })
}

/// Reads an amount in US dollars, exactly; empty for no limit.
pub fn read_money(field: &'static str, typed: &str) -> Result<Option<u64>, Unread> {
    let unfit = || Unread { field, typed: typed.to_owned() };
    let amount: String = typed.chars().filter(|letter| !matches!(letter, ',' | '_' | ' ' | '$')).collect();
    if amount.is_empty() {
        return Ok(None);
    }
    let (whole, rest) = amount.split_once('.').unwrap_or((&amount, ""));
    if rest.len() > 6 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unfit());
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| unfit())? };
    let rest: u64 = format!("{rest:0<6}").parse().map_err(|_| unfit())?;
    let sum = whole.checked_mul(1_000_000).and_then(|whole| whole.checked_add(rest));
    sum.map(Some).ok_or_else(unfit)
}

/// An amount as it is typed.
pub fn write_money(millionths: Option<u64>) -> String {
    let Some(millionths) = millionths else { return String::new() };
    let (whole, rest) = (millionths / 1_000_000, millionths % 1_000_000);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:06}").trim_end_matches('0').to_owned()
}

/// A number of tokens as it is typed.
pub fn write_tokens(tokens: Option<u64>) -> String {
    tokens.map(|tokens| tokens.to_string()).unwrap_or_default()
}

/// The four limits of a form, in the order of their fields.
pub fn read_limits(typed: [&str; 4]) -> Result<Limits, Unread> {
    let [tokens_per_day, tokens_in_all, money_per_day, money_in_all] = typed;
    Ok(Limits {
        tokens_per_day: read_tokens("tokens_per_day", tokens_per_day)?,
        tokens_in_all: read_tokens("tokens_in_all", tokens_in_all)?,
        money_per_day: read_money("money_per_day", money_per_day)?,
        money_in_all: read_money("money_in_all", money_in_all)?,
    })
}

/// The four limits of files, in megabytes, in the order of their fields; an empty one has its default.
pub fn read_file_limits(typed: [&str; 4]) -> Result<FileLimits, Unread> {
    let [per_session, per_link, per_family, per_owner] = typed;
    let usual = FileLimits::default();
    // A megabyte has as many bytes as a dollar has millionths.
    let read = |field, typed, usual| read_money(field, typed).map(|bytes| bytes.unwrap_or(usual));
    Ok(FileLimits {
        per_session: read("files_per_session", per_session, usual.per_session)?,
        per_link: read("files_per_link", per_link, usual.per_link)?,
        per_family: read("files_per_family", per_family, usual.per_family)?,
        per_owner: read("files_per_owner", per_owner, usual.per_owner)?,
    })
}

/// A number of bytes in megabytes, as it is typed.
pub fn write_megabytes(bytes: u64) -> String {
    write_money(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_to_the_millionth_and_written_as_it_was_typed() {
        for (typed, kept) in
            [("", None), ("2", Some(2_000_000)), ("0.5", Some(500_000)), ("12.000001", Some(12_000_001))]
        {
            assert_eq!(read_money("money", typed), Ok(kept), "{typed}");
            assert_eq!(write_money(kept), typed);
        }
        assert_eq!(read_money("money", "$1,000.25"), Ok(Some(1_000_250_000)));
        for wrong in ["-1", "1.0000001", "one", "1.2.3", "99999999999999999999", "1e3"] {
            assert!(read_money("money", wrong).is_err(), "{wrong}");
        }
    }
}
