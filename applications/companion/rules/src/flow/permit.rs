//! What of the wanted operations may be done, and the question to the person about the rest.
//!
//! One question for everything a reply wants (G12), with the five points and the whole diff. What was forbidden, what is
//! never done, and what nobody is there to allow is denied before anybody is asked.

use enza_kernel::gate::{Gate, Points, Risk};
use enza_kernel::text::Lang;

use super::super::action::{Operation, ParsedAction};
use super::super::batch::{Batch, Want};
use super::super::consent::{self, Decision, Rule, Ruling, Subject, is_change};
use super::super::state::State;
use super::super::task::Task;
use super::super::{Companion, risk, words};
use super::{closed_paths, report};
use enza_work::PreparedChange;

/// The longest diff in a gate, in characters; the rest is in the workshop.
const LONGEST_DIFF: usize = 60_000;

/// What may be done, for each want in order.
pub(super) fn decisions(state: &State, id: u32, batch: &Batch) -> Vec<Decision> {
    decisions_under(state, id, batch, &state.all_rules())
}

/// What could be done under these rules. Where nobody can be asked, it is told apart whether an allowance would help.
pub(in super::super) fn decisions_under(state: &State, id: u32, batch: &Batch, rules: &[Rule]) -> Vec<Decision> {
    let decisions = with_questions(state, id, batch, rules);
    if state.attended {
        return decisions;
    }
    let all = Rule { verdict: Ruling::Allow, operation: "*".to_owned(), pattern: String::new() };
    let lifted = with_questions(state, id, batch, &[rules, &[all]].concat());
    let nobody = |(decision, lifted): (Decision, Decision)| match (decision, lifted) {
        (Decision::Asked, Decision::Asked) => Decision::Denied(consent::NOBODY_EVER.to_owned()),
        (Decision::Asked, Decision::Allowed(_) | Decision::Denied(_)) => Decision::Denied(consent::NOBODY.to_owned()),
        (decision @ (Decision::Allowed(_) | Decision::Denied(_)), _) => decision,
    };
    decisions.into_iter().zip(lifted).map(nobody).collect()
}

/// What could be done under these rules, if a person could be asked.
fn with_questions(state: &State, id: u32, batch: &Batch, rules: &[Rule]) -> Vec<Decision> {
    let Some(task) = state.task(id) else { return Vec::new() };
    let decide = |(place, want): (usize, &Want)| {
        if let Some(decision) = closed_paths::decision(state, task, batch, place, rules) {
            return decision;
        }
        if want.operation.only_looks() {
            return Decision::Allowed("look".to_owned());
        }
        if task.aside {
            return Decision::Denied(consent::ASIDE.to_owned());
        }
        // Whatever is not offered may be the name of another tool of the house, with arguments that a model wrote.
        if want.operation == Operation::Tool && !state.tools.iter().any(|tool| tool.name == want.target) {
            return Decision::Denied(words::no_such_tool(state.lang()).to_owned());
        }
        let (risk, always_asked, paths) = stakes(state, task, batch, place);
        if let Some((path, forbidden)) = paths.iter().find_map(|path| Some((path, state.forbidden(path)?))) {
            return Decision::Denied(format!("{path}: {}", forbidden.text));
        }
        let refused = batch.changes_of(place).find_map(|change| risk::refused(change, &state.settings));
        if let Some(why) = refused {
            return Decision::Denied(words::never(state.lang(), why).to_owned());
        }
        let target = |target: &str| {
            let subject = Subject { operation: want.operation, target, risk, always_asked };
            consent::decide(&subject, rules, state.settings.mode)
        };
        let targets: Vec<&str> =
            if paths.is_empty() { vec![want.target.as_str()] } else { paths.iter().map(String::as_str).collect() };
        strictest(targets.into_iter().map(target))
    };
    // What a person turned down is not asked for again in the same task, unless they bring it up (G28).
    let decide = |(place, want): (usize, &Want)| match decide((place, want)) {
        Decision::Asked if task.has_turned_down(batch, place) => Decision::Denied(consent::TURNED_DOWN.to_owned()),
        decision => decision,
    };
    all_or_denied(batch, batch.wants.iter().enumerate().map(decide).collect())
}

