//! Everyone who may play: the providers, the keys, the weights on disk, the understudy.
//!
//! Reads the user's files once, and makes models from names. Nothing is started here: a local server starts with its
//! first request. Variables are looked up by the function that is handed in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::Model;

use crate::cassette::{ActiveCassette, CassetteError};
use crate::choice::{ChoiceError, ChoiceReason, Chosen, ModelRef, Preferences, choose, known_provider};
use crate::client::{Client, ClientError, Timeouts};
use crate::config::{Config, ConfigError};
use crate::keys::{KeyError, KeySource, Secret};
use crate::local::folder::{ModelFolder, ModelFolderError, find_server};
use crate::local::gguf::{self, HeadError};
use crate::local::launcher::Launcher;
use crate::local::machine::{DoesNotFit, Machine, Plan, plan};
use crate::local::model::LocalModel;
use crate::local::pullable::weights_in_folder;
use crate::local::server::{RestartPolicy, Server, Setup};
use crate::prices::{PriceError, Prices};
use crate::providers::{Provider, ProviderError, Providers};
use crate::router::{ModelRouter, NamedModel};
use crate::understudy::Understudy;

/// How long a local model may read before it writes.
const LOCAL_FIRST_BYTE: Duration = Duration::from_secs(600);

/// Looks up a variable of the environment.
pub type Environment = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Where a catalog finds its things.
#[derive(Clone)]
pub struct CatalogSetup {
    /// The config folder: `config.toml`, `prices.toml`, `providers/`.
    pub config: PathBuf,
    pub models: PathBuf,
    /// The folder for the server's log.
    pub logs: PathBuf,
    /// How the server's process is started.
    pub launcher: Launcher,
    pub environment: Environment,
}

