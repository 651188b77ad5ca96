//! A gate as a person sees it: the five points, and how much is at stake.

use enza_kernel::gate::{Gate, Risk};

use crate::screen::{Screen, fold, pad, width};
use crate::words::gate as words;

/// The gate, in lines.
pub fn show(screen: &Screen, gate: &Gate) -> String {
    let lang = screen.lang;
    let risk = words::risk(lang, gate.risk);
    let risk = match gate.risk {
        Risk::Low => screen.paint.faint(&risk),
        Risk::Medium => screen.paint.warn(&risk),
        Risk::High | Risk::Critical => screen.paint.bad(&risk),
    };
    let mut out = format!("\n{}  {risk}\n", screen.paint.strong(words::title(lang)));
    let alternatives = gate.ask.alternatives.join("\n");
    let points = [
        (words::INTENT, gate.ask.intent.as_str()),
        (words::GROUNDS, &gate.ask.grounds),
        (words::IMPACT, &gate.ask.impact),
        (words::ALTERNATIVES, &alternatives),
        (words::DIFF, gate.ask.diff.as_deref().unwrap_or_default()),
    ];
    let names = points.map(|((ja, en), _)| lang.pick(ja, en));
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0) + 2;
    for (name, (_, text)) in names.iter().zip(points) {
        let lines = fold(text, screen.width.saturating_sub(column + 2));
        for (place, line) in lines.iter().enumerate() {
            let name = if place == 0 { *name } else { "" };
            out += &format!("  {}{line}\n", screen.paint.faint(&pad(name, column)));
        }
    }
    out.trim_end().to_owned()
}
