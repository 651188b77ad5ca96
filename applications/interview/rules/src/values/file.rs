//! Files: a value names one that is stored already, by the digest of its contents and by its name.
//!
//! Nothing that a person types reads as one by accident. That the interview took such a file in is not for reading to say:
//! `reviewing::read_here` asks the state.

use super::fault::ValueFault;

const DIGEST: usize = 64;
const LONGEST_NAME: usize = 255;

/// Reads `DIGEST/NAME`.
pub(super) fn read(text: &str) -> Result<String, ValueFault> {
    file_name(text).map(|_| text.to_owned()).ok_or(ValueFault::NotAFile)
}

/// The digest in a value.
pub(crate) fn digest_of(value: &str) -> Option<&str> {
    value.split_once('/').map(|(digest, _)| digest)
}

/// What a person is shown of a file's value: its name, without the digest.
pub(super) fn show(value: &str) -> Option<String> {
    file_name(value).map(str::to_owned)
}

/// The name in a text that names a file as values do.
pub(crate) fn file_name(value: &str) -> Option<&str> {
    let (digest, name) = value.split_once('/')?;
    let is_hex = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_name = (1..=LONGEST_NAME).contains(&name.len())
        && !name.chars().any(|letter| letter.is_control() || "/\\".contains(letter))
        && ![".", ".."].contains(&name);
    (digest.len() == DIGEST && is_hex && is_name).then_some(name)
}
