//! A JSON text whose keys keep the order in which they were written, and its print with an indent of two spaces.
//!
//! Printed as JavaScript's `JSON.stringify(text, null, 2)` does it: a key that was written twice stays at its first place
//! with its last content, and a whole figure has no fraction.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

/// One JSON text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ordered {
    Null,
    Bool(bool),
    Whole(i64),
    Large(u64),
    Fraction(f64),
    Text(String),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

impl Ordered {
    /// With an indent of two spaces.
    pub(crate) fn pretty(&self) -> String {
        // Printing to a string can fail only through our own `Serialize`, which never does.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    fn at(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Table(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, content)| content),
            Self::Null | Self::Bool(_) | Self::Whole(_) | Self::Large(_) | Self::Fraction(_) => None,
            Self::Text(_) | Self::List(_) => None,
        }
    }

    /// The text of a key.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        match self.at(key)? {
            Self::Text(text) => Some(text.clone()),
            Self::Null | Self::Bool(_) | Self::Whole(_) | Self::Large(_) | Self::Fraction(_) => None,
            Self::List(_) | Self::Table(_) => None,
        }
    }

    /// The texts of a key; none where one of them is no text.
    pub(crate) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let Self::List(entries) = self.at(key)? else { return None };
        let text = |entry: &Self| if let Self::Text(text) = entry { Some(text.clone()) } else { None };
        entries.iter().map(text).collect()
    }

    /// The whole figure of a key.
    pub(crate) fn number(&self, key: &str) -> Option<u32> {
        if let Self::Whole(figure) = self.at(key)? { u32::try_from(*figure).ok() } else { None }
    }

    /// Puts texts under a key, where it stands already or at the end.
    pub(crate) fn set_texts(&mut self, key: &str, texts: &[String]) {
        self.set(key, Self::List(texts.iter().cloned().map(Self::Text).collect()));
    }

    /// Puts a text under a key.
    pub(crate) fn set_text(&mut self, key: &str, text: &str) {
        self.set(key, Self::Text(text.to_owned()));
    }

    /// Puts a figure under a key.
    pub(crate) fn set_number(&mut self, key: &str, number: u32) {
        self.set(key, Self::Whole(number.into()));
    }

    fn set(&mut self, key: &str, content: Self) {
        if let Self::Table(entries) = self {
            put(entries, key.to_owned(), content);
        }
    }
}

fn put(entries: &mut Vec<(String, Ordered)>, key: String, content: Ordered) {
    match entries.iter_mut().find(|(name, _)| *name == key) {
        Some((_, place)) => *place = content,
        None => entries.push((key, content)),
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => out.serialize_unit(),
            Self::Bool(yes) => out.serialize_bool(*yes),
            Self::Whole(figure) => out.serialize_i64(*figure),
            Self::Large(figure) => out.serialize_u64(*figure),
            Self::Fraction(figure) => out.serialize_f64(*figure),
            Self::Text(text) => out.serialize_str(text),
            Self::List(entries) => out.collect_seq(entries),
            Self::Table(entries) => {
                let mut table = out.serialize_map(Some(entries.len()))?;
                for (key, content) in entries {
                    table.serialize_entry(key, content)?;
                }
                table.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        text.deserialize_any(Reader)
    }
}

/// Builds a text up in the order in which its parts arrive.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Ordered;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON text")
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Ordered, E> {
        Ok(Ordered::Bool(yes))
    }

    fn visit_i64<E>(self, figure: i64) -> Result<Ordered, E> {
        Ok(Ordered::Whole(figure))
    }

    fn visit_u64<E>(self, figure: u64) -> Result<Ordered, E> {
        Ok(i64::try_from(figure).map_or(Ordered::Large(figure), Ordered::Whole))
    }

    fn visit_f64<E>(self, figure: f64) -> Result<Ordered, E> {
        // The figures up to here are whole in a float exactly.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = figure.fract() == 0.0 && figure.abs() <= EXACT;
        Ok(if is_whole { Ordered::Whole(figure as i64) } else { Ordered::Fraction(figure) })
    }

    fn visit_str<E>(self, text: &str) -> Result<Ordered, E> {
        Ok(Ordered::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Ordered, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = parts.next_element()? {
            entries.push(entry);
        }
        Ok(Ordered::List(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Ordered, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, content)) = parts.next_entry()? {
            put(&mut entries, key, content);
        }
        Ok(Ordered::Table(entries))
    }
}
