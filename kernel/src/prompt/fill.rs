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

/// The shortest bar of a fence.
const SHORTEST: usize = 3;

/// Wraps a text in a fence of backticks, longer than any run of them in the text.
pub fn fence(name: &str, text: &str) -> String {
    let longest_inside = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let bar = "`".repeat(SHORTEST.max(longest_inside + 1));
    let name: String = name.chars().filter(|letter| !letter.is_control() && *letter != '`').collect();
    format!("{bar}{name}\n{text}\n{bar}")
}

/// A text whose fences are empty: each keeps its name and says how many lines it had. `None` where no fence holds anything
/// that could be left out.
pub fn hollow(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    let mut left_out = false;
    while let Some(line) = lines.next() {
        out.push_str(line);
        let bar = line.len() - line.trim_start_matches('`').len();
        if bar < SHORTEST {
            continue;
        }
        let inside: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != "`".repeat(bar)).collect();
        let is_worth_it = inside.len() > 1;
        left_out |= is_worth_it;
        match is_worth_it {
            true => out.push_str(&format!("[… {} lines left out]\n", inside.len())),
            false => out.extend(inside),
        }
        out.push_str(&"`".repeat(bar));
        out.push('\n');
    }
    left_out.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{fence, hollow};

    #[test]
    fn fences_are_emptied_and_what_stands_around_them_stays() {
        let text = format!("read a.rs\n{}\n\nGo on.", fence("a.rs", "one\n```\ntwo"));
        let hollowed = "read a.rs\n````a.rs\n[… 3 lines left out]\n````\n\nGo on.";
        assert_eq!(hollow(&text).as_deref(), Some(hollowed));
        assert_eq!(hollow(hollowed), None, "there is nothing more to leave out");
        assert_eq!(hollow("no fence at all"), None);
    }
}
