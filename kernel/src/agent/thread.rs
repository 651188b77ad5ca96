//! One agent's own message history, and what it waits for.
//!
//! A thread is a small machine: asking a model, working through calls, resting, or failed. It only
//! takes steps that were recorded; deciding which step comes next is `cycle.rs`. A failed thread stays
//! failed until it is told to try again, and gives the same answer meanwhile.

use serde::{Deserialize, Serialize};

use crate::conversation::{Digest, Message, Role, Text, ToolCall, Usage};
use crate::effect::{Effect, Key, RunTool, Safety};
use crate::time::Seq;

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// The agent that speaks in it.
    pub agent: String,
    /// What was said, as far back as the window reaches.
    pub messages: Vec<Message>,
    /// About how many tokens the messages take.
    pub tokens: u64,
    /// Model calls since a person last spoke.
    pub round: u32,
    /// Replies in a row that did not fit the schema.
    pub strikes: u32,
    pub standing: ThreadState,
    /// How many tokens of messages the model has room for, once that has turned out to be less than was thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<u64>,
}

/// What a thread waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadState {
    /// Nothing: it rests until spoken to.
    Resting,
    /// A model's reply.
    Asking {
        /// The call's name.
        key: Key,
    },
    /// The end of these calls.
    Acting {
        /// In the order of the reply.
        calls: Vec<PendingCall>,
    },
    /// Help.
    Failed { failure: ThreadFailure },
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingCall {
    /// Its name as an effect.
    pub key: Key,
    pub call: ToolCall,
    /// What brings the result.
    pub work: CallWork,
}

/// What brings a call's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallWork {
    /// Not yet decided; only seen inside one decision.
    Undecided,
    /// The runtime.
    Run {
        /// Whether it may be run again.
        safety: Safety,
        /// The mark of the attempt whose start is recorded.
        started: Option<String>,
    },
    /// A person's answer.
    Person,
    /// A person's yes at a gate; then the runtime.
    Gate,
    /// A child thread.
    Child,
}

/// Why a thread cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ThreadFailure {
    /// It used up its rounds.
    #[error("no answer after {rounds} rounds")]
    RoundsExhausted { rounds: u32 },
    /// Its replies did not fit the schema, even after being told why.
    #[error("the reply did not fit: {why}")]
    Malformed {
        /// What was wrong last.
        why: String,
    },
    /// The model could not be had.
    #[error("the model did not answer: {why}")]
    Unanswered {
        /// The last failure.
        why: String,
    },
    /// The next call does not fit the budget.
    #[error("the next call needs {need} tokens, the budget has {left} left")]
    BudgetExhausted {
        /// What the call sets aside.
        need: u64,
        left: u64,
    },
}

/// Something that happened in a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadEvent {
    /// The thread began, with a first word from the session: a task, or a summary of what came before.
    Began {
        agent: String,
        /// The first word.
        text: Text,
    },
    /// A person spoke; the answer to the open question, if there is one.
    Heard { text: Text },
    /// The model replied.
    Replied {
        #[serde(default, skip_serializing_if = "str::is_empty")]
        text: Text,
        /// What the model thought, where its agent keeps that.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        thoughts: Text,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        usage: Usage,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        model: String,
        /// The last event the prompt had seen.
        asked_at: Seq,
        prompt: Digest,
    },
    /// A call was handed to the runtime.
    CallQueued {
        call: String,
        /// Whether it may be run again.
        safety: Safety,
    },
    /// A call that must not be repeated is about to run.
    CallStarted {
        call: String,
        /// The attempt's mark.
        mark: String,
    },
    /// A call waits for a person's answer.
    CallAsks {
        call: String,
        /// What the person is asked; empty where the application does not say.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        words: Text,
    },
    /// A call waits at a gate: yes queues it, no ends it.
    CallGated { call: String },
    /// A call waits for a child thread.
    CallDelegated { call: String },
    /// A call has its result, or its error; either goes back to the model.
    CallEnded {
        call: String,
        /// What the model is told.
        text: Text,
        end: CallEnd,
    },
    /// The model was reminded of what is left to do, or told what was wrong.
    Nudged {
        text: Text,
        /// Whether the reply before did not fit its schema.
        #[serde(default)]
        strike: bool,
    },
    /// The loop came to its end: nothing is left to do.
    Rested,
    /// The thread is over; its result is in the application's own events.
    Closed,
    /// Messages that carried evidence stay without it.
    Lightened {
        /// The place of each, and what remains of it.
        messages: Vec<(usize, Text)>,
    },
    /// The oldest messages were dropped, and this is what remains of them.
    Compacted { dropped: usize, summary: Text },
    /// The model had no room for it: the thread is made shorter, and the call is made again.
    Overran {
        /// How many tokens it may have from now on.
        room: u64,
    },
    /// Calls that a dead process may have made count as spent.
    CallsLost {
        /// How many tokens.
        tokens: u64,
    },
    /// The thread could not go on.
    Failed { failure: ThreadFailure },
    /// A failed thread tries again.
    Retried,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// With a result.
    Done,
    Error,
    /// Nobody knows.
    Unknown,
}

