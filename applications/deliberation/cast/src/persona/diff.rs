//! What a growth has changed in a persona, for the growth log.

use serde::{Deserialize, Serialize};

use super::Persona;

/// What differs between two versions of a persona.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonaDiff {
    pub from_version: u32,
    pub to_version: u32,
    pub values_gained: Vec<String>,
    pub values_lost: Vec<String>,
    pub traits_gained: Vec<String>,
    pub traits_lost: Vec<String>,
    /// None where it stayed the same.
    pub thinking_style: Option<TextChange>,
    /// None where it stayed the same.
    pub background: Option<TextChange>,
}

/// A text before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextChange {
    pub before: String,
    pub after: String,
}

impl PersonaDiff {
    /// What has changed from one to the other.
    pub fn between(before: &Persona, after: &Persona) -> Self {
        Self {
            from_version: before.version,
            to_version: after.version,
            values_gained: beyond(&after.core_values, &before.core_values),
            values_lost: beyond(&before.core_values, &after.core_values),
            traits_gained: beyond(&after.personality_traits, &before.personality_traits),
            traits_lost: beyond(&before.personality_traits, &after.personality_traits),
            thinking_style: TextChange::of(&before.thinking_style, &after.thinking_style),
            background: TextChange::of(&before.background, &after.background),
        }
    }

    /// Whether nothing but the version has changed.
    pub fn is_empty(&self) -> bool {
        let words = [&self.values_gained, &self.values_lost, &self.traits_gained, &self.traits_lost];
        words.iter().all(|words| words.is_empty()) && self.thinking_style.is_none() && self.background.is_none()
    }
}

impl TextChange {
    fn of(before: &str, after: &str) -> Option<Self> {
        (before.trim() != after.trim()).then(|| Self { before: before.to_owned(), after: after.to_owned() })
    }
}

fn beyond(words: &[String], known: &[String]) -> Vec<String> {
    words.iter().filter(|word| !known.contains(word)).cloned().collect()
}
