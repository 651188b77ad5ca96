//! Checks a catalogue against the source that shows it: every sentence that is asked for is there in both languages, and
//! every sentence that is there is shown. Each crate that has words runs these over its own.
//!
//! The source is read for keys: `say("table.name")`, `fill("table.name", …)`, `of("table", …)`. A key may also stand as a
//! plain literal where it is handed on. A key that is missing, or that nothing mentions, fails here by name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentence, fill};

/// A crate's sentences, beside the source that shows them.
pub struct Checked<'a> {
    /// Its own sentences.
    pub own: &'a Catalogue,
    /// Those of the frame, where it is a part of it.
    pub frame: Option<&'a Catalogue>,
    /// The folder of the crate.
    pub home: &'a str,
    /// Tables that are filled or read elsewhere: the frame's, which parts add to.
    pub shared: &'a [&'a str],
}

impl Checked<'_> {
    /// Everything at once.
    pub fn check(&self) {
        let source = self.source();
        self.what_is_asked_for_is_there(&source);
        self.what_is_there_is_shown(&source);
        self.both_languages_take_the_same_pieces();
        self.a_name_that_ends_in_a_mark_meets_no_other_mark();
        self.english_has_no_japanese();
    }

    fn has(&self, key: &str) -> bool {
        let known = |catalogue: &Catalogue| catalogue.find(key).is_some();
        known(self.own) || self.frame.is_some_and(known)
    }

    fn what_is_asked_for_is_there(&self, source: &str) {
        let missing: Vec<_> = asked_for(source).into_iter().filter(|key| !self.has(key)).collect();
        assert!(missing.is_empty(), "add to {}/words/*.toml: {missing:#?}", self.home);
        let all = || self.own.iter().chain(self.frame.into_iter().flat_map(Catalogue::iter));
        let is_shared = |family: &str| self.shared.contains(&family);
        let missing: Vec<_> = families(source)
            .into_iter()
            .filter(|family| !is_shared(family) && !all().any(|(key, _)| table_of(key) == family.as_str()))
            .collect();
        assert!(missing.is_empty(), "add a table to {}/words/*.toml: {missing:#?}", self.home);
    }

    fn what_is_there_is_shown(&self, source: &str) {
        let families = families(source);
        let is_shown = |key: &str| {
            let table = table_of(key);
            families.contains(table) || self.shared.contains(&table) || source.contains(&format!("\"{key}\""))
        };
        let unused: Vec<_> = self.own.iter().map(|(key, _)| key).filter(|key| !is_shown(key)).collect();
        assert!(unused.is_empty(), "remove from {}/words/*.toml, or show: {unused:#?}", self.home);
    }

    fn both_languages_take_the_same_pieces(&self) {
        let uneven: Vec<_> = self
            .own
            .iter()
            .filter(|(_, Sentence { ja, en })| ja.is_empty() || en.is_empty() || pieces(ja) != pieces(en))
            .map(|(key, _)| key)
            .collect();
        assert!(uneven.is_empty(), "uneven: {uneven:#?}");
    }

    /// Labels and titles end in marks of their own, as names that people give do.
    fn a_name_that_ends_in_a_mark_meets_no_other_mark(&self) {
        let names = ["agent", "item", "label", "name", "path", "sentence", "title", "tool"];
        let marked = ["Your name?", "Your name.", "お名前。", "お名前：", "参加しますか？"];
        let mut badly = Vec::new();
        for (key, sentence) in self.own.iter() {
            let has_name = names.iter().any(|name| sentence.ja.contains(&format!("{{{name}}}")));
            for (lang, name) in [Lang::Ja, Lang::En].into_iter().flat_map(|lang| marked.map(|name| (lang, name))) {
                let taken = pieces(&sentence.en).into_iter();
                let filled: Vec<_> =
                    taken.map(|piece| (piece, if names.contains(&piece) { name } else { "3" })).collect();
                let said = fill(sentence.say(lang), &filled);
                let faults = prose::faults(&said).into_iter().filter(|fault| fault.starts_with("two marks"));
                badly.extend(faults.filter(|_| has_name).map(|fault| format!("{key}: {fault}")));
            }
        }
        assert_eq!(badly, Vec::<String>::new());
    }

    fn english_has_no_japanese(&self) {
        let is_japanese =
            |text: &str| text.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
        let mixed_up: Vec<_> =
            self.own.iter().filter(|(_, sentence)| is_japanese(&sentence.en)).map(|(key, _)| key).collect();
        assert!(mixed_up.is_empty(), "Japanese where English belongs: {mixed_up:#?}");
    }

    /// Everything under `src`, as one text.
    fn source(&self) -> String {
        let mut all = String::new();
        read(&Path::new(self.home).join("src"), &mut all);
        assert!(!all.is_empty(), "the source was not found");
        all
    }
}

fn read(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of the source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push_str(&fs::read_to_string(path).expect("a file of the source"));
        }
    }
}

/// The literal keys that `say` and `fill` are called with.
fn asked_for(source: &str) -> BTreeSet<String> {
    let calls = [".say(", ".fill("].into_iter().flat_map(|call| first_literals(source, call));
    calls.filter(|key| key.contains('.')).collect()
}

/// The tables that `of` is called with, or that a key is put together from.
fn families(source: &str) -> BTreeSet<String> {
    let called = first_literals(source, ".of(").filter(|name| !name.contains('.'));
    let put_together = first_literals(source, "format!(").filter_map(|text| {
        let (table, rest) = text.split_once(".{")?;
        (rest.ends_with('}') && table.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'))
            .then(|| table.to_owned())
    });
    called.chain(put_together).collect()
}

/// The literals that stand first in the calls of a function.
fn first_literals<'a>(source: &'a str, call: &'a str) -> impl Iterator<Item = String> + 'a {
    source.match_indices(call).filter_map(move |(place, _)| {
        let inside = source[place + call.len()..].trim_start().strip_prefix('"')?;
        Some(inside[..inside.find('"')?].to_owned())
    })
}

fn table_of(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// The names of the pieces that are put into a sentence.
fn pieces(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}
