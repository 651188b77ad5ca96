//! The frame knows any application and names none: no crate of one, no type, no word, no phrase for people, no selector.
//!
//! What one adds comes in by the list of `cli/src/applications.rs`. So whoever adds an application changes nothing of what
//! is looked at here, and whoever reads the frame needs to know none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{dependencies, files, is_source, root, type_name};

/// What the frame is made of.
const FRAME: [&str; 8] = ["kernel", "runtime", "storage", "models", "server", "terminal", "work", "workshop"];
/// Rooms whose tests play whole applications: what a page shows is tried with one that has much to show.
const PLAYING: [&str; 1] = ["server"];
/// Names that programs and stored documents know, and so stay.
const KEPT: [&str; 2] = ["rename = \"per_interview\"", "rename = \"per_form\""];
/// Words of applications that prose needs for other things: a page has forms, and data have a form.
const ORDINARY: [&str; 2] = ["form", "forms"];

#[test]
fn the_frame_names_no_application() {
    let names = Names::read();
    let mut found = Vec::new();
    for room in FRAME {
        let headings = ["dependencies", "dev-dependencies"];
        for heading in headings.iter().take(if PLAYING.contains(&room) { 1 } else { 2 }) {
            let known = dependencies(Path::new(room), heading);
            found.extend(known.intersection(&names.crates).map(|one| format!("{room}/Cargo.toml: {one}")));
        }
    }
    for (ending, check) in [
        ("rs", Names::in_code as fn(&Names, &str) -> bool),
        ("toml", Names::in_words),
        ("js", Names::in_script),
        ("css", Names::in_style),
        ("md", Names::in_prose),
    ] {
        for (path, text) in files(ending).into_iter().filter(|(path, _)| is_frame(path)) {
            let is_kept = |line: &str| KEPT.iter().any(|kept| line.contains(kept));
            let lines = text.lines().enumerate().filter(|(_, line)| check(&names, line) && !is_kept(line));
            found.extend(lines.map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim())));
        }
    }
    assert!(found.is_empty(), "the frame names an application, {} times: {found:#?}", found.len());
}

/// Whether a file is one of the frame's own. What only its tests say is not shipped.
fn is_frame(path: &Path) -> bool {
    let inside = FRAME.iter().find_map(|room| path.strip_prefix(room).ok());
    inside.is_some_and(|inside| !inside.starts_with("tests") && !inside.starts_with("browser"))
}

/// What the applications call themselves and what is theirs.
struct Names {
    crates: BTreeSet<String>,
    /// The same as paths in code begin.
    paths: Vec<String>,
    /// Their folders and the words by which their sessions are known.
    words: BTreeSet<String>,
    /// Their orders at a terminal, as they are typed.
    orders: Vec<String>,
    /// What they are called on pages, in both languages.
    called: BTreeSet<String>,
    /// What their rules offer and the frame defines nothing of.
    offered: BTreeSet<String>,
    /// Classes that their pages have and the frame's have not.
    classes: BTreeSet<String>,
}

