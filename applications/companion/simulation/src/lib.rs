//! The companion under simulation: people who answer, refuse, talk past a gate, interrupt and take back; a model that talks
//! sense and nonsense; and a pretend folder that outlives every crash.
//!
//! One folder was forbidden when the session began, and nobody lifts that. Whatever happens, the folder is held against
//! the log, and the log against the rules (`rules.rs`).

#[cfg(test)]
mod flaws;
mod folder;
mod replies;
mod rules;

use enza_companion::{Command, Companion, Event, Memory, Mode, Open, Pick, Rule, Ruling, Scope, Settings, State, When};
use enza_kernel::agent::{Step, ThreadEvent, ThreadFailure};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::gate::{Gate, Verdict};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::Recorded;
use enza_runtime::simulation::{Role, ToolWorld};
use serde_json::{Value, json};

use folder::Folder;

/// The folder that is forbidden from the beginning.
const FORBIDDEN: &str = "secret";

/// A file outside the folder, which a person may open.
const OUTSIDE: &str = "/home/ada/notes.txt";

/// Those who work with the companion.
pub struct CompanionRole;

impl Role for CompanionRole {
    fn application(&self) -> &'static str {
        "companion"
    }

    fn opening(&self, budget: Option<u64>, secret: &str, draw: u64) -> Value {
        let session = secret.rsplit('-').next().unwrap_or(secret);
        let mode = if draw.is_multiple_of(2) { Mode::Ask } else { Mode::AcceptEdits };
        json!(Command::Open(Box::new(Open {
            folder: "/work".to_owned(),
            language: if (draw >> 8).is_multiple_of(2) { Lang::Ja } else { Lang::En },
            settings: Settings { budget, mode, ..Settings::default() },
            instructions: Vec::new(),
            map: String::new(),
            memory: Memory { constraints: vec![format!("Do not touch {FORBIDDEN}/")], ..Memory::default() },
            name: session.to_owned(),
            tools: Vec::new(),
            attended: true,
        })))
    }

    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
        let state: State = serde_json::from_value(state.clone()).ok()?;
        next(&state, words, draw).map(|command| json!(command))
    }

    fn rival(&self, command: &Value) -> Option<Value> {
        let rival = match serde_json::from_value(command.clone()).ok()? {
            Command::Answer { gate, verdict, note, scope, picks, left } => {
                let verdict = match verdict {
                    Verdict::Yes => Verdict::No,
                    Verdict::No => Verdict::Yes,
                };
                Command::Answer { gate, verdict, note, scope, picks, left }
            }
            // While that is being worked on, someone breaks in.
            Command::Say { text, .. } => match text.bytes().map(u32::from).sum::<u32>() % 4 {
                0 => say(format!("no, wait: {}", text.len()), When::Now),
                1 => Command::Stop { task: None },
                2 => say(format!("by the way: {}", text.len()), When::Aside),
                _ => return None,
            },
            _ => return None,
        };
        Some(json!(rival))
    }

    fn reply(&self, request: &Request, draw: u64) -> Reply {
        Reply { text: replies::text(&request.agent, draw), ..Reply::default() }
    }

    fn may_see_secret(&self, _agent: &str) -> bool {
        true
    }

    fn heard(&self, recorded: &Recorded) -> Option<String> {
        match event(recorded)? {
            Event::Heard { text, .. } | Event::Queued { text, .. } => Some(text),
            _ => None,
        }
    }

    /// What waited for its turn is heard a second time when its turn comes.
    fn all_heard(&self, log: &[Recorded]) -> Vec<String> {
        let (mut heard, mut waiting) = (Vec::new(), Vec::new());
        for event in log.iter().filter_map(event) {
            match event {
                Event::Queued { text, .. } => {
                    waiting.push(text.clone());
                    heard.push(text);
                }
                Event::Heard { text, .. } => match waiting.iter().position(|one| *one == text) {
                    Some(place) => drop(waiting.remove(place)),
                    None => heard.push(text),
                },
                _ => {}
            }
        }
        heard
    }

    fn gate_answered(&self, recorded: &Recorded) -> Option<String> {
        match event(recorded)? {
            Event::GateAnswered { desk: task, .. } => Some(task.to_string()),
            _ => None,
        }
    }

    fn gate_opened(&self, recorded: &Recorded) -> Option<String> {
        match event(recorded)? {
            Event::GateOpened { desk: task, .. } => Some(task.to_string()),
            _ => None,
        }
    }

    fn thread_cut(&self, recorded: &Recorded) -> Option<String> {
        let Event::Stepped(Step { thread, what }) = event(recorded)? else { return None };
        matches!(
            what,
            ThreadEvent::Began { .. }
                | ThreadEvent::Lightened { .. }
                | ThreadEvent::Compacted { .. }
                | ThreadEvent::Closed
        )
        .then_some(thread)
    }

    fn broken_rules(&self, log: &[Recorded]) -> Vec<String> {
        rules::broken(log)
    }

    fn premises(&self) -> Option<Box<dyn ToolWorld>> {
        Some(Box::new(Folder::new()))
    }
}

