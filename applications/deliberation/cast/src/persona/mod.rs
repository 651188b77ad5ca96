//! A debater's persona: kept as the text that was written, read with patience, held to its bounds.
//!
//! Key order and wording are the writer's and survive into the prompt, where `pretty` prints the object as
//! `JSON.stringify(persona, null, 2)` would. What a rule changes (a forgotten value, the version, too many traits) is
//! changed in place; everything else stays byte for byte.
//!
//! Asking a model for a persona, and deciding when one grows, belong to the rules of the deliberation.

mod born;
mod diff;
mod ordered;

use std::fmt;

use enza_kernel::limits::length;
use serde::{Deserialize, Serialize};

pub use diff::{PersonaDiff, TextChange};
use ordered::Ordered;

use crate::values::Value;

/// How few and how many values a persona holds.
const FEWEST_VALUES: usize = 3;
const MOST_VALUES: usize = 5;
/// How many traits it has at most.
const MOST_TRAITS: usize = 10;
/// How long thinking style and background may be, in characters as a person counts them.
const LONGEST_TEXT: usize = 300;
/// How large the whole text may be.
const MOST_BYTES: usize = 32 * 1024;

/// A persona, with the text that it was written as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Persona {
    raw: String,
    written: Ordered,
    core_values: Vec<String>,
    thinking_style: String,
    personality_traits: Vec<String>,
    background: String,
    version: u32,
}