impl Thread {
    /// A thread that has just begun and owes its first call.
    pub(super) fn begun(agent: &str, text: &Text, seq: Seq) -> Self {
        let mut thread = Self {
            agent: agent.to_owned(),
            messages: Vec::new(),
            tokens: 0,
            round: 0,
            strikes: 0,
            standing: ThreadState::Resting,
            room: None,
        };
        if !text.is_empty() {
            thread.push(Message::new(Role::Session, text.clone()));
            thread.owe_call(seq);
        }
        thread
    }

    /// Takes a recorded step.
    pub(super) fn evolve(&mut self, seq: Seq, what: &ThreadEvent) {
        match what {
            ThreadEvent::Began { .. } | ThreadEvent::Closed | ThreadEvent::CallsLost { .. } => {}
            ThreadEvent::Heard { text } => self.heard(seq, text),
            ThreadEvent::Replied { text, calls, .. } => self.replied(seq, text, calls),
            ThreadEvent::CallQueued { call, safety } => {
                self.set_work(call, CallWork::Run { safety: *safety, started: None });
            }
            ThreadEvent::CallStarted { call, mark } => self.set_started(call, mark),
            ThreadEvent::CallAsks { call, .. } => self.set_work(call, CallWork::Person),
            ThreadEvent::CallGated { call } => self.set_work(call, CallWork::Gate),
            ThreadEvent::CallDelegated { call } => self.set_work(call, CallWork::Child),
            ThreadEvent::CallEnded { call, text, .. } => self.end_call(seq, call, text),
            ThreadEvent::Nudged { text, strike } => self.nudged(seq, text, *strike),
            ThreadEvent::Rested => self.standing = ThreadState::Resting,
            ThreadEvent::Lightened { messages } => self.lightened(messages),
            ThreadEvent::Compacted { dropped, summary } => self.compacted(*dropped, summary),
            ThreadEvent::Overran { room } => {
                self.room = Some(*room);
                self.owe_call(seq);
            }
            ThreadEvent::Failed { failure } => self.standing = ThreadState::Failed { failure: failure.clone() },
            ThreadEvent::Retried => self.retried(seq),
        }
    }

    /// The tool runs that this thread waits for, each with what the model call after them sets aside. Model calls
    /// themselves are the cast's: it knows the agents.
    pub(super) fn due_runs(&self, reserve: u64) -> impl Iterator<Item = Effect> {
        self.pending().iter().filter_map(move |pending| match &pending.work {
            CallWork::Run { safety, started } => Some(Effect::RunTool(RunTool {
                key: pending.key,
                tool: pending.call.tool.clone(),
                arguments: pending.call.arguments.clone(),
                safety: *safety,
                started: started.clone(),
                reserve,
            })),
            CallWork::Undecided | CallWork::Person | CallWork::Gate | CallWork::Child => None,
        })
    }

    /// Calls without a result.
    pub fn pending(&self) -> &[PendingCall] {
        match &self.standing {
            ThreadState::Acting { calls } => calls,
            ThreadState::Resting | ThreadState::Asking { .. } | ThreadState::Failed { .. } => &[],
        }
    }

    /// The question that waits for a person, if one does.
    pub fn open_question(&self) -> Option<&ToolCall> {
        self.pending().iter().find(|pending| pending.work == CallWork::Person).map(|pending| &pending.call)
    }

    /// The key of the model call it waits for, if it does.
    pub fn asking(&self) -> Option<Key> {
        match self.standing {
            ThreadState::Asking { key } => Some(key),
            ThreadState::Resting | ThreadState::Acting { .. } | ThreadState::Failed { .. } => None,
        }
    }

