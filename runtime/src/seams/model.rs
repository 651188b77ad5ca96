//! The seam to language models: one request, deltas as they come, one final reply.
//!
//! An implementation makes exactly one attempt; whether to try again is decided by `engine/perform.rs`
//! from what the failure says. It may be called again with the same request after a crash. A reply
//! never costs more than the request allowed.

use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};

/// A language model, or something that stands in for one.
#[async_trait]
pub trait Model: Send + Sync {
    /// What it is called, in the log and on screens.
    fn name(&self) -> &str;

    /// Asks once.
    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure>;
}

/// Where pieces of a reply go as they come. They are shown, not kept.
pub trait Deltas: Send + Sync {
    /// The next piece of text.
    fn text(&self, piece: &str);
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
    /// It will not answer this request, ever: a wrong key, a prompt too long.
    #[error("the model refused the request: {0}")]
    Refused(String),
}

impl ModelFailure {
    /// Whether the same request may go through later.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Busy { .. } | Self::TimedOut | Self::Broken(_) => true,
            Self::Refused(_) => false,
        }
    }
}
