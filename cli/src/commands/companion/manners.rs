//! What a project tells its helpers: AGENTS.md from the root of the repository down to the folder of work.
//!
//! The nearest is last, since the last word counts most. Where a folder has no AGENTS.md, its CLAUDE.md or GEMINI.md is
//! read instead. A link that leads out of the repository is not followed: whoever wrote the repository must not be able
//! to have any file of this machine read to a model.

use std::path::{Path, PathBuf};

use enza_applications::companion::{Instruction, work::hazard};

/// The names, the first that is there counts.
const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
/// The most of one file, in bytes.
const LONGEST: usize = 32 * 1024;
/// How many folders up at most.
const HIGHEST: usize = 32;

/// The instructions for a folder, the nearest last.
pub fn of(folder: &Path) -> Vec<Instruction> {
    let above = up_to_the_root(folder);
    let Some(root) = above.last() else { return Vec::new() };
    let told = above.iter().enumerate().filter_map(|(up, at)| {
        let (name, text) = NAMES.iter().find_map(|name| Some((name, text(&at.join(name), root)?)))?;
        Some(Instruction { path: format!("{}{name}", "../".repeat(up)), text })
    });
    let mut told: Vec<Instruction> = told.collect();
    told.reverse();
    told
}

/// The folder and those above it, up to the one with the repository in it; the folder alone where there is none.
fn up_to_the_root(folder: &Path) -> Vec<PathBuf> {
    let above: Vec<PathBuf> = folder.ancestors().take(HIGHEST).map(Path::to_owned).collect();
    let root = above.iter().position(|at| at.join(".git").exists()).unwrap_or(0);
    above.into_iter().take(root + 1).collect()
}

fn text(path: &Path, root: &Path) -> Option<String> {
    let real = path.canonicalize().ok().filter(|real| real.starts_with(root) && real.is_file())?;
    let mut bytes = std::fs::read(real).ok()?;
    bytes.truncate(LONGEST);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = hazard::mask(text.trim_end()).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(folder: &Path) -> Vec<(String, String)> {
        of(&folder.canonicalize().unwrap()).into_iter().map(|one| (one.path, one.text)).collect()
    }

    fn put(path: PathBuf, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_nearest_is_last_and_nothing_above_the_repository_is_read() {
        let house = tempfile::tempdir().unwrap();
        let at = |path: &str| house.path().join(path);
        std::fs::create_dir_all(at("repo/.git")).unwrap();
        put(at("AGENTS.md"), "above");
        put(at("repo/AGENTS.md"), "root\n");
        put(at("repo/CLAUDE.md"), "not read");
        put(at("repo/a/b/GEMINI.md"), "near");
        let expected = [("../../AGENTS.md", "root"), ("GEMINI.md", "near")];
        assert_eq!(told(&at("repo/a/b")), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
        put(at("loose/AGENTS.md"), "loose");
        assert_eq!(told(&at("loose")), [("AGENTS.md".to_owned(), "loose".to_owned())]);
    }

    #[test]
    fn a_link_out_of_the_repository_is_not_followed() {
        let house = tempfile::tempdir().unwrap();
        let repo = house.path().join("repo");
        std::fs::create_dir_all(repo.join(".git")).unwrap();
        put(house.path().join("private"), "private");
        std::os::unix::fs::symlink("../private", repo.join("AGENTS.md")).unwrap();
        put(repo.join("CLAUDE.md"), "own");
        assert_eq!(told(&repo), [("CLAUDE.md".to_owned(), "own".to_owned())]);
    }
}
