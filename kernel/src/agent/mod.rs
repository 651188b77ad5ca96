//! The agent loop: call a model with tools until it owes a person an answer.
//!
//! A session's threads live in its `Threads`, with one ledger for all of them. An application embeds the
//! cast in its state, implements `AgentApplication`, and hands outcomes to `settle`; the loop feeds every tool
//! result back, errors too, reminds the model of what is left to do, and stops after a set number of
//! rounds with a failure that the application must handle.
//!
//! Which tools there are and what the pure ones decide belongs to the application; making the calls
//! belongs to the runtime.

mod cycle;
mod thread;
mod threads;

pub use cycle::{enforce_limits, hear, settle, start};
pub use thread::{CallEnd, CallWork, PendingCall, Thread, ThreadEvent, ThreadFailure, ThreadState};
pub use threads::{Step, Threads};

use std::sync::Arc;

use serde_json::Value;

use crate::application::{Application, Draft};
use crate::conversation::{Message, Sampling, ToolCall, ToolSpec};
use crate::effect::Safety;

/// A role: what it may call and how far it may go.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    pub name: &'static str,
    /// Its tools, as the model sees them. A call to any other is answered with an error and changes nothing.
    pub tools: Arc<[ToolSpec]>,
    /// The schema of its answer, for agents that answer in text.
    pub output: Option<Value>,
    /// How many model calls it may make before it must have asked, acted or finished.
    pub rounds: u32,
    /// How freely it chooses its words.
    pub sampling: Sampling,
    /// The most tokens of one reply.
    pub max_output: u32,
    /// The fewest that a reply is still worth asking for with, near the end of a budget; without one, replies are never
    /// given less than the most.
    pub least_output: Option<u32>,
    /// Whether the log keeps what it thinks. It is shown where the application says so, and sent to no model.
    pub keeps_thoughts: bool,
    /// The ceiling of everything in its prompt but the thread.
    pub layout_ceiling: u64,
    /// The tokens a thread may grow to before its older half is summarised.
    pub window: u64,
}

impl Agent {
    /// An agent with the usual limits.
    pub fn new(name: &'static str, tools: Vec<ToolSpec>) -> Self {
        Self {
            name,
            tools: tools.into(),
            output: None,
            rounds: 10,
            sampling: Sampling::default(),
            max_output: 1_024,
            least_output: None,
            keeps_thoughts: false,
            layout_ceiling: 4_000,
            window: 12_000,
        }
    }

    /// Whether it has a tool of that name.
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }
}

/// How an application answers a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallVerdict {
    /// A pure tool: it has been decided, and this is its result.
    Answer(String),
    /// The call was wrong; the model is told why and goes on.
    Refuse(String),
    /// It touches the world: the runtime runs it.
    Act(Safety),
    /// A question to a person, in these words: the call stays open until the person answers, and later calls are not
    /// executed.
    Ask(String),
    /// It needs a person's yes first: the call stays open until the gate is answered.
    Gate,
    /// Work for a child thread: the call stays open until the child returns.
    Delegate,
    /// The agent's final tool: the thread is over.
    Finish,
}

/// An application that works with agents.
pub trait AgentApplication: Application {
    /// The session's threads.
    fn threads(state: &Self::State) -> &Threads;

    /// The application's event for something that happened in a thread.
    fn step(step: Step) -> Self::Event;

    /// The role behind a name.
    fn agent(&self, name: &str) -> &Agent;

    /// What the agent still has to do, in the order in which it is reminded.
    fn remaining(&self, state: &Self::State, thread: &str) -> Vec<String>;

    /// Decides a tool call. Events of a pure tool are recorded in the draft.
    fn call(&self, draft: &mut Draft<'_, Self>, thread: &str, call: &ToolCall) -> CallVerdict
    where
        Self: Sized;

    /// Takes a reply in text from an agent that has nothing left to do, or says what is wrong with it.
    fn said(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _text: &str) -> Result<(), String>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// A thread could not go on. The application must make this visible.
    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, failure: &ThreadFailure)
    where
        Self: Sized;

    /// A tool that must not be repeated was cut off by a crash; the model has been told. A person should be, too.
    fn unknown(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _call: &ToolCall)
    where
        Self: Sized,
    {
    }

    /// What must survive when the older half of a thread is dropped.
    fn summary(&self, state: &Self::State, thread: &str) -> String;

    /// How many tokens a thread of this agent may grow to.
    fn window(&self, _state: &Self::State, agent: &Agent) -> u64 {
        agent.window
    }

    /// The tokens of everything in a thread's next prompt but its messages. The agent's ceiling by default; where prompts are
    /// mostly far below it, an application counts what is there. A call that takes more than this can go past a budget.
    fn layout_tokens(&self, _state: &Self::State, agent: &Agent, _thread: &str) -> u64 {
        agent.layout_ceiling
    }

    /// A message without the evidence in it, where it has any: files that were read, what tools returned. It is what goes
    /// first when a thread outgrows its window, since it can be had again.
    fn without_evidence(&self, _message: &Message) -> Option<String> {
        None
    }
}
