//! Shortens a text from its oldest end, which is its beginning.
//!
//! What is left starts at the beginning of a line where that costs little, else between two characters, under a line
//! that says how much is missing. A remnant too small to mean anything is not left at all.

use crate::conversation::{Text, estimate_tokens};

/// A remnant with fewer tokens than this says nothing; the section is better left out.
const HARDLY_ANYTHING: u64 = 12;

/// A text without its beginning.
pub(super) struct Short {
    /// The marker line and what is left.
    pub text: Text,
    /// How many tokens are missing.
    pub left_out: u64,
}

/// The end of a text, with a marker, in at most `room` tokens; `None` where hardly anything would remain.
pub(super) fn shorten(text: &str, room: u64) -> Option<Short> {
    let whole = estimate_tokens(text);
    let start = at_a_line(text, first_that_fits(text, room, &marker(whole)));
    let rest = &text[start..];
    let kept = estimate_tokens(rest);
    if kept < HARDLY_ANYTHING || rest.trim().is_empty() {
        return None;
    }
    let left_out = whole - kept;
    Some(Short { text: format!("{}{rest}", marker(left_out)).into(), left_out })
}

fn marker(left_out: u64) -> String {
    format!("[… {left_out} tokens left out]\n")
}

/// The earliest character from which the text fits the room under the given marker.
///
/// The marker names the whole text as missing, so it is at least as long as the one that is written in the end.
fn first_that_fits(text: &str, room: u64, marker: &str) -> usize {
    let mut ascii = marker.bytes().filter(u8::is_ascii).count() as u64;
    let mut other = marker.chars().filter(|letter| !letter.is_ascii()).count() as u64;
    let mut start = text.len();
    for (place, letter) in text.char_indices().rev() {
        if letter.is_ascii() {
            ascii += 1;
        } else {
            other += 1;
        }
        if ascii.div_ceil(4) + other > room {
            break;
        }
        start = place;
    }
    start
}

/// The next beginning of a line, unless more than half of what is left would be lost on the way to it.
fn at_a_line(text: &str, start: usize) -> usize {
    if start == 0 || text[..start].ends_with('\n') {
        return start;
    }
    match text[start..].find('\n') {
        Some(newline) if newline < (text.len() - start) / 2 => start + newline + 1,
        Some(_) | None => start,
    }
}
