//! Every sentence on screen, in both languages, by key.
//!
//! The catalogue is the files in `words/`: a key is `table.name`, and each has both languages beside each other, so that
//! neither can be forgotten. Text is shown with `say`, with pieces put in by `fill`, and where the last part of a key is
//! only known at run time by `of`. `tests/words.rs` reads the source and fails on a key that is missing or never used.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use enza_kernel::text::Lang;
use serde::Deserialize;

/// The files of the catalogue, by the room they are for.
const FILES: &[&str] = &[
    include_str!("../words/account.toml"),
    include_str!("../words/administration.toml"),
    include_str!("../words/api.toml"),
    include_str!("../words/design.toml"),
    include_str!("../words/forms.toml"),
    include_str!("../words/frame.toml"),
    include_str!("../words/gallery.toml"),
    include_str!("../words/home.toml"),
    include_str!("../words/inspector.toml"),
    include_str!("../words/problem.toml"),
    include_str!("../words/respond.toml"),
    include_str!("../words/session.toml"),
    include_str!("../words/submissions.toml"),
    include_str!("../words/usage.toml"),
];

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    pub ja: String,
    pub en: String,
}

/// The catalogue in one reader's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(pub Lang);

impl Words {
    /// The sentence of a key.
    pub fn say(self, key: &str) -> &'static str {
        // A key that is not there shows itself: ugly, but nothing is lost. A test keeps it from happening.
        catalogue().get(key).map_or_else(|| unknown(key), |sentence| self.0.pick(&sentence.ja, &sentence.en).as_str())
    }

    /// The sentence of a key, with pieces put in for `{name}`. What is put in is never looked at again.
    pub fn fill(self, key: &str, pieces: &[(&str, &str)]) -> String {
        let mut out = String::new();
        let mut rest = self.say(key);
        while let Some(open) = rest.find('{') {
            let Some(length) = rest[open..].find('}') else { break };
            let name = &rest[open + 1..open + length];
            out.push_str(&rest[..open]);
            match pieces.iter().find(|(known, _)| *known == name) {
                Some((_, piece)) => out.push_str(piece),
                None => out.push_str(&rest[open..=open + length]),
            }
            rest = &rest[open + length + 1..];
        }
        out + rest
    }

    /// The sentence of a family of keys whose last part is known only now: `of("phase", "gate")`.
    pub fn of(self, family: &str, last: &str) -> &'static str {
        self.say(&format!("{family}.{last}"))
    }

    /// Whether there is such a key.
    pub fn has(self, key: &str) -> bool {
        catalogue().contains_key(key)
    }
}

/// Every sentence, by key.
pub fn catalogue() -> &'static BTreeMap<String, Sentence> {
    static CATALOGUE: OnceLock<BTreeMap<String, Sentence>> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        let mut all = BTreeMap::new();
        for file in FILES {
            let tables: BTreeMap<String, BTreeMap<String, Sentence>> =
                toml::from_str(file).expect("the catalogue is sound; a test loads it");
            for (table, sentences) in tables {
                all.extend(sentences.into_iter().map(|(name, sentence)| (format!("{table}.{name}"), sentence)));
            }
        }
        all
    })
}

fn unknown(key: &str) -> &'static str {
    tracing::error!(key, "a sentence is missing");
    "⁇"
}