/// The decisions about operations that are about to be done, held once more against what was forbidden since they were made;
/// none where that changes nothing. A denial wins over an answer, too: the person forbade it while it waited.
pub(super) fn withheld(state: &State, batch: &Batch) -> Option<Vec<Decision>> {
    let rules = state.all_rules();
    let denial = |path: &String| {
        let forbidden = state.forbidden(path).map(|one| format!("{path}: {}", one.text));
        forbidden.or_else(|| rules.iter().find(|rule| rule.denies_change(path)).map(Rule::say))
    };
    let denied = |place: usize| {
        let changes = batch.changes_of(place).map(|one| &one.change);
        changes.flat_map(|change| std::iter::once(&change.path).chain(&change.to)).find_map(denial)
    };
    let again = |(place, decision): (usize, &Decision)| match decision {
        Decision::Allowed(_) => denied(place).map_or_else(|| decision.clone(), Decision::Denied),
        Decision::Asked | Decision::Denied(_) => decision.clone(),
    };
    let again: Vec<Decision> = batch.decisions.iter().enumerate().map(again).collect();
    (again != batch.decisions).then(|| all_or_denied(batch, again))
}

/// A change that is denied to one want is not made for another. Where that leaves nothing of what a want was for, it is
/// denied with it, so that nobody is asked about nothing (DUCK-87).
fn all_or_denied(batch: &Batch, decided: Vec<Decision>) -> Vec<Decision> {
    let denial = |change: &PreparedChange| {
        let denied = decided.iter().enumerate().filter(|(_, decision)| matches!(decision, Decision::Denied(_)));
        denied.into_iter().find(|(place, _)| batch.is_of(*place, change)).map(|(_, decision)| decision.clone())
    };
    let any_denial = || {
        let changes = batch.wants.iter().zip(&decided).filter(|(want, _)| is_change(want.operation));
        changes.map(|(_, decision)| decision).find(|decision| matches!(decision, Decision::Denied(_))).cloned()
    };
    let together = |(place, decision): (usize, &Decision)| {
        if !is_change(batch.wants[place].operation) {
            return decision.clone();
        }
        let denials: Option<Vec<Decision>> = batch.changes_of(place).map(denial).collect();
        // One that has no change of its own came to the same file as another by another name.
        let shared = denials.and_then(|denials| denials.into_iter().next().or_else(any_denial));
        shared.unwrap_or_else(|| decision.clone())
    };
    decided.iter().enumerate().map(together).collect()
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
fn stakes(state: &State, task: &Task, batch: &Batch, place: usize) -> (Risk, bool, Vec<String>) {
    let want = &batch.wants[place];
    let raised = task.task.as_ref().and_then(|work| work.raised).unwrap_or(Risk::Low);
    let (by_rule, always, paths) = match want.operation {
        Operation::Run => {
            let words: Vec<String> =
                task.action(place as u32).and_then(|action| action.command.clone()).unwrap_or_default();
            let risk = risk::of_command(&words, state.settings.network, &state.settings.risk);
            (risk, risk >= Risk::High, Vec::new())
        }
        Operation::Tool => (Risk::Medium, false, Vec::new()),
        Operation::List | Operation::Read | Operation::Search => (Risk::Low, false, Vec::new()),
        Operation::Write
        | Operation::Edit
        | Operation::Append
        | Operation::Patch
        | Operation::Create
        | Operation::Delete
        | Operation::Move => {
            let files = batch.prepared.len();
            let changes: Vec<&PreparedChange> = batch.changes_of(place).collect();
            let table = &state.settings.risk;
            let risk = changes.iter().map(|change| risk::of_change(change, want.operation, files, table)).max();
            // Whatever name it has or was asked for by: a rule about any of them holds.
            let paths = changes.iter().flat_map(|one| one.names());
            let always = changes.iter().any(|change| risk::is_always_asked(change));
            (risk.unwrap_or(Risk::Medium), always, paths.map(str::to_owned).collect())
        }
    };
    // A model that is not sure raises it, too (G48).
    let unsure = task.verdict.as_ref().is_some_and(|verdict| !verdict.is_sure());
    let raised = raised.max(if unsure { Risk::Medium } else { Risk::Low });
    (by_rule.max(raised.min(Risk::High)), always, paths)
}

impl Companion {
    /// How much is at stake in one of the operations that a piece of work is about to do, by its place among them.
    pub fn risk_of(state: &State, task: u32, place: usize) -> Option<Risk> {
        let task = state.task(task)?;
        let batch = task.batch.as_ref().filter(|batch| place < batch.wants.len())?;
        Some(stakes(state, task, batch, place).0)
    }
}

/// The question about everything that is asked for.
pub(super) fn gate(state: &State, id: u32) -> Option<Gate> {
    let task = state.task(id)?;
    let batch = task.batch.as_ref()?;
    let lang = state.lang();
    let gate_id = format!("gate-{}", state.gates + 1);
    if let Some(gate) = closed_paths::gate(state, gate_id.clone(), batch) {
        return Some(gate);
    }
    let asked: Vec<usize> = batch
        .decisions
        .iter()
        .enumerate()
        .filter(|(_, one)| **one == Decision::Asked)
        .map(|(place, _)| place)
        .collect();
    let risk = asked.iter().map(|place| stakes(state, task, batch, *place).0).max().unwrap_or(Risk::Medium);
    let intent: Vec<String> = asked.iter().map(|place| line(lang, task, batch, *place)).collect();
    let mut grounds: Vec<&str> = asked.iter().map(|place| batch.wants[*place].why.as_str()).collect();
    grounds.dedup();
    let ask = Points {
        intent: intent.join("\n"),
        grounds: grounds.join("\n"),
        impact: impact(state, batch, &asked),
        alternatives: words::alternatives(lang),
        diff: diff(batch, &asked),
    };
    Some(Gate { id: gate_id, ask, risk, expires: None, may_answer: Vec::new() })
}

/// What is to be done, in one line.
fn line(lang: Lang, task: &Task, batch: &Batch, place: usize) -> String {
    let want = &batch.wants[place];
    let what = match task.action(place as u32).and_then(|action| action.parse().ok()) {
        Some(ParsedAction::Tool { name, arguments }) => format!("{name} {arguments}"),
        Some(ParsedAction::Look(_) | ParsedAction::Change(_) | ParsedAction::Run(_)) | None => {
            report::want_target(batch, place)
        }
    };
    format!("{}: {what}", want.operation.say(lang))
}

/// What it changes: files with their lines, commands with their reach, and what a person should know about them.
fn impact(state: &State, batch: &Batch, asked: &[usize]) -> String {
    let lang = state.lang();
    let mut lines = Vec::new();
    for change in shown(batch, asked) {
        let findings: Vec<String> = change.findings.iter().map(|finding| words::finding(lang, finding)).collect();
        let about = if findings.is_empty() { String::new() } else { format!(" ({})", findings.join(", ")) };
        lines.push(format!("{} +{} -{}{about}", change.change.path, change.added, change.removed));
    }
    let has = |operation| asked.iter().any(|place| batch.wants[*place].operation == operation);
    lines.extend(has(Operation::Run).then(|| words::reach(lang, state.settings.unsealed).to_owned()));
    lines.extend(has(Operation::Tool).then(|| words::tools_reach(lang).to_owned()));
    lines.join("\n")
}

fn diff(batch: &Batch, asked: &[usize]) -> Option<String> {
    let mut whole = String::new();
    for change in shown(batch, asked) {
        if whole.len() + change.diff.len() > LONGEST_DIFF {
            whole.push_str(&format!("--- {} (+{} -{})\n", change.change.path, change.added, change.removed));
        } else {
            whole.push_str(&change.diff);
        }
    }
    (!whole.is_empty()).then_some(whole)
}

/// The changes that are asked for, each once, however many wants lead to it.
fn shown<'a>(batch: &'a Batch, asked: &'a [usize]) -> impl Iterator<Item = &'a PreparedChange> {
    batch.prepared.iter().filter(|one| asked.iter().any(|place| batch.is_of(*place, one)))
}
