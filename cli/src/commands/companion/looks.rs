//! What a session holds, as lists on the screen: tasks, turns, rules, what is in mind, why it moved, what it used.

use enza_applications::companion::State;

use crate::commands::session::when;
use crate::screen::figures::{count, decimals, dollars};
use crate::screen::{Columns, Screen, fold};
use crate::words::companion::looks as words;
use crate::words::companion::talk::listed;

/// How many of the latest moves are shown.
const MOVES: usize = 12;

/// What is under way.
pub fn tasks(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let mut columns = Columns::bare();
    for desk in &state.desks {
        let sign = if desk.id == state.focus { "→" } else { " " };
        let what = match (&desk.task, desk.aside) {
            (_, true) => words::aside(lang).to_owned(),
            (Some(work), false) => work.title.clone(),
            (None, false) => words::talk(lang).to_owned(),
        };
        let step = format!("{}, {}", desk.step().say(lang), desk.status.say(lang));
        columns.row([format!("{sign} {}", desk.id), step, what]);
    }
    let queue = state.queue.iter().map(|queued| format!("  … {}", queued.text));
    columns.lines(screen.width).into_iter().chain(queue).collect::<Vec<_>>().join("\n")
}

/// The turns that can be taken back.
pub fn turns(screen: &Screen, state: &State) -> String {
    if state.turns.is_empty() {
        return words::no_turns(screen.lang).to_owned();
    }
    let mut rows = Vec::new();
    for turn in &state.turns {
        let changed: Vec<&str> = turn.changes.iter().map(|change| change.path.as_str()).collect();
        let changed = if changed.is_empty() { String::new() } else { format!("  [{}]", changed.join(", ")) };
        rows.push((turn.number.to_string(), format!("{}{changed}", turn.said)));
    }
    listed(screen, &rows)
}

/// The last turn that changed files.
pub fn last_change(state: &State) -> Option<u32> {
    state.turns.iter().rev().find(|turn| !turn.changes.is_empty()).map(|turn| turn.number)
}

/// The rules that hold, and what is forbidden.
pub fn rules(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let mut lines = vec![format!("{}: {}", words::mode(lang), state.settings.mode.say(lang))];
    lines.extend(state.settings.rules.iter().map(|rule| format!("  ·  {}", rule.say())));
    lines.extend(state.rules.iter().enumerate().map(|(place, rule)| format!("  {}  {}", place + 1, rule.say())));
    if !state.constraints.is_empty() {
        lines.push(format!("{}:", words::forbidden(lang)));
        let forbidden = state.constraints.iter().enumerate();
        lines.extend(forbidden.map(|(place, one)| format!("  {}  {}", place + 1, one.text)));
    }
    folded(screen, &lines.join("\n"))
}

/// What is held in mind.
pub fn mind(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let Some(desk) = state.front() else { return String::new() };
    let mind = &desk.mind;
    let mut rows = Vec::new();
    let lists = [&mind.constraints, &mind.plan_brief, &mind.open_questions, &mind.decision_log, &mind.context_refs];
    let texts = [mind.goal.clone(), mind.why_now.clone()].into_iter().chain(lists.map(|list| list.join("; ")));
    for ((ja, en), text) in words::MIND.iter().zip(texts.chain([mind.last_delta.clone()])) {
        let text = if text.is_empty() { "—".to_owned() } else { text };
        rows.push((lang.pick(*ja, *en).to_owned(), text));
    }
    listed(screen, &rows)
}

/// The latest moves and what brought them about, and why the model did what it did last.
pub fn why(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let mut lines = Vec::new();
    if let Some(verdict) = state.front().and_then(|desk| desk.verdict.as_ref()) {
        lines.push(format!("{}: {}", words::reason(lang), verdict.rationale));
    }
    let moves = &state.moves[state.moves.len().saturating_sub(MOVES)..];
    for told in moves {
        let sign = if told.made { "→" } else { "✗" };
        let time = when(told.at);
        let time = time.split(' ').next_back().unwrap_or_default();
        lines.push(format!("{time}  {}  {} {sign} {}: {}", told.desk, told.from, told.to, told.trigger));
    }
    if lines.is_empty() { words::no_moves(lang).to_owned() } else { folded(screen, &lines.join("\n")) }
}

/// What the prompts are made of.
pub fn context(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let thread = state.front().and_then(|desk| state.cast.threads.get(&desk.thread()));
    let messages = thread.map_or(0, |thread| thread.messages.len());
    let mut lines = vec![words::messages(lang, messages)];
    lines.extend(state.instructions.iter().map(|one| format!("  {} ({})", one.path, one.text.len())));
    if let Some(desk) = state.front() {
        lines.extend(desk.mind.context_refs.iter().map(|one| format!("  {one}")));
    }
    folded(screen, &lines.join("\n"))
}

/// What was used.
pub fn cost(screen: &Screen, state: &State) -> String {
    let (usage, ledger) = (&state.cast.usage, &state.cast.ledger);
    let money = dollars(usage.cost, decimals(usage.cost));
    let limit = ledger.limit.map_or_else(|| "—".to_owned(), count);
    words::cost(screen.lang, state.cast.replies, &count(usage.input), &count(usage.output), &money, &limit)
}

fn folded(screen: &Screen, text: &str) -> String {
    fold(text, screen.width).join("\n")
}
