//! Checks a catalogue against the source that shows it: every sentence that is asked for is there in both languages, every
//! sentence that is there is shown, and whoever fills one gives exactly the pieces that it takes.
//!
//! Each crate that has words calls this in a test of its own. The source is read for keys: `say("table.name")`,
//! `fill("table.name", &[("piece", …)])`, `said("table.name", &[…])`, which also shows `table.name_hint`, and
//! `of("table", …)`. A key may also stand as a plain literal where it is handed on.
//! What is wrong fails here by the key's name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::prose;
use crate::about::ABOUT;
use crate::application::Application;
use crate::text::Lang;
use crate::words::{Catalogue, Sentence, fill, pieces};

/// Pieces that are numbers wherever they stand.
const NUMBERS: [&str; 12] =
    ["bytes", "calls", "count", "days", "done", "limit", "max", "min", "most", "seq", "tokens", "total"];

/// A crate's sentences, beside the source that shows them.
#[derive(Debug)]
pub struct Checked<'a> {
    /// Its own sentences.
    pub own: &'a Catalogue,
    /// Those of the frame, where it is a part of it.
    pub frame: Option<&'a Catalogue>,
    /// The folder of the crate.
    pub home: &'a str,
    /// Tables that are filled or read elsewhere: the frame's, which parts add to.
    pub shared: &'a [&'a str],
    /// Pieces that end in no mark, by name, or by key and name where another sentence has a text of that name: names of
    /// the machine's, such as a path or a provider; what is counted; and what is put in without its mark. Every other
    /// piece is taken for a text that may end a sentence, unless its name is one of [`NUMBERS`].
    pub plain: &'a [&'a str],
}

/// Checks what an application says about itself: all of it is there, and a name for each of its agents and tools and for
/// nobody else. What is said of these is a sentence, and what is a name ends in no mark.
///
/// # Panics
///
/// Where something is wrong, with the keys that it is wrong with.
pub fn check_about<A: Application>(agents: &[&str], tools: &[&str]) {
    let about = A::about();
    let tables = [("application", ABOUT.as_slice()), ("agent", agents), ("tool", tools)];
    let named = |(table, names): (&str, &[&str])| {
        let keys = names.iter().map(|name| format!("{table}.{name}"));
        keys.collect::<Vec<_>>()
    };
    let wanted: BTreeSet<String> = tables.into_iter().flat_map(named).collect();
    let there: BTreeSet<String> = about.iter().map(|(key, _)| key.to_owned()).collect();
    assert_eq!(there, wanted, "what {} says about itself", A::NAME);
    let checked = Checked { own: about, frame: None, home: "", shared: &[], plain: &[] };
    checked.both_languages_take_the_same_pieces();
    checked.english_has_no_japanese();
    for (key, sentence) in about.iter() {
        for lang in [Lang::Ja, Lang::En] {
            let said = sentence.say(lang);
            assert_eq!(prose::faults(said), Vec::<String>::new(), "{key}");
            let ends = said.ends_with(['.', '。', '!', '！', '?', '？']);
            assert_eq!(ends, key == "application.sentence", "only the sentence ends in a mark: {key}: {said}");
        }
    }
}

