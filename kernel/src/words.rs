//! Sentences in both languages, by key: one reader for every catalogue.
//!
//! A catalogue is TOML: a key is `table.name`, and each has both languages beside each other, so that neither can be
//! forgotten. Pieces are put in for `{name}`. Which files there are, and who shows what, is said by whoever has them: a
//! crate reads its files once, into a `LazyLock<Catalogue>`, and asks it for `words` in somebody's language. Every lookup
//! is then one step in a map. `testing::words` holds a crate's source and its files together.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

use crate::text::{Lang, Said};

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    pub ja: String,
    pub en: String,
}

impl Sentence {
    /// In one language.
    pub fn say(&self, lang: Lang) -> &str {
        lang.pick(&self.ja, &self.en)
    }
}

/// Sentences by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue(BTreeMap<String, Sentence>);

/// A catalogue in one reader's language.
#[derive(Debug, Clone, Copy)]
pub struct Sentences {
    catalogue: &'static Catalogue,
    lang: Lang,
}

/// The kernel's own sentences.
static OWN: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../words/moves.toml"),
        include_str!("../words/refusal.toml"),
        include_str!("../words/schedule.toml"),
    ])
});

/// Why files are no catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogueFault {
    /// A file is not TOML, or not of this shape.
    #[error("a file of sentences cannot be read: {0}")]
    Unreadable(String),
    /// Two sentences have one key.
    #[error("there are two sentences of the key {0}")]
    Twice(String),
}

impl Catalogue {
    /// Everything in these files, which are TOML.
    pub fn read(files: &[&str]) -> Result<Self, CatalogueFault> {
        let mut all = BTreeMap::new();
        for file in files {
            let tables: BTreeMap<String, BTreeMap<String, Sentence>> =
                toml::from_str(file).map_err(|why| CatalogueFault::Unreadable(why.to_string()))?;
            for (table, sentences) in tables {
                for (name, sentence) in sentences {
                    match all.entry(format!("{table}.{name}")) {
                        Entry::Vacant(place) => drop(place.insert(sentence)),
                        Entry::Occupied(place) => return Err(CatalogueFault::Twice(place.key().clone())),
                    }
                }
            }
        }
        Ok(Self(all))
    }

    /// The same from files that are compiled in.
    ///
    /// # Panics
    ///
    /// Where they are no catalogue, which the tests of their crate find before anybody else does.
    pub fn built_in(files: &[&str]) -> Self {
        Self::read(files).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Its sentences in one language.
    pub fn words(&'static self, lang: Lang) -> Sentences {
        Sentences { catalogue: self, lang }
    }

    /// The sentence of a key.
    pub fn find(&self, key: &str) -> Option<&Sentence> {
        self.0.get(key)
    }

    /// Every sentence, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Sentence)> {
        self.0.iter().map(|(key, sentence)| (key.as_str(), sentence))
    }
}

impl Sentences {
    /// The sentence of a key.
    pub fn say(self, key: &str) -> &'static str {
        // A key that is not there shows as a mark: ugly, but nothing is lost. A test keeps it from happening.
        self.catalogue.find(key).map_or("⁇", |sentence| sentence.say(self.lang))
    }

    /// The sentence of a key, with pieces put in for `{name}`. What is put in is never looked at again.
    pub fn fill(self, key: &str, pieces: &[(&str, &dyn Display)]) -> String {
        fill_with(self.say(key), pieces)
    }

    /// What happened, and what to do next: the sentences of a key and of the same key with `_hint`, filled alike.
    pub fn said(self, key: &str, pieces: &[(&str, &dyn Display)]) -> Said {
        Said::new(self.fill(key, pieces), self.fill(&format!("{key}_hint"), pieces))
    }

    /// The sentence of a family of keys whose last part is known only now: `of("phase", "gate")`.
    pub fn of(self, family: &str, last: &str) -> &'static str {
        self.say(&format!("{family}.{last}"))
    }
}

/// The kernel's own sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    OWN.words(lang)
}

/// A sentence with pieces put in for `{name}`. What is put in is never looked at again.
pub fn fill(sentence: &str, pieces: &[(&str, &str)]) -> String {
    fill_with(sentence, pieces)
}

/// The names of the pieces that a sentence takes.
pub fn pieces(sentence: &str) -> BTreeSet<&str> {
    sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

fn fill_with<Piece: Display>(sentence: &str, pieces: &[(&str, Piece)]) -> String {
    let mut out = String::new();
    let mut rest = sentence;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + length];
        out.push_str(&rest[..open]);
        match pieces.iter().find(|(known, _)| *known == name) {
            // Writing to a string does not fail.
            Some((_, piece)) => drop(write!(out, "{piece}")),
            None => out.push_str(&rest[open..=open + length]),
        }
        rest = &rest[open + length + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::words::Checked;

    #[test]
    fn every_sentence_of_the_kernel_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &OWN,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &[],
            plain: &["allowed", "field", "from", "left", "line", "need", "over", "shown", "table", "to", "until"],
        }
        .check();
    }

    #[test]
    fn a_key_has_one_sentence_in_both_languages() {
        let file = "[till]\nopen = { ja = \"開ける\", en = \"Open {what}\" }\n";
        let catalogue = Catalogue::read(&[file]).unwrap();
        let sentence = catalogue.find("till.open").unwrap();
        assert_eq!((sentence.say(Lang::Ja), sentence.say(Lang::En)), ("開ける", "Open {what}"));
        assert_eq!(fill(sentence.say(Lang::En), &[("what", "{what}")]), "Open {what}");
        assert_eq!(fill("{other} {", &[("what", "x")]), "{other} {");
        assert_eq!(Catalogue::read(&[file, file]), Err(CatalogueFault::Twice("till.open".to_owned())));
        let half = Catalogue::read(&["[till]\nopen = { en = \"Open\" }\n"]);
        assert!(matches!(half, Err(CatalogueFault::Unreadable(_))), "{half:?}");
    }
}
