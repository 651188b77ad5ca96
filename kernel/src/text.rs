//! Japanese and English, side by side.
//!
//! A sentence for people is written in both languages in the same place, so that neither can be
//! forgotten. Which one is shown is decided at the edge, once, by a `Lang` that is handed down.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language that Enza speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// 日本語
    Ja,
    /// English
    #[default]
    En,
}

impl Lang {
    /// The language of a locale name such as `ja_JP.UTF-8`; English where it is not one of ours.
    pub fn of_locale(locale: &str) -> Self {
        if locale.to_ascii_lowercase().starts_with("ja") { Self::Ja } else { Self::En }
    }

    /// The text in this language.
    pub fn pick<T>(self, ja: T, en: T) -> T {
        match self {
            Self::Ja => ja,
            Self::En => en,
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.pick("ja", "en"))
    }
}

/// A word that is not the name of a language we speak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a language we speak; use ja or en")]
pub struct UnknownLang {
    /// The word.
    pub word: String,
}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        [Self::Ja, Self::En]
            .into_iter()
            .find(|lang| word.eq_ignore_ascii_case(lang.pick("ja", "en")))
            .ok_or_else(|| UnknownLang { word: word.to_owned() })
    }
}

/// Something said to a person: what happened, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// What happened, and why.
    pub message: String,
    /// What to do next.
    pub hint: String,
}

impl Said {
    /// Both halves.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}
