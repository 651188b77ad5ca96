//! Providers as data: where a server is, which dialect it speaks, and in what it differs from its siblings.
//!
//! One small TOML file each. Those in `providers/` are compiled in; the user's own, in a folder of the configuration,
//! add to them or replace them by name. A key that nobody knows is an error that names it, because a quirk that is
//! silently ignored costs an evening.
//!
//! Keys are not kept here, only the names of the variables that hold them. Prices are in `prices.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use enza_runtime::seams::model::RateLimits;
use serde::{Deserialize, Deserializer};

use crate::quirks::Quirks;

/// The files that come with Enza.
const BUILT_IN: [&str; 9] = [
    include_str!("../providers/anthropic.toml"),
    include_str!("../providers/openai.toml"),
    include_str!("../providers/ollama.toml"),
    include_str!("../providers/llama.cpp.toml"),
    include_str!("../providers/vllm.toml"),
    include_str!("../providers/lm-studio.toml"),
    include_str!("../providers/openrouter.toml"),
    include_str!("../providers/groq.toml"),
    include_str!("../providers/gemini.toml"),
];

/// All providers that are known, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Providers(BTreeMap<String, Provider>);

/// A server or a service that answers requests in one of the dialects.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it is called in `provider/model`: small letters, digits, `-`, `.` and `_`.
    pub name: String,
    pub title: String,
    pub dialect: Dialect,
    /// Where it is, up to and including the version: `https://api.openai.com/v1`.
    pub base_url: String,
    /// The variable that holds the key, where there may be one.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// Whether nothing works without a key.
    #[serde(default)]
    pub needs_key: bool,
    /// Headers to send with every request. No place for secrets: only the key is kept out of messages.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The model to take where none is named.
    #[serde(default)]
    pub default_model: Option<String>,
    /// How to start it or where to get a key: one sentence that ends a message about it.
    #[serde(default)]
    pub hint: Option<String>,
    /// How fast it may be asked.
    #[serde(default, deserialize_with = "pace")]
    pub pace: RateLimits,
    #[serde(default)]
    pub quirks: Quirks,
}

/// A way of talking to a language model over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's chat completions, which most servers speak.
    OpenAi,
}

/// `Pace` as it is written in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    at_once: Option<usize>,
    requests_per_minute: Option<u64>,
    tokens_per_minute: Option<u64>,
}

/// Why a provider's file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The folder or a file cannot be read. Mend its permissions, or take it away.
    #[error("{} cannot be read: {why}", path.display())]
    Unreadable {
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// A file says something that is not understood. Mend it; the message names the key and the line.
    #[error("{} is not a provider's file: {why}", path.display())]
    Misread {
        path: PathBuf,
        /// What is wrong, with line and key.
        why: String,
    },
    /// Two of the user's files are for the same provider. Take one away.
    #[error("{} and {} both describe the provider {name}", first.display(), second.display())]
    Twice {
        name: String,
        /// The file that was read first.
        first: PathBuf,
        second: PathBuf,
    },
}

impl Providers {
    /// Those that come with Enza.
    pub fn built_in() -> Self {
        let read = |text: &&str| Provider::from_toml(text).expect("a test reads every built-in file");
        Self(BUILT_IN.iter().map(read).map(|provider| (provider.name.clone(), provider)).collect())
    }

    /// Those that come with Enza, and the user's: every `*.toml` in the folder adds one or replaces its namesake. A
    /// folder that is not there holds none.
    pub fn with_folder(folder: &Path) -> Result<Self, ProviderError> {
        let mut all = Self::built_in();
        let mut read_from: BTreeMap<String, PathBuf> = BTreeMap::new();
        for path in toml_files(folder)? {
            let text = std::fs::read_to_string(&path).map_err(|why| unreadable(&path, &why))?;
            let provider =
                Provider::from_toml(&text).map_err(|why| ProviderError::Misread { path: path.clone(), why })?;
            let name = provider.name.clone();
            if let Some(first) = read_from.insert(name.clone(), path.clone()) {
                return Err(ProviderError::Twice { name, first, second: path });
            }
            all.0.insert(name, provider);
        }
        Ok(all)
    }

    /// The provider of this name.
    pub fn find(&self, name: &str) -> Option<&Provider> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Provider> {
        self.0.values()
    }
}

impl Provider {
    /// Reads one from the text of its file.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let provider: Self = toml::from_str(text).map_err(|why| why.to_string())?;
        provider.check()?;
        Ok(provider)
    }

    fn check(&self) -> Result<(), String> {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-._".contains(letter);
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            return Err(format!("`name` is {:?}; it takes small letters, digits, `-`, `.` and `_`", self.name));
        }
        if self.needs_key && self.key_variable.is_none() {
            return Err("`needs_key` is set, but no `key_variable` says where the key is".into());
        }
        if self.pace.at_once == 0 {
            return Err("`pace.at_once` is 0: nothing could ever be asked".into());
        }
        let url = reqwest::Url::parse(&self.base_url).map_err(|why| format!("`base_url` is no address: {why}"))?;
        if !["http", "https"].contains(&url.scheme()) || url.host().is_none() {
            return Err(format!("`base_url` is {:?}; it has to begin with http:// or https://", self.base_url));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(
                "`base_url` has a password in it, which messages would show; name a `key_variable` instead".into()
            );
        }
        Ok(())
    }
}

/// Reads a pace; what a file leaves out is as usual.
fn pace<'de, D: Deserializer<'de>>(from: D) -> Result<RateLimits, D::Error> {
    let Limits { at_once, requests_per_minute, tokens_per_minute } = Limits::deserialize(from)?;
    let at_once = at_once.unwrap_or(RateLimits::default().at_once);
    Ok(RateLimits { at_once, requests_per_minute, tokens_per_minute })
}

fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, ProviderError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(unreadable(folder, &why)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| unreadable(folder, &why))?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn unreadable(path: &Path, why: &std::io::Error) -> ProviderError {
    ProviderError::Unreadable { path: path.to_owned(), why: why.to_string() }
}
