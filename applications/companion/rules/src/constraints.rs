//! What a person forbade, in their own words: "don't touch auth", src/auth には触らないで.
//!
//! A constraint is a fact of the session. It is in every prompt whatever was compacted, and every change is held against
//! the paths it names before anybody is asked; only the person takes it back. Nothing here understands language: a
//! sentence counts if it has one of the known ways to forbid something, and what it names are its words that look like
//! paths, or that stand alone where the thing forbidden stands. One that names no path ("no new dependencies") is told to
//! the model in every call, and nothing more.

use enza_kernel::conversation::estimate_tokens;
use enza_kernel::limits;
use serde::{Deserialize, Serialize};

use enza_work::pattern::path_fits;

/// The most constraints a session keeps.
const MOST: usize = 50;
/// The most tokens that all of them take in a prompt, where they are never left out.
pub(super) const MOST_TOKENS: u64 = 1_500;
/// A sentence longer than this is no rule.
const LONGEST: usize = 300;

/// Something a person forbade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
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
/// Ways to forbid what has no path.
const GENERAL: [&str; 14] = [
    "don't add",
    "do not add",
    "never add",
    "don't use",
    "do not use",
    "never use",
    "don't install",
    "do not install",
    "no new ",
    "追加しない",
    "増やさない",
    "使わない",
    "入れない",
    "使用禁止",
];
/// Words that stand around the thing and are not it.
const AROUND: &str = "the|a|an|any|anything|everything|in|of|under|inside|folder|directory|file|files|folders|module|code|my|our|\
    this|that|it|them|please|or|and";
/// Words with which something else begins.
const AFTER: &str =
    "until|unless|for|while|when|yet|at|now|today|here|again|without|before|after|if|i|we|you|as|since|on|ever";
/// What a Japanese name may end in without being part of it.
const KINDS: [&str; 6] = ["フォルダー", "フォルダ", "ディレクトリ", "ファイル", "以下", "配下"];

impl Constraint {
    /// The constraint in a text, where it says one.
    pub fn of(text: &str) -> Option<Self> {
        let Prohibition { paths, is_named } = prohibition(text);
        is_named.then(|| Self { text: limits::one_line(text, LONGEST), paths })
    }

    /// What a person who forbids something means: a sentence, or a bare path.
    pub fn meant(text: &str) -> Option<Self> {
        let text = limits::one_line(text, LONGEST);
        let is_name = !text.contains(char::is_whitespace);
        let bare = || Self { text: text.clone(), paths: if is_name { vec![text.clone()] } else { Vec::new() } };
        (!text.is_empty()).then(|| Self::of(&text).unwrap_or_else(bare))
    }

    /// Every constraint in a message, sentence by sentence.
    pub fn all_of(message: &str) -> Vec<Self> {
        sentences(message).filter_map(Self::of).collect()
    }

    /// Whether it can be kept beside the others: whatever is kept is in every prompt.
    pub fn fits_beside(&self, others: &[Self]) -> bool {
        let is_other = |one: &&Self| !self.replaces(one);
        let tokens: u64 = others.iter().filter(is_other).map(Self::tokens).sum();
        others.iter().filter(is_other).count() < MOST && tokens + self.tokens() <= MOST_TOKENS
    }

    /// Whether it says again what another one says.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.text == other.text || (!self.paths.is_empty() && self.paths == other.paths)
    }

    fn tokens(&self) -> u64 {
        estimate_tokens(&self.text) + 2
    }

    /// Whether a path is forbidden: it is one of them, lies below one, or has one as a part of it.
    pub fn forbids(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        self.paths.iter().any(|forbidden| {
            if forbidden.contains('*') {
                return path_fits(forbidden, path);
            }
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
    prohibition(text).paths
}

/// What is forbidden in a sentence: paths, or at least something.
#[derive(Default)]
struct Prohibition {
    paths: Vec<String>,
    is_named: bool,
}

fn prohibition(text: &str) -> Prohibition {
    let mut found = Prohibition::default();
    if limits::length(text) > LONGEST {
        return found;
    }
    let lower = text.to_lowercase().replace('’', "'");
    for (place, way) in ENGLISH.iter().flat_map(|way| lower.match_indices(way)) {
        behind(&lower[place + way.len()..], &mut found);
    }
    for (place, _) in JAPANESE.iter().flat_map(|way| lower.match_indices(way)) {
        before(&lower[..place], &mut found);
    }
    found.is_named |= !found.paths.is_empty() || GENERAL.iter().any(|way| lower.contains(way));
    found.paths.dedup();
    found
}

/// What stands behind an English way to forbid, up to the end of the phrase: a list of things.
fn behind(text: &str, found: &mut Prohibition) {
    let phrase = text.split(['!', '?', ';', '\n']).next().unwrap_or_default();
    let phrase = [" because ", " but "].iter().fold(phrase, |phrase, end| phrase.split(end).next().unwrap_or_default());
    let things = phrase.split(',').flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" or "));
    for thing in things {
        let words =
            thing.split_whitespace().map(|word| word.trim_matches(|letter: char| "\"'`.()[]:".contains(letter)));
        let is_in = |list: &str, word: &str| list.split('|').any(|common| common == word);
        let telling: Vec<&str> = words
            .filter(|word| !word.is_empty() && !is_in(AROUND, word))
            .take_while(|word| !is_in(AFTER, word))
            .collect();
        let paths: Vec<String> = telling.iter().filter(|word| is_path(word)).map(|word| (*word).to_owned()).collect();
        found.is_named |= !telling.is_empty();
        match telling[..] {
            // Without anything like a path, a lone word is the thing: "don't touch auth". Several are no name.
            [word] if paths.is_empty() => found.paths.push(word.to_owned()),
            _ => found.paths.extend(paths),
        }
    }
}

