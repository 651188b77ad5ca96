//! The names of a gate's five points.

use enza_kernel::gate::Risk;
use enza_kernel::text::Lang;

use super::words;

/// What is to be done.
pub fn intent(lang: Lang) -> &'static str {
    words(lang).say("gate.intent")
}

/// What speaks for it, as the agent says.
pub fn grounds(lang: Lang) -> &'static str {
    words(lang).say("gate.grounds")
}

/// What it changes.
pub fn impact(lang: Lang) -> &'static str {
    words(lang).say("gate.impact")
}

/// What could be done instead.
pub fn alternatives(lang: Lang) -> &'static str {
    words(lang).say("gate.alternatives")
}

/// What would be sent or changed.
pub fn diff(lang: Lang) -> &'static str {
    words(lang).say("gate.diff")
}

/// The heading.
pub fn title(lang: Lang) -> &'static str {
    words(lang).say("gate.title")
}

/// How much is at stake.
pub fn risk(lang: Lang, risk: Risk) -> String {
    let word = risk.word(lang);
    words(lang).fill("gate.risk", &[("word", &word)])
}
