//! Puts pieces into a template, and other people's text into fences.
//!
//! A person's text is data. It is put in once and never looked at again, so a message that contains `{{rules}}` stays
//! a message; and it stands in a fence that it cannot close, so it never reads as ours.

use std::collections::BTreeMap;

/// A place in a template that no value was given for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the template wants a piece named {name:?} and none was given")]
pub struct MissingPiece {
    /// What stands between the braces.
    pub name: String,
}

/// Replaces every `{{name}}` by its value, in one pass.
///
/// Spaces inside the braces do not matter. Braces that are never closed are ordinary text. Every `{{…}}` must have a
/// value: a prompt with a hole in it is not sent.
///
/// ```
/// use std::collections::BTreeMap;
/// let pieces = BTreeMap::from([("who", "{{secret}}"), ("secret", "42")]);
/// assert_eq!(enza_kernel::prompt::fill("Hello {{who}}!", &pieces).unwrap(), "Hello {{secret}}!");
/// ```
pub fn fill(template: &str, pieces: &BTreeMap<&str, &str>) -> Result<String, MissingPiece> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, name, after)) = next_place(rest) {
        let Some(piece) = pieces.get(name) else { return Err(MissingPiece { name: name.to_owned() }) };
        out.push_str(before);
        out.push_str(piece);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// What stands before the next place, the place's name, and what stands after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, opened) = text.split_once("{{")?;
    let (name, after) = opened.split_once("}}")?;
    Some((before, name.trim(), after))
}

/// Wraps a text in a fence of backticks, longer than any run of them in the text.
pub fn fence(name: &str, text: &str) -> String {
    const SHORTEST: usize = 3;
    let longest_inside = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let bar = "`".repeat(SHORTEST.max(longest_inside + 1));
    let name: String = name.chars().filter(|letter| !letter.is_control() && *letter != '`').collect();
    format!("{bar}{name}\n{text}\n{bar}")
}
