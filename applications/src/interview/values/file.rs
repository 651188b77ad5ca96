//! Files: a value names one that is stored already, by the digest of its contents and by its name.
//!
//! Only the page or the command that took the file makes such a value; nothing that a person types reads as one by
//! accident.

use super::unread::Unread;

const DIGEST: usize = 64;
const LONGEST_NAME: usize = 255;

/// Reads `DIGEST/NAME`.
pub(super) fn read(text: &str) -> Result<String, Unread> {
    name(text).map(|_| text.to_owned()).ok_or(Unread::NotAFile)
}

/// The name.
pub(super) fn show(value: &str) -> Option<String> {
    name(value).map(str::to_owned)
}

fn name(value: &str) -> Option<&str> {
    let (digest, name) = value.split_once('/')?;
    let is_hex = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_name = (1..=LONGEST_NAME).contains(&name.len())
        && !name.chars().any(|letter| letter.is_control() || "/\\".contains(letter))
        && ![".", ".."].contains(&name);
    (digest.len() == DIGEST && is_hex && is_name).then_some(name)
}
