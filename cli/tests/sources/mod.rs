//! The files of the house, for tests that read them: where they are, what they define and what their crates depend on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every file of the house with this ending, by its place.
pub fn files(ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    walk(&root(), ending, &mut found);
    assert!(found.len() > 20 || ending != "rs", "the house was not found");
    found
}

fn walk(folder: &Path, ending: &str, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_ours = !["target", "node_modules", "snapshots"].iter().any(|skipped| name == *skipped);
        if path.is_dir() && is_ours && !name.to_string_lossy().starts_with('.') {
            walk(&path, ending, found);
        } else if path.extension().is_some_and(|this| this == ending) {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
        }
    }
}

pub fn is_source(path: &Path) -> bool {
    path.iter().any(|part| part == "src")
}

/// The name of the type that a line begins to define.
pub fn type_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
    let line = line.strip_prefix("pub(super) ").unwrap_or(line);
    let rest = ["struct ", "enum ", "trait ", "union "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|letter: char| !letter.is_alphanumeric()).next()
}

/// The crates under a heading of a room's manifest: `dependencies`, or `dev-dependencies` for those of its tests.
pub fn dependencies(room: &Path, heading: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(room).join("Cargo.toml")).unwrap();
    let opening = format!("{heading}]");
    let section = manifest.split("\n[").find_map(|section| section.strip_prefix(opening.as_str())).unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split(['.', '=', ' ']).next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}
