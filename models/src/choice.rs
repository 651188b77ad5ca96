//! Which model is asked, and why that one.
//!
//! What was typed goes before the variable, that before the config file, that before a key found in the environment,
//! that before weights on disk; and if there is nothing at all, the understudy plays. A model is named
//! `provider/model`; `local` and `understudy` are names of their own.

use crate::providers::{Provider, Providers};

/// Providers that are taken first if there is a key for them.
const PREFERRED: [&str; 5] = ["anthropic", "openai", "gemini", "groq", "openrouter"];
/// The word for the local server.
pub const LOCAL: &str = "local";
/// The local weights that are meant where none are named.
pub const DEFAULT_WEIGHTS: &str = "default";

/// A model by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelRef {
    /// The stand-in.
    Understudy,
    /// Weights on this machine.
    Local {
        /// Their name in the folder.
        weights: String,
    },
    /// A model of a provider.
    Hosted { provider: String, model: String },
}

/// What people have said about the model, each in its own place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Preferences<'a> {
    /// `--model`.
    pub typed: Option<&'a str>,
    /// `ENZA_MODEL`.
    pub variable: Option<&'a str>,
    /// `model` in the config file.
    pub config: Option<&'a str>,
}

/// A model, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub pick: ModelRef,
    pub because: ChoiceReason,
}

/// Why a model was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceReason {
    Typed,
    /// The variable says so.
    Variable,
    /// The config file says so.
    Config,
    /// There is a key for its provider.
    Key {
        /// The variable with the key.
        variable: String,
    },
    /// Its weights are on disk.
    OnDisk,
    NothingElse,
    /// The command plays with it, whatever else there is.
    ForShow,
}

/// Why a name means no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// No provider has that name.
    #[error("there is no provider named {name}")]
    UnknownProvider { name: String, known: Vec<String> },
    /// The provider has no usual model.
    #[error("{provider} has many models: name one as {provider}/MODEL")]
    NoUsualModel { provider: String },
}

impl ModelRef {
    /// The model behind a name.
    pub fn read(text: &str, providers: &Providers) -> Result<Self, ChoiceError> {
        let (before, model) = match text.trim().split_once('/') {
            Some((before, model)) => (before, Some(model).filter(|model| !model.is_empty())),
            None => (text.trim(), None),
        };
        match (before, model) {
            (crate::understudy::UNDERSTUDY, _) => Ok(Self::Understudy),
            (LOCAL, weights) => Ok(Self::Local { weights: weights.unwrap_or(DEFAULT_WEIGHTS).to_owned() }),
            (name, model) => {
                let provider = known_provider(providers, name)?;
                let model = model.or(provider.default_model.as_deref());
                let none = || ChoiceError::NoUsualModel { provider: provider.name.clone() };
                Ok(Self::Hosted { provider: provider.name.clone(), model: model.ok_or_else(none)?.to_owned() })
            }
        }
    }
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Understudy => out.write_str(crate::understudy::UNDERSTUDY),
            Self::Local { weights } => write!(out, "{LOCAL}/{weights}"),
            Self::Hosted { provider, model } => write!(out, "{provider}/{model}"),
        }
    }
}

/// Chooses. `has_key` says whether a provider's key is at hand, `on_disk` which weights are.
pub fn choose(
    wishes: Preferences<'_>,
    providers: &Providers,
    has_key: &dyn Fn(&Provider) -> bool,
    on_disk: &[String],
) -> Result<Chosen, ChoiceError> {
    let said = [
        (wishes.typed, ChoiceReason::Typed),
        (wishes.variable, ChoiceReason::Variable),
        (wishes.config, ChoiceReason::Config),
    ];
    for (wish, because) in said {
        if let Some(name) = wish.filter(|name| !name.trim().is_empty()) {
            return Ok(Chosen { pick: ModelRef::read(name, providers)?, because });
        }
    }
    let by_key = by_preference(providers).find_map(|provider| {
        let (variable, model) = (provider.key_variable.clone()?, provider.default_model.clone()?);
        let pick = ModelRef::Hosted { provider: provider.name.clone(), model };
        has_key(provider).then_some(Chosen { pick, because: ChoiceReason::Key { variable } })
    });
    let by_disk = || {
        let weights = on_disk.iter().find(|name| *name == DEFAULT_WEIGHTS).or(on_disk.first())?;
        Some(Chosen { pick: ModelRef::Local { weights: weights.clone() }, because: ChoiceReason::OnDisk })
    };
    let nothing = || Chosen { pick: ModelRef::Understudy, because: ChoiceReason::NothingElse };
    Ok(by_key.or_else(by_disk).unwrap_or_else(nothing))
}

