//! Which files hold secrets, by their names, and which folders hold such files.
//!
//! Looking is bounded: a command must not wait for a walk through everything. Folders that tools fill (dependencies,
//! build results, `.git`) and deep ones are looked into only for what a rule closes; the keys one finds there are
//! examples. What lies beyond the bounds is treated as if it held no secrets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use enza_work::hazard::{SECRET_FOLDERS, names_secrets};
use enza_work::pattern::path_fits;

/// How deep secrets are looked for.
const DEPTH: usize = 16;
/// How much deeper what a rule closes is looked for.
const DEEPER: usize = 100;
/// How many entries are looked at.
const ENTRIES: usize = 100_000;
/// How many secret files of a home folder are known.
const OF_HOME: usize = 2_000;

/// Tools stop without it, and what it holds is masked in what they print.
const NEEDED: &str = ".npmrc";

/// Folders that tools fill.
const FILLED: [&str; 8] = [".git", "node_modules", "target", ".venv", "venv", "vendor", "dist", "__pycache__"];

/// What no command reads in `/etc`, even if root runs it.
const OF_THE_SYSTEM: [&str; 10] = [
    "shadow",
    "shadow-",
    "gshadow",
    "gshadow-",
    "sudoers",
    "sudoers.d",
    "private",
    "krb5.keytab",
    "wireguard",
    "system-connections",
];

/// Whether the name of a file or folder in a folder of work says that it holds secrets.
pub fn is_secret(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
    let is_file_of_secrets = || names_secrets(&path.to_string_lossy()) && name != NEEDED && !path.is_dir();
    SECRET_FOLDERS.contains(&name.as_str()) || is_file_of_secrets()
}

/// Whether a path in `/etc` holds secrets of the machine.
pub fn is_of_the_system(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else { return false };
    OF_THE_SYSTEM.contains(&name.as_ref()) || (name.starts_with("ssh_host_") && name.ends_with("_key"))
}

/// What is closed to a command.
pub struct Closed<'a> {
    /// Whether a path holds secrets by its name; not asked in folders that tools fill.
    pub secret: &'a dyn Fn(&Path) -> bool,
    /// Whether a rule closes a path, wherever it is; none where there is no such rule.
    pub ruled: Option<&'a dyn Fn(&Path) -> bool>,
}

impl Closed<'_> {
    /// Whether a path below `top` is closed.
    pub fn is(&self, top: &Path, path: &Path) -> bool {
        let around = path.parent().and_then(|folder| folder.strip_prefix(top).ok());
        let in_filled = || around.is_some_and(|folder| folder.ancestors().any(is_filled));
        self.ruled.is_some_and(|ruled| ruled(path)) || ((self.secret)(path) && !in_filled())
    }
}

/// The folders from `top` down that hold something closed, at any depth.
pub fn holders(top: &Path, closed: &Closed<'_>) -> BTreeSet<PathBuf> {
    looked(top, closed).0
}

/// The files from `top` down that are closed, or in a folder that is.
pub fn files(top: &Path, closed: &Closed<'_>) -> Vec<PathBuf> {
    let (_, mut ahead) = looked(top, closed);
    let mut files = Vec::new();
    let mut left = ENTRIES;
    while let Some(path) = ahead.pop().filter(|_| left > 0) {
        left -= 1;
        match path.symlink_metadata() {
            Ok(about) if about.is_dir() => {
                ahead.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            }
            Ok(about) if about.is_file() => files.push(path),
            Ok(_) | Err(_) => {}
        }
    }
    files
}

/// The files of a folder that are closed by their names or by these patterns.
pub fn in_folder(folder: &Path, patterns: &[String]) -> Vec<PathBuf> {
    let ruled = |path: &Path| {
        let below = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        patterns.iter().any(|pattern| path_fits(pattern, &below))
    };
    files(folder, &Closed { secret: &is_secret, ruled: (!patterns.is_empty()).then_some(&ruled) })
}

