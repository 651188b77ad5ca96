//! What a growth changed, as its owner reads it: what was gained and lost, line by line.

use enza_deliberation_cast::{Persona, PersonaDiff};
use enza_kernel::text::Lang;

use super::event::PersonaChange;
use crate::words::words;

/// The difference that a change made; none where a text cannot be read any more.
pub(super) fn diff(change: &PersonaChange) -> Option<PersonaDiff> {
    let (before, after) = (Persona::read(&change.before).ok()?, Persona::read(&change.after).ok()?);
    Some(PersonaDiff::between(&before, &after))
}

/// From which level to which.
pub(super) fn step(diff: &PersonaDiff) -> String {
    format!("Lv.{} → Lv.{}", diff.from_version, diff.to_version)
}

/// What was gained and lost, one line for each.
pub(super) fn lines(diff: &PersonaDiff, lang: Lang) -> Vec<String> {
    let words = words(lang);
    let named = |label: &str, sign: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{label}: {}", lang.list(names.iter().map(|name| format!("{sign}{name}")))))
    };
    let (values, traits) = (words.say("debater.values"), words.say("debater.traits"));
    let (style, background) = (words.say("debater.thinking_style"), words.say("debater.background"));
    let text = |label: &str, change: Option<&String>| change.map(|after| format!("{label}: {after}"));
    [
        named(values, "+", &diff.values_gained),
        named(values, "−", &diff.values_lost),
        named(traits, "+", &diff.traits_gained),
        named(traits, "−", &diff.traits_lost),
        text(style, diff.thinking_style.as_ref().map(|change| &change.after)),
        text(background, diff.background.as_ref().map(|change| &change.after)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
