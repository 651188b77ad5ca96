//! The points of a gate: what, why, what it changes, what else could be done, and how much is at stake.
//!
//! Every command that shows a gate draws its head this way; what would be sent or changed stands below it, in the shape
//! that suits the command.

use enza_kernel::gate::{Gate, Risk};
use enza_kernel::text::spelt_out;

use super::{Screen, fold, pad, width};
use crate::words::gate as words;

/// The head of a gate and its points, in lines; `more` stands behind them as points of its own.
pub fn points(screen: &Screen, gate: &Gate, more: &[(&str, &str)]) -> String {
    let lang = screen.lang;
    let risk = words::risk(lang, gate.risk);
    let risk = match gate.risk {
        Risk::Low => screen.paint.faint(&risk),
        Risk::Medium => screen.paint.warn(&risk),
        Risk::High | Risk::Critical => screen.paint.bad(&risk),
    };
    let mut out = format!("\n{}  {risk}\n", screen.paint.strong(words::title(lang)));
    let alternatives = gate.ask.alternatives.join("\n");
    let own = [
        (words::intent(lang), gate.ask.intent.as_str()),
        (words::grounds(lang), &gate.ask.grounds),
        (words::impact(lang), &gate.ask.impact),
        (words::alternatives(lang), &alternatives),
    ];
    let all: Vec<(&str, &str)> = own.iter().chain(more).copied().collect();
    let column = all.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    for (name, text) in all {
        let text = seen(text);
        for (place, line) in fold(&text, screen.width().saturating_sub(column + 2)).iter().enumerate() {
            let name = if place == 0 { name } else { "" };
            out += &format!("  {}{line}\n", screen.paint.faint(&pad(name, column)));
        }
    }
    out.trim_end().to_owned()
}

/// A text in which nothing hides: what a person says yes to must not read otherwise than it is.
fn seen(text: &str) -> String {
    let seen = |letter: char| match letter {
        '\n' | '\t' => letter.to_string(),
        _ => spelt_out(letter).unwrap_or_else(|| letter.to_string()),
    };
    text.chars().map(seen).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_hides_in_the_points_of_a_gate() {
        assert_eq!(super::seen("Run: rm a\u{202e}b\u{200b}\nnext"), "Run: rm a<U+202E>b<U+200B>\nnext");
    }
}