/// Why there is no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The config file cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A provider's file cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The user's prices cannot be used.
    #[error("{}: {why}", path.display())]
    Prices { path: PathBuf, why: String },
    /// The name means no model.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// There is no key for the provider, where the config says that one is kept.
    #[error("the key for {provider}: {why}")]
    Key { provider: String, why: KeyError },
    /// The model cannot even be asked.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The weights are not there, or damaged.
    #[error(transparent)]
    Folder(#[from] ModelFolderError),
    /// The weights' file is no such file.
    #[error("{}: {why}", path.display())]
    Weights { path: PathBuf, why: HeadError },
    /// The model does not fit into this machine.
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    /// The cassette cannot be used.
    #[error(transparent)]
    Tape(#[from] CassetteError),
    /// There is no server program.
    #[error("there is no llama-server")]
    NoServer,
}

/// Everyone who may play.
pub struct ModelCatalog {
    /// The providers, with the user's own.
    pub providers: Providers,
    /// What the config file says.
    pub config: Config,
    /// The weights on disk.
    pub model_folder: ModelFolder,
    prices: Prices,
    premises: CatalogSetup,
    registry: ApplicationRegistry,
    local: Mutex<BTreeMap<String, Arc<LocalModel>>>,
    tape: Option<ActiveCassette>,
}

impl ModelCatalog {
    /// Reads the user's files.
    pub fn load(premises: CatalogSetup, registry: ApplicationRegistry) -> Result<Self, ModelError> {
        let path = premises.config.join("prices.toml");
        let trouble = |why: PriceError| ModelError::Prices { path: path.clone(), why: why.to_string() };
        let prices = match std::fs::read_to_string(&path) {
            Ok(text) => Prices::with_overrides(&text).map_err(trouble)?,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Prices::built_in(),
            Err(why) => return Err(ModelError::Prices { path: path.clone(), why: why.to_string() }),
        };
        Ok(Self {
            providers: Providers::with_folder(&premises.config.join("providers"))?,
            config: Config::read(&config_file(&premises.config))?,
            model_folder: ModelFolder::new(&premises.models),
            prices,
            premises,
            registry,
            local: Mutex::default(),
            tape: None,
        })
    }

    /// The same with a cassette in: what is said with models is recorded, or played instead of asked.
    pub fn with_cassette(self, tape: Option<ActiveCassette>) -> Self {
        Self { tape, ..self }
    }

    /// Which model is to be asked.
    pub fn choose(&self, typed: Option<&str>) -> Result<Chosen, ModelError> {
        let variable = (self.premises.environment)("ENZA_MODEL").and_then(|value| value.into_string().ok());
        let wishes = Preferences { typed, variable: variable.as_deref(), config: self.config.model.as_deref() };
        let on_disk: Vec<_> =
            self.model_folder.list().unwrap_or_default().into_iter().map(|stock| stock.name).collect();
        Ok(choose(wishes, &self.providers, &|provider| self.has_key(provider), &on_disk)?)
    }

    /// The chosen model, with others for the agents that the config file names. What was typed or set as a variable
    /// holds for everyone.
    pub fn router(&self, chosen: &Chosen) -> Result<ModelRouter, ModelError> {
        let router = ModelRouter::of(self.named(&chosen.pick)?);
        let holds_for_everyone = match chosen.because {
            ChoiceReason::Typed | ChoiceReason::Variable | ChoiceReason::ForShow => true,
            ChoiceReason::Config | ChoiceReason::Key { .. } | ChoiceReason::OnDisk | ChoiceReason::NothingElse => false,
        };
        for (role, name) in self.config.agents.iter().filter(|_| !holds_for_everyone) {
            router.give(role, self.named(&ModelRef::read(name, &self.providers)?)?);
        }
        Ok(router)
    }

    /// The model behind a name, with that name.
    pub fn named(&self, pick: &ModelRef) -> Result<NamedModel, ModelError> {
        Ok(NamedModel { pick: pick.clone(), model: self.model(pick)? })
    }

    /// The model behind a name.
    pub fn model(&self, pick: &ModelRef) -> Result<Arc<dyn Model>, ModelError> {
        match pick {
            ModelRef::Understudy => Ok(Arc::new(Understudy::new(self.registry.clone()))),
            // A cassette needs no server.
            ModelRef::Local { weights } if self.is_played() => {
                let provider = LocalModel::spoken_to(self.provider("llama.cpp")?, weights);
                Ok(Arc::new(self.taped(provider, weights)?))
            }
            ModelRef::Local { weights } => Ok(self.local(weights)?),
            ModelRef::Hosted { provider, model } => {
                let provider = self.provider(provider)?;
                if self.is_played() {
                    return Ok(Arc::new(self.taped(provider, model)?));
                }
                let price = self.prices.find(&provider.name, model);
                let key = self.key(&provider)?;
                Ok(Arc::new(self.with_tape(Client::new(provider, model, key, price, self.timeouts())?)))
            }
        }
    }

    /// A model on this machine. One server serves everyone who asks for the same weights.
    pub fn local(&self, name: &str) -> Result<Arc<LocalModel>, ModelError> {
        let mut known = self.local.lock().expect("local models");
        if let Some(model) = known.get(name) {
            return Ok(model.clone());
        }
        let (setup, plan) = self.server_setup(name)?;
        let provider = self.provider("llama.cpp")?;
        let server = Arc::new(Server::new(setup));
        let slots = usize::try_from(plan.slots).unwrap_or(usize::MAX);
        let timeouts = Timeouts {
            // A slow machine reads a long prompt for minutes before it writes the first word.
            first_byte: self.timeouts().first_byte.max(LOCAL_FIRST_BYTE),
            ..self.timeouts()
        };
        let model = Arc::new(LocalModel::new(name, slots, provider, timeouts, server, self.tape.clone()));
        known.insert(name.to_owned(), model.clone());
        Ok(model)
    }

    /// Whether a key for the provider is at hand.
    pub fn has_key(&self, provider: &Provider) -> bool {
        self.key_source(provider).is_some_and(|source| match &source {
            KeySource::Variable(_) => source.read(&*self.premises.environment).is_ok(),
            // Reading these may ask the person for a password; that they are named is enough here.
            KeySource::File(_) | KeySource::Command(_) => true,
        })
    }

    fn is_played(&self) -> bool {
        matches!(self.tape, Some(ActiveCassette::Playing(_)))
    }

    fn with_tape(&self, client: Client) -> Client {
        match &self.tape {
            Some(tape) => client.with_cassette(tape.clone()),
            None => client,
        }
    }

    /// A model whose every answer is on the cassette, so that no key is asked for.
    fn taped(&self, mut provider: Provider, model: &str) -> Result<Client, ModelError> {
        provider.needs_key = false;
        Ok(self.with_tape(Client::new(provider, model, None, None, self.timeouts())?))
    }

    fn server_setup(&self, name: &str) -> Result<(Setup, Plan), ModelError> {
        let path = self.model_folder.ready(&weights_in_folder(name))?;
        let path_variable = (self.premises.environment)("PATH");
        let binary = find_server(&self.model_folder, path_variable.as_deref()).ok_or(ModelError::NoServer)?;
        let bytes = path.metadata().map_or(0, |file| file.len());
        let shape = gguf::read(&path).map_err(|why| ModelError::Weights { path: path.clone(), why })?;
        let plan = plan(Machine::look(), &shape, bytes, self.config.local)?;
        let setup = Setup {
            binary,
            weights: path,
            plan,
            launcher: self.premises.launcher.clone(),
            log: self.premises.logs.join(format!("llama-server-{name}.log")),
            patience: RestartPolicy::default(),
        };
        Ok((setup, plan))
    }

    /// A provider, at the pace that the config file sets.
    fn provider(&self, name: &str) -> Result<Provider, ModelError> {
        let mut provider = known_provider(&self.providers, name)?.clone();
        if let Some(set) = self.config.pace.get(name) {
            provider.pace = set.over(provider.pace);
        }
        Ok(provider)
    }

    fn key_source(&self, provider: &Provider) -> Option<KeySource> {
        let variable = || provider.key_variable.clone().map(KeySource::Variable);
        self.config.keys.get(&provider.name).cloned().or_else(variable)
    }

    /// The key. Where nobody said that there must be one, none is no trouble.
    fn key(&self, provider: &Provider) -> Result<Option<Secret>, ModelError> {
        let Some(source) = self.key_source(provider) else { return Ok(None) };
        match source.read(&*self.premises.environment) {
            Ok(key) => Ok(Some(key)),
            Err(KeyError::NotSet { .. }) if !self.config.keys.contains_key(&provider.name) => Ok(None),
            Err(why) => Err(ModelError::Key { provider: provider.name.clone(), why }),
        }
    }

    fn timeouts(&self) -> Timeouts {
        let (set, usual) = (self.config.timeouts, Timeouts::default());
        let or = |seconds: Option<u64>, usual| seconds.map_or(usual, Duration::from_secs);
        Timeouts {
            connect: or(set.connect, usual.connect),
            first_byte: or(set.first_byte, usual.first_byte),
            between_bytes: or(set.between_bytes, usual.between_bytes),
        }
    }
}

/// Where the config file is, in its folder.
pub fn config_file(folder: &Path) -> PathBuf {
    folder.join("config.toml")
}
