//! Words for stories at the till: what people say, what models reply, what is recorded of it.
//!
//! Every reply here costs the same and comes from the same prompt, so that stories can compare whole events. What the
//! till is lives in `enza_kernel::testing::till`.

use std::time::Duration;

use enza_kernel::agent::{CallEnd, Step, ThreadEvent};
use enza_kernel::conversation::{Digest, Reply, Stop, ToolCall, Usage};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::testing::till::{Command, Event, Till};
use enza_kernel::testing::{Story, given};
use enza_kernel::time::{Seq, Timestamp};
use serde_json::json;

/// What every reply costs.
pub const COST: Usage = Usage { input: 10, output: 5, cache_read: 0, cache_write: 0, cost: 0 };

/// A till that closes after a minute of silence.
pub fn till() -> Till {
    Till::new(Duration::from_secs(60))
}

/// An open till at which the customer has said hello.
pub fn greeted(till: &Till, budget: Option<u64>) -> Story<'_, Till> {
    given(till, []).when(Command::Open { budget, floor: "7".to_owned() }).when(say("hello")).go_on()
}

/// The event of the customer having spoken when time stands still.
pub fn spoke() -> Event {
    Event::Spoke { idle_at: Timestamp(60_000) }
}

pub fn say(text: &str) -> Command {
    Command::Say { text: text.to_owned() }
}

/// The thread waits for a model.
pub fn asks(thread: &'static str) -> impl Fn(&Effect) -> bool {
    move |effect| matches!(effect, Effect::AskModel(ask) if ask.thread == thread)
}

/// The tool waits to be run.
pub fn runs(tool: &'static str) -> impl Fn(&Effect) -> bool {
    move |effect| matches!(effect, Effect::RunTool(run) if run.tool == tool)
}

/// What is owed, in words: `ask clerk`, `run lookup`; timers are left out.
pub fn owed(due: &[Effect]) -> Vec<String> {
    due.iter()
        .filter_map(|effect| match effect {
            Effect::AskModel(ask) => Some(format!("ask {}", ask.thread)),
            Effect::RunTool(run) => Some(format!("run {}", run.tool)),
            Effect::RunErrand(errand) => Some(format!("errand {}", errand.key)),
            Effect::Wake(_) => None,
        })
        .collect()
}

/// A call whose arguments are its own id.
pub fn call(id: &str, tool: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), tool: tool.to_owned(), arguments: json!({"of": id}) }
}

/// The model replies.
pub fn reply(text: &str, calls: &[ToolCall]) -> Outcome {
    costly_reply(text, calls, COST)
}

/// The model's reply reaches its limit.
pub fn cut_off(text: &str) -> Outcome {
    let reply = Reply { text: text.to_owned(), stop: Stop::Cut, usage: COST, ..Reply::default() };
    Outcome::Replied { reply, asked_at: Seq(4), prompt: Digest::of(b"prompt") }
}

/// The model replies at a price.
pub fn costly_reply(text: &str, calls: &[ToolCall], usage: Usage) -> Outcome {
    let reply = Reply { text: text.to_owned(), calls: calls.to_vec(), usage, ..Reply::default() };
    Outcome::Replied { reply, asked_at: Seq(4), prompt: Digest::of(b"prompt") }
}

pub fn returned(text: &str) -> Outcome {
    Outcome::Returned { text: text.to_owned() }
}

/// The record of a reply.
pub fn replied(text: &str, calls: &[ToolCall]) -> ThreadEvent {
    ThreadEvent::Replied {
        text: text.into(),
        thoughts: "".into(),
        calls: calls.to_vec(),
        usage: COST,
        model: String::new(),
        asked_at: Seq(4),
        prompt: Digest::of(b"prompt"),
    }
}

pub fn ended(call: &str, text: &str, end: CallEnd) -> ThreadEvent {
    ThreadEvent::CallEnded { call: call.to_owned(), text: text.into(), end }
}

pub fn step(thread: &str, what: ThreadEvent) -> Event {
    Event::Agent(Step { thread: thread.to_owned(), what })
}
