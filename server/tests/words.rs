//! Every sentence on screen is there in both languages, and every sentence that is there is shown.
//!
//! The source is read for keys: `say("table.name")`, `fill("table.name", …)`, `of("table", …)`. A key may also stand as a
//! plain literal where it is handed on. A key that is missing, or that nothing mentions, fails here by name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use enza_server::words::{Sentence, Words, catalogue};

#[test]
fn every_sentence_that_is_asked_for_is_in_the_catalogue() {
    let source = source();
    let missing: Vec<_> =
        asked_for(&source).into_iter().filter(|key| !catalogue().contains_key(key.as_str())).collect();
    assert!(missing.is_empty(), "add to server/words/*.toml: {missing:#?}");
}

#[test]
fn every_family_that_is_asked_for_has_sentences() {
    let source = source();
    let missing: Vec<_> = families(&source)
        .into_iter()
        .filter(|family| !catalogue().keys().any(|key| table_of(key) == family.as_str()))
        .collect();
    assert!(missing.is_empty(), "add a table to server/words/*.toml: {missing:#?}");
}

#[test]
fn every_sentence_in_the_catalogue_is_shown_somewhere() {
    let source = source();
    let families = families(&source);
    let unused: Vec<_> = catalogue()
        .keys()
        .filter(|key| !families.contains(table_of(key)) && !source.contains(&format!("\"{key}\"")))
        .collect();
    assert!(unused.is_empty(), "remove from server/words/*.toml, or show: {unused:#?}");
}

#[test]
fn both_languages_say_something_and_take_the_same_pieces() {
    let uneven: Vec<_> = catalogue()
        .iter()
        .filter(|(_, Sentence { ja, en })| ja.is_empty() || en.is_empty() || pieces(ja) != pieces(en))
        .map(|(key, _)| key)
        .collect();
    assert!(uneven.is_empty(), "uneven: {uneven:#?}");
}

/// Labels and titles end in marks of their own, as names that people give do.
#[test]
fn a_name_that_ends_in_a_mark_meets_no_other_mark() {
    let names = ["agent", "item", "label", "name", "path", "sentence", "title", "tool"];
    let marked = ["Your name?", "Your name.", "お名前。", "お名前：", "参加しますか？"];
    let mut badly = Vec::new();
    for (key, Sentence { ja, en }) in catalogue() {
        let has_name = names.iter().any(|name| ja.contains(&format!("{{{name}}}")));
        for (lang, name) in [Lang::Ja, Lang::En].into_iter().flat_map(|lang| marked.map(|name| (lang, name))) {
            let filled = pieces(en).into_iter().map(|piece| (piece, if names.contains(&piece) { name } else { "3" }));
            let said = Words(lang).fill(key, &filled.collect::<Vec<_>>());
            let faults = prose::faults(&said).into_iter().filter(|fault| fault.starts_with("two marks"));
            badly.extend(faults.filter(|_| has_name).map(|fault| format!("{key}: {fault}")));
        }
    }
    assert_eq!(badly, Vec::<String>::new());
}

#[test]
fn japanese_is_japanese_and_english_is_not() {
    let is_japanese =
        |text: &str| text.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    let mixed_up: Vec<_> =
        catalogue().iter().filter(|(_, sentence)| is_japanese(&sentence.en)).map(|(key, _)| key).collect();
    assert!(mixed_up.is_empty(), "Japanese where English belongs: {mixed_up:#?}");
}

/// Everything under `src`, as one text.
fn source() -> String {
    let mut all = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 10_000, "the source was not found");
    all
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