impl Names {
    fn read() -> Self {
        let folders: Vec<PathBuf> =
            fs::read_dir(root().join("applications")).unwrap().flatten().map(|entry| entry.path()).collect();
        let sources = files("rs");
        let of_applications = |path: &Path| path.starts_with("applications") && is_source(path);
        let mut crates = BTreeSet::new();
        let mut words = BTreeSet::new();
        for folder in &folders {
            words.insert(folder.file_name().unwrap().to_string_lossy().into_owned());
            crates.extend(fs::read_dir(folder).unwrap().flatten().filter_map(|part| package(&part.path())));
        }
        let theirs = sources.iter().filter(|(path, _)| of_applications(path));
        words.extend(theirs.flat_map(|(_, text)| text.lines().filter_map(own_word)).map(str::to_owned));
        let offers =
            sources.iter().filter(|(path, _)| path.starts_with("applications") && path.ends_with("rules/src/lib.rs"));
        let mut offered: BTreeSet<String> = offers.flat_map(|(_, text)| exports(text)).collect();
        for (_, text) in sources.iter().filter(|(path, _)| is_frame(path)) {
            for word in text.lines().flat_map(known) {
                offered.remove(word);
            }
        }
        let drawn_by = |is_theirs: fn(&Path) -> bool| -> BTreeSet<String> {
            let scripts = files("js");
            let all = sources.iter().chain(&scripts).filter(|(path, _)| is_theirs(path));
            all.flat_map(|(_, text)| text.split(is_no_class_letter).map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        let theirs = drawn_by(|path| path.starts_with("applications"));
        let is_class = |word: &&String| word.starts_with(|letter: char| letter.is_ascii_lowercase());
        let classes = theirs.difference(&drawn_by(is_frame)).filter(is_class).cloned().collect();
        let called = folders.iter().flat_map(|folder| called(&folder.join("rules/words/about.toml"))).collect();
        let paths = crates.iter().map(|name| name.replace('-', "_")).collect();
        let orders = words.iter().map(|word| format!("enza {word}")).collect();
        let found = Self { crates, paths, words, orders, called, offered, classes };
        let all = [&found.crates, &found.words, &found.called, &found.offered, &found.classes];
        assert!(all.iter().all(|some| some.len() >= folders.len()), "the applications' own words were not found");
        found
    }

    /// A path into a crate of theirs, something that they offer, their word between quotes, or their name in prose.
    fn in_code(&self, line: &str) -> bool {
        let line = line.trim();
        let is_prose = line.starts_with("//");
        if self.paths.iter().any(|path| line.contains(path.as_str())) || self.in_prose(line) {
            return true;
        }
        // What stands behind a path of someone else's is theirs.
        let is_offered = |code: &str| {
            let mut words = code.split(is_no_name_letter);
            words.any(|word| self.offered.contains(word) && !code.contains(&format!("::{word}")))
        };
        let mut pieces = line.split('"').enumerate();
        !is_prose
            && pieces.any(|(number, piece)| if number % 2 == 0 { is_offered(piece) } else { self.is_theirs(piece) })
    }

    /// Whether a text in code is their word, or begins with it and goes on as addresses and orders do.
    fn is_theirs(&self, text: &str) -> bool {
        self.words.iter().any(|word| {
            text.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ' ', '/']))
        }) || self.orders.iter().any(|order| text.contains(order.as_str()))
    }

    /// A sentence's key with their word in it, or a sentence that has their name.
    fn in_words(&self, line: &str) -> bool {
        // Which crates a manifest names is looked at by itself.
        if line.starts_with("enza-") {
            return false;
        }
        let (key, _) = line.split_once(" = {").unwrap_or((if line.starts_with('[') { line } else { "" }, ""));
        let in_key = key.split(|letter: char| !letter.is_alphanumeric()).any(|part| self.words.contains(part));
        in_key || self.in_prose(line)
    }

    fn in_script(&self, line: &str) -> bool {
        let mut quoted = line.split(['"', '\'', '`']).skip(1).step_by(2);
        self.in_style(line)
            || quoted.any(|text| self.is_theirs(text) && !ORDINARY.iter().any(|word| text.starts_with(word)))
    }

    /// A selector that only their pages have, or their name in a comment.
    fn in_style(&self, line: &str) -> bool {
        let selected = |line: &str| {
            line.match_indices('.').any(|(place, _)| {
                let class = line[place + 1..].split(is_no_class_letter).next().unwrap_or_default();
                self.classes.contains(class)
            })
        };
        selected(line) || self.in_prose(line)
    }

    /// Their name in prose, but for what are ordinary words of ours, too.
    fn in_prose(&self, line: &str) -> bool {
        let ordinary = |word: &str| ORDINARY.contains(&word);
        let lower = line.to_lowercase();
        let order = self.orders.iter().any(|order| lower.contains(order.as_str()));
        let mut said = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
        order
            || said.any(|word| {
                let one = word.strip_suffix('s').unwrap_or(word);
                !ordinary(word) && (self.words.contains(word) || self.words.contains(one))
            })
            || self.called.iter().any(|name| !name.is_ascii() && line.contains(name.as_str()))
    }
}

/// The name of the crate in a folder.
fn package(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("name = \""))?;
    Some(line.trim_end_matches('"').to_owned())
}

/// The word that a line gives an application.
fn own_word(line: &str) -> Option<&str> {
    line.trim().strip_prefix("const NAME: &'static str = \"")?.strip_suffix("\";")
}

/// What an application is called, by its own sentences.
fn called(words: &Path) -> Vec<String> {
    let words: toml::Table = toml::from_str(&fs::read_to_string(words).unwrap()).unwrap();
    let title = words["application"]["title"].as_table().unwrap();
    title.values().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// What a crate offers at its root.
fn exports(root: &str) -> Vec<String> {
    let reexported = root.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let words = reexported.flat_map(|list| list.rsplit("::").next().unwrap_or(list).split([',', '{', '}']));
    let names = words.filter_map(|word| word.trim().rsplit(' ').next());
    let own = root.lines().filter(|line| line.starts_with("pub ")).filter_map(type_name);
    names.chain(own).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The names that a line of the frame defines or takes from somewhere: items, variants and imports.
fn known(line: &str) -> Vec<&str> {
    let line = line.trim();
    let mut words = line.split(is_no_name_letter).filter(|word| !word.is_empty());
    if line.starts_with("use ") {
        return words.collect();
    }
    if let Some(first) = words.next().filter(|first| line.starts_with(*first) && first.starts_with(char::is_uppercase))
    {
        let behind = line[first.len()..].trim_start();
        return if behind.is_empty() || behind.starts_with(['{', '(', ',']) { vec![first] } else { Vec::new() };
    }
    let items = ["struct", "enum", "trait", "type", "fn", "const", "static", "mod", "union"];
    let mut all = line.split(is_no_name_letter).filter(|word| !word.is_empty());
    all.find(|word| items.contains(word)).and_then(|_| all.next()).into_iter().collect()
}

fn is_no_class_letter(letter: char) -> bool {
    !letter.is_ascii_alphanumeric() && letter != '-'
}

fn is_no_name_letter(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}
