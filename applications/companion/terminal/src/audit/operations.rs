//! What was decided about operations and what came of them, told by the operations themselves: what, on what, why, how much
//! was at stake and who allowed it.

use enza_companion::{Batch, Companion, Decision, Event, OrderKind, State, Task, is_change};
use enza_kernel::effect::Key;
use enza_kernel::limits;
use enza_kernel::text::Lang;
use enza_work::{Change, Receipt};
use serde_json::{Value, json};

/// The longest result of a server's tool in a record, in characters.
const LONGEST: usize = 400;

/// What was decided about each operation, on what footing, and both for programs.
pub fn decided(state: &State, desk: u32, decisions: &[Decision], lang: Lang) -> (String, String, Value) {
    let batch = state.task(desk).and_then(|desk| desk.batch.as_ref());
    let wants = batch.map_or(&[][..], |batch| &batch.wants);
    let mut grounds = Vec::new();
    let mut more = Vec::new();
    for (place, (want, decision)) in wants.iter().zip(decisions).enumerate() {
        let risk = Companion::risk_of(state, desk, place);
        let word = risk.map_or("", |risk| risk.word(lang));
        grounds.push(format!("{} {} ({word})", want.operation.word(), want.target));
        let (verdict, rule) = parts(decision);
        more.push(json!({
            "operation": want.operation.word(), "target": want.target, "reason": want.why, "risk": risk,
            "decision": verdict, "rule": rule,
        }));
    }
    let said: Vec<String> = decisions.iter().map(say).collect();
    (said.join("; "), grounds.join("; "), json!({ "decisions": more }))
}

fn say(decision: &Decision) -> String {
    match parts(decision) {
        (verdict, Some(rule)) => format!("{verdict} ({rule})"),
        (verdict, None) => verdict.to_owned(),
    }
}

fn parts(decision: &Decision) -> (&'static str, Option<&str>) {
    match decision {
        Decision::Allowed(rule) => ("allowed", Some(rule)),
        Decision::Asked => ("asked", None),
        Decision::Denied(rule) => ("denied", Some(rule)),
    }
}

/// What an order was for.
pub struct OrderPurpose {
    operations: Vec<Value>,
}

/// What an order is for, by the operations that wanted it.
pub fn purpose_of(state: &State, order: Key) -> OrderPurpose {
    let found = state.desks.iter().find_map(|desk| {
        let batch = desk.batch.as_ref()?;
        let does = batch.orders.iter().find(|one| one.key == order)?.does;
        Some((desk, batch, does))
    });
    let operations = match found {
        Some((desk, batch, does)) => operations(state, desk, batch, does),
        None => left(state, order),
    };
    OrderPurpose { operations }
}

fn operations(state: &State, desk: &Task, batch: &Batch, does: OrderKind) -> Vec<Value> {
    let one = |place: usize, is_weighed: bool| {
        let want = batch.wants.get(place)?;
        let mut one = json!({ "operation": want.operation.word(), "target": want.target, "reason": want.why });
        if let Some(risk) = Companion::risk_of(state, desk.id, place).filter(|_| is_weighed) {
            one["risk"] = json!(risk);
        }
        if let Some(decision) = batch.decisions.get(place) {
            one["decision"] = json!(say(decision));
        }
        Some(one)
    };
    let changes = |is_weighed: bool| {
        let places = (0..batch.wants.len()).filter(|place| is_change(batch.wants[*place].operation));
        places.filter_map(|place| one(place, is_weighed)).collect()
    };
    match does {
        OrderKind::Look(place) => one(place as usize, false).into_iter().collect(),
        // How much is at stake in a change is known once it is worked out.
        OrderKind::Prepare => changes(false),
        OrderKind::Choose | OrderKind::Make => changes(true),
        OrderKind::Run(place) | OrderKind::Tool(place) => one(place as usize, true).into_iter().collect(),
        OrderKind::Check(place) => {
            let check = state.settings.checks.get(place as usize);
            let told = |check: &enza_companion::CheckCommand| json!({ "operation": "check", "target": check.command.join(" "), "reason": check.name });
            check.map(told).into_iter().collect()
        }
        OrderKind::Recover(place) => {
            let lost = batch.orders.get(place as usize).map(|lost| lost.does);
            lost.map(|does| operations(state, desk, batch, does)).unwrap_or_default()
        }
        OrderKind::PutBack(from) => {
            let put_back = batch.put_back.iter().skip(from as usize);
            put_back.map(|change| json!({ "operation": "put_back", "target": change.path, "reason": "" })).collect()
        }
    }
}

/// Changes that were made to their end after the person broke in.
fn left(state: &State, order: Key) -> Vec<Value> {
    let left = state.leaving.iter().filter(|one| one.key == order).flat_map(|one| &one.changes);
    left.map(|change| json!({ "operation": "change", "target": change.path, "reason": "" })).collect()
}

impl OrderPurpose {
    /// In one line.
    pub fn say(&self) -> String {
        let said = self.operations.iter().map(|one| {
            let text = |name: &str| one[name].as_str().unwrap_or_default();
            let why = if text("reason").is_empty() { String::new() } else { format!(" ({})", text("reason")) };
            format!("{} {}{why}", text("operation"), text("target"))
        });
        said.collect::<Vec<_>>().join("; ")
    }

