//! Which model the served house asks, shown on its settings page and changed there.
//!
//! A choice counts from the next request on and is also written into the config file, as `enza model use` does.

use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::text::{Lang, Said};
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::router::ModelRouter;
use enza_server::state::{ModelInUse, Models};

use crate::config_file;
use crate::environment::Environment;
use crate::setup;
use crate::trouble::Trouble;
use crate::words;

/// The engine's router, and where its models come from.
pub struct ModelSettings {
    pub around: Environment,
    pub router: Arc<ModelRouter>,
}

impl ModelSettings {
    /// Reads the files anew: weights may have been pulled and keys set since the start.
    fn change_to(&self, name: &str) -> Result<(), Trouble> {
        let catalog = setup::model_catalog(&self.around)?;
        let pick = config_file::use_model(&self.around, &catalog, name)?;
        self.router.become_like(catalog.router(&Chosen { pick, because: ChoiceReason::Config })?);
        Ok(())
    }
}

#[async_trait]
impl Models for ModelSettings {
    fn current(&self) -> ModelInUse {
        let lead = self.router.lead();
        ModelInUse { name: lead.to_string(), understudy: lead == ModelRef::Understudy }
    }

    fn choices(&self) -> Vec<String> {
        let Ok(catalog) = setup::model_catalog(&self.around) else { return Vec::new() };
        let weights =
            catalog.model_folder.list().unwrap_or_default().into_iter().map(|one| format!("local/{}", one.name));
        let hosted = catalog.providers.iter().filter(|one| catalog.has_key(one)).filter_map(|one| {
            let model = one.default_model.as_ref()?;
            Some(format!("{}/{model}", one.name))
        });
        weights.chain(hosted).chain([ModelRef::Understudy.to_string()]).collect()
    }

    async fn choose(&self, name: &str, lang: Lang) -> Result<(), Said> {
        self.change_to(name).map_err(|trouble| words::trouble::say(&trouble, lang))
    }
}
