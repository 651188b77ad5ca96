//! Every sentence on screen, in both languages, by key.
//!
//! The catalogue is the files in `words/` and those that the parts of applications bring, read alike
//! (`enza_kernel::words`). Text is shown with `say`, with pieces put in by `fill`, and where the last part of a key is only
//! known at run time by `of`. `tests/words.rs` reads the source and fails on a key that is missing or never used; each part
//! has the same test over its own.

use std::sync::{LazyLock, RwLock};

use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentence, fill};

/// The files of a catalogue, as TOML.
pub type WordFiles = &'static [&'static str];

/// The frame's own, by the room they are for.
const FILES: WordFiles = &[
    include_str!("../words/account.toml"),
    include_str!("../words/administration.toml"),
    include_str!("../words/api.toml"),
    include_str!("../words/design.toml"),
    include_str!("../words/frame.toml"),
    include_str!("../words/gallery.toml"),
    include_str!("../words/home.toml"),
    include_str!("../words/inspector.toml"),
    include_str!("../words/problem.toml"),
    include_str!("../words/session.toml"),
    include_str!("../words/usage.toml"),
];

static OWN: LazyLock<Catalogue> = LazyLock::new(|| read(FILES));
/// What parts have brought, with the files it was read from. It only grows, once for each part of a process.
static BROUGHT: RwLock<Vec<(WordFiles, &'static Catalogue)>> = RwLock::new(Vec::new());

/// The catalogue in one reader's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(pub Lang);

impl Words {
    /// The sentence of a key.
    pub fn say(self, key: &str) -> &'static str {
        // A key that is not there shows itself: ugly, but nothing is lost. A test keeps it from happening.
        find(key).map_or_else(|| unknown(key), |sentence| sentence.say(self.0))
    }

    /// The sentence of a key, with pieces put in for `{name}`. What is put in is never looked at again.
    pub fn fill(self, key: &str, pieces: &[(&str, &str)]) -> String {
        fill(self.say(key), pieces)
    }

    /// The sentence of a family of keys whose last part is known only now: `of("phase", "gate")`.
    pub fn of(self, family: &str, last: &str) -> &'static str {
        self.say(&format!("{family}.{last}"))
    }

    /// Whether there is such a key.
    pub fn has(self, key: &str) -> bool {
        find(key).is_some()
    }
}

/// The frame's own sentences.
pub fn catalogue() -> &'static Catalogue {
    &OWN
}

/// Takes a part's sentences in. Those that are here already are not taken twice; a key that someone else has is a bug.
pub fn add(files: WordFiles) {
    let mut brought = BROUGHT.write().expect("nobody fails while they hold it");
    if brought.iter().any(|(known, _)| *known == files) {
        return;
    }
    let new = read(files);
    let others = || std::iter::once(catalogue()).chain(brought.iter().map(|(_, catalogue)| *catalogue));
    if let Some((key, _)) = new.iter().find(|(key, _)| others().any(|other| other.find(key).is_some())) {
        drop(brought);
        panic!("two parts have a sentence of the key {key}");
    }
    brought.push((files, Box::leak(Box::new(new))));
}

fn find(key: &str) -> Option<&'static Sentence> {
    let brought = || BROUGHT.read().expect("nobody fails while they hold it");
    catalogue().find(key).or_else(|| brought().iter().find_map(|(_, catalogue)| catalogue.find(key)))
}

fn read(files: WordFiles) -> Catalogue {
    Catalogue::read(files).unwrap_or_else(|fault| panic!("{fault}"))
}

fn unknown(key: &str) -> &'static str {
    tracing::error!(key, "a sentence is missing");
    "⁇"
}
