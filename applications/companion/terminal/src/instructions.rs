//! What helpers are told: the user's own AGENTS.md, and the project's, from the root of the repository down to the folder of
//! work, and below it.
//!
//! The nearest is last, since the last word counts most: the user's own is first, and any of the project's goes before it.
//! One below the folder says for which files it holds. Where a
//! folder has no AGENTS.md, its CLAUDE.md, GEMINI.md or .goosehints is read instead. A link that leads out of the
//! repository is not followed: whoever wrote the repository must not be able to have any file of this machine read to a
//! model. What is found below is bounded, so that it cannot crowd out what holds for everything.

use std::path::{Path, PathBuf};

use enza_companion::Instruction;
use enza_kernel::text::Lang;
use enza_work::hazard;

use crate::words;

/// The names, the first that is there counts.
const NAMES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".goosehints"];
/// The most of one file, in bytes.
const LONGEST: usize = 32 * 1024;
/// How many folders up at most.
const HIGHEST: usize = 32;
/// How many folders down, how many folders in all and how many files are looked at below.
const DEEPEST: usize = 6;
const MOST_FOLDERS: usize = 2_000;
const MOST_BELOW: usize = 12;
/// The most of one file below and of all of them, in bytes.
const LONGEST_BELOW: usize = 4 * 1024;
const ALL_BELOW: usize = 12 * 1024;
/// Folders that hold what others wrote or what was built.
const LEFT_OUT: [&str; 8] = ["node_modules", "target", "vendor", "dist", "build", "venv", "__pycache__", "third_party"];

/// The instructions for a folder, the nearest last: those in the user's config folder, then the project's.
pub fn of(config: &Path, folder: &Path, lang: Lang) -> Vec<Instruction> {
    let own = if config == folder { None } else { of_the_user(config, lang) };
    own.into_iter().chain(of_the_project(folder, lang)).collect()
}

/// What the user wants in every project. It is their own machine: a link may lead anywhere.
fn of_the_user(config: &Path, lang: Lang) -> Option<Instruction> {
    let path = config.join(NAMES[0]);
    let text = text(&path, Path::new("/"), LONGEST)?;
    Some(Instruction { path: path.display().to_string(), text: format!("{}\n{text}", words::in_every_project(lang)) })
}

fn of_the_project(folder: &Path, lang: Lang) -> Vec<Instruction> {
    let above = up_to_the_root(folder);
    let Some(root) = above.last() else { return Vec::new() };
    let told = above.iter().enumerate().filter_map(|(up, at)| {
        let (name, text) = instructions_in(at, root, LONGEST)?;
        Some(Instruction { path: format!("{}{name}", "../".repeat(up)), text })
    });
    let mut told: Vec<Instruction> = told.collect();
    told.reverse();
    told.extend(below(folder, root, lang));
    told
}

/// Whether a path is one at which instructions are looked for.
pub fn is_one(path: &str) -> bool {
    NAMES.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// The folder and those above it, up to the one with the repository in it; the folder alone where there is none.
fn up_to_the_root(folder: &Path) -> Vec<PathBuf> {
    let above: Vec<PathBuf> = folder.ancestors().take(HIGHEST).map(Path::to_owned).collect();
    let root = above.iter().position(|at| at.join(".git").exists()).unwrap_or(0);
    above.into_iter().take(root + 1).collect()
}

/// What folders below say about the files in them, the deeper after the higher.
fn below(folder: &Path, root: &Path, lang: Lang) -> Vec<Instruction> {
    let mut found = Vec::new();
    let mut room = ALL_BELOW;
    let mut level = vec![String::new()];
    let mut seen = 0;
    for _ in 0..DEEPEST {
        level = level.iter().flat_map(|at| folders_in(folder, at)).collect();
        for at in &level {
            seen += 1;
            if seen > MOST_FOLDERS || found.len() >= MOST_BELOW || room == 0 {
                return found;
            }
            let Some((name, text)) = instructions_in(&folder.join(at), root, LONGEST_BELOW.min(room)) else { continue };
            room = room.saturating_sub(text.len());
            let scope = words::only_below(lang, at);
            found.push(Instruction { path: format!("{at}/{name}"), text: format!("{scope}\n{text}") });
        }
    }
    found
}

/// The folders in one below the folder of work, by name; links, hidden ones and what others wrote are left out.
fn folders_in(folder: &Path, at: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join(at)) else { return Vec::new() };
    let named =
        entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_left_out = name.starts_with('.') || LEFT_OUT.contains(&name.as_str());
            let gap = if at.is_empty() { "" } else { "/" };
            // Another repository inside this one has its own say.
            (!is_left_out && !entry.path().join(".git").exists()).then(|| format!("{at}{gap}{name}"))
        });
    let mut named: Vec<String> = named.take(MOST_FOLDERS).collect();
    named.sort();
    named
}

