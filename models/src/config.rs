//! The config file, as far as it is about models: which one, with which key, how fast, how much.
//!
//! Everything in it is optional. A word that is not known is an error that names it: a mistyped limit must not turn
//! into no limit. Where the file lies, and what the environment says on top of it, is the command line's to know.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use enza_runtime::engine::{Allowance, Limit};
use enza_runtime::seams::model::RateLimits;
use serde::Deserialize;

use crate::keys::KeySource;
use crate::local::machine::Settings;

/// What the config file says.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The model for everything that has none of its own.
    pub model: Option<String>,
    /// Models of single agents (`till.clerk`) or of all agents of an application (`till`).
    pub agents: BTreeMap<String, String>,
    /// Where keys are kept, by provider.
    pub keys: BTreeMap<String, KeySource>,
    /// How fast providers may be asked, where that differs from what their files say.
    pub pace: BTreeMap<String, PaceSetting>,
    /// The local server.
    pub local: Settings,
    /// What every owner may spend.
    pub allowance: AllowanceSetting,
    /// How long to wait for a provider.
    pub timeouts: TimeoutSetting,
}

/// A provider's limits, as far as they are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaceSetting {
    /// Calls at once.
    pub at_once: Option<usize>,
    /// Requests a minute.
    pub requests_per_minute: Option<u64>,
    /// Tokens a minute.
    pub tokens_per_minute: Option<u64>,
}

/// What every owner may spend.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AllowanceSetting {
    /// Tokens in all.
    pub tokens: Option<u64>,
    /// Tokens a day.
    pub tokens_per_day: Option<u64>,
    /// US dollars in all.
    pub dollars: Option<f64>,
    /// US dollars a day.
    pub dollars_per_day: Option<f64>,
}

/// How many seconds to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeoutSetting {
    pub connect: Option<u64>,
    /// For the first byte of a reply.
    pub first_byte: Option<u64>,
    /// Between two bytes.
    pub between_bytes: Option<u64>,
}

/// The config file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct ConfigError {
    pub path: PathBuf,
    /// What is wrong in it, with the line.
    pub why: String,
}

impl Config {
    /// Reads a config file; one that is not there says nothing.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let trouble = |why: String| ConfigError { path: path.to_owned(), why };
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(trouble),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(why) => Err(trouble(why.to_string())),
        }
    }

    /// Reads the text of a config file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|why| why.to_string().trim_end().to_owned())?;
        for (name, dollars) in
            [("dollars", config.allowance.dollars), ("dollars_per_day", config.allowance.dollars_per_day)]
        {
            if dollars.is_some_and(|amount| !amount.is_finite() || amount < 0.0) {
                return Err(format!("allowance.{name} must be zero or more"));
            }
        }
        Ok(config)
    }

    /// What every owner may spend.
    pub fn allowance(&self) -> Allowance {
        let millionths = |dollars: Option<f64>| dollars.map(|amount| (amount * 1e6) as u64);
        let set = &self.allowance;
        Allowance {
            tokens: Limit { in_all: set.tokens, per_day: set.tokens_per_day },
            money: Limit { in_all: millionths(set.dollars), per_day: millionths(set.dollars_per_day) },
        }
    }
}

/// A config file's text with another model in it; comments and everything else stay as they are.
pub fn with_model(text: &str, model: &str) -> Result<String, String> {
    let mut document: toml_edit::DocumentMut = text.parse().map_err(|why: toml_edit::TomlError| why.to_string())?;
    let mut value = toml_edit::Value::from(model);
    if let Some(before) = document.get("model").and_then(toml_edit::Item::as_value) {
        *value.decor_mut() = before.decor().clone();
    }
    document["model"] = toml_edit::Item::Value(value);
    Ok(document.to_string())
}

impl PaceSetting {
    /// A pace with what is set here put over it.
    pub fn over(self, pace: RateLimits) -> RateLimits {
        RateLimits {
            at_once: self.at_once.unwrap_or(pace.at_once),
            requests_per_minute: self.requests_per_minute.or(pace.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.or(pace.tokens_per_minute),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::machine::CpuSession;

    #[test]
    fn everything_in_it_is_optional() {
        assert_eq!(Config::parse(""), Ok(Config::default()));
        assert_eq!(Config::default().allowance(), Allowance::default());
    }

    #[test]
    fn it_says_which_model_for_whom_with_which_key_how_fast_and_how_much() {
        let config = Config::parse(
            r#"
            model = "local/default"
            agents = { "till.clerk" = "anthropic/claude" }
            keys.openai = { file = "/keys/openai" }
            keys.groq = { command = ["pass", "groq"] }
            pace.openai = { at_once = 2 }
            local = { threads = 3, spin = 50, session = "shared" }
            allowance = { dollars_per_day = 1.5, tokens = 9 }
            "#,
        )
        .unwrap();
        assert_eq!(config.agents["till.clerk"], "anthropic/claude");
        assert_eq!(config.keys["openai"], KeySource::File("/keys/openai".into()));
        assert_eq!(config.keys["groq"], KeySource::Command(vec!["pass".to_owned(), "groq".to_owned()]));
        assert_eq!(config.pace["openai"].at_once, Some(2));
        let (spin, session) = (Some(50), Some(CpuSession::Shared));
        assert_eq!(config.local, Settings { threads: Some(3), spin, session, ..Settings::default() });
        let tokens = Limit { in_all: Some(9), per_day: None };
        let money = Limit { in_all: None, per_day: Some(1_500_000) };
        assert_eq!(config.allowance(), Allowance { tokens, money });
    }

    #[test]
    fn a_mistyped_word_is_an_error_that_names_it() {
        let why = Config::parse("[allowance]\ndollars_a_day = 1").unwrap_err();
        assert!(why.contains("dollars_a_day"), "{why}");
        let why = Config::parse("[allowance]\ndollars = -1.0").unwrap_err();
        assert_eq!(why, "allowance.dollars must be zero or more");
    }

    #[test]
    fn using_another_model_leaves_comments_where_they_are() {
        let text = "# mine\nmodel = \"a/b\" # old\n[local]\nthreads = 2\n";
        assert_eq!(with_model(text, "c/d").unwrap(), "# mine\nmodel = \"c/d\" # old\n[local]\nthreads = 2\n");
        assert_eq!(with_model("[local]\nthreads = 2\n", "c/d").unwrap(), "model = \"c/d\"\n[local]\nthreads = 2\n");
        assert!(with_model("model = ", "c/d").is_err());
    }
}