/// What a person does next.
fn next(state: &State, words: &str, draw: u64) -> Option<Command> {
    if state.closed {
        return None;
    }
    let exhausted = state.front().and_then(|task| state.failure(task));
    if matches!(exhausted, Some(ThreadFailure::BudgetExhausted { .. })) {
        return Some(Command::Close);
    }
    // Seven has nothing in common with the number of things to do below: each of them is done at a gate, too.
    if let Some(gate) = Companion::open_gate(state)
        && !draw.is_multiple_of(7)
    {
        return Some(at_a_gate(state, gate, words, draw / 7));
    }
    let turn = state.turns.last().map_or(1, |turn| turn.number);
    let command = match draw % 24 {
        0 => Command::TakeBack { turn },
        1 => Command::TakeBack { turn: turn.saturating_sub(2).max(1) },
        2 => Command::Accept,
        3 => Command::Stop { task: None },
        4 => Command::Background,
        5 => Command::Front { task: 1 + (draw >> 8) as u32 % 3 },
        // No reset: where there is nothing to clear it leads to no event, is acknowledged without one, and the witness
        // would miss it.
        7 => Command::Retry,
        8 => Command::SetMode { mode: [Mode::Ask, Mode::Plan, Mode::AcceptEdits][(draw >> 8) as usize % 3] },
        9 => Command::Remember { rule: some_rule(draw >> 8), scope: Scope::Session },
        10 => Command::Forbid { text: "do not touch docs/".to_owned() },
        11 => Command::Compact,
        12 => say(words.to_owned(), When::Aside),
        14 => Command::Commit { message: None },
        13 => say(words.to_owned(), When::Now),
        _ => say(words.to_owned(), When::Turn),
    };
    Some(command)
}

fn at_a_gate(state: &State, gate: &Gate, words: &str, draw: u64) -> Command {
    let answer = |verdict, note: Option<&str>, scope, picks| Command::Answer {
        gate: gate.id.clone(),
        verdict,
        note: note.map(str::to_owned),
        scope,
        picks,
        left: Companion::besides(state, gate)
            .into_iter()
            .map(|one| one.place)
            .filter(|place| (draw >> (12 + place)).is_multiple_of(4))
            .collect(),
    };
    let files = state.desks.iter().filter_map(|task| task.batch.as_ref()).map(|batch| batch.prepared.len()).max();
    match draw % 12 {
        0..=4 => answer(Verdict::Yes, None, Scope::Once, Vec::new()),
        5 => answer(Verdict::Yes, None, Scope::Session, Vec::new()),
        6 if files.is_some_and(|files| files > 0) => {
            let pick = Pick {
                file: 0,
                hunks: (draw >> 8).is_multiple_of(2).then(Vec::new),
                content: Some("mine\n".to_owned()),
            };
            answer(Verdict::Yes, None, Scope::Once, vec![pick])
        }
        7 | 8 => answer(Verdict::No, None, Scope::Once, Vec::new()),
        9 => answer(Verdict::No, Some("another way"), Scope::Once, Vec::new()),
        10 => say(words.to_owned(), When::Now),
        _ => say(words.to_owned(), When::Turn),
    }
}

fn some_rule(draw: u64) -> Rule {
    let verdict = [Ruling::Allow, Ruling::Ask, Ruling::Deny][draw as usize % 3];
    let operation = ["change", "run", "write", "*"][(draw >> 8) as usize % 4].to_owned();
    let pattern = ["src/**", "", "docs", FORBIDDEN][(draw >> 16) as usize % 4].to_owned();
    Rule { verdict, operation, pattern }
}

fn say(text: String, when: When) -> Command {
    Command::Say { text, when, files: Vec::new() }
}

fn event(recorded: &Recorded) -> Option<Event> {
    recorded.event::<Companion>().ok()
}
