//! What is told of each event: who did it, what, and why.

use enza_companion::{Event, State, say_shares};
use enza_kernel::agent::ThreadEvent;
use enza_kernel::application::Reason as _;
use enza_kernel::text::Lang;
use enza_terminal::setup::OWNER;
use serde::Serialize;
use serde_json::json;

use super::{AuditLine, operations};

/// Who acted, where it was neither a person nor a model.
const RULES: &str = "rules";

/// What is told of an event, which finds the session in this state; none of what only says the same again.
pub fn describe(state: &State, event: &Event, lang: Lang) -> Option<AuditLine> {
    let by =
        |who: &str, kind, what: String, why: String| AuditLine { who: who.to_owned(), kind, what, why, more: None };
    let rules = |kind, what: String, why: String| by(RULES, kind, what, why);
    let told = match event {
        Event::Opened(opened) => by(&opened.owner, "opened", opened.open.folder.clone(), String::new()),
        Event::Heard { text, when, .. } => by(OWNER, "said", text.clone(), coded(when)),
        Event::Queued { text, .. } => by(OWNER, "queued", text.clone(), String::new()),
        Event::Stepped(step) => return stepped(&step.what),
        Event::Judged { verdict, .. } => {
            let what = format!("{} {}", coded(&verdict.next_step), coded(&verdict.step));
            by("model", "judged", what, verdict.rationale.clone())
        }
        Event::Spoke { text, .. } => by("model", "replied", text.clone(), String::new()),
        Event::Noted { note, .. } => rules("noted", note.say(lang), String::new()),
        Event::TaskBegun { title, .. } => rules("task", title.clone(), String::new()),
        Event::TaskEnded { ending, .. } => rules("task_ended", coded(ending), String::new()),
        Event::Moved { from, to, trigger, .. } => rules("moved", format!("{from} → {to}"), trigger.clone()),
        Event::MoveRefused { to, why, trigger, .. } => {
            rules("move_refused", to.clone(), format!("{trigger}: {}", why.say(lang).message))
        }
        Event::Wanted { wants, .. } => {
            let wants: Vec<String> =
                wants.iter().map(|want| format!("{} {} ({})", want.operation.word(), want.target, want.why)).collect();
            by("model", "wanted", wants.join("; "), String::new())
        }
        Event::Decided { desk, decisions } => {
            let (what, why, more) = operations::decided(state, *desk, decisions, lang);
            AuditLine { more: Some(more), ..rules("decided", what, why) }
        }
        Event::GateOpened { gate, .. } => AuditLine {
            more: Some(json!({"gate": gate.id, "risk": gate.risk})),
            ..rules("gate", gate.ask.intent.clone(), format!("{}, {}", gate.id, gate.risk.word(lang)))
        },
        Event::GateAnswered { answer, scope, shares, .. } => {
            let what = format!("{}, {}", coded(&answer.verdict), scope.word());
            let what = match shares.is_empty() {
                true => what,
                false => format!("{what}: {}", say_shares(lang, Some(&answer.by), shares)),
            };
            let more = (!shares.is_empty()).then(|| json!({ "taken": shares }));
            AuditLine { more, ..by(&answer.by, "answered", what, answer.note.clone().unwrap_or_default()) }
        }
        // Every answer takes its question off, too.
        Event::GateWithdrawn { desk } => {
            let gate = state.task(*desk)?.gate.as_ref()?.open()?;
            rules("withdrawn", gate.ask.intent.clone(), gate.id.clone())
        }
        Event::Granted { paths, .. } => by(OWNER, "opened", paths.join(", "), String::new()),
        Event::OrderEnded { order, receipt } => {
            let task = operations::purpose_of(state, *order);
            let (what, result) = operations::ended(&task, receipt, lang);
            let more = Some(task.with(*order, result));
            AuditLine { more, ..by("workshop", "order", what, task.say()) }
        }
        Event::OrderLost { order, .. } => {
            let task = operations::purpose_of(state, *order);
            let more = Some(task.with(*order, json!({ "result": "unknown" })));
            AuditLine { more, ..by("workshop", "lost", format!("order {order}"), task.say()) }
        }
        Event::PutBack { changes, .. } => rules("put_back", operations::named(changes), String::new()),
        Event::Recovered { error, .. } => rules("recovered", error.clone(), String::new()),
        Event::RuleKept { rule, scope } => by(OWNER, "rule", rule.say(), scope.word().to_owned()),
        Event::RuleWritten { at, .. } => by("keeper", "rule_written", at.clone(), String::new()),
        Event::RuleNotWritten { why, .. } => by("keeper", "rule_not_written", String::new(), why.clone()),
        Event::Forbidden { constraint } => by(OWNER, "forbade", constraint.text.clone(), constraint.paths.join(", ")),
        Event::Lifted { place } => by(OWNER, "lifted", (place + 1).to_string(), String::new()),
        Event::RuleForgotten { place } => by(OWNER, "forgot_rule", (place + 1).to_string(), String::new()),
        Event::TakenBack { turn, restored } => {
            by("workshop", "taken_back", restored.restored.join(", "), format!("from turn {turn}"))
        }
        Event::Renamed { title } => by(OWNER, "renamed", title.clone(), String::new()),
        Event::Committing { message, paths } => by(OWNER, "commit", paths.join(", "), message.clone()),
        Event::Committed { commit } => by("workshop", "committed", commit.clone(), String::new()),
        Event::CommitFailed { why } => by("workshop", "not_committed", why.clone(), String::new()),
        Event::ModeSet { mode } => by(OWNER, "mode", mode.say(lang).to_owned(), String::new()),
        Event::BudgetRaised { tokens } => by(OWNER, "budget", tokens.to_string(), String::new()),
        Event::Closed => by(OWNER, "closed", String::new(), String::new()),
        Event::DeskSet { .. }
        | Event::Obeyed { .. }
        | Event::Asked { .. }
        | Event::Idled { .. }
        | Event::Minded { .. }
        | Event::Planned { .. }
        | Event::StatusSet { .. }
        | Event::Completed { .. }
        | Event::CallSet { .. }
        | Event::CarriedOn { .. }
        | Event::CheckedAgain { .. }
        | Event::OrderStarted { .. }
        | Event::BatchEnded { .. }
        | Event::Reviewed { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. } => return None,
    };
    Some(told)
}

