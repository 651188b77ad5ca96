//! Which files hold secrets, by their names, and which folders hold such files.
//!
//! Looking is bounded: a command must not wait for a walk through everything. Folders that tools fill (dependencies,
//! build results, `.git`) are not looked into; the keys one finds there are examples. What lies deeper than the bounds
//! is treated as if it held no secrets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How deep secrets are looked for.
const DEPTH: usize = 6;
/// How many entries are looked at.
const ENTRIES: usize = 50_000;

/// Names of files and folders that hold secrets.
const NAMES: [&str; 18] = [
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".vault-token",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    "credentials",
    "credentials.json",
    "credentials.toml",
];

/// Endings of files that hold secrets.
const ENDINGS: [&str; 9] = ["pem", "key", "p12", "pfx", "p8", "jks", "keystore", "kdbx", "ppk"];

/// Beginnings of the names of key files.
const KEYS: [&str; 4] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// Endings that say: this is an example, not the secret.
const EXAMPLES: [&str; 6] = ["example", "sample", "template", "dist", "defaults", "pub"];

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

/// Whether the name of a file in a folder of work says that it holds secrets.
pub fn is_secret(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if EXAMPLES.contains(&ending) {
        return false;
    }
    NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || ENDINGS.contains(&ending)
        || KEYS.iter().any(|key| name.starts_with(key))
}

/// Whether a path in `/etc` holds secrets of the machine.
pub fn is_of_the_system(path: &Path) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else { return false };
    OF_THE_SYSTEM.contains(&name.as_ref()) || (name.starts_with("ssh_host_") && name.ends_with("_key"))
}

/// The folders from `top` down that hold something closed, at any depth.
pub fn holders(top: &Path, closed: &dyn Fn(&Path) -> bool) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left = ENTRIES;
    look(top, DEPTH, &mut left, closed, &mut found);
    found
}

/// Whether `folder` holds something closed; if so, it is among `found`.
fn look(
    folder: &Path,
    depth: usize,
    left: &mut usize,
    closed: &dyn Fn(&Path) -> bool,
    found: &mut BTreeSet<PathBuf>,
) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut holds = false;
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let path = entry.path();
        if closed(&path) {
            holds = true;
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_filled(&path) {
            folders.push(path);
        }
    }
    if depth > 0 {
        for below in folders {
            holds |= look(&below, depth - 1, left, closed, found);
        }
    }
    if holds {
        found.insert(folder.to_owned());
    }
    holds
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
