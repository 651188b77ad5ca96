//! The understudy as a model: rules that stand in until a real model is there.
//!
//! Whoever shows its words says that it is a stand-in. It never fails and costs nothing; a drill gives it a little
//! latency, so that there is something to interrupt.

use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use enza_applications::interview;
use enza_kernel::conversation::{Reply, Request};
use enza_runtime::seams::model::{Deltas, Model, ModelFailure};

/// The stand-in for a model.
#[derive(Debug, Clone, Default)]
pub struct Understudy {
    /// How long it takes for a reply, in milliseconds; empty for no time at all.
    pub latency: Range<u64>,
}

#[async_trait]
impl Model for Understudy {
    fn name(&self) -> &str {
        "understudy"
    }

    async fn reply(&self, request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        if !self.latency.is_empty() {
            tokio::time::sleep(Duration::from_millis(fastrand::u64(self.latency.clone()))).await;
        }
        Ok(interview::understudy(request))
    }
}
