//! What a session holds, as lists on the screen: tasks, turns, rules, what is in mind, why it moved, what it used.

use enza_companion::{State, Task, Turn};
use enza_kernel::time::Seq;
use enza_terminal::commands::session::when;
use enza_terminal::screen::figures::{count, decimals, dollars};
use enza_terminal::screen::{Screen, clip, fold};

use crate::words::lists as words;
use crate::words::orders::listed;

/// How many of the latest moves are shown.
const MOVES: usize = 12;

/// How far a piece of work is.
pub struct TaskProgress<'a> {
    /// The piece of work.
    pub desk: &'a Task,
    /// What it used, where that is known.
    pub tokens: Option<u64>,
    /// The last thing that was seen of it.
    pub latest: Option<String>,
    /// Whether its words are shown as they come.
    pub is_watched: bool,
}

/// What is under way.
pub fn tasks(screen: &Screen, state: &State, all: &[TaskProgress<'_>]) -> String {
    let lang = screen.lang;
    let mut lines = Vec::new();
    for TaskProgress { desk, tokens, latest, is_watched } in all {
        let sign = if desk.id == state.focus { "→" } else { " " };
        let what = match (&desk.task, desk.aside) {
            (_, true) => words::aside(lang).to_owned(),
            (Some(work), false) => work.title.clone(),
            (None, false) => words::talk(lang).to_owned(),
        };
        let rounds = desk.rounds;
        let standing = [desk.step().say(lang).to_owned(), desk.status.say(lang).to_owned()];
        let used = [Some(words::rounds(lang, rounds)), tokens.map(|tokens| words::tokens(lang, &count(tokens)))];
        let watched = is_watched.then(|| words::watched(lang).to_owned());
        let standing =
            standing.into_iter().chain(used.into_iter().flatten()).chain(watched).collect::<Vec<_>>().join(" · ");
        let head = format!("{sign} {}  {what}", desk.id);
        lines.push(clip(&head, screen.width()));
        let more = [Some(standing), latest.clone()].into_iter().flatten();
        let indent = |line: String| format!("     {line}");
        lines.extend(more.flat_map(|text| fold(&text, screen.width().saturating_sub(5))).map(indent));
    }
    let queue = state.queue.iter().map(|queued| clip(&format!("  … {}", queued.text), screen.width()));
    lines.into_iter().chain(queue).collect::<Vec<_>>().join("\n")
}

/// The turns, those that were taken back too: each can be forked from.
pub fn turns(screen: &Screen, state: &State) -> String {
    if state.turns.is_empty() {
        return words::no_turns(screen.lang).to_owned();
    }
    listed(screen, &state.turns.iter().map(|turn| row(screen, turn, "")).collect::<Vec<_>>())
}

/// The turns of the session from which this one was forked that it knows nothing of.
pub fn turns_of(screen: &Screen, parent: &str, state: &State, forked_at: Seq) -> Option<String> {
    let later = state.turns.iter().filter(|turn| turn.before >= forked_at);
    let rows: Vec<(String, String)> = later.map(|turn| row(screen, turn, &format!("{parent}@"))).collect();
    let head = fold(&words::other_turns(screen.lang, parent), screen.width()).join("\n");
    (!rows.is_empty()).then(|| format!("{}\n{}", screen.paint.faint(&head), listed(screen, &rows)))
}

fn row(screen: &Screen, turn: &Turn, before: &str) -> (String, String) {
    let changed: Vec<&str> = turn.changes.iter().map(|change| change.path.as_str()).collect();
    let changed = (!changed.is_empty()).then(|| format!("[{}]", changed.join(", ")));
    let taken_back = turn.taken_back.as_ref().map(|paths| words::taken_back(screen.lang, paths));
    let told: Vec<String> = [Some(turn.said.clone()), changed, taken_back].into_iter().flatten().collect();
    (format!("{before}{}", turn.number), told.join("  "))
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
    for (key, text) in words::MIND.iter().zip(texts.chain([mind.last_delta.clone()])) {
        let text = if text.is_empty() { "—".to_owned() } else { text };
        rows.push((crate::words::words(lang).of("mind", key).to_owned(), text));
    }
    listed(screen, &rows)
}

/// The latest moves and what brought them about, and why the model did what it did last.
pub fn why(screen: &Screen, state: &State, refused: Option<&str>) -> String {
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
    lines.extend(refused.map(ToOwned::to_owned));
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
    fold(text, screen.width()).join("\n")
}
