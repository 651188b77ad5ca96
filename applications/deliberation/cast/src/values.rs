//! The twenty-four values a debater is raised around: three of them are chosen, and they show in everything it says.
//!
//! A value is kept by its key; people see its name in their language, and so do personas.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use enza_kernel::text::Lang;
use serde::Deserialize;

use crate::data;

/// How many values are chosen.
const CHOSEN: usize = 3;

/// One of the values.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    pub key: String,
    pub ja: ValueText,
    pub en: ValueText,
}

/// A value in one language: its name, what it gives to a persona, and what somebody who holds it says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueText {
    pub name: String,
    pub(crate) thinks: String,
    pub(crate) traits: Vec<String>,
    pub(crate) past: String,
    pub(crate) see: Vec<String>,
    pub(crate) weigh: Vec<String>,
    pub(crate) act: Vec<String>,
    pub(crate) close: Vec<String>,
}

/// Why a choice of values is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValuesFault {
    /// Not exactly three.
    NotThree { count: usize },
    /// One of them was chosen twice.
    Twice { key: String },
    /// One of them is not among the twenty-four.
    Unknown { key: String },
}

impl fmt::Display for ValuesFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThree { count } => write!(out, "{count} values, exactly {CHOSEN} are needed"),
            Self::Twice { key } => write!(out, "the value {key} was chosen twice"),
            Self::Unknown { key } => write!(out, "there is no value {key}"),
        }
    }
}

impl std::error::Error for ValuesFault {}

#[derive(Deserialize)]
struct ValuesFile {
    value: Vec<Value>,
}

static VALUES: LazyLock<Vec<Value>> =
    LazyLock::new(|| data::sound(data::read::<ValuesFile>("values.toml", include_str!("../data/values.toml"))).value);

impl Value {
    /// The value in one language.
    pub fn text(&self, lang: Lang) -> &ValueText {
        lang.pick(&self.ja, &self.en)
    }
}

/// All of them, in the order in which they are shown.
pub fn values() -> &'static [Value] {
    &VALUES
}

/// The value of a key.
pub fn value(key: &str) -> Option<&'static Value> {
    values().iter().find(|value| value.key == key)
}

/// The value that has this name in either language: personas carry names.
pub fn value_named(name: &str) -> Option<&'static Value> {
    let name = name.trim();
    values().iter().find(|value| value.ja.name == name || value.en.name.eq_ignore_ascii_case(name))
}

/// The chosen values; a fault unless there are exactly three different ones of the twenty-four.
pub fn check_chosen<Key: AsRef<str>>(keys: &[Key]) -> Result<[&'static Value; CHOSEN], ValuesFault> {
    let mut known = BTreeSet::new();
    let mut chosen = Vec::new();
    for key in keys.iter().map(AsRef::as_ref) {
        let found = value(key).ok_or_else(|| ValuesFault::Unknown { key: key.to_owned() })?;
        if !known.insert(key) {
            return Err(ValuesFault::Twice { key: key.to_owned() });
        }
        chosen.push(found);
    }
    chosen.try_into().map_err(|_| ValuesFault::NotThree { count: keys.len() })
}
