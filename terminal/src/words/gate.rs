//! The names of a gate's five points, and what a person answers.

use enza_kernel::gate::{Risk, Verdict};
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

/// What a person means by a line at a gate.
pub fn verdict(line: &str) -> Option<Verdict> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "はい" | "ｙ" => Some(Verdict::Yes),
        "n" | "no" | "いいえ" | "ｎ" => Some(Verdict::No),
        _ => None,
    }
}