fn by_preference(providers: &Providers) -> impl Iterator<Item = &Provider> {
    let first = PREFERRED.iter().filter_map(|name| providers.find(name));
    first.chain(providers.iter().filter(|provider| !PREFERRED.contains(&provider.name.as_str())))
}

/// The provider of this name, or the names there are.
pub(crate) fn known_provider<'a>(providers: &'a Providers, name: &str) -> Result<&'a Provider, ChoiceError> {
    providers.find(name).ok_or_else(|| ChoiceError::UnknownProvider {
        name: name.to_owned(),
        known: providers.iter().map(|provider| provider.name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wishes: Preferences<'_>, keys: &[&str], on_disk: &[&str]) -> (String, ChoiceReason) {
        let on_disk: Vec<_> = on_disk.iter().map(|name| (*name).to_owned()).collect();
        let has_key = |provider: &Provider| keys.contains(&provider.name.as_str());
        let chosen = choose(wishes, &Providers::built_in(), &has_key, &on_disk).unwrap();
        (chosen.pick.to_string(), chosen.because)
    }

    #[test]
    fn what_was_typed_goes_first_and_the_understudy_comes_last() {
        let all = Preferences { typed: Some("local/x"), variable: Some("local/y"), config: Some("local/z") };
        let (keys, disk) = (["openai", "anthropic"], ["small", "default"]);
        assert_eq!(chosen(all, &keys, &disk), ("local/x".to_owned(), ChoiceReason::Typed));
        let said = Preferences { typed: None, ..all };
        assert_eq!(chosen(said, &keys, &disk), ("local/y".to_owned(), ChoiceReason::Variable));
        let said = Preferences { variable: None, ..said };
        assert_eq!(chosen(said, &keys, &disk), ("local/z".to_owned(), ChoiceReason::Config));
        let nothing = Preferences::default();
        let (name, because) = chosen(nothing, &keys, &disk);
        assert!(name.starts_with("anthropic/"), "{name}");
        assert_eq!(because, ChoiceReason::Key { variable: "ANTHROPIC_API_KEY".to_owned() });
        assert_eq!(chosen(nothing, &[], &disk), ("local/default".to_owned(), ChoiceReason::OnDisk));
        assert_eq!(chosen(nothing, &[], &["small"]), ("local/small".to_owned(), ChoiceReason::OnDisk));
        assert_eq!(chosen(nothing, &[], &[]), ("understudy".to_owned(), ChoiceReason::NothingElse));
    }

    #[test]
    fn an_empty_wish_is_no_wish() {
        let wishes = Preferences { typed: None, variable: Some(" "), config: Some("understudy") };
        assert_eq!(chosen(wishes, &[], &[]), ("understudy".to_owned(), ChoiceReason::Config));
    }

    #[test]
    fn a_name_is_a_provider_and_a_model_which_may_have_slashes_of_its_own() {
        let read = |text| ModelRef::read(text, &Providers::built_in());
        let hosted = |provider: &str, model: &str| ModelRef::Hosted { provider: provider.into(), model: model.into() };
        assert_eq!(read("openrouter/meta/llama"), Ok(hosted("openrouter", "meta/llama")));
        assert_eq!(read("ollama/qwen3:8b"), Ok(hosted("ollama", "qwen3:8b")));
        assert_eq!(read("local"), Ok(ModelRef::Local { weights: "default".to_owned() }));
        let unknown = read("opnai/x").unwrap_err();
        assert!(matches!(&unknown, ChoiceError::UnknownProvider { name, known } if name == "opnai" && known.len() > 8));
        assert_eq!(read("ollama"), Err(ChoiceError::NoUsualModel { provider: "ollama".to_owned() }));
    }
}