/// Why a text is no persona.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonaFault {
    /// There is no JSON object in it.
    NoObject,
    /// A key is missing or has another shape.
    Misshapen { key: &'static str },
    /// A text or one of the words in a list is blank.
    Blank { key: &'static str },
    /// Too few or too many in a list.
    Count { key: &'static str, count: usize, fewest: usize, most: usize },
    /// A text is too long.
    TooLong { key: &'static str, graphemes: usize, most: usize },
    /// The whole is too large.
    TooLarge { bytes: usize },
}

impl Persona {
    /// A persona out of a text that may have words around it: from the first `{` to the last `}`.
    pub fn read(text: &str) -> Result<Self, PersonaFault> {
        let (raw, written) = object_in(text)?;
        Self::checked(raw, written)
    }

    /// A newborn persona out of a model's answer: the chosen values are in front where they were forgotten, and it is of
    /// this version.
    pub fn read_born(answer: &str, chosen: &[&str], version: u32) -> Result<Self, PersonaFault> {
        let (raw, mut written) = object_in(answer)?;
        let mut values = written.texts("core_values").ok_or(PersonaFault::Misshapen { key: "core_values" })?;
        let forgotten: Vec<String> = chosen
            .iter()
            .filter(|name| !values.iter().any(|had| same(had, name)))
            .map(|name| (*name).to_owned())
            .collect();
        values.splice(0..0, forgotten);
        keep_first(&mut values, chosen);
        bound_traits(&mut written)?;
        Self::changed(raw, written, &values, version)
    }

    /// A grown persona out of an answer: one version on; too many values are cut, too few are filled up from the old ones.
    pub fn read_grown(answer: &str, old: &Self) -> Result<Self, PersonaFault> {
        let (raw, mut written) = object_in(answer)?;
        let mut values = written.texts("core_values").ok_or(PersonaFault::Misshapen { key: "core_values" })?;
        values.truncate(MOST_VALUES);
        for had in &old.core_values {
            if values.len() < FEWEST_VALUES && !values.iter().any(|value| same(value, had)) {
                values.push(had.clone());
            }
        }
        bound_traits(&mut written)?;
        Self::changed(raw, written, &values, old.version + 1)
    }

    /// The same person as another version, as after a growth that was taken back.
    pub fn with_version(&self, version: u32) -> Self {
        let mut changed = self.clone();
        if version != self.version {
            changed.written.set_number("version", version);
            changed.raw = changed.written.pretty();
            changed.version = version;
        }
        changed
    }

    fn changed(raw: String, mut written: Ordered, values: &[String], version: u32) -> Result<Self, PersonaFault> {
        if written.texts("core_values").as_deref() != Some(values) {
            written.set_texts("core_values", values);
        }
        if written.number("version") != Some(version) {
            written.set_number("version", version);
        }
        // What no rule has touched stays byte for byte.
        let is_untouched = object_in(&raw).is_ok_and(|(_, first)| first == written);
        let raw = if is_untouched { raw } else { written.pretty() };
        Self::checked(raw, written)
    }

    fn checked(raw: String, written: Ordered) -> Result<Self, PersonaFault> {
        if raw.len() > MOST_BYTES {
            return Err(PersonaFault::TooLarge { bytes: raw.len() });
        }
        let list = |key| written.texts(key).ok_or(PersonaFault::Misshapen { key });
        let text = |key| written.text(key).ok_or(PersonaFault::Misshapen { key });
        let (core_values, personality_traits) = (list("core_values")?, list("personality_traits")?);
        let (thinking_style, background) = (text("thinking_style")?, text("background")?);
        let version = written.number("version").ok_or(PersonaFault::Misshapen { key: "version" })?;
        within("core_values", &core_values, FEWEST_VALUES, MOST_VALUES)?;
        within("personality_traits", &personality_traits, 0, MOST_TRAITS)?;
        fits("thinking_style", &thinking_style)?;
        fits("background", &background)?;
        Ok(Self { raw, written, core_values, thinking_style, personality_traits, background, version })
    }

    /// The text as it was written, to be kept.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The object with an indent of two spaces, keys in the order in which they were written.
    pub fn pretty(&self) -> String {
        self.written.pretty()
    }

    /// What this person holds dear.
    pub fn core_values(&self) -> &[String] {
        &self.core_values
    }

    /// Which of the twenty-four values it holds; words of its own are left out.
    pub fn known_values(&self) -> Vec<&'static Value> {
        self.core_values.iter().filter_map(|name| crate::values::value_named(name)).collect()
    }

    /// How this person thinks.
    pub fn thinking_style(&self) -> &str {
        &self.thinking_style
    }

    /// What this person is like.
    pub fn personality_traits(&self) -> &[String] {
        &self.personality_traits
    }

    /// Where this person comes from.
    pub fn background(&self) -> &str {
        &self.background
    }

    /// Which version this is, shown as a level.
    pub fn version(&self) -> u32 {
        self.version
    }

    pub(crate) fn written(&self) -> Ordered {
        self.written.clone()
    }
}

impl TryFrom<String> for Persona {
    type Error = PersonaFault;

    fn try_from(text: String) -> Result<Self, PersonaFault> {
        Self::read(&text)
    }
}

impl From<Persona> for String {
    fn from(persona: Persona) -> Self {
        persona.raw
    }
}

fn object_in(text: &str) -> Result<(String, Ordered), PersonaFault> {
    let (Some(first), Some(last)) = (text.find('{'), text.rfind('}')) else { return Err(PersonaFault::NoObject) };
    let raw = text.get(first..=last).ok_or(PersonaFault::NoObject)?;
    let written: Ordered = serde_json::from_str(raw).map_err(|_| PersonaFault::NoObject)?;
    Ok((raw.to_owned(), written))
}

/// At most as many values as a persona may hold, the chosen ones among them.
fn keep_first(values: &mut Vec<String>, chosen: &[&str]) {
    while values.len() > MOST_VALUES {
        let spare = values.iter().rposition(|value| !chosen.iter().any(|name| same(value, name)));
        values.remove(spare.unwrap_or(values.len() - 1));
    }
}

fn bound_traits(written: &mut Ordered) -> Result<(), PersonaFault> {
    let key = "personality_traits";
    let mut traits = written.texts(key).ok_or(PersonaFault::Misshapen { key })?;
    if traits.len() > MOST_TRAITS {
        traits.truncate(MOST_TRAITS);
        written.set_texts(key, &traits);
    }
    Ok(())
}

fn same(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

fn within(key: &'static str, words: &[String], fewest: usize, most: usize) -> Result<(), PersonaFault> {
    let count = words.len();
    if words.iter().any(|word| word.trim().is_empty()) {
        return Err(PersonaFault::Blank { key });
    }
    words.iter().try_for_each(|word| fits(key, word))?;
    if (fewest..=most).contains(&count) { Ok(()) } else { Err(PersonaFault::Count { key, count, fewest, most }) }
}

fn fits(key: &'static str, text: &str) -> Result<(), PersonaFault> {
    let graphemes = length(text.trim());
    match graphemes {
        0 => Err(PersonaFault::Blank { key }),
        1..=LONGEST_TEXT => Ok(()),
        _ => Err(PersonaFault::TooLong { key, graphemes, most: LONGEST_TEXT }),
    }
}

impl fmt::Display for PersonaFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject => write!(out, "there is no JSON object in the text"),
            Self::Misshapen { key } => write!(out, "{key} is missing or has another shape"),
            Self::Blank { key } => write!(out, "{key} has a blank text"),
            Self::Count { key, count, fewest, most } => {
                write!(out, "{key} has {count} entries, not {fewest} to {most}")
            }
            Self::TooLong { key, graphemes, most } => {
                write!(out, "{key} has {graphemes} characters, at most {most} are allowed")
            }
            Self::TooLarge { bytes } => write!(out, "the persona has {bytes} bytes, at most {MOST_BYTES} are allowed"),
        }
    }
}

impl std::error::Error for PersonaFault {}
