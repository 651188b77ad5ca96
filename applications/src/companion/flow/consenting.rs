//! What of the wanted operations may be done, and the question to the person about the rest.
//!
//! One question for everything a reply wants (G12), with the five points and the whole diff. What was forbidden, what is
//! never done, and what nobody is there to allow is denied before anybody is asked.

use enza_kernel::gate::{Gate, Points, Risk};
use enza_kernel::text::Lang;

use super::super::action::{Operation, Wish};
use super::super::consent::{self, Decision, Subject};
use super::super::desk::{Batch, Desk, Want};
use super::super::state::State;
use super::super::work::{Command, Prepared};
use super::super::{risk, words};

/// The longest diff in a gate, in characters; the rest is in the workshop.
const LONGEST_DIFF: usize = 60_000;

/// What may be done, for each want in order.
pub(super) fn decisions(state: &State, id: u32, batch: &Batch) -> Vec<Decision> {
    let Some(desk) = state.desk(id) else { return Vec::new() };
    let rules = state.all_rules();
    let decide = |(place, want): (usize, &Want)| {
        if want.operation.only_looks() {
            return Decision::Allowed("look".to_owned());
        }
        if desk.aside {
            return Decision::Denied("aside".to_owned());
        }
        let (risk, always_asked, paths) = stakes(state, desk, batch, place);
        if let Some((path, forbidden)) = paths.iter().find_map(|path| Some((path, state.forbidden(path)?))) {
            return Decision::Denied(format!("{path}: {}", forbidden.text));
        }
        let refused = changes_of(batch, place).find_map(|change| risk::refused(change, &state.settings));
        if let Some(why) = refused {
            return Decision::Denied(words::never(state.lang(), why).to_owned());
        }
        let target = |target: &str| {
            let subject = Subject { operation: want.operation, target, risk, always_asked };
            consent::decide(&subject, &rules, state.settings.mode)
        };
        let targets: Vec<&str> =
            if paths.is_empty() { vec![want.target.as_str()] } else { paths.iter().map(String::as_str).collect() };
        strictest(targets.into_iter().map(target))
    };
    let decisions: Vec<Decision> = batch.wants.iter().enumerate().map(decide).collect();
    if state.attended {
        return decisions;
    }
    let nobody =
        |decision| if decision == Decision::Asked { Decision::Denied("nobody to ask".to_owned()) } else { decision };
    decisions.into_iter().map(nobody).collect()
}

/// A denial before a question, a question before an allowance.
fn strictest(decisions: impl Iterator<Item = Decision>) -> Decision {
    let weight = |decision: &Decision| match decision {
        Decision::Denied(_) => 2,
        Decision::Asked => 1,
        Decision::Allowed(_) => 0,
    };
    decisions.max_by_key(weight).unwrap_or(Decision::Asked)
}

/// What is at stake in one want: its risk, whether it is always asked afresh, and the paths it touches.
fn stakes(state: &State, desk: &Desk, batch: &Batch, place: usize) -> (Risk, bool, Vec<String>) {
    let want = &batch.wants[place];
    let raised = desk.task.as_ref().and_then(|work| work.raised).unwrap_or(Risk::Low);
    let (by_rule, always, paths) = match want.operation {
        Operation::Run => {
            let words: Vec<String> =
                desk.action(place as u32).and_then(|action| action.command.clone()).unwrap_or_default();
            let risk = risk::of_command(&words, state.settings.network);
            (risk, risk >= Risk::High, Vec::new())
        }
        Operation::Tool => (Risk::Medium, false, Vec::new()),
        Operation::List | Operation::Read | Operation::Search => (Risk::Low, false, Vec::new()),
        Operation::Write
        | Operation::Edit
        | Operation::Patch
        | Operation::Create
        | Operation::Delete
        | Operation::Move => {
            let files = batch.prepared.len();
            let changes: Vec<&Prepared> = changes_of(batch, place).collect();
            let risk = changes.iter().map(|change| risk::of_change(change, want.operation, files)).max();
            let paths = changes.iter().flat_map(|one| std::iter::once(&one.change.path).chain(&one.change.to));
            let always = changes.iter().any(|change| risk::is_always_asked(change));
            (risk.unwrap_or(Risk::Medium), always, paths.cloned().collect())
        }
    };
    (by_rule.max(raised.min(Risk::High)), always, paths)
}

