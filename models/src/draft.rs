//! A reply while it is being written: text, calls and tokens as they come, and the whole of it at the end.
//!
//! Both dialects fill a draft; neither touches the network. Pieces are kept until someone takes them to be shown. A reply
//! that grows beyond all measure is cut, whatever the server thinks. Tokens that a server does not tell are estimated:
//! a call that looks free would never reach its budget.

use std::collections::HashSet;

use enza_kernel::budget::Price;
use enza_kernel::conversation::{Reply, Request, Stop, ToolCall, Usage, estimate_tokens};
use enza_runtime::seams::model::Piece;
use serde_json::Value;

use crate::constraints::{Constraints, prompt_tokens};
use crate::written_calls::{self, Unwrapper, Written};

/// Room that every reply has, however few tokens it may take.
const SLACK: usize = 64 * 1024;

/// A reply that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    text: String,
    reasoning: String,
    calls: Vec<OpenCall>,
    pieces: Vec<Piece>,
    room: usize,
    answer_tool: Option<String>,
    fenced: bool,
    unwrapper: Option<Unwrapper>,
    used_ids: HashSet<String>,
    prompt_tokens: u64,
    /// The tokens the server tells of.
    pub tally: TokenCounts,
    /// How it ended, once it has.
    pub stop: Option<Stop>,
}

/// A call that is being written.
#[derive(Debug)]
struct OpenCall {
    id: String,
    tool: String,
    arguments: String,
    shown: usize,
}

/// Tokens as a server tells them, each of which it may leave out.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct TokenCounts {
    /// The whole prompt, cached parts included.
    pub input: Option<u64>,
    pub output: Option<u64>,
    /// Of the prompt, read from the cache.
    pub cache_read: u64,
    /// Of the prompt, written to the cache.
    pub cache_write: u64,
    /// The cost in millionths of a dollar, where the server knows it.
    pub cost: Option<u64>,
}

impl Draft {
    /// An empty reply to a request.
    pub fn new(request: &Request, asking: &Constraints<'_>) -> Self {
        let ids = request.messages.iter().flat_map(|message| message.calls.iter().map(|call| call.id.clone()));
        Self {
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            pieces: Vec::new(),
            room: (request.max_output as usize).saturating_mul(4 * 8).saturating_add(SLACK),
            answer_tool: asking.answer_tool.as_ref().map(|tool| tool.name.clone()),
            fenced: asking.fenced,
            unwrapper: asking.written.then(Unwrapper::default),
            used_ids: ids.collect(),
            prompt_tokens: prompt_tokens(request),
            tally: TokenCounts::default(),
            stop: None,
        }
    }

    /// The next text.
    pub fn text(&mut self, text: &str) {
        if self.takes(text) {
            self.text.push_str(text);
            match &mut self.unwrapper {
                Some(unwrapper) => self.pieces.extend(unwrapper.take(text)),
                None => self.pieces.push(Piece::Text(text.to_owned())),
            }
        }
    }

    /// What the model says to itself.
    pub fn reasoning(&mut self, text: &str) {
        if self.takes(text) {
            self.reasoning.push_str(text);
            self.pieces.push(Piece::Reasoning(text.to_owned()));
        }
    }

    /// A call begins. Returns its place.
    pub fn call(&mut self, id: &str, tool: &str) -> usize {
        let shown = self.calls.iter().filter(|call| !self.is_answer(call)).count();
        self.calls.push(OpenCall { id: id.to_owned(), tool: tool.to_owned(), arguments: String::new(), shown });
        if Some(tool) != self.answer_tool.as_deref() {
            self.pieces.push(Piece::Call { place: shown, tool: tool.to_owned(), fragment: String::new() });
        }
        self.calls.len() - 1
    }

    /// The next part of a call's arguments.
    pub fn arguments(&mut self, place: usize, fragment: &str) {
        if !self.takes(fragment) {
            return;
        }
        let Some(call) = self.calls.get_mut(place) else { return };
        call.arguments.push_str(fragment);
        self.pieces.push(if Some(&call.tool) == self.answer_tool.as_ref() {
            Piece::Text(fragment.to_owned())
        } else {
            Piece::Call { place: call.shown, tool: call.tool.clone(), fragment: fragment.to_owned() }
        });
    }

