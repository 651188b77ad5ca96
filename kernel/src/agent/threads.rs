//! All threads of a session, and the one ledger they share.
//!
//! A child thread spends from the same ledger as its parent, so a budget holds however deep the work
//! goes. A model call is owed only if its reserve fits; `cycle::govern` records the failure where not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::thread::{Thread, ThreadEvent};
use super::{Agent, AgentApplication};
use crate::application::PromptRef;
use crate::budget::Ledger;
use crate::conversation::{Request, Usage};
use crate::effect::{AskModel, Effect, Key};
use crate::prompt::Layout;
use crate::time::Seq;

/// The threads of a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Threads {
    pub threads: BTreeMap<String, Thread>,
    pub ledger: Ledger,
    /// What has been used, summed over all threads.
    pub usage: Usage,
    /// How many model replies there have been.
    pub replies: u64,
}

/// Something that happened in one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub thread: String,
    #[serde(flatten)]
    pub what: ThreadEvent,
}

impl Step {
    /// The prompt behind it, where it records a reply.
    pub fn prompt(&self) -> Option<PromptRef> {
        let ThreadEvent::Replied { asked_at, prompt, .. } = &self.what else { return None };
        Some(PromptRef { thread: self.thread.clone(), asked_at: *asked_at, digest: *prompt })
    }
}

impl Threads {
    /// Takes a recorded step.
    pub fn evolve(&mut self, seq: Seq, step: &Step) {
        match &step.what {
            ThreadEvent::Began { agent, text } => {
                self.threads.insert(step.thread.clone(), Thread::begun(agent, text, seq));
            }
            ThreadEvent::Closed => {
                self.threads.remove(&step.thread);
            }
            ThreadEvent::Replied { usage, .. } => {
                self.usage = self.usage.plus(*usage);
                self.replies += 1;
                self.ledger.charge(usage.total());
            }
            ThreadEvent::CallsLost { tokens } => self.ledger.charge(*tokens),
            ThreadEvent::Heard { .. }
            | ThreadEvent::CallQueued { .. }
            | ThreadEvent::CallStarted { .. }
            | ThreadEvent::CallAsks { .. }
            | ThreadEvent::CallGated { .. }
            | ThreadEvent::CallDelegated { .. }
            | ThreadEvent::CallEnded { .. }
            | ThreadEvent::Nudged { .. }
            | ThreadEvent::Rested
            | ThreadEvent::Lightened { .. }
            | ThreadEvent::Compacted { .. }
            | ThreadEvent::Overran { .. }
            | ThreadEvent::Failed { .. }
            | ThreadEvent::Retried => {}
        }
        if let Some(thread) = self.threads.get_mut(&step.thread) {
            thread.evolve(seq, &step.what);
        }
    }

    /// What the threads owe the outside now, in this state.
    pub fn due<A: AgentApplication>(&self, app: &A, state: &A::State) -> Vec<Effect> {
        let held = held(app, state, self);
        let mut due = Vec::new();
        for (name, thread) in &self.threads {
            if let Some(held) = held.iter().find(|held| held.thread == name) {
                due.push(Effect::AskModel(AskModel {
                    key: held.key,
                    thread: name.clone(),
                    agent: thread.agent.clone(),
                    reserve: held.reserve,
                }));
            }
            if !thread.pending().is_empty() {
                let agent = app.agent(&thread.agent);
                let next = prompt_tokens(app, state, name, thread) + u64::from(agent.max_output);
                due.extend(thread.due_runs(next));
            }
        }
        due
    }

    /// The prompt of a thread's next call.
    pub fn request(&self, agent: &Agent, thread: &str, layout: &Layout) -> Request {
        let messages = self.threads.get(thread).map_or(&[][..], |thread| &thread.messages);
        let rendered = layout.for_agent(agent.name).render(messages);
        Request {
            tools: agent.tools.clone(),
            output: agent.output.clone(),
            sampling: agent.sampling,
            max_output: agent.max_output,
            ..rendered.into_request(agent.name, thread)
        }
    }
}

/// A call that is due, and what it sets aside: the most its prompt and its reply can take.
pub(super) struct Held<'a> {
    pub thread: &'a str,
    pub key: Key,
    /// With the longest reply for which there is room; never less than the agent's shortest.
    pub reserve: u64,
    pub left: Option<u64>,
}

/// Every due call with what it sets aside, in the order in which they became due: near the end of a budget, a later one is
/// left a shorter reply.
pub(super) fn held<'a, A: AgentApplication>(app: &A, state: &A::State, cast: &'a Threads) -> Vec<Held<'a>> {
    let asks = |(name, thread): (&'a String, &'a Thread)| Some((thread.asking()?, name.as_str(), thread));
    let mut asking: Vec<_> = cast.threads.iter().filter_map(asks).collect();
    asking.sort_by_key(|(key, ..)| *key);
    let mut before = 0;
    let hold = |(key, name, thread): (Key, &'a str, &'a Thread)| {
        let agent = app.agent(&thread.agent);
        let prompt = prompt_tokens(app, state, name, thread);
        let left = cast.ledger.left().map(|left| left.saturating_sub(before));
        let (least, most) = (agent.least_output.unwrap_or(agent.max_output), u64::from(agent.max_output));
        let room = left.map_or(most, |left| left.saturating_sub(prompt).min(most));
        let reserve = prompt + room.max(u64::from(least));
        before += reserve;
        Held { thread: name, key, reserve, left }
    };
    asking.into_iter().map(hold).collect()
}

fn prompt_tokens<A: AgentApplication>(app: &A, state: &A::State, name: &str, thread: &Thread) -> u64 {
    app.layout_tokens(state, app.agent(&thread.agent), name) + thread.tokens
}