impl Checked<'_> {
    /// Everything at once.
    ///
    /// # Panics
    ///
    /// Where something is wrong, with the keys that it is wrong with.
    pub fn check(&self) {
        let source = source(self.home);
        self.what_is_asked_for_is_there(&source);
        self.what_is_there_is_shown(&source);
        self.both_languages_take_the_same_pieces();
        self.whoever_fills_gives_the_pieces(&source);
        self.a_text_that_ends_in_a_mark_meets_no_other_mark();
        self.what_is_called_plain_is_put_in_somewhere();
        self.english_has_no_japanese();
    }

    fn find(&self, key: &str) -> Option<&Sentence> {
        self.own.find(key).or_else(|| self.frame.and_then(|frame| frame.find(key)))
    }

    fn what_is_asked_for_is_there(&self, source: &str) {
        let missing: Vec<_> = asked_for(source).into_iter().filter(|key| self.find(key).is_none()).collect();
        assert!(missing.is_empty(), "add to {}/words/*.toml: {missing:#?}", self.home);
        let all = || self.own.iter().chain(self.frame.into_iter().flat_map(Catalogue::iter));
        let is_shared = |family: &str| self.shared.contains(&family);
        let missing: Vec<_> = tables_called(source)
            .into_iter()
            .filter(|family| !is_shared(family) && !all().any(|(key, _)| table_of(key) == family.as_str()))
            .collect();
        assert!(missing.is_empty(), "add a table to {}/words/*.toml: {missing:#?}", self.home);
    }

    fn what_is_there_is_shown(&self, source: &str) {
        let families = families(source);
        let is_shown = |key: &str| {
            let table = table_of(key);
            let message = key.strip_suffix("_hint").unwrap_or(key);
            let is_named = |key: &str| source.contains(&format!("\"{key}\""));
            families.contains(table) || self.shared.contains(&table) || is_named(key) || is_named(message)
        };
        let unused: Vec<_> = self.own.iter().map(|(key, _)| key).filter(|key| !is_shown(key)).collect();
        assert!(unused.is_empty(), "remove from {}/words/*.toml, or show: {unused:#?}", self.home);
    }

    fn both_languages_take_the_same_pieces(&self) {
        let uneven: Vec<_> = self
            .own
            .iter()
            .filter(|(_, Sentence { ja, en })| ja.is_empty() || en.is_empty() || !are_even(ja, en))
            .map(|(key, _)| key)
            .collect();
        assert!(uneven.is_empty(), "uneven: {uneven:#?}");
    }

    fn whoever_fills_gives_the_pieces(&self, source: &str) {
        let said: BTreeSet<String> = filled(source, ".said(").into_iter().map(|(key, _)| key).collect();
        let wrong: Vec<_> = [".fill(", ".said("]
            .into_iter()
            .flat_map(|call| filled(source, call))
            .filter_map(|(key, given)| {
                let hint = self.find(&format!("{key}_hint")).filter(|_| said.contains(&key));
                let wanted: BTreeSet<&str> = [Some(self.find(&key)?), hint]
                    .into_iter()
                    .flatten()
                    .flat_map(|sentence| pieces(&sentence.en))
                    .collect();
                (wanted != given.iter().map(String::as_str).collect())
                    .then(|| format!("{key}: {wanted:?}, not {given:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "the pieces that a sentence takes are not those that it is given: {wrong:#?}");
    }

    /// Labels, reasons, doubts and titles end in marks of their own, as whatever people and models write does.
    fn a_text_that_ends_in_a_mark_meets_no_other_mark(&self) {
        let marked = ["Your name?", "Your name.", "Do it now!", "お名前。", "お名前：", "参加しますか？"];
        let mut badly = Vec::new();
        for ((key, sentence), lang) in self.own.iter().flat_map(|one| [Lang::Ja, Lang::En].map(|lang| (one, lang))) {
            let taken = pieces(&sentence.en);
            let put_in = |text| {
                let fitting = |piece| if self.is_plain(key, piece) { "3" } else { text };
                let filled: Vec<_> = taken.iter().map(|piece| (*piece, fitting(piece))).collect();
                prose::faults(&fill(sentence.say(lang), &filled))
            };
            let faults = marked.into_iter().flat_map(put_in).find(|fault| fault.starts_with("two marks"));
            badly.extend(faults.map(|fault| format!("{key}: {fault}")));
        }
        assert!(badly.is_empty(), "let the piece end its line, or leave its mark out: {badly:#?}");
    }

    fn is_plain(&self, key: &str, piece: &str) -> bool {
        let names = |plain: &&str| *plain == piece || plain.strip_suffix(piece) == Some(&format!("{key}."));
        NUMBERS.iter().chain(self.plain).any(names)
    }

    /// A name that is excused for nothing would excuse the next text that is called so.
    fn what_is_called_plain_is_put_in_somewhere(&self) {
        let is_taken = |plain: &str| {
            self.own.iter().any(|(key, sentence)| {
                pieces(&sentence.en).iter().any(|piece| *piece == plain || format!("{key}.{piece}") == plain)
            })
        };
        let stale: Vec<_> = self.plain.iter().filter(|plain| !is_taken(plain)).collect();
        assert!(stale.is_empty(), "no sentence takes what is called plain: {stale:#?}");
    }

    fn english_has_no_japanese(&self) {
        let is_japanese =
            |text: &str| text.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
        let mixed_up: Vec<_> =
            self.own.iter().filter(|(_, sentence)| is_japanese(&sentence.en)).map(|(key, _)| key).collect();
        assert!(mixed_up.is_empty(), "Japanese where English belongs: {mixed_up:#?}");
    }
}

/// Whether both languages take the same pieces. Japanese may do without the `{subject}` that English needs.
fn are_even(ja: &str, en: &str) -> bool {
    let mut wanted = pieces(en);
    wanted.remove("subject");
    let mut taken = pieces(ja);
    taken.remove("subject");
    wanted == taken && (pieces(en).contains("subject") || !pieces(ja).contains("subject"))
}

/// Everything under `src` of a crate, as one text.
fn source(home: &str) -> String {
    let mut all = String::new();
    read(&Path::new(home).join("src"), &mut all);
    assert!(!all.is_empty(), "the source was not found");
    all
}

#[expect(clippy::disallowed_methods, reason = "a test reads its own source; no rule comes here")]
fn read(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of the source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(path).expect("a file of the source");
            // Small tests stand last in a file, and show nothing to anybody.
            all.push_str(text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text));
        }
    }
}

/// The literal keys that `say` and `fill` are called with.
fn asked_for(source: &str) -> BTreeSet<String> {
    let keys_of = |call| first_literals(source, call).map(|(key, _)| key.to_owned()).filter(|key| is_key(key));
    let shown = [".say(", ".fill(", ".said("].into_iter().flat_map(keys_of);
    shown.chain(keys_of(".said(").map(|key| format!("{key}_hint"))).collect()
}

/// The keys that a call fills, and the names of the pieces that stand beside them.
fn filled(source: &str, call: &str) -> Vec<(String, BTreeSet<String>)> {
    let calls = first_literals(source, call);
    calls.filter_map(|(key, after)| Some((key.to_owned(), names_given(after)?))).collect()
}

/// The names in `, &[("name", …), …]`; none where the pieces are put together elsewhere.
fn names_given(after: &str) -> Option<BTreeSet<String>> {
    let inside = after.trim_start().strip_prefix(',')?.trim_start().strip_prefix("&[")?;
    let mut depth = 0_usize;
    let mut names = BTreeSet::new();
    for (place, letter) in inside.char_indices() {
        match letter {
            ']' if depth == 0 => return Some(names),
            '(' | '[' | '{' => {
                let name = inside[place + 1..].trim_start().strip_prefix('"').filter(|_| depth == 0);
                names.extend(name.and_then(|name| name.split_once('"')).map(|(name, _)| name.to_owned()));
                depth += 1;
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The tables that `of` is called with.
fn tables_called(source: &str) -> BTreeSet<String> {
    first_literals(source, ".of(").map(|(name, _)| name.to_owned()).filter(|name| !name.contains('.')).collect()
}

/// The tables that `of` is called with, and those that a key may be put together from. Names of files are put together in
/// the same way, so that not each of these needs to be there.
fn families(source: &str) -> BTreeSet<String> {
    let put_together = first_literals(source, "format!(").filter_map(|(text, _)| {
        let (table, rest) = text.split_once(".{")?;
        (rest.ends_with('}')
            && !table.is_empty()
            && table.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'))
        .then(|| table.to_owned())
    });
    tables_called(source).into_iter().chain(put_together).collect()
}

/// The literals that stand first in the calls of a function, each with what comes after it.
fn first_literals<'a>(source: &'a str, call: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
    source.match_indices(call).filter_map(move |(place, _)| {
        let inside = source[place + call.len()..].trim_start().strip_prefix('"')?;
        inside.split_once('"')
    })
}

/// Whether a literal is written as keys are.
fn is_key(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    text.contains('.') && text.chars().all(is_plain)
}

fn table_of(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_that_a_call_gives_are_read_from_it() {
        let source = r#"
            words.fill("till.open", &[("what", &name(("a", "b"))), ("by", who)]);
            words(lang).fill(
                "till.close",
                &[("count", &[1, 2].len())],
            );
            words.fill("till.later", &pieces);
        "#;
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let wanted = [("till.open".to_owned(), set(&["what", "by"])), ("till.close".to_owned(), set(&["count"]))];
        assert_eq!(filled(source, ".fill("), wanted);
        assert_eq!(asked_for(source), set(&["till.open", "till.close", "till.later"]));
    }
}
