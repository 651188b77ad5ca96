//! What models are asked with in a debate. P1 and P2 are fixed byte for byte in Japanese and have the same form in English.

pub(crate) mod outcome;
pub(crate) mod statement;
pub(crate) mod strategy;

/// A text of a person's on one line, so that it cannot pose as a heading.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text whose later lines are indented, so that none of them can pose as a heading.
fn indented(text: &str) -> String {
    let mut lines = text.trim().lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push_str("\n  ");
        out.push_str(line.trim_end());
    }
    out
}
