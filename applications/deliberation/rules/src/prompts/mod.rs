//! What models are asked with. Fixed texts stand here byte for byte, in Japanese, and the same in English beside them.
//!
//! A person's text keeps to its place: titles, names and directions are one line, and later lines of everything else are
//! indented, so that none can pose as a heading (DEL-C9).

mod growth;
pub(crate) mod outcome;
mod persona;
mod reflection;
pub(crate) mod statement;
pub(crate) mod strategy;
mod trial;

pub(crate) use growth::{growth, growth_rules};
pub(crate) use persona::{persona_shape, portrait, portrait_rules};
pub(crate) use reflection::{reflection, reflection_rules, reflection_shape};
pub(crate) use trial::{first_sentence, trial_speech};

/// A text of a person's on one line.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of which only the first line begins at the margin.
pub(crate) fn indented(text: &str) -> String {
    let mut lines = text.trim().lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push_str("\n  ");
        out.push_str(line.trim_end());
    }
    out
}
