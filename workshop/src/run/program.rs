//! Which program is meant, and what it finds in its environment.
//!
//! The environment is made from nothing: what the person's shell exports may be a key. The home folder a command sees
//! is a private one; only the variables that lead to toolchains point into the real one, and those may only be read.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use enza_work::Fault;

use super::command_spec::CommandSpec;

/// Folders in the private one, and the variables that lead there.
const PRIVATE: [(&str, &str); 8] = [
    ("HOME", "home"),
    ("TMPDIR", "tmp"),
    ("XDG_CACHE_HOME", "home/.cache"),
    ("XDG_CONFIG_HOME", "home/.config"),
    ("XDG_DATA_HOME", "home/.local/share"),
    ("XDG_STATE_HOME", "home/.local/state"),
    ("XDG_RUNTIME_DIR", "run"),
    ("CARGO_HOME", "cargo"),
];

/// What cargo has downloaded; without the network it is used where it lies.
const DOWNLOADED: [&str; 2] = ["registry", "git"];

/// Finds the file of the program `name`, for a command that runs in `at`.
pub fn find(name: &str, at: &Path, path: &[PathBuf]) -> Result<PathBuf, Fault> {
    let here = name.contains('/').then(|| at.join(name));
    let on_path = || path.iter().map(|folder| folder.join(name)).find(|file| runs(file));
    here.filter(|file| file.is_file())
        .or_else(|| (!name.is_empty() && !name.contains('/')).then(on_path).flatten())
        .ok_or_else(|| Fault::NoSuchProgram { name: name.to_owned() })
}

fn runs(file: &Path) -> bool {
    file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Makes the folders that the environment names, inside the private folder.
pub fn furnish(cell: &CommandSpec) -> std::io::Result<()> {
    for (_, folder) in PRIVATE {
        std::fs::create_dir_all(cell.scratch.join(folder))?;
    }
    if cell.network {
        return Ok(());
    }
    for folder in DOWNLOADED {
        let Some(there) = cell.toolchains().cargo_home().map(|cargo| cargo.join(folder)) else { continue };
        if there.is_dir() {
            std::os::unix::fs::symlink(there, cell.scratch.join("cargo").join(folder))?;
        }
    }
    Ok(())
}

/// Every variable the command sees.
pub fn environment(cell: &CommandSpec) -> Vec<(String, OsString)> {
    // Python would leave its caches in the person's folders, which are no work of the command's.
    let said = [("TERM", "dumb"), ("NO_COLOR", "1"), ("CI", "1"), ("PYTHONDONTWRITEBYTECODE", "1")];
    let mut all: Vec<(String, OsString)> = said.map(|(name, value)| (name.to_owned(), value.into())).into();
    // Paths come from `split_paths`, so they can be joined again.
    let path = std::env::join_paths(&cell.path).unwrap_or_default();
    all.push(("PATH".to_owned(), path));
    all.extend(cell.locale.iter().map(|(name, value)| (name.clone(), value.into())));
    all.extend(PRIVATE.map(|(name, folder)| (name.to_owned(), cell.scratch.join(folder).into())));
    let toolchains = cell.toolchains().environment();
    all.extend(toolchains.into_iter().map(|(name, home)| (name.to_owned(), home.into())));
    all
}
