//! The understudy as a model: each application's own rules, standing in until there is a real one.
//!
//! It never takes a call to a provider and costs nothing. Its replies bear its name, so that whoever shows them can say
//! that no model spoke.

use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::{Deltas, Model, ModelFailure, Piece};

/// The name its replies bear.
pub const UNDERSTUDY: &str = "understudy";

/// The stand-in for a model.
#[derive(Clone)]
pub struct Understudy {
    registry: ApplicationRegistry,
    latency: Range<u64>,
}

impl Understudy {
    /// One that answers for these applications, at once.
    pub fn new(registry: ApplicationRegistry) -> Self {
        Self { registry, latency: 0..0 }
    }

    /// One that takes so many milliseconds for a reply, so that there is something to interrupt.
    pub fn slow(registry: ApplicationRegistry, latency: Range<u64>) -> Self {
        Self { registry, latency }
    }
}

#[async_trait]
impl Model for Understudy {
    fn name(&self, _request: &Request) -> String {
        UNDERSTUDY.to_owned()
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        if !self.latency.is_empty() {
            tokio::time::sleep(Duration::from_millis(fastrand::u64(self.latency.clone()))).await;
        }
        let played = self.registry.find(&request.application).and_then(|host| host.understudy(request));
        let Some(reply) = played else {
            let application = &request.application;
            return Err(ModelFailure::Refused(format!("{application} has no understudy; it needs a model")));
        };
        if !reply.text.is_empty() {
            deltas.piece(Piece::Text(reply.text.clone()));
        }
        Ok(Reply { model: UNDERSTUDY.to_owned(), ..reply })
    }
}