/// The word under which something is recorded.
fn coded(value: &impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}

/// What happened in a thread: a reply, by what it took, or that it was shortened.
fn stepped(what: &ThreadEvent) -> Option<AuditLine> {
    match what {
        ThreadEvent::Replied { usage, model, .. } => Some(AuditLine {
            who: "model".to_owned(),
            kind: "tokens",
            what: format!("{} in, {} out", usage.input, usage.output),
            why: model.clone(),
            more: Some(json!({ "usage": usage, "model": model })),
        }),
        ThreadEvent::Lightened { messages } => Some(AuditLine {
            who: RULES.to_owned(),
            kind: "lightened",
            what: format!("{} messages", messages.len()),
            why: String::new(),
            more: None,
        }),
        ThreadEvent::Compacted { dropped, summary } => Some(AuditLine {
            who: RULES.to_owned(),
            kind: "compacted",
            what: format!("{dropped} messages"),
            why: String::new(),
            more: Some(json!({ "dropped": dropped, "summary": summary })),
        }),
        ThreadEvent::Overran { room } => Some(AuditLine {
            who: "model".to_owned(),
            kind: "overran",
            what: format!("room for {room} tokens"),
            why: String::new(),
            more: None,
        }),
        ThreadEvent::Began { .. }
        | ThreadEvent::Heard { .. }
        | ThreadEvent::CallQueued { .. }
        | ThreadEvent::CallStarted { .. }
        | ThreadEvent::CallAsks { .. }
        | ThreadEvent::CallGated { .. }
        | ThreadEvent::CallDelegated { .. }
        | ThreadEvent::CallEnded { .. }
        | ThreadEvent::Nudged { .. }
        | ThreadEvent::Rested
        | ThreadEvent::Closed
        | ThreadEvent::CallsLost { .. }
        | ThreadEvent::Failed { .. }
        | ThreadEvent::Retried => None,
    }
}
