//! About how much room a text takes, since a server has no fonts to ask.
//!
//! The guess is on the wide side: an ideograph is as wide as it is high, anything else a little more than half.

use unicode_segmentation::UnicodeSegmentation as _;

/// About how wide a text is at a size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.graphemes(true).map(share).sum::<f64>() * size
}

/// The text, with its end left out where it is wider than the room.
pub(super) fn fitted(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut left = room - size;
    for one in text.graphemes(true) {
        left -= share(one) * size;
        if left < 0.0 {
            break;
        }
        out.push_str(one);
    }
    out + "…"
}

fn share(grapheme: &str) -> f64 {
    match grapheme.chars().next() {
        Some(first) if u32::from(first) >= 0x1100 => 1.0,
        Some('i' | 'l' | 'j' | '.' | ',' | ' ' | '\'') => 0.34,
        Some('A'..='Z' | 'm' | 'w') => 0.72,
        Some(_) => 0.58,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{fitted, width};

    #[test]
    fn what_fits_is_left_alone_and_what_does_not_ends_in_an_ellipsis() {
        assert_eq!(fitted("short", 100.0, 12.0), "short");
        let cut = fitted("a rather long label for a box", 80.0, 12.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 80.0, "{cut}");
        assert_eq!(fitted("日本語の見出し", 48.0, 12.0), "日本語…");
    }
}
