//! The stage: whoever plays now, and a way to change that while the house is open.
//!
//! The engine has one model for its life. This one passes every request on to the model that was chosen last; a request
//! under way ends with the one it began with. A choice is also written into the config file, as `enza model use` does.

use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::text::{Lang, Said};
use enza_models::catalog::ModelCatalog;
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure};
use enza_server::state::{ModelInUse, Models};

use crate::config_file;
use crate::environment::Environment;
use crate::setup;
use crate::trouble::Trouble;
use crate::words;

/// Whoever plays.
pub struct Stage {
    around: Environment,
    playing: RwLock<Playing>,
}

#[derive(Clone)]
struct Playing {
    model: Arc<dyn Model>,
    pick: ModelRef,
    /// A choice is made seldom and by hand: its name may stay in memory.
    name: &'static str,
}

impl Stage {
    /// The stage with the model that was chosen at the start.
    pub fn open(around: &Environment) -> Result<(Arc<Self>, Chosen, ModelCatalog), Trouble> {
        let troupe = setup::model_catalog(around)?;
        let chosen = troupe.choose(around.model.as_deref())?;
        let playing = Playing::of(troupe.router(&chosen)?, chosen.pick.clone());
        Ok((Arc::new(Self { around: around.clone(), playing: RwLock::new(playing) }), chosen, troupe))
    }

    fn playing(&self) -> Playing {
        self.playing.read().expect("playing").clone()
    }

    /// Reads the files anew: weights may have been pulled and keys set since the start.
    fn change_to(&self, name: &str) -> Result<(), Trouble> {
        let troupe = setup::model_catalog(&self.around)?;
        let pick = config_file::use_model(&self.around, &troupe, name)?;
        let chosen = Chosen { pick: pick.clone(), because: ChoiceReason::Config };
        let playing = Playing::of(troupe.router(&chosen)?, pick);
        *self.playing.write().expect("playing") = playing;
        Ok(())
    }
}

impl Playing {
    fn of(model: Arc<dyn Model>, pick: ModelRef) -> Self {
        Self { name: Box::leak(pick.to_string().into_boxed_str()), model, pick }
    }
}

#[async_trait]
impl Model for Stage {
    fn name(&self) -> &str {
        self.playing().name
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.playing().model.reply(request, deltas).await
    }

    fn lane(&self, request: &Request) -> Lane {
        self.playing().model.lane(request)
    }

    fn quote(&self, request: &Request) -> u64 {
        self.playing().model.quote(request)
    }
}

#[async_trait]
impl Models for Stage {
    fn current(&self) -> ModelInUse {
        let playing = self.playing();
        ModelInUse { name: playing.name.to_owned(), understudy: playing.pick == ModelRef::Understudy }
    }

    fn choices(&self) -> Vec<String> {
        let Ok(troupe) = setup::model_catalog(&self.around) else { return Vec::new() };
        let weights = troupe.shelf.list().unwrap_or_default().into_iter().map(|one| format!("local/{}", one.name));
        let hosted = troupe.providers.iter().filter(|one| troupe.has_key(one)).filter_map(|one| {
            let model = one.default_model.as_ref()?;
            Some(format!("{}/{model}", one.name))
        });
        weights.chain(hosted).chain([ModelRef::Understudy.to_string()]).collect()
    }

    async fn choose(&self, name: &str, lang: Lang) -> Result<(), Said> {
        self.change_to(name).map_err(|trouble| words::trouble::say(&trouble, lang))
    }
}
