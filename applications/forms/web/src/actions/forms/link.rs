//! Links that lead to a form or back to an interview: a session and a token, in as few letters as will do.
//!
//! A link is `/f/…` and the way back to an interview `/r/…`; both name the session first, so that nothing has to be
//! looked up, and end with what nobody can guess.

use std::fmt;
use std::str::FromStr;

use enza_runtime::seams::store::SessionId;
use uuid::Uuid;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// A session's name in these digits always takes as many.
const NAME: usize = 22;

/// Where a link leads, and the token that it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTo {
    pub form: SessionId,
    pub token: String,
}

/// A token that nobody can guess, of this many letters and digits.
pub fn draw_token(length: usize) -> String {
    let mut token = String::with_capacity(length);
    let mut bytes = [0; 64];
    while token.len() < length {
        getrandom::fill(&mut bytes).expect("the system has chance to give");
        // Whatever is above the last full turn of the digits would make the first ones likelier.
        let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(DIGITS[usize::from(byte % 62)]));
        token.extend(fair.take(length - token.len()));
    }
    token
}

impl fmt::Display for LinkTo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = Uuid::parse_str(self.form.as_str()).map(Uuid::into_bytes).map_or(0, u128::from_be_bytes);
        let mut digits = [b'0'; NAME];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[usize::try_from(number % 62).unwrap_or(0)];
            number /= 62;
        }
        write!(out, "{}-{}", String::from_utf8_lossy(&digits), self.token)
    }
}

impl FromStr for LinkTo {
    type Err = NotALink;

    fn from_str(text: &str) -> Result<Self, NotALink> {
        let (name, token) = text.split_once('-').ok_or(NotALink)?;
        let is_token = !token.is_empty() && token.len() <= 64 && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if name.len() != NAME || !is_token {
            return Err(NotALink);
        }
        let mut number: u128 = 0;
        for byte in name.bytes() {
            let digit = DIGITS.iter().position(|digit| *digit == byte).ok_or(NotALink)?;
            number = number.checked_mul(62).and_then(|so_far| so_far.checked_add(digit as u128)).ok_or(NotALink)?;
        }
        let form = SessionId::of(Uuid::from_bytes(number.to_be_bytes()).to_string());
        Ok(Self { form, token: token.to_owned() })
    }
}

/// The text is no link of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotALink;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_was_written() {
        for id in ["00000000-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"] {
            let link = LinkTo { form: SessionId::of(id), token: draw_token(12) };
            assert_eq!(link.to_string().parse(), Ok(link.clone()), "{link}");
            assert_eq!(link.to_string().len(), NAME + 1 + 12);
        }
    }

    #[test]
    fn what_is_no_link_is_not_taken_for_one() {
        let long = format!("{}-x", "z".repeat(NAME));
        for text in ["", "-", "abc-def", "0000000000000000000000-", "000000000000000000000!-x", long.as_str()] {
            assert_eq!(text.parse::<LinkTo>(), Err(NotALink), "{text}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(draw_token(20), draw_token(20));
    }
}
