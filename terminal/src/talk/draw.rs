//! A line and a floor as a person sees them at a terminal.

use enza_kernel::about::About;
use enza_kernel::floor::{Floor, Line, Tone, Who};

use super::choices::{Choice, choices, say};
use super::panel::panel;
use crate::screen::{Columns, Screen, fold, points};
use crate::words::talk as words;

/// A line of the conversation, folded, with agents by the names that their application gives them.
pub fn line(screen: &Screen, about: About<'_>, line: &Line) -> String {
    let who = match &line.who {
        Who::Person(Some(name)) => name.clone(),
        Who::Person(None) => words::you(screen.lang).to_owned(),
        Who::Agent(name) => about.agent(name, screen.lang).to_owned(),
        Who::Session => String::new(),
    };
    let head = if who.is_empty() { String::new() } else { format!("{who}: ") };
    let text = fold(&format!("{head}{}", line.text), screen.width()).join("\n");
    let text = match line.tone {
        Tone::Said => text,
        Tone::Note => screen.paint.faint(&text),
        Tone::Done => screen.paint.good(&text),
        Tone::Trouble => screen.paint.warn(&text),
    };
    // A gate of its own is shown when it is time to answer.
    if line.text.trim().is_empty() { String::new() } else { text }
}

/// What waits, and what is offered now.
pub fn turn(screen: &Screen, floor: &Floor, waiting_for: Option<&str>) -> String {
    let mut lines = Vec::new();
    if let Some(gate) = &floor.gate {
        let diff = gate.ask.diff.as_deref().unwrap_or_default();
        lines.push(points(screen, gate, &[(crate::words::gate::diff(screen.lang), diff)]));
        lines.push(screen.faintly(words::gate_answers(screen.lang)));
    } else if let Some(text) = waiting_for {
        lines.push(fold(text, screen.width()).join("\n"));
    }
    let all = choices(floor);
    let offered = floor.offers.len() - usize::from(say(floor).is_some());
    lines.extend(numbered(screen, &all[..offered.min(all.len())], say(floor).is_some()));
    if all.len() > offered {
        lines.push(screen.faintly(words::more(screen.lang)));
    }
    lines.join("\n")
}

/// Everything there is on a floor, with the numbers by which it is picked.
pub fn whole(screen: &Screen, floor: &Floor) -> String {
    let lang = screen.lang;
    let mut lines = Vec::new();
    if let Some(progress) = floor.progress {
        lines.push(words::progress(lang, progress.done, progress.total));
    }
    for switch in &floor.switches {
        let current = switch.ways.iter().find(|way| way.current).map_or("", |way| way.label.as_str());
        lines.push(format!("{}: {current}", switch.label));
    }
    lines.extend(floor.filled_panels().flat_map(|one| panel(screen, one)));
    lines.extend(numbered(screen, &choices(floor), say(floor).is_some()));
    if lines.is_empty() {
        lines.push(words::nothing(lang).to_owned());
    }
    lines.join("\n")
}

fn numbered(screen: &Screen, all: &[Choice], slash: bool) -> Vec<String> {
    let slash = if slash { "/" } else { "" };
    let mut columns = Columns::bare();
    for (place, choice) in all.iter().enumerate() {
        let label = match &choice.of {
            Some(of) => format!("{of}: {}", choice.label),
            None => choice.label.clone(),
        };
        let about = choice.about.clone().unwrap_or_default();
        columns.row([format!("{slash}{}", place + 1), label, about]);
    }
    columns.lines(screen.width())
}
