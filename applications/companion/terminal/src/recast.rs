//! Who plays the companion's roles, and may be changed while it runs.
//!
//! A model like any other to the engine: each request goes to whoever plays its role at that moment, so a change counts
//! from the next call on. It holds for this run; what is chosen for good is in the config file. Sessions of other
//! applications are answered by the model that was chosen at the start.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_models::catalog::{ModelCatalog, ModelError};
use enza_models::choice::{Chosen, ModelRef};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure};

use super::COMPANION;

/// The roles that can be given to a model of their own.
pub const ROLES: [&str; 4] = ["commander", "planner", "executor", "reviewer"];
/// The word for all roles but the commander's.
pub const SPECIALIST: &str = "specialist";

/// The models of a run.
pub struct Recast {
    troupe: ModelCatalog,
    first: Arc<dyn Model>,
    roles: RwLock<BTreeMap<&'static str, Player>>,
}

/// Whoever plays a role.
#[derive(Clone)]
struct Player {
    pick: ModelRef,
    model: Arc<dyn Model>,
}

impl Recast {
    /// With the model of the start in every role.
    pub fn of(troupe: ModelCatalog, first: Arc<dyn Model>) -> Self {
        Self { troupe, first, roles: RwLock::default() }
    }

    /// Gives a role, the specialists' roles or all of them to the model of this name; none where there is no such role.
    pub fn give(&self, role: Option<&str>, name: &str) -> Option<Result<ModelRef, ModelError>> {
        let roles: Vec<&'static str> = match role {
            None => ROLES.to_vec(),
            Some(SPECIALIST) => ROLES[1..].to_vec(),
            Some(role) => vec![ROLES.into_iter().find(|one| *one == role)?],
        };
        Some(self.play(&roles, name))
    }

    fn play(&self, roles: &[&'static str], name: &str) -> Result<ModelRef, ModelError> {
        let pick = self.troupe.choose(Some(name))?.pick;
        let model = self.troupe.model(&pick)?;
        let mut given = self.roles.write().expect("roles");
        for role in roles {
            given.insert(role, Player { pick: pick.clone(), model: model.clone() });
        }
        Ok(pick)
    }

    /// The roles that were given to another model since the start.
    pub fn given(&self) -> Vec<(&'static str, ModelRef)> {
        let given = self.roles.read().expect("roles");
        ROLES.iter().filter_map(|role| Some((*role, given.get(role)?.pick.clone()))).collect()
    }

    /// Whoever commands, and so answers most of what is said.
    pub fn commander(&self, chosen: &Chosen) -> ModelRef {
        let given = self.roles.read().expect("roles");
        given.get(ROLES[0]).map_or_else(|| chosen.pick.clone(), |player| player.pick.clone())
    }

    fn of_request(&self, request: &Request) -> Arc<dyn Model> {
        let given = self.roles.read().expect("roles");
        let own = given.get(request.agent.as_str()).filter(|_| request.application == COMPANION);
        own.map_or_else(|| self.first.clone(), |player| player.model.clone())
    }
}

#[async_trait]
impl Model for Recast {
    fn name(&self) -> &str {
        self.first.name()
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
