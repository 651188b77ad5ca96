//! Who plays in an application: what its people say next, and how its log is read by the checks.
//!
//! A role is the only place that knows an application's commands and events. Everything it draws comes
//! from the number it is handed.

use enza_kernel::conversation::{Reply, Request};
use enza_kernel::effect::RunTool;
use enza_kernel::time::Actor;
use serde_json::{Value, json};

use crate::seams::store::Recorded;

/// An application's people, model and log, as the simulation needs them.
pub trait Role: Send + Sync {
    /// The application's word.
    fn application(&self) -> &'static str;

    /// What this way of playing is called; an application may be played in several.
    fn profile(&self) -> &'static str {
        self.application()
    }

    /// The command that opens a session, with a token budget and a secret that only some agents may see.
    fn opening(&self, budget: Option<u64>, secret: &str, draw: u64) -> Value;

    /// What a person does next in this state, saying `words` where something is said. `None` when it is over.
    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value>;

    /// A second, different answer to the gate that `command` answers, if it answers one.
    fn rival(&self, command: &Value) -> Option<Value>;

    /// Who sends a command.
    fn sender(&self, _command: &Value) -> Actor {
        Actor::Person("ada".to_owned())
    }

    /// Whether a session is held to the budget that it was opened with.
    fn keeps_budget(&self) -> bool {
        true
    }

    /// Whether a command may be accepted without an event. The engine keeps no key of such a one, so the witness does not
    /// look for it.
    fn may_change_nothing(&self, _command: &Value) -> bool {
        false
    }

    /// A sound reply of the model.
    fn reply(&self, request: &Request, draw: u64) -> Reply;

    /// Whether an agent may see the session's secret.
    fn may_see_secret(&self, agent: &str) -> bool;

    /// The person's words that an event records.
    fn heard(&self, recorded: &Recorded) -> Option<String>;

    /// The person's words that a log records, each as often as it was taken in.
    fn all_heard(&self, log: &[Recorded]) -> Vec<String> {
        log.iter().filter_map(|recorded| self.heard(recorded)).collect()
    }

    /// The world behind the application's tools, a new one for each session, where there is one.
    fn premises(&self) -> Option<Box<dyn ToolWorld>> {
        None
    }

    /// The gate that an event records an answer to.
    fn gate_answered(&self, recorded: &Recorded) -> Option<String>;

    /// The gate that an event opens.
    fn gate_opened(&self, recorded: &Recorded) -> Option<String>;

    /// The thread whose history an event cuts short or begins anew.
    fn thread_cut(&self, recorded: &Recorded) -> Option<String>;

    /// What an event says of something that one session sends another, by a name that no other such thing of the run has.
    fn sending(&self, _recorded: &Recorded) -> Option<Sending> {
        None
    }

    /// The application's own rules that a whole log breaks, by their names.
    fn broken_rules(&self, _log: &[Recorded]) -> Vec<String> {
        Vec::new()
    }
}

/// A step of something on its way from one session to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sending {
    Sent(String),
    /// The other session took it.
    Taken(String),
    /// The sender heard that it was taken.
    Arrived(String),
    /// The sender heard that it was not.
    CameBack(String),
}

/// A world behind an application's tools, for one session.
///
/// It outlives every crash of a worker, as files do. What it does is at once and whole.
pub trait ToolWorld: Send {
    /// Does what a tool run asks for, and says what came of it.
    fn run(&mut self, run: &RunTool, draw: u64) -> String;

    /// What happened in it that the log does not account for, by name. Asked at the end, when everything is at rest.
    fn broken_rules(&self, log: &[Recorded]) -> Vec<String>;
}

/// The customers of the till.
pub struct TillRole;

