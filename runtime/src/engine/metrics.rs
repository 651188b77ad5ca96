//! What an engine has done since it was started, in numbers, and the spans in which it did it.
//!
//! Numbers only grow. They are for whoever watches the house; nothing is decided by them. Spans of model calls and tool
//! runs carry the names of OpenTelemetry's conventions for generative AI, so that any tool that knows those can read
//! them; they never carry what was said.

use std::sync::atomic::{AtomicU64, Ordering};

use enza_kernel::conversation::{Reply, Request};
use tracing::Span;
use tracing::field::Empty;

use super::Engine;
use crate::seams::model::Model;
use crate::seams::store::SessionId;

/// What has been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EngineMetrics {
    /// Commands that were accepted.
    pub commands: u64,
    pub declined: u64,
    /// Model calls that brought a reply.
    pub replies: u64,
    /// Model calls that failed, each attempt counted.
    pub failed_calls: u64,
    /// Tokens that models read.
    pub tokens_read: u64,
    /// Tokens that models wrote.
    pub tokens_written: u64,
    pub tool_runs: u64,
    /// Events that were appended.
    pub events: u64,
}

/// The numbers as they are counted.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub commands: AtomicU64,
    pub declined: AtomicU64,
    pub replies: AtomicU64,
    pub failed_calls: AtomicU64,
    pub tokens_read: AtomicU64,
    pub tokens_written: AtomicU64,
    pub tool_runs: AtomicU64,
    pub events: AtomicU64,
}

impl Counters {
    /// Counts.
    pub fn count(number: &AtomicU64, more: u64) {
        number.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts a reply.
    pub fn replied(&self, reply: &Reply) {
        Self::count(&self.replies, 1);
        Self::count(&self.tokens_read, reply.usage.input + reply.usage.cache_read + reply.usage.cache_write);
        Self::count(&self.tokens_written, reply.usage.output);
    }
}

impl Engine {
    /// What it has done so far.
    pub fn metrics(&self) -> EngineMetrics {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let all = &self.0.tallies;
        EngineMetrics {
            commands: of(&all.commands),
            declined: of(&all.declined),
            replies: of(&all.replies),
            failed_calls: of(&all.failed_calls),
            tokens_read: of(&all.tokens_read),
            tokens_written: of(&all.tokens_written),
            tool_runs: of(&all.tool_runs),
            events: of(&all.events),
        }
    }
}

/// The span of a model call.
pub(super) fn chat(model: &dyn Model, request: &Request, session: &SessionId) -> Span {
    let name = model.name(request);
    tracing::info_span!(
        "chat",
        otel.name = %format_args!("chat {name}"),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = %model.lane(request).name,
        gen_ai.request.model = name,
        gen_ai.request.max_tokens = request.max_output,
        gen_ai.conversation.id = %session,
        gen_ai.agent.name = request.agent,
        gen_ai.response.model = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        error.r#type = Empty,
    )
}

/// Notes on the span of a model call what came of it.
pub(super) fn note_reply(span: &Span, reply: &Reply) {
    span.record("gen_ai.response.model", reply.model.as_str());
    span.record("gen_ai.usage.input_tokens", reply.usage.input + reply.usage.cache_read + reply.usage.cache_write);
    span.record("gen_ai.usage.output_tokens", reply.usage.output);
}

/// The span of a tool run.
pub(super) fn tool(name: &str, session: &SessionId) -> Span {
    tracing::info_span!(
        "execute_tool",
        otel.name = %format_args!("execute_tool {name}"),
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        gen_ai.conversation.id = %session,
    )
}
