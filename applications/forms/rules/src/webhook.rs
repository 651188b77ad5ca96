//! Where submissions are sent on to, and the secret that signs them, in the way of Standard Webhooks.
//!
//! The secret is in the log, because whoever signs needs it; it is in no line, no floor, no row, and not in what
//! `Debug` prints. An address must not carry a name and password, since addresses are shown.
//!
//! Sending, and refusing addresses inside the house, belong to the server.

use std::fmt;

use crate::words::words;
use enza_kernel::text::{Lang, Said};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long an address may be, in bytes.
const LONGEST_URL: usize = 2_000;
/// How many bytes a secret may stand for.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
const SECRET_PREFIX: &str = "whsec_";

/// A receiver of submissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// Where to.
    pub url: String,
    /// What signs: `whsec_` and 24 to 64 bytes in base64.
    pub secret: Secret,
}

/// Something that must not be shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Secret(String);

/// What is wrong with a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookFault {
    /// The address is not http or https, has no host, or carries a name and password.
    Url,
    /// The secret is not `whsec_` and 24 to 64 bytes in base64.
    Secret,
}

impl Secret {
    /// Takes a secret that was drawn elsewhere.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The secret itself, for whoever signs.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret")
    }
}

impl Webhook {
    /// Whether submissions can be sent there, signed.
    pub(super) fn check(&self) -> Result<(), WebhookFault> {
        if self.host().is_none() {
            return Err(WebhookFault::Url);
        }
        let encoded = self.secret.0.strip_prefix(SECRET_PREFIX);
        match encoded.and_then(decoded_length) {
            Some(bytes) if SECRET_BYTES.contains(&bytes) => Ok(()),
            Some(_) | None => Err(WebhookFault::Secret),
        }
    }

    /// The host and port, which is as much of the address as is told; none where the address does not do.
    pub fn host(&self) -> Option<&str> {
        let url = &self.url;
        if url.len() > LONGEST_URL || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let (name, port) = match authority.rsplit_once(':') {
            // The colons of an IPv6 address stand in brackets.
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            Some(_) | None => (authority, None),
        };
        let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let has_name = !name.is_empty() && !authority.contains('@');
        let has_fit_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
        (is_web && has_name && has_fit_port).then_some(authority)
    }
}

impl WebhookFault {
    /// What is wrong, and what to do.
    pub(super) fn say(self, lang: Lang) -> Said {
        match self {
            Self::Url => words(lang).said("webhook.url", &[]),
            Self::Secret => words(lang).said("webhook.secret", &[]),
        }
    }
}

/// How many bytes a text in base64 stands for; none where it is not in its one spelling.
fn decoded_length(text: &str) -> Option<usize> {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let values: Vec<u32> = body.bytes().map(sextet).collect::<Option<_>>()?;
    // What is left over in the last letter must be zero, or the same bytes would have several spellings.
    let unused_bits = match padding {
        0 => 0,
        1 => 0b11,
        2 => 0b1111,
        _ => return None,
    };
    let is_whole = text.len().is_multiple_of(4) && values.last().is_none_or(|last| last & unused_bits == 0);
    is_whole.then(|| text.len() / 4 * 3 - padding)
}

fn sextet(letter: u8) -> Option<u32> {
    match letter {
        b'A'..=b'Z' => Some(u32::from(letter - b'A')),
        b'a'..=b'z' => Some(u32::from(letter - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(letter - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
