//! The companion's roles, each of which can be given to a model of its own while it runs.
//!
//! A change counts from the next call on and holds for this run; what is chosen for good is in the config file.

use std::sync::Arc;

use enza_models::catalog::{ModelCatalog, ModelError};
use enza_models::choice::ModelRef;
use enza_models::router::ModelRouter;

use super::COMPANION;

/// The roles that can be given to a model of their own.
pub const ROLES: [&str; 4] = ["commander", "planner", "executor", "reviewer"];
/// The word for all roles but the commander's.
pub const SPECIALIST: &str = "specialist";

/// Who has which role in this run.
pub struct Roles {
    pub catalog: ModelCatalog,
    pub router: Arc<ModelRouter>,
}

impl Roles {
    /// Gives a role, the specialists' roles or all of them to the model of this name; none where there is no such role.
    pub fn give(&self, role: Option<&str>, name: &str) -> Option<Result<ModelRef, ModelError>> {
        let roles: Vec<&'static str> = match role {
            None => ROLES.to_vec(),
            Some(SPECIALIST) => ROLES[1..].to_vec(),
            Some(role) => vec![ROLES.into_iter().find(|one| *one == role)?],
        };
        Some(self.route(&roles, name))
    }

    fn route(&self, roles: &[&'static str], name: &str) -> Result<ModelRef, ModelError> {
        let model = self.catalog.named(&self.catalog.choose(Some(name))?.pick)?;
        for role in roles {
            self.router.give(&format!("{COMPANION}.{role}"), model.clone());
        }
        Ok(model.pick)
    }

    /// The roles that another model has than the one that answers everything else.
    pub fn given(&self) -> Vec<(&'static str, ModelRef)> {
        let all = ROLES.into_iter().map(|role| (role, self.router.answers(COMPANION, role)));
        all.filter(|(_, pick)| *pick != self.router.lead()).collect()
    }

    /// Whoever commands, and so answers most of what is said.
    pub fn commander(&self) -> ModelRef {
        self.router.answers(COMPANION, ROLES[0])
    }
}
