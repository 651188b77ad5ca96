//! The names of a gate's five points, and what a person answers.

use enza_kernel::gate::{Risk, Verdict};
use enza_kernel::text::Lang;

/// What is to be done.
pub const INTENT: (&str, &str) = ("意図", "intent");
/// Why.
pub const GROUNDS: (&str, &str) = ("根拠", "grounds");
/// What it changes.
pub const IMPACT: (&str, &str) = ("影響", "impact");
/// What could be done instead.
pub const ALTERNATIVES: (&str, &str) = ("代替", "instead");
/// What would be sent or changed.
pub const DIFF: (&str, &str) = ("内容", "content");

/// The heading.
pub fn title(lang: Lang) -> &'static str {
    lang.pick("確認", "Gate")
}

/// How much is at stake.
pub fn risk(lang: Lang, risk: Risk) -> String {
    let word = risk.word(lang);
    lang.pick(format!("リスク: {word}"), format!("risk: {word}"))
}

/// What a person means by a line at a gate.
pub fn verdict(line: &str) -> Option<Verdict> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "はい" | "ｙ" => Some(Verdict::Yes),
        "n" | "no" | "いいえ" | "ｎ" => Some(Verdict::No),
        _ => None,
    }
}
