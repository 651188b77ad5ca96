//! `enza companion audit`: what happened in a session, a line each, from its log and nothing else.
//!
//! Time, turn, who, what and why: what was said, how the model judged, moves made and refused, what was wanted and by which
//! rule it was decided, answers at gates, orders with the digests of files before and after, tokens. Secrets are masked.

use enza_applications::companion::work::{Change, Receipt, hazard};
use enza_applications::companion::{Decision, Event};
use enza_kernel::agent::What;
use enza_kernel::application::Reason as _;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::Recorded;
use serde_json::{Value, json};

use super::follow;
use crate::backstage::{self, OWNER};
use crate::commands::session::when;
use crate::screen::{Columns, Screen};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;

/// Who acted: the person, the model, or the rules.
const RULES: &str = "rules";

/// Prints what happened.
pub async fn run(around: &Surroundings, screen: &Screen, part: &str) -> Result<(), Trouble> {
    let engine = backstage::looking(around).await?;
    let session = super::opening::find(&engine, part).await?;
    let events = engine.store().events(&session, Seq::START, usize::MAX).await?;
    let records = records(&events, screen.lang);
    if screen.json {
        return records.iter().try_for_each(|record| screen.value(record));
    }
    let mut columns = Columns::bare();
    for record in &records {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let at = text("time");
        let at = at.split(' ').next_back().unwrap_or_default().to_owned();
        let told = [text("what"), text("why")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        columns.row([at, record["turn"].to_string(), text("who"), text("kind"), told.join("  ← ")]);
    }
    columns.lines(usize::from(u16::MAX)).iter().try_for_each(|line| screen.say(line))
}

/// What happened, as JSON values with the same names each.
pub fn records(events: &[Recorded], lang: Lang) -> Vec<Value> {
    let mut turn = 0;
    let mut records = Vec::new();
    for recorded in events {
        let Some(entry) = follow::read(recorded) else { continue };
        if let Event::Heard { .. } = entry.event {
            turn += 1;
        }
        let Some(told) = told(&entry.event, lang) else { continue };
        let mut record = json!({
            "seq": entry.seq, "time": when(entry.at), "at": entry.at, "turn": turn, "who": told.who, "kind": told.kind,
            "what": hazard::mask(&told.what), "why": hazard::mask(&told.why),
        });
        if let Some(more) = told.more {
            record["more"] = more;
        }
        records.push(record);
    }
    records
}

struct Told {
    who: String,
    kind: &'static str,
    what: String,
    why: String,
    more: Option<Value>,
}

fn told(event: &Event, lang: Lang) -> Option<Told> {
    let by = |who: &str, kind, what: String, why: String| Told { who: who.to_owned(), kind, what, why, more: None };
    let rules = |kind, what: String, why: String| by(RULES, kind, what, why);
    let told = match event {
        Event::Opened(opened) => by(&opened.owner, "opened", opened.open.folder.clone(), String::new()),
        Event::Heard { text, when, .. } => by(OWNER, "said", text.clone(), format!("{when:?}").to_lowercase()),
        Event::Queued { text, .. } => by(OWNER, "queued", text.clone(), String::new()),
        Event::Stepped(step) => return replied(&step.what),
        Event::Judged { verdict, .. } => {
            let what = format!("{:?} {:?}", verdict.next_step, verdict.step);
            by("model", "judged", what, verdict.rationale.clone())
        }
        Event::Spoke { text, .. } => by("model", "replied", text.clone(), String::new()),
        Event::Noted { note, .. } => rules("noted", format!("{note:?}"), String::new()),
        Event::TaskBegun { title, .. } => rules("task", title.clone(), String::new()),
        Event::TaskEnded { ending, .. } => rules("task_ended", format!("{ending:?}"), String::new()),
        Event::Moved { from, to, trigger, .. } => rules("moved", format!("{from} → {to}"), trigger.clone()),
        Event::MoveRefused { to, why, trigger, .. } => {
            rules("move_refused", to.clone(), format!("{trigger}: {}", why.say(lang).message))
        }
        Event::Wanted { wants, .. } => {
            let wants: Vec<String> =
                wants.iter().map(|want| format!("{} {} ({})", want.operation.word(), want.target, want.why)).collect();
            by("model", "wanted", wants.join("; "), String::new())
        }
        Event::Decided { decisions, .. } => {
            rules("decided", decisions.iter().map(decided).collect::<Vec<_>>().join("; "), String::new())
        }
        Event::GateOpened { gate, .. } => Told {
            more: Some(json!({"gate": gate.id, "risk": gate.risk})),
            ..rules("gate", gate.ask.intent.clone(), format!("{}, {}", gate.id, gate.risk.word(lang)))
        },
        Event::GateAnswered { answer, scope, picks, .. } => {
            let parts = if picks.is_empty() { "" } else { ", in part" };
            let what = format!("{:?}, {}{parts}", answer.verdict, scope.word()).to_lowercase();
            by(&answer.by, "answered", what, answer.note.clone().unwrap_or_default())
        }
        Event::OrderEnded { order, receipt } => {
            let (what, more) = ended(receipt);
            Told { more: Some(more), ..by("workshop", "order", what, format!("order {order}")) }
        }
        Event::OrderLost { order } => by("workshop", "lost", format!("order {order}"), String::new()),
        Event::Recovered { error, .. } => rules("recovered", error.clone(), String::new()),
        Event::RuleKept { rule, scope } => by(OWNER, "rule", rule.say(), scope.word().to_owned()),
        Event::Forbidden { constraint } => by(OWNER, "forbade", constraint.text.clone(), constraint.paths.join(", ")),
        Event::Lifted { place } => by(OWNER, "lifted", (place + 1).to_string(), String::new()),
        Event::RuleForgotten { place } => by(OWNER, "forgot_rule", (place + 1).to_string(), String::new()),
        Event::TakenBack { turn, restored } => {
            by("workshop", "taken_back", restored.restored.join(", "), format!("from turn {turn}"))
        }
        Event::ModeSet { mode } => by(OWNER, "mode", mode.say(lang).to_owned(), String::new()),
        Event::BudgetRaised { tokens } => by(OWNER, "budget", tokens.to_string(), String::new()),
        Event::Closed => by(OWNER, "closed", String::new(), String::new()),
        Event::DeskSet { .. }
        | Event::Obeyed { .. }
        | Event::Minded { .. }
        | Event::Planned { .. }
        | Event::StatusSet { .. }
        | Event::Completed { .. }
        | Event::CallSet { .. }
        | Event::CarriedOn { .. }
        | Event::OrderStarted { .. }
        | Event::BatchEnded { .. }
        | Event::GateWithdrawn { .. }
        | Event::Reviewed { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. } => return None,
    };
    Some(told)
}

/// A reply of a model, by what it took.
fn replied(what: &What) -> Option<Told> {
    let What::Replied { usage, model, .. } = what else { return None };
    Some(Told {
        who: "model".to_owned(),
        kind: "tokens",
        what: format!("{} in, {} out", usage.input, usage.output),
        why: model.clone(),
        more: Some(json!({ "usage": usage, "model": model })),
    })
}

fn decided(decision: &Decision) -> String {
    match decision {
        Decision::Allowed(rule) => format!("allowed ({rule})"),
        Decision::Asked => "asked".to_owned(),
        Decision::Denied(rule) => format!("denied ({rule})"),
    }
}

/// What came of an order, and the digests of what it touched.
fn ended(receipt: &Receipt) -> (String, Value) {
    let sides = |changes: &[Change]| json!({ "changes": changes });
    match receipt {
        Receipt::Listed(listed) => (format!("listed {}", listed.entries), json!({})),
        Receipt::Read(read) => {
            (format!("read {} {}", read.path, short(&read.digest.to_string())), json!({"digest": read.digest}))
        }
        Receipt::Found(found) => (format!("found {}", found.matches), json!({})),
        Receipt::Prepared(prepared) => {
            let changes: Vec<Change> = prepared.iter().map(|one| one.change.clone()).collect();
            (format!("prepared {}", named(&changes)), sides(&changes))
        }
        Receipt::Made(changes) => (format!("changed {}", named(changes)), sides(changes)),
        Receipt::Restored(restored) => (format!("restored {}", restored.restored.join(", ")), json!({})),
        Receipt::Ran(ran) => (format!("ran: {:?} {}", ran.ended, named(&ran.changes)), sides(&ran.changes)),
        Receipt::Used(_) => ("used a tool".to_owned(), json!({})),
        Receipt::Refused(fault) => (format!("refused: {fault:?}"), json!({})),
    }
}

fn named(changes: &[Change]) -> String {
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
