//! Which step comes next: the rules of the loop, as decisions on a draft.
//!
//! Every outcome ends here in events. After each decision `enforce_limits` looks at all threads once more: one
//! that would go past its rounds or the budget fails instead of calling, and one that has outgrown its
//! window is compacted. Nothing here depends on the order in which outcomes arrive.

use std::collections::BTreeSet;

use super::thread::{CallEnd, ThreadEvent, ThreadFailure, ThreadState};
use super::threads::{Held, held};
use super::{AgentApplication, CallVerdict, Step};
use crate::application::Draft;
use crate::conversation::{Reply, Stop, Text, ToolCall};
use crate::effect::{AskModel, Effect, Outcome, RunTool};
use crate::schema::Attempts;

/// Starts a thread with a first word from the session.
pub fn start<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, agent: &str, text: &str) {
    record(draft, thread, ThreadEvent::Began { agent: agent.to_owned(), text: text.into() });
    enforce_limits(draft);
}

/// A person speaks in a thread that rests, or answers its open question. Whether it listens is the application's to
/// check: a thread that is at work would lose its calls.
pub fn hear<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, text: &str) {
    record(draft, thread, ThreadEvent::Heard { text: text.into() });
    enforce_limits(draft);
}

/// Turns what came of an agent's effect into events. Says whether anyone still waited for it: a reply to a thread that
/// asks for none any more, or for another, changes nothing, but what a call has cost always counts.
pub fn settle<A: AgentApplication>(draft: &mut Draft<'_, A>, effect: &Effect, outcome: Outcome) -> bool {
    if let Effect::AskModel(ask) = effect
        && !is_asked(draft, ask)
        && !outcome.is_only_a_cost()
    {
        return false;
    }
    take_outcome(draft, effect, outcome);
    true
}

fn is_asked<A: AgentApplication>(draft: &Draft<'_, A>, ask: &AskModel) -> bool {
    let thread = A::threads(&draft.state).threads.get(&ask.thread);
    thread.is_some_and(|thread| thread.asking() == Some(ask.key))
}

fn take_outcome<A: AgentApplication>(draft: &mut Draft<'_, A>, effect: &Effect, outcome: Outcome) {
    match (effect, outcome) {
        (Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt }) => {
            let Reply { text, thoughts, calls, stop, model, usage } = reply;
            let calls = with_distinct_ids(draft, calls, ask);
            let text: Text = text.into();
            let thoughts = if draft.app.agent(&ask.agent).keeps_thoughts { thoughts } else { String::new() };
            let (said, called) = (text.clone(), calls.clone());
            let thoughts = thoughts.into();
            let replied = ThreadEvent::Replied { text: said, thoughts, calls: called, usage, model, asked_at, prompt };
            record(draft, &ask.thread, replied);
            match (calls.is_empty(), stop) {
                (true, Stop::Finished) => take_text(draft, &ask.thread, &text),
                (true, Stop::Cut) => send_back(draft, &ask.thread, cut_short(draft.app.agent(&ask.agent).max_output)),
                (false, Stop::Finished | Stop::Cut) => take_calls(draft, ask, &calls),
            }
        }
        (Effect::AskModel(ask), Outcome::Unanswered { why }) => {
            fail(draft, &ask.thread, ThreadFailure::Unanswered { why });
        }
        (Effect::AskModel(ask), Outcome::TooLong { why }) => shorten(draft, &ask.thread, why),
        (Effect::AskModel(ask), Outcome::CallsLost { tokens }) => {
            let is_asked = is_asked(draft, ask);
            record(draft, &ask.thread, ThreadEvent::CallsLost { tokens });
            if !is_asked && !owes_calls(draft) {
                // Given up because the whole session came to its end: nothing more follows from it.
                return;
            }
        }
        (Effect::RunTool(run), Outcome::CallsLost { tokens }) => {
            let thread = find_call(draft, run).map(|(thread, _)| thread);
            let is_pending = thread.is_some();
            // Nobody knows any more whose it was, and it counts all the same.
            record(draft, &thread.unwrap_or_default(), ThreadEvent::CallsLost { tokens });
            if !is_pending && !owes_calls(draft) {
                return;
            }
        }
        (Effect::RunTool(run), outcome) => settle_run(draft, run, outcome),
        (Effect::AskModel(_) | Effect::RunErrand(_) | Effect::Wake(_), _) => {}
    }
    enforce_limits(draft);
}

