//! What a model is shown of a folder before it asks: the names in it when a session opens, and the files that a request
//! names in passing.
//!
//! Everything goes through the workshop's own reach and within the rules about reading, so that nothing is shown that a
//! model could not have read unasked: no secret, nothing outside, nothing that a rule closes. What is long is left out
//! whole; a model that wants it reads it.

use std::collections::VecDeque;
use std::path::Path;

use enza_companion::{Attached, Constraint};
use enza_work::{Bounds, Job, Listing, Order};
use enza_workshop::files::{self, Access};

/// The most of the names in a folder, in bytes.
const MAP: usize = 2_000;
/// The most of the names in one folder that are looked at, in bytes, and the most folders.
const LISTED: u64 = 64 * 1024;
const MOST_FOLDERS: usize = 200;
/// The longest file that is shown unasked, in bytes and lines, and the most of them.
const LONGEST: u64 = 8_000;
const LINES: u32 = 300;
const MOST: usize = 6;

/// The names in a folder, one on each line: what lies at the top first, so that the whole is seen before any of its parts,
/// and behind each folder how much is in it. Shortened where there are many.
pub fn map(folder: &Path, bounds: &Bounds) -> String {
    let task = Job::List { path: String::new(), depth: 1 };
    let Some(reach) = reach(folder, bounds, LISTED, task) else { return String::new() };
    let names = |path: &str| files::list(&reach, path, 1).ok();
    let mut waiting: VecDeque<Listing> = names("").into_iter().collect();
    let (mut map, mut looked_at) = (String::new(), 0);
    while let Some(listed) = waiting.pop_front() {
        for name in listed.text.lines() {
            let below = name.strip_suffix('/').filter(|_| looked_at < MOST_FOLDERS).and_then(names);
            looked_at += usize::from(below.is_some());
            let count = below.as_ref().map_or_else(String::new, |below| format!(" ({})", below.entries));
            if map.len() + name.len() + count.len() >= MAP {
                return format!("{map}…");
            }
            map += &format!("{name}{count}\n");
            waiting.extend(below);
        }
        if listed.more {
            map += "…\n";
        }
    }
    map.trim_end().to_owned()
}

/// The files that a text names as they are called in the folder, besides those that it has already.
pub fn named_in(text: &str, folder: &Path, bounds: &Bounds, besides: &[Attached]) -> Vec<Attached> {
    let mut found: Vec<Attached> = Vec::new();
    // What is forbidden is named, and not meant to be looked at.
    let forbidden = Constraint::all_of(text);
    for path in paths_in(text) {
        let is_known = besides.iter().chain(&found).any(|file| file.path == path);
        if found.len() == MOST || is_known || forbidden.iter().any(|constraint| constraint.forbids(path)) {
            continue;
        }
        let task = Job::Read { path: path.to_owned(), from: 1, lines: LINES };
        let read = reach(folder, bounds, LONGEST, task).and_then(|reach| files::read(&reach, path, 1, LINES).ok());
        // A file behind a link has another name than the one that was said.
        if let Some(file) = read.filter(|file| !file.more && file.path == path) {
            found.push(Attached { path: file.path, text: file.text });
        }
    }
    found
}

fn reach(folder: &Path, bounds: &Bounds, output: u64, task: Job) -> Option<Access> {
    let bounds = Bounds { output, ..bounds.clone() };
    let order = Order { folder: folder.to_str()?.to_owned(), task, bounds, granted: Vec::new() };
    Access::of(&order).ok()
}

/// The words that could be paths. Japanese is written without spaces, so a word ends where its letters do.
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._-/+".contains(letter);
    let words = text.split(move |letter| !is_part(letter));
    words
        .map(|word| word.trim_end_matches(['.', '/']).trim_start_matches("./"))
        .filter(|word| word.contains(['.', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, std::path::PathBuf) {
        let house = tempfile::tempdir().unwrap();
        let folder = house.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        (house, folder)
    }

    fn file(path: &str, text: &str) -> Attached {
        Attached { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_file_that_a_sentence_names_is_shown_in_either_language() {
        let (_house, folder) = folder(&[("shop/price.py", "p = 1\n"), ("stats.py", "s = 1\n")]);
        let named = |text| named_in(text, &folder, &Bounds::default(), &[]);
        let both = vec![file("shop/price.py", "p = 1\n"), file("stats.py", "s = 1\n")];
        assert_eq!(named("Move it from shop/price.py to ./stats.py. And price.py?"), both);
        assert_eq!(named("`shop/price.py`とstats.pyを直してください。"), both);
        assert_eq!(named("See example.com/stats.py, or nothing at all"), []);
    }

    #[test]
    fn what_may_not_be_read_unasked_is_not_shown() {
        let long = "x = 1\n".repeat(2_000);
        let files = [(".env", "KEY=1"), ("long.py", &*long), ("closed.py", "c"), ("auth.py", "a"), ("open.py", "o\n")];
        let (_house, folder) = folder(&files);
        std::os::unix::fs::symlink("auth.py", folder.join("other.py")).unwrap();
        let bounds = Bounds { closed: vec!["closed.py".to_owned()], ..Bounds::default() };
        let said = "Look at .env, long.py, closed.py, other.py, ../open.py and open.py. Don't touch auth.py.";
        assert_eq!(named_in(said, &folder, &bounds, &[]), [file("open.py", "o\n")]);
        assert_eq!(named_in(said, &folder, &bounds, &[file("open.py", "")]), []);
    }

    #[test]
    fn a_map_names_what_is_there_and_says_where_there_is_more() {
        let (_house, folder) =
            folder(&[("a/b/c/d/deep.py", ""), ("a/one.py", ""), (".gitignore", "out\n"), ("out/x", "")]);
        let bounds = Bounds { closed: vec!["a/b/**".to_owned()], ..Bounds::default() };
        assert_eq!(map(&folder, &bounds), ".gitignore\na/ (2)\na/b/ (0)\na/one.py");
        let whole = ".gitignore\na/ (2)\na/b/ (1)\na/one.py\na/b/c/ (1)\na/b/c/d/ (1)\na/b/c/d/deep.py";
        assert_eq!(map(&folder, &Bounds::default()), whole);
        for number in 0..300 {
            std::fs::create_dir_all(folder.join("a/many")).unwrap();
            std::fs::write(folder.join(format!("a/many/file-{number}.txt")), "").unwrap();
        }
        std::fs::write(folder.join("z.py"), "").unwrap();
        let mapped = map(&folder, &Bounds::default());
        assert!(mapped.starts_with(".gitignore\na/ (3)\nz.py\na/b/ (1)\na/many/ (300)\n"), "{mapped}");
        std::fs::remove_dir_all(folder.join("a/many")).unwrap();
        for number in 0..300 {
            std::fs::write(folder.join(format!("file-{number}.txt")), "").unwrap();
        }
        let mapped = map(&folder, &Bounds::default());
        assert!(mapped.ends_with("\n…") && mapped.len() < 2_100, "{mapped}");
    }
}
