//! A gate as a person sees it in the companion: the five points, how much is at stake, and the diff in colour.
//!
//! A long diff is shown in part, with the number of lines that are left; `v` shows all of it. Where there is no colour,
//! the signs at the beginning of each line say the same.

use enza_kernel::gate::Gate;
use enza_kernel::text::spelt_out;
use enza_terminal::screen::{Paint, Screen, points, width};

use crate::words;

/// How many lines of a diff are shown at first.
pub const FIRST: usize = 40;

/// The gate, in lines, with at most so many lines of its diff.
pub fn show(screen: &Screen, gate: &Gate, most: usize) -> String {
    let mut out = format!("{}\n", points(screen, gate, &[]));
    if let Some(text) = &gate.ask.diff {
        out += "\n";
        out += &diff(screen, text, most);
    }
    out.trim_end().to_owned()
}

/// A diff, coloured by line, with at most so many lines of it.
pub fn diff(screen: &Screen, text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    for line in lines.iter().take(most) {
        out += &painted(screen, line);
    }
    if lines.len() > most {
        let more = words::more_lines(screen.lang, lines.len() - most);
        out += &format!("{}\n", screen.paint.faint(&more));
    }
    out
}

/// A line of a diff. Nothing of it is left out, since it is what a person says yes to: one that is too long goes on below,
/// and letters that nobody sees, or that turn the text around, are spelt out.
fn painted(screen: &Screen, line: &str) -> String {
    let sign: fn(Paint, &str) -> String = if line.starts_with("+++") || line.starts_with("---") {
        Paint::strong
    } else if line.starts_with('+') {
        Paint::good
    } else if line.starts_with('-') {
        Paint::bad
    } else if line.starts_with("@@") {
        Paint::faint
    } else {
        |_, text| text.to_owned()
    };
    let mut rows = vec![String::new()];
    let mut taken = 0;
    for piece in line.chars().map(visible) {
        let wide = width(&piece);
        if taken + wide > screen.width().saturating_sub(1) {
            rows.push(GOES_ON.to_owned());
            taken = width(GOES_ON);
        }
        rows.last_mut().expect("a row").push_str(&piece);
        taken += wide;
    }
    rows.iter().map(|row| format!("{}\n", sign(screen.paint, row))).collect()
}

/// Before what did not fit on the line above.
const GOES_ON: &str = "  ↪ ";

/// A letter as it can be seen. A tab is as wide as the terminal likes; four spaces are four.
fn visible(letter: char) -> String {
    match letter {
        '\t' => "    ".to_owned(),
        _ => spelt_out(letter).unwrap_or_else(|| letter.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelt_out() {
        let seen: String = "a\u{202e}b\u{1b}[2K\tc日".chars().map(visible).collect();
        assert_eq!(seen, "a<U+202E>b<U+001B>[2K    c日");
    }
}
