//! The ways in: links that are handed round, and links that count once.
//!
//! A single link remembers the one interview that it let in, and stays used when that interview is deleted. A revoked
//! link is kept so that its bearer can be told; the oldest of these make room when there are too many.

use std::collections::BTreeMap;

use crate::words::words;
use enza_kernel::limits::{Limit, TextRefusal};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many links a form keeps.
pub const MOST_LINKS: usize = 1_000;
/// All prefilled values of a link, as JSON.
pub const PREFILL: Limit = Limit { name: "prefill", graphemes: 1_000, bytes: 3 * 1024 };
/// How long a token may be.
const TOKEN_LENGTHS: std::ops::RangeInclusive<usize> = 10..=40;

/// How often a link counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// For whoever has it.
    Public,
    /// For one respondent, once.
    Single,
}

/// A way in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// How often it counts.
    pub kind: LinkKind,
    /// What the owner calls it.
    pub note: String,
    /// Values that are known beforehand, by field id.
    pub prefill: BTreeMap<String, String>,
    pub made_at: Timestamp,
    /// Whether the one time that a single link counts is gone. A public link is never used up.
    pub used: LinkUse,
    /// Whether it was withdrawn.
    pub is_revoked: bool,
}

/// Whether a single link was used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkUse {
    #[default]
    No,
    /// By this interview.
    By(String),
    /// By an interview that was deleted since.
    ByAForgotten,
}

/// Why a link cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFault {
    /// The token is too short, too long, or has other characters than letters and digits.
    Token,
    /// There is a link of that token.
    Taken,
}

impl LinkFault {
    /// What is wrong, and what to do.
    pub(super) fn say(self, lang: Lang) -> Said {
        match self {
            Self::Token => words(lang).said("link.token", &[]),
            Self::Taken => words(lang).said("link.taken", &[]),
        }
    }
}

/// Whether a token can stand in an address and is hard to guess.
pub(super) fn check_token(token: &str) -> Result<(), LinkFault> {
    let is_fit = TOKEN_LENGTHS.contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_fit { Ok(()) } else { Err(LinkFault::Token) }
}

/// Whether the prefilled values are few enough to be kept a thousand times.
pub(super) fn check_prefill(prefill: &BTreeMap<String, String>) -> Result<(), TextRefusal> {
    let json = serde_json::to_string(prefill).expect("plain data always serialises");
    PREFILL.check_optional(&json).map(drop)
}

/// Takes the oldest revoked link out, where there are too many.
pub(super) fn make_room(links: &mut BTreeMap<String, Link>) {
    while links.len() > MOST_LINKS {
        let revoked = links.iter().filter(|(_, link)| link.is_revoked);
        let oldest = revoked.min_by_key(|(_, link)| link.made_at).map(|(token, _)| token.clone());
        let Some(oldest) = oldest else { return };
        links.remove(&oldest);
    }
}
