//! What a person forbade, in their own words: "don't touch auth", src/auth には触らないで.
//!
//! A constraint is a fact of the session. It is in every prompt whatever was compacted, and every change is held against
//! the paths it names before anybody is asked; only the person takes it back. Nothing here understands language: a
//! sentence counts if it has one of the known ways to forbid a change, and what it names are its words that look like
//! paths, or that stand where the thing forbidden stands.

use enza_kernel::limits;
use serde::{Deserialize, Serialize};

/// The most constraints a session keeps.
pub(super) const MOST: usize = 50;
/// A sentence longer than this is no rule.
const LONGEST: usize = 300;

/// Something a person forbade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// In their words.
    pub text: String,
    /// The paths, or names of files and folders, that must not be changed.
    pub paths: Vec<String>,
}

/// Ways to forbid a change in English; what is forbidden stands behind them.
const ENGLISH: [&str; 18] = [
    "don't touch",
    "do not touch",
    "dont touch",
    "never touch",
    "don't change",
    "do not change",
    "never change",
    "don't modify",
    "do not modify",
    "never modify",
    "don't edit",
    "do not edit",
    "never edit",
    "don't delete",
    "do not delete",
    "never delete",
    "stay away from",
    "hands off",
];
/// Ways to forbid a change in Japanese; what is forbidden stands before them.
const JAPANESE: [&str; 13] = [
    "触らない",
    "触れない",
    "さわらない",
    "いじらない",
    "変更しない",
    "変えない",
    "編集しない",
    "修正しない",
    "削除しない",
    "消さない",
    "書き換えない",
    "変更禁止",
    "編集禁止",
];
/// Words that stand around the thing and are not it.
const AROUND: &str = "the|a|an|any|anything|in|of|under|inside|folder|directory|file|files|folders|module|code|my|our|this|that|it|\
    please|or|and";

impl Constraint {
    /// The constraint in a text, where it says one that names something.
    pub fn of(text: &str) -> Option<Self> {
        let paths = forbidden_paths(text);
        (!paths.is_empty()).then(|| Self { text: limits::one_line(text, LONGEST), paths })
    }

    /// Every constraint in a message, sentence by sentence.
    pub fn all_of(message: &str) -> Vec<Self> {
        sentences(message).filter_map(Self::of).collect()
    }

    /// Whether a path is forbidden: it is one of them, lies below one, or has one as a part of it.
    pub fn forbids(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        self.paths.iter().any(|forbidden| {
            let wanted: Vec<&str> = forbidden.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
            let is_here = |window: &[&str]| window.iter().zip(&wanted).all(|(part, one)| same(part, one));
            !wanted.is_empty() && parts.windows(wanted.len()).any(is_here)
        })
    }
}

/// The same name, with or without the ending of a file.
fn same(part: &str, name: &str) -> bool {
    let stem = |text: &str| text.rsplit_once('.').map_or(text.to_owned(), |(stem, _)| stem.to_owned());
    let is_same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    is_same(part, name) || (!name.contains('.') && is_same(&stem(part), name))
}

/// What a text forbids to change.
pub(super) fn forbidden_paths(text: &str) -> Vec<String> {
    if limits::length(text) > LONGEST {
        return Vec::new();
    }
    let lower = text.to_lowercase().replace('’', "'");
    let mut named: Vec<String> = Vec::new();
    for way in ENGLISH {
        if let Some((_, behind)) = lower.split_once(way) {
            named.extend(names(behind));
        }
    }
    for way in JAPANESE {
        if let Some((before, _)) = lower.split_once(way) {
            named.extend(last_name(before));
        }
    }
    named.dedup();
    named
}

/// The names behind an English way to forbid: up to the end of the phrase.
fn names(behind: &str) -> Vec<String> {
    let phrase = behind.split(['!', '?', ';', '\n']).next().unwrap_or_default();
    let phrase = phrase.split(" because ").next().unwrap_or_default();
    let words = phrase.split([' ', ',']).map(|word| word.trim_matches(|letter: char| "\"'`.()[]:".contains(letter)));
    let is_around = |word: &&str| word.is_empty() || AROUND.split('|').any(|common| common == *word);
    let telling: Vec<&str> = words.filter(|word| !is_around(word)).collect();
    let paths: Vec<String> = telling.iter().filter(|word| is_path(word)).map(|word| (*word).to_owned()).collect();
    // Without anything like a path, the first word is the thing: "don't touch auth".
    if paths.is_empty() { telling.first().map(|word| (*word).to_owned()).into_iter().collect() } else { paths }
}

/// The name before a Japanese way to forbid: the last run of letters that could be one.
fn last_name(before: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._-/*".contains(letter);
    let phrase = before.rsplit(['。', '、', '\n']).next().unwrap_or_default();
    let runs: Vec<&str> = phrase.split(|letter| !is_part(letter)).filter(|run| run.len() > 1).collect();
    let paths: Vec<String> = runs.iter().filter(|run| is_path(run)).map(|run| (*run).to_owned()).collect();
    if paths.is_empty() { runs.last().map(|run| (*run).to_owned()).into_iter().collect() } else { paths }
}

fn is_path(word: &str) -> bool {
    word.contains('/') || word.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
}

fn sentences(message: &str) -> impl Iterator<Item = &str> {
    message
        .split(['\n', '。', '!', '！'])
        .flat_map(|line| line.split(". "))
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Constraint;

    /// Peers (d) 3: rules that were stated are facts.
    #[test]
    fn what_a_person_forbids_is_read_with_what_it_names() {
        for (text, paths) in [
            ("Please don't touch auth.", vec!["auth"]),
            ("Do not change anything in src/auth/ or Cargo.lock", vec!["src/auth/", "cargo.lock"]),
            ("never edit the migrations folder", vec!["migrations"]),
            ("src/auth には触らないでください", vec!["src/auth"]),
            ("config.toml は変更しないで", vec!["config.toml"]),
            ("legacyフォルダは編集禁止です", vec!["legacy"]),
        ] {
            let found = Constraint::of(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found.paths, paths, "{text}");
        }
    }

    #[test]
    fn what_forbids_nothing_is_no_constraint() {
        for text in ["Add a test for auth", "Why did you change auth?", "テストを追加して", "Don't worry about it"]
        {
            assert_eq!(Constraint::of(text), None, "{text}");
        }
    }

    #[test]
    fn a_path_is_held_against_every_part_of_it() {
        let auth = Constraint { text: String::new(), paths: vec!["auth".to_owned()] };
        for path in ["auth/mod.rs", "src/auth/login.rs", "src/auth.rs", "./src/Auth/x"] {
            assert!(auth.forbids(path), "{path}");
        }
        for path in ["src/author.rs", "src/main.rs", "authors/x"] {
            assert!(!auth.forbids(path), "{path}");
        }
        let deep = Constraint { text: String::new(), paths: vec!["src/auth/".to_owned()] };
        assert!(deep.forbids("src/auth/a.rs") && deep.forbids("lib/src/auth/a.rs") && !deep.forbids("auth/a.rs"));
    }

    #[test]
    fn a_message_may_state_several() {
        let all = Constraint::all_of("Add the function. Don't touch auth. Also, do not edit docs/api.md!");
        let paths: Vec<_> = all.iter().flat_map(|one| &one.paths).collect();
        assert_eq!(paths, ["auth", "docs/api.md"]);
    }
}