/// The prepared changes of one want: those of its own path, or for a patch all that no other want names.
fn changes_of(batch: &Batch, place: usize) -> impl Iterator<Item = &Prepared> {
    let want = &batch.wants[place];
    let is_patch = want.operation == Operation::Patch;
    let named =
        |path: &str| batch.wants.iter().any(|other| other.operation != Operation::Patch && other.target == path);
    batch.prepared.iter().filter(move |one| {
        let path = one.change.path.as_str();
        if is_patch { !named(path) } else { path == want.target || path.starts_with(&format!("{}/", want.target)) }
    })
}

/// The question about everything that is asked for.
pub(super) fn gate(state: &State, id: u32) -> Option<Gate> {
    let desk = state.desk(id)?;
    let batch = desk.batch.as_ref()?;
    let lang = state.lang();
    let asked: Vec<usize> = batch
        .decisions
        .iter()
        .enumerate()
        .filter(|(_, one)| **one == Decision::Asked)
        .map(|(place, _)| place)
        .collect();
    let risk = asked.iter().map(|place| stakes(state, desk, batch, *place).0).max().unwrap_or(Risk::Medium);
    let intent: Vec<String> = asked.iter().map(|place| line(lang, desk, batch, *place)).collect();
    let mut grounds: Vec<&str> = asked.iter().map(|place| batch.wants[*place].why.as_str()).collect();
    grounds.dedup();
    let ask = Points {
        intent: intent.join("\n"),
        grounds: grounds.join("\n"),
        impact: impact(lang, batch, &asked),
        alternatives: words::alternatives(lang),
        diff: diff(batch, &asked),
    };
    let gate_id = format!("gate-{}", state.gates + 1);
    Some(Gate { id: gate_id, ask, risk, expires: None, may_answer: Vec::new() })
}

/// What is to be done, in one line.
fn line(lang: Lang, desk: &Desk, batch: &Batch, place: usize) -> String {
    let want = &batch.wants[place];
    let what = match desk.action(place as u32).and_then(|action| action.wish().ok()) {
        Some(Wish::Run(run)) => match run.command {
            Command::Words(words) => words.join(" "),
            Command::Line(line) => line,
        },
        Some(Wish::Look(_) | Wish::Change(_) | Wish::Tool { .. }) | None => want.target.clone(),
    };
    format!("{}: {what}", words::operation(lang, want.operation))
}

/// What it changes: files with their lines, commands with their reach, and what a person should know about them.
fn impact(lang: Lang, batch: &Batch, asked: &[usize]) -> String {
    let mut lines = Vec::new();
    for place in asked {
        for change in changes_of(batch, *place) {
            let findings: Vec<String> = change.findings.iter().map(|finding| words::finding(lang, finding)).collect();
            let about = if findings.is_empty() { String::new() } else { format!(" ({})", findings.join(", ")) };
            lines.push(format!("{} +{} -{}{about}", change.change.path, change.added, change.removed));
        }
        if batch.wants[*place].operation == Operation::Run {
            lines.push(words::reach(lang).to_owned());
        }
    }
    lines.dedup();
    lines.join("\n")
}

fn diff(batch: &Batch, asked: &[usize]) -> Option<String> {
    let mut whole = String::new();
    for place in asked {
        for change in changes_of(batch, *place) {
            if whole.len() + change.diff.len() > LONGEST_DIFF {
                whole.push_str(&format!("--- {} (+{} -{})\n", change.change.path, change.added, change.removed));
            } else {
                whole.push_str(&change.diff);
            }
        }
    }
    (!whole.is_empty()).then_some(whole)
}