    /// How many of the oldest messages can go so that about half of `window` remains: up to a reply, because only
    /// there has every earlier call its result.
    pub(super) fn droppable(&self, window: u64) -> usize {
        let mut left = self.tokens;
        let mut safe = 0;
        for (place, message) in self.messages.iter().enumerate() {
            if message.role == Role::Agent {
                safe = place;
                if left <= window / 2 {
                    break;
                }
            }
            left -= message.tokens().min(left);
        }
        // A lone first word of the session is the task or the last summary: putting a summary in its place gains nothing.
        let only_a_summary = safe == 1 && self.messages[0].role == Role::Session;
        if only_a_summary { 0 } else { safe }
    }

    fn push(&mut self, message: Message) {
        self.tokens += message.tokens();
        self.messages.push(message);
    }

    fn owe_call(&mut self, seq: Seq) {
        self.standing = ThreadState::Asking { key: Key { seq, ordinal: 0 } };
    }

    fn heard(&mut self, seq: Seq, text: &Text) {
        self.round = 0;
        self.strikes = 0;
        match self.open_question().map(|call| call.id.clone()) {
            Some(call) => self.end_call(seq, &call, text),
            None => {
                self.push(Message::new(Role::Person, text.clone()));
                self.owe_call(seq);
            }
        }
    }

    fn replied(&mut self, seq: Seq, text: &Text, calls: &[ToolCall]) {
        self.round += 1;
        self.push(Message::reply(text.clone(), calls));
        self.standing = if calls.is_empty() {
            ThreadState::Resting
        } else {
            let pending = |(ordinal, call): (usize, &ToolCall)| PendingCall {
                key: Key { seq, ordinal: ordinal as u16 },
                call: call.clone(),
                work: CallWork::Undecided,
            };
            ThreadState::Acting { calls: calls.iter().enumerate().map(pending).collect() }
        };
    }

    fn set_work(&mut self, call: &str, work: CallWork) {
        if let ThreadState::Acting { calls } = &mut self.standing
            && let Some(pending) = calls.iter_mut().find(|pending| pending.call.id == call)
        {
            pending.work = work;
        }
    }

    fn set_started(&mut self, call: &str, mark: &str) {
        if let ThreadState::Acting { calls } = &mut self.standing
            && let Some(PendingCall { work: CallWork::Run { started, .. }, .. }) =
                calls.iter_mut().find(|pending| pending.call.id == call)
        {
            *started = Some(mark.to_owned());
        }
    }

    fn end_call(&mut self, seq: Seq, call: &str, text: &Text) {
        let ThreadState::Acting { calls } = &mut self.standing else { return };
        calls.retain(|pending| pending.call.id != call);
        let all_ended = calls.is_empty();
        self.push(Message::result(call, text.clone()));
        if all_ended {
            self.owe_call(seq);
        }
    }

    fn nudged(&mut self, seq: Seq, text: &Text, strike: bool) {
        self.strikes = if strike { self.strikes + 1 } else { 0 };
        self.push(Message::new(Role::Session, text.clone()));
        self.owe_call(seq);
    }

    /// What is left of the oldest messages without their evidence, for as many of them as it takes to get down to about
    /// half of `window`. The newest message stays as it is: it is what the next call is about.
    pub(super) fn lighter(
        &self,
        window: u64,
        without_evidence: impl Fn(&Message) -> Option<String>,
    ) -> Vec<(usize, Text)> {
        let mut left = self.tokens;
        let mut lighter = Vec::new();
        for (place, message) in self.messages.iter().enumerate().take(self.messages.len().saturating_sub(1)) {
            if left <= window / 2 {
                break;
            }
            if let Some(text) = without_evidence(message) {
                let now = message.saying(text.into());
                left -= message.tokens().saturating_sub(now.tokens()).min(left);
                lighter.push((place, now.text.clone()));
            }
        }
        lighter
    }

    fn lightened(&mut self, messages: &[(usize, Text)]) {
        for (place, text) in messages {
            if let Some(message) = self.messages.get_mut(*place) {
                *message = message.saying(text.clone());
            }
        }
        self.tokens = self.messages.iter().map(Message::tokens).sum();
    }

    fn compacted(&mut self, dropped: usize, summary: &Text) {
        self.messages.drain(..dropped.min(self.messages.len()));
        self.messages.insert(0, Message::new(Role::Session, summary.clone()));
        self.tokens = self.messages.iter().map(Message::tokens).sum();
    }

    fn retried(&mut self, seq: Seq) {
        if matches!(self.standing, ThreadState::Failed { .. }) {
            self.round = 0;
            self.strikes = 0;
            self.owe_call(seq);
        }
    }
}