impl Role for TillRole {
    fn application(&self) -> &'static str {
        "till"
    }

    fn opening(&self, budget: Option<u64>, secret: &str, _draw: u64) -> Value {
        json!({"open": {"budget": budget, "floor": secret}})
    }

    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
        if !state["closed"].is_null() {
            return None;
        }
        if let Some(id) = state["gate"][0]["open"]["id"].as_str() {
            let verdict = if draw.is_multiple_of(2) { "yes" } else { "no" };
            return Some(json!({"answer": {"gate": id, "verdict": verdict}}));
        }
        let failed = state["cast"]["threads"]
            .as_object()
            .is_some_and(|threads| threads.values().any(|thread| !thread["standing"]["failed"].is_null()));
        if failed {
            return if draw.is_multiple_of(3) { Some(json!("close")) } else { Some(json!("retry")) };
        }
        // To a neighbour that is there or not, is a till or not, is the sender itself, or a branch of one's own.
        let to = draw / 32 % 6;
        match draw % 32 {
            0..=3 => {
                let to = if to == 5 { format!("branch-{}", draw % 5) } else { format!("session0{to}") };
                return Some(json!({"send": {"to": to, "parcel": words}}));
            }
            4 => return Some(json!({"branch": {"session": format!("branch-{}", draw % 5)}})),
            5 => return Some(json!("count")),
            // Which nobody may.
            6 => return Some(json!({"take": {"parcel": words}})),
            _ => {}
        }
        Some(json!({"say": {"text": words}}))
    }

    fn rival(&self, command: &Value) -> Option<Value> {
        let answer = command.get("answer")?;
        let verdict = if answer["verdict"] == "yes" { "no" } else { "yes" };
        Some(json!({"answer": {"gate": answer["gate"], "verdict": verdict}}))
    }

    fn reply(&self, request: &Request, draw: u64) -> Reply {
        let call = |tool: &str, place: u64| enza_kernel::conversation::ToolCall {
            id: format!("c{draw}-{place}"),
            tool: tool.to_owned(),
            arguments: json!({"n": draw % 100}),
        };
        if request.agent == enza_kernel::testing::till::AUDITOR {
            return Reply { calls: vec![call("verdict", 0)], ..Reply::default() };
        }
        let calls = match draw % 12 {
            0 | 1 => vec![call("lookup", 0)],
            2 | 3 => vec![call("charge", 0)],
            4 => vec![call("pay", 0)],
            5 => vec![call("note", 0)],
            6 => vec![call("audit", 0)],
            7 => vec![call("note", 0), call("charge", 1), call("lookup", 2)],
            8 => vec![call("charge", 0), call("charge", 1)],
            9 => vec![call("ask", 0), call("charge", 1)],
            _ => Vec::new(),
        };
        let text = if calls.is_empty() { format!("That makes {draw}. Anything else?") } else { String::new() };
        Reply { text, calls, ..Reply::default() }
    }

    fn may_see_secret(&self, agent: &str) -> bool {
        agent == enza_kernel::testing::till::AUDITOR
    }

    fn heard(&self, recorded: &Recorded) -> Option<String> {
        let body: Value = serde_json::from_str(&recorded.stored.body).ok()?;
        let parcel = (recorded.stored.kind == "ParcelSent").then(|| body["parcel"].as_str()).flatten();
        body["heard"]["text"].as_str().or(parcel).map(str::to_owned)
    }

    fn sending(&self, recorded: &Recorded) -> Option<Sending> {
        let body: Value = serde_json::from_str(&recorded.stored.body).ok()?;
        let parcel = || body["parcel"].as_str().unwrap_or_default().to_owned();
        match recorded.stored.kind.as_str() {
            "ParcelSent" => Some(Sending::Sent(parcel())),
            "ParcelTaken" => Some(Sending::Taken(parcel())),
            "ParcelArrived" => Some(Sending::Arrived(parcel())),
            "ParcelCameBack" => Some(Sending::CameBack(parcel())),
            _ => None,
        }
    }

    fn gate_answered(&self, recorded: &Recorded) -> Option<String> {
        (recorded.stored.kind == "GateAnswered").then(|| "gate".to_owned())
    }

    fn gate_opened(&self, recorded: &Recorded) -> Option<String> {
        (recorded.stored.kind == "GateOpened").then(|| "gate".to_owned())
    }

    fn thread_cut(&self, recorded: &Recorded) -> Option<String> {
        let body: Value = serde_json::from_str(&recorded.stored.body).ok()?;
        let cut = ["compacted", "began", "closed"].iter().any(|what| body.get(what).is_some());
        cut.then(|| body["thread"].as_str().unwrap_or_default().to_owned())
    }
}