/// The files directly in a home folder, and in folders of it in which everything is secret, that are secret by their names.
pub fn in_home(home: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.take(OF_HOME).map(|entry| entry.path()).collect()
    };
    let mut found: Vec<PathBuf> = below(home).into_iter().filter(|path| is_secret(path) && !path.is_dir()).collect();
    let mut ahead: Vec<PathBuf> = SECRET_FOLDERS.iter().map(|name| home.join(name)).collect();
    while let Some(folder) = ahead.pop().filter(|_| found.len() < OF_HOME) {
        for path in below(&folder) {
            match path.symlink_metadata() {
                Ok(about) if about.is_dir() => ahead.push(path),
                Ok(_) | Err(_) => found.push(path),
            }
        }
    }
    found
}

/// The folders that hold something closed, and what is closed in them.
fn looked(top: &Path, closed: &Closed<'_>) -> (BTreeSet<PathBuf>, Vec<PathBuf>) {
    let is_closed = |path: &Path| closed.is(top, path);
    let mut looks = Looks {
        closed: &is_closed,
        left: ENTRIES,
        found: BTreeSet::new(),
        hits: Vec::new(),
        later: Vec::new(),
        everywhere: false,
    };
    looks.look(top, DEPTH);
    let Some(ruled) = closed.ruled else { return (looks.found, looks.hits) };
    // By themselves, so that the dependencies of a large project do not use up what its own files need.
    let later = std::mem::take(&mut looks.later);
    let mut looks = Looks { closed: ruled, left: ENTRIES, everywhere: true, ..looks };
    for folder in later {
        if looks.look(&folder, DEEPER) {
            looks.found.extend(folder.ancestors().take_while(|above| above.starts_with(top)).map(Path::to_owned));
        }
    }
    (looks.found, looks.hits)
}

/// A look for closed files.
struct Looks<'a> {
    closed: &'a dyn Fn(&Path) -> bool,
    /// How many entries may still be looked at.
    left: usize,
    /// The folders that hold something closed.
    found: BTreeSet<PathBuf>,
    /// What is closed itself.
    hits: Vec<PathBuf>,
    /// Folders that tools fill, and deep ones.
    later: Vec<PathBuf>,
    /// Whether those are looked into.
    everywhere: bool,
}

impl Looks<'_> {
    /// Whether `top` holds something closed; if so, every folder on the way to it is among `found`. What lies higher is looked
    /// at first, so that one deep folder does not use up what the others need.
    fn look(&mut self, top: &Path, depth: usize) -> bool {
        let mut holds = false;
        let mut level = vec![top.to_owned()];
        for below in (0..=depth).rev() {
            let mut next = Vec::new();
            for folder in level {
                for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                    if self.left == 0 {
                        return holds;
                    }
                    self.left -= 1;
                    let path = entry.path();
                    match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        _ if (self.closed)(&path) => {
                            holds = true;
                            let on_the_way = folder.ancestors().take_while(|one| one.starts_with(top));
                            self.found.extend(on_the_way.map(Path::to_owned));
                            self.hits.push(path);
                        }
                        true if !self.everywhere && (below == 0 || is_filled(&path)) => self.later.push(path),
                        true => next.push(path),
                        false => {}
                    }
                }
            }
            level = next;
        }
        holds
    }
}

fn is_filled(path: &Path) -> bool {
    path.file_name().is_some_and(|name| FILLED.iter().any(|filled| name == *filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_by_its_name_and_an_example_is_none() {
        let secret = |name: &str| is_secret(Path::new("/work").join(name).as_path());
        let known: Vec<&str> = [".env", ".env.local", ".ENV", "server.pem", "id_ed25519", ".ssh", "credentials"].into();
        let harmless: Vec<&str> = [".env.example", "id_rsa.pub", "environment.rs", "keys.rs", "monkey", "pem"].into();
        assert_eq!(known.iter().filter(|name| !secret(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(harmless.iter().filter(|name| secret(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
    }
}