/// What stands before a Japanese way to forbid: the last part of the sentence, and bare names listed before it.
fn before(text: &str, found: &mut Prohibition) {
    let sentence = text.rsplit(['。', '\n']).next().unwrap_or_default();
    let mut parts = sentence.rsplit('、');
    let Some(last) = parts.next() else { return };
    let is_bare =
        |part: &&str| !part.trim().is_empty() && part.trim().trim_end_matches(['と', 'や']).chars().all(is_part);
    for part in std::iter::once(last).chain(parts.take_while(is_bare)) {
        let runs: Vec<&str> =
            part.split(|letter| !is_part(letter)).map(without_kind).filter(|run| !run.is_empty()).collect();
        let paths: Vec<String> = runs.iter().filter(|run| is_path(run)).map(|run| (*run).to_owned()).collect();
        found.is_named |= !runs.is_empty();
        let is_name = |run: &&&str| run.len() > 1 && run.is_ascii();
        match runs.iter().rfind(is_name) {
            Some(name) if paths.is_empty() => found.paths.push((*name).to_owned()),
            _ => found.paths.extend(paths),
        }
    }
}

/// Whether a letter may be part of a name. Particles are written in hiragana, and end it.
fn is_part(letter: char) -> bool {
    let is_hiragana = ('ぁ'..='ゟ').contains(&letter);
    (letter.is_alphanumeric() && !is_hiragana) || "._-/*".contains(letter)
}

/// A name without the word for what kind of thing it is.
fn without_kind(run: &str) -> &str {
    KINDS.iter().find_map(|kind| run.strip_suffix(kind)).unwrap_or(run)
}

fn is_path(word: &str) -> bool {
    let has_ending = word.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty());
    word.contains(['/', '*']) || has_ending
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
            ("設計書.md は変更しないで", vec!["設計書.md"]),
            ("src/auth には触らないで、config.toml にも触らないで", vec!["src/auth", "config.toml"]),
            ("src/a、src/b は変更しないで", vec!["src/b", "src/a"]),
            ("main.rs を直して、auth には触らないで", vec!["auth"]),
            ("don't touch auth and billing, please", vec!["auth", "billing"]),
            ("Don't touch auth until I say so", vec!["auth"]),
            ("Don't touch *.lock", vec!["*.lock"]),
        ] {
            let found = Constraint::of(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found.paths, paths, "{text}");
        }
    }

    #[test]
    fn what_forbids_nothing_is_no_constraint() {
        for text in [
            "Add a test for auth",
            "Why did you change auth?",
            "テストを追加して",
            "Don't worry about it",
            "Don't change anything yet",
        ] {
            assert_eq!(Constraint::of(text), None, "{text}");
        }
    }

    /// Not every constraint is about a path; what looks like a name and is none must not close a folder of that name.
    #[test]
    fn what_names_no_path_is_kept_in_words_alone() {
        for text in ["Don't change the public API", "No new dependencies", "Do not use unsafe", "認証は変更しないで"]
        {
            assert_eq!(Constraint::of(text), Some(Constraint { text: text.to_owned(), paths: Vec::new() }));
        }
        let meant = Constraint::meant("stay on Python 3.8").unwrap();
        assert_eq!((meant.paths.len(), Constraint::meant("  ")), (0, None));
        assert_eq!(Constraint::meant("src/auth").unwrap().paths, ["src/auth"]);
    }

    /// Whatever is kept is in every prompt, so what no longer fits is not kept, instead of pushing out what was.
    #[test]
    fn what_does_not_fit_beside_the_others_is_not_kept() {
        let stated = |number: usize| Constraint::meant(&format!("rule {number} {}", "x".repeat(250))).unwrap();
        let mut kept: Vec<Constraint> = Vec::new();
        while stated(kept.len()).fits_beside(&kept) {
            kept.push(stated(kept.len()));
        }
        assert!((10..50).contains(&kept.len()), "{}", kept.len());
        assert!(kept[0].fits_beside(&kept), "the same again takes no more room");
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
        let ending = Constraint { text: String::new(), paths: vec!["*.lock".to_owned()] };
        assert!(ending.forbids("Cargo.lock") && ending.forbids("web/yarn.lock") && !ending.forbids("lock.rs"));
        assert!(deep.forbids("src/auth/a.rs") && deep.forbids("lib/src/auth/a.rs") && !deep.forbids("auth/a.rs"));
    }

    #[test]
    fn a_message_may_state_several() {
        let all = Constraint::all_of("Add the function. Don't touch auth. Also, do not edit docs/api.md!");
        let paths: Vec<_> = all.iter().flat_map(|one| &one.paths).collect();
        assert_eq!(paths, ["auth", "docs/api.md"]);
    }
}
