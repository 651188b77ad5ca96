//! The databases that this data folder has been used with, so that an emptied one is not taken for a new one.
//!
//! One small file in the data folder, by the address of each database, without passwords. It is written when a database
//! is opened, unless another was known there: that is told at every opening until somebody says that it is meant to be so
//! (`enza doctor --begin-anew`, `enza restore`), since whoever is told once may not be looking. A file that cannot be read or written keeps nobody from working: then nothing is remembered.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use enza_storage::Identity;
use serde::{Deserialize, Serialize};

use crate::files::private_folder;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KnownDatabase {
    id: String,
    sessions: u64,
}

type Entries = BTreeMap<String, KnownDatabase>;

/// Where it is remembered.
pub fn file(data: &Path) -> PathBuf {
    data.join("databases.json")
}

/// The database that was at an address.
pub fn find(data: &Path, address: &str) -> Option<Identity> {
    read(data).remove(&place(data, address)).map(|KnownDatabase { id, sessions }| Identity { id, sessions })
}

/// Remembers the database at an address, and how many sessions it has ever had. Where another is known, nothing is changed.
pub fn remember(data: &Path, address: &str, found: &Identity) {
    let (mut all, address) = (read(data), place(data, address));
    let before = match all.get(&address) {
        Some(known) if known.id != found.id => return,
        Some(known) => known.sessions,
        None => 0,
    };
    let entry = KnownDatabase { id: found.id.clone(), sessions: found.sessions.max(before) };
    if all.get(&address) != Some(&entry) {
        all.insert(address, entry);
        keep(data, &all);
    }
}

/// Forgets the database at an address; says whether one was known.
pub fn forget(data: &Path, address: &str) -> bool {
    let mut all = read(data);
    let was_known = all.remove(&place(data, address)).is_some();
    if was_known {
        keep(data, &all);
    }
    was_known
}

/// What an address is remembered by: a file in the data folder by its place there, so that the folder can be moved.
fn place(data: &Path, address: &str) -> String {
    let data = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let inside = address.strip_prefix("sqlite:").and_then(|file| Path::new(file).strip_prefix(data).ok());
    inside.map_or_else(|| address.to_owned(), |file| format!("sqlite:{}", file.display()))
}

fn read(data: &Path) -> Entries {
    let path = file(data);
    let Ok(text) = fs::read_to_string(&path) else { return Entries::new() };
    serde_json::from_str(&text).unwrap_or_else(|why| {
        tracing::warn!(path = %path.display(), %why, "what was remembered of databases cannot be read");
        Entries::new()
    })
}

fn keep(data: &Path, all: &Entries) {
    let written = || -> std::io::Result<()> {
        private_folder(data)?;
        let part = data.join(format!("databases.json.part-{}", std::process::id()));
        let mut file = fs::File::create(&part)?;
        file.write_all(serde_json::to_string_pretty(all)?.as_bytes())?;
        file.sync_all()?;
        fs::rename(part, self::file(data))
    };
    if let Err(why) = written() {
        tracing::warn!(folder = %data.display(), %why, "the database could not be remembered");
    }
}