/// The first of the names that is there, and what it says.
fn instructions_in(at: &Path, root: &Path, longest: usize) -> Option<(&'static str, String)> {
    NAMES.iter().find_map(|name| Some((*name, text(&at.join(name), root, longest)?)))
}

fn text(path: &Path, root: &Path, longest: usize) -> Option<String> {
    // Most folders have none; to find the real name of nothing takes long.
    path.symlink_metadata().ok()?;
    let real = path.canonicalize().ok().filter(|real| real.starts_with(root) && real.is_file())?;
    let mut bytes = std::fs::read(real).ok()?;
    bytes.truncate(longest);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = hazard::mask(text.trim_end()).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(folder: &Path) -> Vec<(String, String)> {
        of_the_project(&folder.canonicalize().unwrap(), Lang::En).into_iter().map(|one| (one.path, one.text)).collect()
    }

    fn put(path: PathBuf, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn both(told: &[(&str, &str)]) -> Vec<(String, String)> {
        told.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
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
        assert_eq!(told(&at("repo/a/b")), both(&[("../../AGENTS.md", "root"), ("GEMINI.md", "near")]));
        put(at("loose/.goosehints"), "loose");
        assert_eq!(told(&at("loose")), both(&[(".goosehints", "loose")]));
    }

    #[test]
    fn what_folders_below_say_comes_last_with_the_files_it_holds_for() {
        let house = tempfile::tempdir().unwrap();
        let at = |path: &str| house.path().join(path);
        std::fs::create_dir_all(at(".git")).unwrap();
        put(at("AGENTS.md"), "all");
        put(at("web/deep/CLAUDE.md"), "deep");
        put(at("web/AGENTS.md"), "web");
        for left_out in ["node_modules/x", ".hidden", "target"] {
            put(at(left_out).join("AGENTS.md"), "never");
        }
        put(at("other/AGENTS.md"), "another repository");
        std::fs::create_dir_all(at("other/.git")).unwrap();
        let scoped = |at: &str, text: &str| format!("{}\n{text}", words::only_below(Lang::En, at));
        let expected = [
            ("AGENTS.md", "all"),
            ("web/AGENTS.md", &*scoped("web", "web")),
            ("web/deep/CLAUDE.md", &*scoped("web/deep", "deep")),
        ];
        assert_eq!(told(house.path()), both(&expected));
    }

    #[test]
    fn the_users_own_is_first_and_may_be_a_link() {
        let house = tempfile::tempdir().unwrap();
        let at = |path: &str| house.path().join(path);
        put(at("dotfiles/agents"), "Answer in haiku.\n");
        put(at("work/AGENTS.md"), "Answer in prose.");
        std::fs::create_dir_all(at("config")).unwrap();
        std::os::unix::fs::symlink(at("dotfiles/agents"), at("config/AGENTS.md")).unwrap();
        let told: Vec<(String, String)> =
            of(&at("config"), &at("work"), Lang::En).into_iter().map(|one| (one.path, one.text)).collect();
        let own = format!("{}\nAnswer in haiku.", words::in_every_project(Lang::En));
        let path = at("config/AGENTS.md").display().to_string();
        assert_eq!(told, both(&[(&path, &own), ("AGENTS.md", "Answer in prose.")]));
        assert_eq!(of(&at("work"), &at("work"), Lang::En).len(), 1, "a config folder is told once");
    }

    #[test]
    fn what_is_found_below_is_bounded() {
        let house = tempfile::tempdir().unwrap();
        for place in 0..40 {
            put(house.path().join(format!("part{place:02}/AGENTS.md")), &"x".repeat(3 * LONGEST_BELOW));
        }
        let told = told(house.path());
        let bytes: usize = told.iter().map(|(_, text)| text.lines().last().unwrap().len()).sum();
        assert_eq!((told.len(), bytes), (ALL_BELOW / LONGEST_BELOW, ALL_BELOW));
    }

    #[test]
    fn a_link_out_of_the_repository_is_not_followed() {
        let house = tempfile::tempdir().unwrap();
        let repo = house.path().join("repo");
        std::fs::create_dir_all(repo.join(".git")).unwrap();
        put(house.path().join("private"), "private");
        put(house.path().join("elsewhere/AGENTS.md"), "elsewhere");
        std::os::unix::fs::symlink("../private", repo.join("AGENTS.md")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", repo.join("linked")).unwrap();
        put(repo.join("CLAUDE.md"), "own");
        assert_eq!(told(&repo), both(&[("CLAUDE.md", "own")]));
    }
}
