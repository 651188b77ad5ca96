//! Who plays whom: one model for everything, and others for single agents or applications.
//!
//! The agent's own model goes before its application's, and that before the one for everything. The engine sees one
//! model; each request is answered, paced and priced by the one that plays it.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure};

/// The models of a session, by who asks.
pub struct ModelRouter {
    lead: Arc<dyn Model>,
    others: BTreeMap<String, Arc<dyn Model>>,
}

impl ModelRouter {
    /// One model for everything.
    pub fn of(lead: Arc<dyn Model>) -> Self {
        Self { lead, others: BTreeMap::new() }
    }

    /// Another model for an agent (`interview.reviewer`) or for all agents of an application (`interview`).
    pub fn with(mut self, role: &str, model: Arc<dyn Model>) -> Self {
        self.others.insert(role.to_owned(), model);
        self
    }

    fn of_request(&self, request: &Request) -> &Arc<dyn Model> {
        let agent = format!("{}.{}", request.application, request.agent);
        self.others.get(&agent).or_else(|| self.others.get(&request.application)).unwrap_or(&self.lead)
    }
}

#[async_trait]
impl Model for ModelRouter {
    fn name(&self) -> &str {
        self.lead.name()
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.of_request(request).reply(request, deltas).await
    }

    fn lane(&self, request: &Request) -> Lane {
        self.of_request(request).lane(request)
    }

    fn quote(&self, request: &Request) -> u64 {
        self.of_request(request).quote(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Named(&'static str);

    #[async_trait]
    impl Model for Named {
        fn name(&self) -> &str {
            self.0
        }

        async fn reply(&self, _request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
            Ok(Reply { model: self.0.to_owned(), ..Reply::default() })
        }

        fn lane(&self, _request: &Request) -> Lane {
            Lane { name: self.0.to_owned(), ..Lane::default() }
        }
    }

    #[test]
    fn an_agents_own_model_goes_before_its_applications_and_that_before_the_lead() {
        let casting = ModelRouter::of(Arc::new(Named("lead")))
            .with("till", Arc::new(Named("all")))
            .with("till.auditor", Arc::new(Named("own")));
        let lane = |application: &str, agent: &str| {
            let request = Request { application: application.into(), agent: agent.into(), ..Request::default() };
            casting.lane(&request).name
        };
        assert_eq!(lane("till", "auditor"), "own");
        assert_eq!(lane("till", "cashier"), "all");
        assert_eq!(lane("novel", "auditor"), "lead");
    }
}