/// Whether any model call is due. What a lost one cost may leave no room for it.
fn owes_calls<A: AgentApplication>(draft: &Draft<'_, A>) -> bool {
    draft.app.due(&draft.state).iter().any(|effect| matches!(effect, Effect::AskModel(_)))
}

/// Looks at every thread after a decision: rounds, budget and window.
pub fn enforce_limits<A: AgentApplication>(draft: &mut Draft<'_, A>) {
    compact_long_threads(draft);
    while let Some((thread, failure)) = first_that_must_stop(draft) {
        fail(draft, &thread, failure);
    }
}

/// The first thread, in the order in which their calls became due, that may not make its call.
fn first_that_must_stop<A: AgentApplication>(draft: &Draft<'_, A>) -> Option<(String, ThreadFailure)> {
    let cast = A::threads(&draft.state);
    for Held { thread: name, reserve, left, .. } in held(draft.app, &draft.state, cast) {
        let thread = &cast.threads[name];
        let agent = draft.app.agent(&thread.agent);
        if thread.round >= agent.rounds {
            return Some((name.to_owned(), ThreadFailure::RoundsExhausted { rounds: agent.rounds }));
        }
        if let Some(left) = left.filter(|left| *left < reserve) {
            return Some((name.to_owned(), ThreadFailure::BudgetExhausted { need: reserve, left }));
        }
    }
    None
}

fn take_calls<A: AgentApplication>(draft: &mut Draft<'_, A>, ask: &AskModel, calls: &[ToolCall]) {
    let mut asked = false;
    for call in calls {
        if asked {
            end(draft, &ask.thread, call, "Not executed: your question to the person comes first.", CallEnd::Error);
            continue;
        }
        if !draft.app.agent(&ask.agent).has_tool(&call.tool) {
            let names: Vec<_> = draft.app.agent(&ask.agent).tools.iter().map(|tool| tool.name.as_str()).collect();
            let text = format!("You have no tool named {}. Your tools: {}.", call.tool, names.join(", "));
            end(draft, &ask.thread, call, &text, CallEnd::Error);
            continue;
        }
        match draft.app.call(draft, &ask.thread, call) {
            CallVerdict::Answer(text) => end(draft, &ask.thread, call, &text, CallEnd::Done),
            CallVerdict::Refuse(text) => end(draft, &ask.thread, call, &text, CallEnd::Error),
            CallVerdict::Act(safety) => {
                record(draft, &ask.thread, ThreadEvent::CallQueued { call: call.id.clone(), safety });
            }
            CallVerdict::Ask(words) => {
                asked = true;
                record(draft, &ask.thread, ThreadEvent::CallAsks { call: call.id.clone(), words: words.into() });
            }
            CallVerdict::Gate => record(draft, &ask.thread, ThreadEvent::CallGated { call: call.id.clone() }),
            CallVerdict::Delegate => record(draft, &ask.thread, ThreadEvent::CallDelegated { call: call.id.clone() }),
            CallVerdict::Finish => return record(draft, &ask.thread, ThreadEvent::Closed),
        }
    }
}

/// A reply without a call: either the agent is done, or it is told what is left.
fn take_text<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, text: &str) {
    let remaining = draft.app.remaining(&draft.state, thread);
    if !remaining.is_empty() {
        let text = format!("You still need to: {}", remaining.join("; "));
        return record(draft, thread, ThreadEvent::Nudged { text: text.into(), strike: false });
    }
    match draft.app.said(draft, thread, text) {
        Ok(()) => record(draft, thread, ThreadEvent::Rested),
        Err(why) => send_back(draft, thread, why),
    }
}

/// A reply of which the end is missing.
fn cut_short(most: u32) -> String {
    format!("it was cut off, since it may take at most {most} tokens. Make it much shorter.")
}

/// Says what is wrong with a reply and has it written again, a few times.
fn send_back<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, why: String) {
    let strikes = A::threads(&draft.state).threads.get(thread).map_or(0, |thread| thread.strikes);
    if strikes >= Attempts::MOST {
        fail(draft, thread, ThreadFailure::Malformed { why });
    } else {
        let text = format!("Your answer could not be used: {why} Answer again, and mend exactly that.");
        record(draft, thread, ThreadEvent::Nudged { text: text.into(), strike: true });
    }
}

