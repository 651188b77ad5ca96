//! Which model answers whom: one for everything, and others for single agents or applications.
//!
//! The agent's own model goes before its application's, and that before the lead. The engine sees one model for its
//! life; each request is answered, paced and priced by the one that it is routed to, and routes may be changed while
//! the engine runs. A request under way ends with the model that it began with.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure};

use crate::choice::ModelRef;

/// The models of an engine, by who asks.
pub struct ModelRouter {
    routes: RwLock<Routes>,
}

struct Routes {
    lead: NamedModel,
    others: BTreeMap<String, NamedModel>,
}

/// A model, and the name by which it was chosen.
#[derive(Clone)]
pub struct NamedModel {
    pub pick: ModelRef,
    pub model: Arc<dyn Model>,
}

impl ModelRouter {
    /// One model for everything.
    pub fn of(lead: NamedModel) -> Self {
        Self { routes: RwLock::new(Routes { lead, others: BTreeMap::new() }) }
    }

    /// Another model for an agent (`till.clerk`) or for all agents of an application (`till`), from the
    /// next request on.
    pub fn give(&self, role: &str, model: NamedModel) {
        self.routes.write().expect("routes").others.insert(role.to_owned(), model);
    }

    /// All routes of another router, from the next request on.
    pub fn become_like(&self, other: Self) {
        *self.routes.write().expect("routes") = other.routes.into_inner().expect("routes");
    }

    /// Who answers everyone who has no model of their own.
    pub fn lead(&self) -> ModelRef {
        self.routes.read().expect("routes").lead.pick.clone()
    }

    /// Who answers this agent of an application.
    pub fn answers(&self, application: &str, agent: &str) -> ModelRef {
        self.routes.read().expect("routes").to(application, agent).pick.clone()
    }

    fn of_request(&self, request: &Request) -> NamedModel {
        self.routes.read().expect("routes").to(&request.application, &request.agent).clone()
    }
}

impl Routes {
    fn to(&self, application: &str, agent: &str) -> &NamedModel {
        let own = self.others.get(&format!("{application}.{agent}"));
        own.or_else(|| self.others.get(application)).unwrap_or(&self.lead)
    }
}

#[async_trait]
impl Model for ModelRouter {
    fn name(&self, request: &Request) -> String {
        self.of_request(request).model.name(request)
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.of_request(request).model.reply(request, deltas).await
    }

    fn lane(&self, request: &Request) -> Lane {
        self.of_request(request).model.lane(request)
    }

    fn quote(&self, request: &Request) -> u64 {
        self.of_request(request).model.quote(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake(&'static str);

    #[async_trait]
    impl Model for Fake {
        fn name(&self, _request: &Request) -> String {
            self.0.to_owned()
        }

        async fn reply(&self, _request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
            Ok(Reply { model: self.0.to_owned(), ..Reply::default() })
        }
    }

    fn named(name: &'static str) -> NamedModel {
        NamedModel { pick: ModelRef::Local { weights: name.to_owned() }, model: Arc::new(Fake(name)) }
    }

    fn answering(router: &ModelRouter, application: &str, agent: &str) -> String {
        router.name(&Request { application: application.into(), agent: agent.into(), ..Request::default() })
    }

    #[test]
    fn an_agents_own_model_goes_before_its_applications_and_that_before_the_lead() {
        let router = ModelRouter::of(named("lead"));
        router.give("till", named("all"));
        router.give("till.auditor", named("own"));
        assert_eq!(answering(&router, "till", "auditor"), "own");
        assert_eq!(answering(&router, "till", "cashier"), "all");
        assert_eq!(answering(&router, "novel", "auditor"), "lead");
        assert_eq!(router.answers("till", "cashier").to_string(), "local/all");
    }

    #[test]
    fn routes_change_while_the_router_is_in_use() {
        let router = ModelRouter::of(named("lead"));
        router.give("till.auditor", named("own"));
        let other = ModelRouter::of(named("next"));
        other.give("till.cashier", named("quick"));
        router.become_like(other);
        assert_eq!(router.lead().to_string(), "local/next");
        assert_eq!(answering(&router, "till", "auditor"), "next");
        assert_eq!(answering(&router, "till", "cashier"), "quick");
    }
}
