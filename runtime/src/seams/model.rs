//! The seam to language models: one request, pieces as they come, one final reply.
//!
//! An implementation makes exactly one attempt; whether to try again is decided by `engine/perform.rs` from what the
//! failure says. It may be called again with the same request after a crash. A reply never costs more than the request
//! allowed. Whoever drops the future of a reply wants no more of it: the provider's work is to stop, too.

use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};

/// A language model, several behind one choice, or something that stands in for one.
#[async_trait]
pub trait Model: Send + Sync {
    /// What whoever answers this request is called, in traces.
    fn name(&self, request: &Request) -> String;

    /// Asks once.
    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure>;

    /// Whose limits a request falls under. Requests of one lane wait for each other.
    fn lane(&self, _request: &Request) -> Lane {
        Lane::default()
    }

    /// The most a reply to this request can cost, in millionths of a US dollar.
    fn quote(&self, _request: &Request) -> u64 {
        0
    }
}

/// A provider, as far as its limits go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lane {
    pub name: String,
    /// How fast it may be asked.
    pub pace: RateLimits,
}

/// A provider's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Calls at once.
    pub at_once: usize,
    /// Requests a minute, if limited.
    pub requests_per_minute: Option<u64>,
    /// Tokens a minute, if limited.
    pub tokens_per_minute: Option<u64>,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { at_once: 64, requests_per_minute: None, tokens_per_minute: None }
    }
}

/// Where pieces of a reply go as they come. They are shown, not kept.
pub trait Deltas: Send + Sync {
    /// The next piece.
    fn piece(&self, piece: Piece);
}

/// A piece of a reply that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// What the model says to itself before it answers.
    Reasoning(String),
    /// A part of a call's arguments, as JSON text that may end anywhere.
    Call {
        /// The call's place among those of the reply, from 0.
        place: usize,
        tool: String,
        /// The next part of the arguments; empty when the call begins.
        fragment: String,
    },
    /// What came so far is void: the reply begins anew.
    Again,
}

/// Why a model did not reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// It asks to come back later.
    #[error("the model is busy")]
    Busy {
        /// When it said to come back.
        after: Option<Duration>,
    },
    /// It did not answer in time.
    #[error("the model did not answer in time")]
    TimedOut,
    /// The service broke.
    #[error("the model's service failed: {0}")]
    Broken(String),
    /// It has no room for so long a prompt.
    #[error("the model refused the request: {0}")]
    TooLong(String),
    /// It will not answer this request, ever: a wrong key, an unknown model.
    #[error("the model refused the request: {0}")]
    Refused(String),
}

impl ModelFailure {
    /// In one word, for logs and traces.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "busy",
            Self::TimedOut => "timed_out",
            Self::Broken(_) => "broken",
            Self::TooLong(_) => "too_long",
            Self::Refused(_) => "refused",
        }
    }

    /// Whether the same request may go through later.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Busy { .. } | Self::TimedOut | Self::Broken(_) => true,
            Self::TooLong(_) | Self::Refused(_) => false,
        }
    }
}