fn settle_run<A: AgentApplication>(draft: &mut Draft<'_, A>, run: &RunTool, outcome: Outcome) {
    let Some((thread, call)) = find_call(draft, run) else { return };
    match outcome {
        Outcome::Starting { mark } => record(draft, &thread, ThreadEvent::CallStarted { call: call.id, mark }),
        Outcome::Returned { text } => end(draft, &thread, &call, &text, CallEnd::Done),
        Outcome::ToolFailed { why } => end(draft, &thread, &call, &why, CallEnd::Error),
        Outcome::Unknown => {
            let text = "It is not known whether this ran: the process stopped in the middle. Do not repeat it; \
                        a person has been asked to check.";
            end(draft, &thread, &call, text, CallEnd::Unknown);
            draft.app.unknown(draft, &thread, &call);
        }
        Outcome::CallsLost { .. }
        | Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::Delivered { .. }
        | Outcome::Declined { .. }
        | Outcome::Found { .. }
        | Outcome::Rang => {}
    }
}

fn find_call<A: AgentApplication>(draft: &Draft<'_, A>, run: &RunTool) -> Option<(String, ToolCall)> {
    A::threads(&draft.state).threads.iter().find_map(|(name, thread)| {
        let pending =
            thread.pending().iter().find(|pending| pending.key == run.key && pending.call.tool == run.tool)?;
        Some((name.clone(), pending.call.clone()))
    })
}

/// The model has less room than was thought: the thread is made to fit into three quarters of what it is now, and asked
/// again. Where nothing of it can go, it fails.
fn shorten<A: AgentApplication>(draft: &mut Draft<'_, A>, name: &str, why: String) {
    let tokens = |draft: &Draft<'_, A>| A::threads(&draft.state).threads.get(name).map_or(0, |thread| thread.tokens);
    let before = tokens(draft);
    record(draft, name, ThreadEvent::Overran { room: before / 4 * 3 });
    compact_long_threads(draft);
    if tokens(draft) >= before {
        fail(draft, name, ThreadFailure::Unanswered { why });
    }
}

/// A thread that has outgrown its window loses its oldest evidence first, and its older half only if that is not enough.
fn compact_long_threads<A: AgentApplication>(draft: &mut Draft<'_, A>) {
    let long: Vec<(String, u64)> = A::threads(&draft.state)
        .threads
        .iter()
        .filter_map(|(name, thread)| {
            let window = draft.app.window(&draft.state, draft.app.agent(&thread.agent));
            let window = window.min(thread.room.unwrap_or(u64::MAX));
            (thread.tokens > window).then(|| (name.clone(), window))
        })
        .collect();
    for (name, window) in long {
        let thread = A::threads(&draft.state).threads.get(&name);
        let messages = thread.map(|thread| thread.lighter(window, |one| draft.app.without_evidence(one)));
        if let Some(messages) = messages.filter(|messages| !messages.is_empty()) {
            record(draft, &name, ThreadEvent::Lightened { messages });
        }
        let thread = A::threads(&draft.state).threads.get(&name).filter(|thread| thread.tokens > window);
        let dropped = thread.map_or(0, |thread| thread.droppable(window));
        if dropped > 0 {
            let summary = draft.app.summary(&draft.state, &name);
            record(draft, &name, ThreadEvent::Compacted { dropped, summary: summary.into() });
        }
    }
}

fn fail<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, failure: ThreadFailure) {
    record(draft, thread, ThreadEvent::Failed { failure: failure.clone() });
    draft.app.failed(draft, thread, &failure);
}

fn end<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, call: &ToolCall, text: &str, end: CallEnd) {
    record(draft, thread, ThreadEvent::CallEnded { call: call.id.clone(), text: text.into(), end });
}

fn record<A: AgentApplication>(draft: &mut Draft<'_, A>, thread: &str, what: ThreadEvent) {
    draft.record(A::step(Step { thread: thread.to_owned(), what }));
}

/// Models repeat or leave out call ids; results are matched by them, so each gets its own in the whole thread.
fn with_distinct_ids<A: AgentApplication>(
    draft: &Draft<'_, A>,
    mut calls: Vec<ToolCall>,
    ask: &AskModel,
) -> Vec<ToolCall> {
    let messages = A::threads(&draft.state).threads.get(&ask.thread).map_or(&[][..], |thread| &thread.messages);
    let mut taken: BTreeSet<String> =
        messages.iter().flat_map(|message| message.calls.iter()).map(|call| call.id.clone()).collect();
    for (place, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || taken.contains(&call.id) {
            let mut ours = (place..).map(|number| format!("{}-{number}", ask.key.seq));
            call.id = ours.find(|id| !taken.contains(id)).expect("numbers do not end");
        }
        taken.insert(call.id.clone());
    }
    calls
}

impl ThreadState {
    /// Whether the thread is failed.
    pub fn is_failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}