    /// Whether a call has arguments yet.
    pub fn has_arguments(&self, place: usize) -> bool {
        self.calls.get(place).is_some_and(|call| !call.arguments.is_empty())
    }

    /// The pieces since the last time.
    pub fn take_pieces(&mut self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces)
    }

    /// What was said so far.
    pub fn said(&self) -> &str {
        &self.text
    }

    /// Whether it has grown beyond all measure.
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// The whole reply, by a model of this name at this price.
    pub fn finish(mut self, model: &str, price: Option<&Price>) -> Reply {
        let usage = self.usage(price);
        if self.unwrapper.is_some() {
            self.unwrap();
        }
        let stop = if self.is_full() { Stop::Cut } else { self.stop.unwrap_or_default() };
        let (answers, calls): (Vec<OpenCall>, Vec<OpenCall>) =
            std::mem::take(&mut self.calls).into_iter().partition(|call| self.is_answer(call));
        // The answer is what was asked for; what the model said around it was not.
        let text = match answers.into_iter().next() {
            Some(answer) => answer.arguments,
            None if self.fenced => without_fence(&self.text).to_owned(),
            None => std::mem::take(&mut self.text),
        };
        let calls = calls.into_iter().map(|call| self.close(call)).collect();
        let thoughts = std::mem::take(&mut self.reasoning);
        Reply { text, thoughts, calls, stop, model: model.to_owned(), usage }
    }

    /// Takes a written call out of the text. What cannot be read stays text, and the agent loop says what is wrong.
    fn unwrap(&mut self) {
        match written_calls::read(&self.text) {
            Some(Written::Call { tool, arguments }) => {
                self.text.clear();
                self.calls.push(OpenCall { id: String::new(), tool, arguments, shown: 0 });
            }
            Some(Written::Words(words)) => self.text = words,
            None => {}
        }
    }

    fn is_answer(&self, call: &OpenCall) -> bool {
        self.answer_tool.as_ref() == Some(&call.tool)
    }

    fn takes(&mut self, text: &str) -> bool {
        self.room = self.room.saturating_sub(text.len());
        !text.is_empty() && !self.is_full()
    }

    fn close(&mut self, call: OpenCall) -> ToolCall {
        let raw = call.arguments.trim();
        let arguments = match serde_json::from_str(raw) {
            Ok(Value::Object(fields)) => Value::Object(fields),
            _ if raw.is_empty() => Value::Object(serde_json::Map::new()),
            _ => Value::String(call.arguments.clone()),
        };
        // Some servers count their calls from 0 in every reply, or do not name them at all. The next free number, and not
        // a random one: a cassette that is played again must lead to the same thread.
        let mut id = call.id;
        let mut number = self.used_ids.len();
        while id.is_empty() || !self.used_ids.insert(id.clone()) {
            id = format!("call_{number}");
            number += 1;
        }
        ToolCall { id, tool: call.tool, arguments }
    }

    fn usage(&self, price: Option<&Price>) -> Usage {
        let TokenCounts { input, output, cache_read, cache_write, cost } = self.tally;
        let in_calls: u64 = self.calls.iter().map(|call| 8 + estimate_tokens(&call.arguments)).sum();
        let written = estimate_tokens(&self.text) + estimate_tokens(&self.reasoning) + in_calls;
        let input = input.unwrap_or(self.prompt_tokens).max(cache_read + cache_write);
        // A reply that we cut was never counted to its end.
        let output = output.map_or(written, |told| if self.is_full() { told.max(written) } else { told });
        let mut usage = Usage { input, output, cache_read, cache_write, cost: 0 };
        usage.cost = price.map(|price| price.cost(usage)).or(cost).unwrap_or(0);
        usage
    }
}

/// A text without the fence that models like to put around JSON.
fn without_fence(text: &str) -> &str {
    let inner = text.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inner) = inner else { return text };
    inner.split_once('\n').map_or(text, |(_, body)| body.trim())
}
