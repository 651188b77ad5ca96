//! The frame knows any application and names none: no crate of one, no type, no word, no phrase for people, no selector.
//!
//! What one adds comes in by the list of `cli/src/applications.rs`. So whoever adds an application changes nothing of what
//! is looked at here, and whoever reads the frame needs to know none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sources::{dependencies, files, is_source, root, type_name};

/// What the frame is made of.
const FRAME: [&str; 8] = ["kernel", "runtime", "storage", "models", "server", "terminal", "work", "workshop"];
/// Rooms whose tests play whole applications: what a page shows is tried with one that has much to show.
const PLAYING: [&str; 1] = ["server"];
/// Names that programs and stored documents know, and so stay.
const KEPT: [&str; 2] = ["rename = \"per_interview\"", "rename = \"per_form\""];
/// What may say an application's word. Migrations that are out stay as they were, words and all, since a database keeps what
/// it was brought to by: some bring sessions of one application along. And people take for a password what they see.
const MAY_SAY: [&str; 5] =
    ["sqlite/4.sql", "sqlite/6.sql", "postgres/4.sql", "postgres/6.sql", "server/src/access/common.txt"];
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
        ("sql", Names::in_prose),
        ("svg", Names::in_prose),
        ("txt", Names::in_prose),
    ] {
        let may_say = |path: &Path| MAY_SAY.iter().any(|file| path.ends_with(file));
        for (path, text) in files(ending).into_iter().filter(|(path, _)| is_frame(path) && !may_say(path)) {
            let is_kept = |line: &str| KEPT.iter().any(|kept| line.contains(kept));
            let lines = text.lines().enumerate().filter(|(_, line)| check(&names, line) && !is_kept(line));
            found.extend(lines.map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim())));
        }
    }
    assert!(found.is_empty(), "the frame names an application, {} times: {found:#?}", found.len());
}

/// The document of the interface has what the parts add, which is theirs: operations under a tag of theirs, and what is
/// described for those alone.
#[test]
fn what_the_interface_says_of_the_frame_names_no_application() {
    let names = Names::read();
    let text = fs::read_to_string(root().join("server/openapi.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let tags = tags_of_parts();
    assert_eq!(named_in_document(&names, &document, &tags), Vec::<String>::new());
    // Were it otherwise, it would be seen: in an operation, and in what one answers with.
    document["paths"]["/api/forms"]["get"]["summary"] = "Every interview there is".into();
    assert_eq!(named_in_document(&names, &document, &tags), Vec::<String>::new());
    document["paths"]["/api/sessions"]["get"]["summary"] = "Every interview there is".into();
    document["components"]["schemas"]["Sessions"]["description"] = "What the companion did.".into();
    assert_eq!(named_in_document(&names, &document, &tags), ["Every interview there is", "What the companion did."]);
}

/// The tags under which applications add operations.
fn tags_of_parts() -> BTreeSet<String> {
    let theirs =
        |path: &Path| path.starts_with("applications") && path.components().any(|part| part.as_os_str() == "words");
    let pages = files("toml").into_iter().filter(|(path, _)| theirs(path));
    let tables = pages.map(|(_, text)| toml::from_str::<toml::Table>(&text).unwrap());
    let tags = tables.filter_map(|table| table.get("api-tag")?.as_table().cloned());
    let tags: BTreeSet<String> = tags.flat_map(|table| table.keys().cloned().collect::<Vec<_>>()).collect();
    assert!(tags.contains("forms"), "the tags were not found: {tags:?}");
    tags
}

/// Everything in the document that names an application, but for what stands under these tags and what only that leads to.
fn named_in_document(names: &Names, document: &Value, tags: &BTreeSet<String>) -> Vec<String> {
    let is_theirs = |operation: &Value| {
        let mut under = operation["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        under.any(|tag| tags.contains(tag))
    };
    let mut said = Vec::new();
    let mut looked: BTreeSet<String> = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values().filter(|operation| !is_theirs(operation)) {
            said.push(path.clone());
            strings(operation, &mut said);
        }
    }
    strings(&document["info"], &mut said);
    let mut place = 0;
    while let Some(one) = said.get(place) {
        place += 1;
        let Some(name) = one.strip_prefix("#/components/").map(str::to_owned) else { continue };
        if looked.insert(name.clone()) {
            strings(document["components"].pointer(&format!("/{name}")).expect("it is described"), &mut said);
        }
    }
    assert!(looked.len() > 20 && said.len() > 500, "the frame's operations were not found");
    let is_kept = |text: &str| KEPT.iter().any(|kept| kept.contains(&format!("\"{text}\"")));
    said.retain(|text| {
        !is_kept(text) && (names.in_prose(text) || names.is_theirs(text)) && !ORDINARY.contains(&text.as_str())
    });
    said
}

/// Every key and every text of a value.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|one| strings(one, found)),
        Value::Object(all) => all.iter().for_each(|(key, one)| {
            found.push(key.clone());
            strings(one, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What the gallery and other pages of the frame show must not look like one application's.
#[test]
fn the_name_of_an_agent_is_seen_in_words() {
    let names = Names::read();
    for line in
        ["asks = { ja = \"書記\", en = \"Interviewer\" }", "asks = { ja = \"聞き手がたずねます\", en = \"It asks\" }"]
    {
        assert!(names.in_words(line), "{line}");
    }
    assert!(!names.in_words("first = { ja = \"松\", en = \"Pine\" }"));
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
    /// What their agents are called there.
    agents: BTreeSet<String>,
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
        let abouts: Vec<PathBuf> = folders.iter().flat_map(|folder| abouts(folder)).collect();
        let called = abouts.iter().flat_map(|about| called(about, "application", "title")).collect();
        let agents = abouts.iter().flat_map(|about| all_called(about, "agent")).collect();
        let paths = crates.iter().map(|name| name.replace('-', "_")).collect();
        let orders = words.iter().map(|word| format!("enza {word}")).collect();
        let found = Self { crates, paths, words, orders, called, agents, offered, classes };
        let all = [&found.crates, &found.words, &found.called, &found.agents, &found.offered, &found.classes];
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
        let is_agent = |agent: &String| match agent.is_ascii() {
            true => line.contains(&format!("\"{agent}\"")),
            false => line.contains(agent.as_str()),
        };
        in_key || self.agents.iter().any(is_agent) || self.in_prose(line)
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

/// What the applications of a folder say of themselves: one file for each.
fn abouts(folder: &Path) -> Vec<PathBuf> {
    let words = fs::read_dir(folder.join("rules/words")).into_iter().flatten().flatten();
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("about"));
    words.map(|entry| entry.path()).filter(named).collect()
}

/// What an application calls this, by its own sentences, in both languages.
fn called(words: &Path, table: &str, key: &str) -> Vec<String> {
    let words: toml::Table = toml::from_str(&fs::read_to_string(words).unwrap()).unwrap();
    let said = words[table][key].as_table().unwrap();
    said.values().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// The same for everything in a table; an application may be without one.
fn all_called(words: &Path, table: &str) -> Vec<String> {
    let read: toml::Table = toml::from_str(&fs::read_to_string(words).unwrap()).unwrap();
    let keys = read.get(table).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    keys.flat_map(|key| called(words, table, key)).collect()
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
