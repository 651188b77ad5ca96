//! The local server as a model: started with the first request, asked like any compatible server.
//!
//! The server's address and key change when it is started again, and the client with them. A request that finds the
//! server gone fails as broken; the engine asks again, and by then there is a new one.

use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure, RateLimits};
use tokio::sync::Mutex;

use super::pullable;
use super::server::{Endpoint, Server, ServerError};
use crate::cassette::ActiveCassette;
use crate::choice::LOCAL;
use crate::client::{Client, Timeouts};
use crate::providers::Provider;
use crate::quirks::Quirks;

/// A model on this machine.
pub struct LocalModel {
    name: String,
    weights: String,
    slots: usize,
    provider: Provider,
    timeouts: Timeouts,
    server: Arc<Server>,
    tape: Option<ActiveCassette>,
    client: Mutex<Option<(Endpoint, Arc<Client>)>>,
}

impl LocalModel {
    /// Weights behind a server with so many slots. `provider` says how such a server is spoken to.
    pub fn new(
        weights: &str,
        slots: usize,
        provider: Provider,
        timeouts: Timeouts,
        server: Arc<Server>,
        tape: Option<ActiveCassette>,
    ) -> Self {
        let provider = Self::spoken_to(provider, weights);
        Self {
            name: format!("{LOCAL}/{weights}"),
            weights: weights.to_owned(),
            slots,
            provider,
            timeouts,
            server,
            tape,
            client: Mutex::default(),
        }
    }

    /// How our own server is spoken to.
    pub fn spoken_to(provider: Provider, weights: &str) -> Provider {
        let less_likely_again = pullable::repeats_itself(weights).then_some(10);
        // Whether tools work natively depends on the weights' chat template; what a grammar enforces always works.
        let quirks = Quirks { written_calls: true, less_likely_again, ..provider.quirks };
        Provider { name: LOCAL.to_owned(), quirks, ..provider }
    }

    /// The client for the server as it is now, which is started if it is not there.
    async fn client(&self) -> Result<Arc<Client>, ModelFailure> {
        let endpoint = self.server.endpoint().await.map_err(|trouble| failure(&trouble))?;
        let mut client = self.client.lock().await;
        if let Some((known, client)) = client.as_ref()
            && *known == endpoint
        {
            return Ok(client.clone());
        }
        let provider = Provider { base_url: format!("{}/v1", endpoint.base_url), ..self.provider.clone() };
        let made = Client::new(provider, &self.weights, Some(endpoint.key.clone()), None, self.timeouts)
            .map_err(|trouble| ModelFailure::Refused(trouble.to_string()))?;
        let made = Arc::new(match &self.tape {
            Some(tape) => made.with_cassette(tape.clone()),
            None => made,
        });
        *client = Some((endpoint, made.clone()));
        Ok(made)
    }
}

/// A server that dies may live again; one that cannot be started will not be by asking again.
fn failure(trouble: &ServerError) -> ModelFailure {
    if trouble.may_retry() { ModelFailure::Broken(trouble.tell()) } else { ModelFailure::Refused(trouble.tell()) }
}

#[async_trait]
impl Model for LocalModel {
    fn name(&self, _request: &Request) -> String {
        self.name.clone()
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.client().await?.reply(request, deltas).await
    }

    fn lane(&self, _request: &Request) -> Lane {
        let pace = RateLimits { at_once: self.slots, ..RateLimits::default() };
        Lane { name: LOCAL.to_owned(), pace }
    }
}
