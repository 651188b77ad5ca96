//! What models are asked with. Fixed texts stand here byte for byte, in Japanese, and the same in English beside them.
//!
//! A person's text keeps to its place: titles and names are one line, and later lines of everything else are indented, so
//! that none can pose as a heading (DEL-C9).

mod growth;
mod persona;
mod reflection;
mod trial;

pub(crate) use growth::{growth, growth_rules};
pub(crate) use persona::{persona_shape, portrait, portrait_rules};
pub(crate) use reflection::{reflection, reflection_rules, reflection_shape};
pub(crate) use trial::{TrialVoice, first_sentence, trial_rules, trial_speech, trial_strategy, trial_strategy_rules};

/// A text of several lines, of which only the first begins at the margin.
pub(crate) fn indented(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("\n  ")
}
