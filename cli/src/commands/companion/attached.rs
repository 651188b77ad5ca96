//! Files that a person names with `@` in what they say: `fix @src/main.rs`.
//!
//! Only files inside the folder of work are handed over; a name that leads out of it, or to a file whose name says that it
//! holds secrets, stays what it is: a word. Secrets in the text are masked.

use std::path::Path;

use enza_applications::companion::{Attached, work::hazard};

/// The most of one file, in bytes.
const LONGEST: usize = 48 * 1024;
/// The most files at once.
const MOST: usize = 8;

/// The files that a text names.
pub fn named_in(text: &str, folder: &Path) -> Vec<Attached> {
    let mut found: Vec<Attached> = Vec::new();
    for word in text.split_whitespace().filter_map(|word| word.strip_prefix('@')) {
        let exact = read(word, folder);
        let file =
            exact.or_else(|| read(word.trim_end_matches([',', '.', ';', ':', ')', '?', '!', '、', '。']), folder));
        if let Some(file) = file.filter(|file| found.len() < MOST && found.iter().all(|one| one.path != file.path)) {
            found.push(file);
        }
    }
    found
}

fn read(path: &str, folder: &Path) -> Option<Attached> {
    let real = folder.join(path).canonicalize().ok()?;
    let inside = real.strip_prefix(folder).ok()?.to_str()?.to_owned();
    if inside.is_empty() || !real.is_file() || hazard::names_secrets(&inside) {
        return None;
    }
    let mut bytes = std::fs::read(&real).ok()?;
    bytes.truncate(LONGEST);
    if bytes.contains(&0) {
        return None;
    }
    let text = hazard::mask(&String::from_utf8_lossy(&bytes)).into_owned();
    Some(Attached { path: inside, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_files_inside_the_folder_are_handed_over_and_nothing_else() {
        let house = tempfile::tempdir().unwrap();
        let folder = house.path().canonicalize().unwrap().join("work");
        std::fs::create_dir_all(folder.join("src")).unwrap();
        for (name, text) in [("../outside.txt", "no"), ("src/a.rs", "fn a() {}"), (".env", "KEY=1")] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let named = named_in("see @src/a.rs, and @src/a.rs @../outside.txt @.env @missing me@src/a.rs", &folder);
        assert_eq!(named, [Attached { path: "src/a.rs".to_owned(), text: "fn a() {}".to_owned() }]);
    }
}