    /// For programs, with what came of it.
    pub fn with(&self, order: Key, mut result: Value) -> Value {
        result["order"] = json!(order.to_string());
        result["operations"] = json!(self.operations);
        result
    }

    fn targets(&self) -> String {
        self.operations.iter().filter_map(|one| one["target"].as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// What came of an order, and the digests of what it touched.
pub fn ended(task: &OrderPurpose, receipt: &Receipt, lang: Lang) -> (String, Value) {
    let sides = |changes: &[Change]| json!({ "result": "done", "changes": changes });
    let done = || json!({ "result": "done" });
    match receipt {
        Receipt::Listed(listed) => (format!("listed {}", listed.entries), done()),
        Receipt::Read(read) => (
            format!("read {} {}", read.path, short(&read.digest.to_string())),
            json!({"result": "done", "path": read.path, "digest": read.digest}),
        ),
        Receipt::Found(found) => (format!("found {}", found.matches), done()),
        Receipt::Prepared(prepared) => {
            let changes: Vec<Change> = prepared.iter().map(|one| one.change.clone()).collect();
            (format!("prepared {}", named(&changes)), sides(&changes))
        }
        Receipt::Made(changes) => (format!("changed {}", named(changes)), sides(changes)),
        Receipt::Restored(restored) => (format!("restored {}", restored.restored.join(", ")), done()),
        Receipt::Ran(ran) => (
            format!("ran {}: {} {}", task.targets(), ran.ended.say(lang), named(&ran.changes)).trim_end().to_owned(),
            json!({ "result": ran.ended, "millis": ran.millis, "changes": ran.changes }),
        ),
        Receipt::Halted => ("told a command to end".to_owned(), done()),
        Receipt::Committed(commit) => (format!("committed {commit}"), done()),
        Receipt::Used(text) => (
            format!("used {}", task.targets()),
            json!({ "result": "done", "returned": limits::one_line(text, LONGEST), "bytes": text.len() }),
        ),
        Receipt::Refused(fault) => {
            (format!("refused: {}", fault.say(lang).message), json!({ "result": "refused", "fault": fault }))
        }
    }
}

/// Changed files with the digests of both sides.
pub fn named(changes: &[Change]) -> String {
    let side = |digest: &Option<enza_kernel::conversation::Digest>| {
        digest.as_ref().map_or_else(|| "none".to_owned(), |digest| short(&digest.to_string()))
    };
    let named =
        changes.iter().map(|change| format!("{} {} → {}", change.path, side(&change.before), side(&change.after)));
    named.collect::<Vec<_>>().join(", ")
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// The piece of work that an event belongs to.
pub fn task_of(state: &State, event: &Event) -> Option<u32> {
    match event {
        Event::Heard { desk, .. }
        | Event::DeskSet { desk, .. }
        | Event::Judged { desk, .. }
        | Event::Obeyed { desk }
        | Event::Spoke { desk, .. }
        | Event::Asked { desk, .. }
        | Event::Idled { desk }
        | Event::PutBack { desk, .. }
        | Event::Noted { desk, .. }
        | Event::Minded { desk, .. }
        | Event::TaskBegun { desk, .. }
        | Event::TaskEnded { desk, .. }
        | Event::Planned { desk, .. }
        | Event::Moved { desk, .. }
        | Event::MoveRefused { desk, .. }
        | Event::StatusSet { desk, .. }
        | Event::Completed { desk }
        | Event::CallSet { desk, .. }
        | Event::Wanted { desk, .. }
        | Event::Decided { desk, .. }
        | Event::CarriedOn { desk }
        | Event::CheckedAgain { desk }
        | Event::BatchEnded { desk }
        | Event::GateOpened { desk, .. }
        | Event::GateAnswered { desk, .. }
        | Event::Granted { desk, .. }
        | Event::GateWithdrawn { desk }
        | Event::Reviewed { desk, .. }
        | Event::Recovered { desk, .. }
        | Event::SentBack { desk }
        | Event::BroughtForward { desk }
        | Event::DeskCleared { desk } => Some(*desk),
        Event::Stepped(step) => state.task_of(&step.thread).map(|desk| desk.id),
        Event::OrderStarted { order, .. } | Event::OrderEnded { order, .. } | Event::OrderLost { order, .. } => {
            let has = |desk: &&Task| {
                desk.batch.as_ref().is_some_and(|batch| batch.orders.iter().any(|one| one.key == *order))
            };
            state.desks.iter().find(has).map(|desk| desk.id)
        }
        Event::Opened(_)
        | Event::Queued { .. }
        | Event::RuleKept { .. }
        | Event::RuleWritten { .. }
        | Event::RuleNotWritten { .. }
        | Event::RuleForgotten { .. }
        | Event::Forbidden { .. }
        | Event::Lifted { .. }
        | Event::TakingBack { .. }
        | Event::TakenBack { .. }
        | Event::Renamed { .. }
        | Event::Committing { .. }
        | Event::Committed { .. }
        | Event::CommitFailed { .. }
        | Event::ModeSet { .. }
        | Event::BudgetRaised { .. }
        | Event::Closed => None,
    }
}
