//! A database file as a whole: copied, looked for, put aside.

use std::fs;
use std::path::{Path, PathBuf};

use enza_runtime::seams::store::Failure;
use rusqlite::{Connection, OpenFlags};

use super::connection::{APPLICATION_ID, at, open_to_read};
use super::open_files::OpenGuard;
use super::preflight::{FileState, beside, is_in_use, look};
use crate::fault::Fault;
use crate::migrations::{SQLITE, newest};

/// Writes a compact copy, as of this moment, to a new file; says no where there is nothing to copy. Others may go on
/// writing meanwhile. What was deleted is not in the copy.
pub(crate) fn copy_whole(path: &Path, to: &Path) -> Result<bool, Failure> {
    let mut sight = None;
    let registered = OpenGuard::register(path, || look(path).map(|seen| sight = Some(seen)));
    let _open_here = registered.map_err(|failure| at(path, failure))?;
    if sight == Some(FileState::Nothing) {
        return Ok(false);
    }
    let copied = open_to_read(path).and_then(|connection| {
        connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
        Ok(true)
    });
    copied.map_err(|fault| at(path, fault.0))
}

/// Makes an empty database of ours in a new file, to be filled without checks and made safe at the end.
pub(crate) fn make_empty(path: &Path) -> Result<Connection, Fault> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")?;
    for step in SQLITE {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", newest(SQLITE))?;
    connection.execute_batch("DELETE FROM identity")?;
    Ok(connection)
}

/// Opens a file that nobody else has open, to read all of it.
pub(crate) fn open_whole(path: &Path) -> Result<Connection, Fault> {
    Ok(Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?)
}

/// Whether a file is a database of ours.
pub(crate) fn is_ours(path: &Path) -> Result<bool, Failure> {
    Ok(matches!(look(path)?, FileState::Ours(_)))
}

/// Gives up every lease in a file: whoever held them worked on another database.
pub(crate) fn free_leases(path: &Path) -> Result<(), Failure> {
    const FREE: &str = "UPDATE sessions SET lease_worker = NULL, lease_until = NULL WHERE lease_worker IS NOT NULL; \
         PRAGMA journal_mode = DELETE";
    let freed = || -> Result<(), Fault> { Ok(Connection::open(path)?.execute_batch(FREE)?) };
    freed().map_err(|fault| at(path, fault.0))
}

/// What stands where a database is to be put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occupied {
    /// Nothing.
    No,
    /// A file or its log.
    Taken,
    /// A file that another process has open.
    InUse,
}

/// Looks at what stands there. A damaged database is one, too.
pub(crate) fn occupied(path: &Path) -> Occupied {
    if is_in_use(path) {
        return Occupied::InUse;
    }
    match look(path) {
        Ok(FileState::Nothing) => Occupied::No,
        Ok(FileState::Ours(_)) | Err(_) => Occupied::Taken,
    }
}

/// Moves a database with all that stands beside it to other names; says which. The file goes first: without it nothing
/// that is left can be taken for a whole database.
pub(crate) fn put_aside(path: &Path) -> std::io::Result<Option<PathBuf>> {
    let aside = (1..)
        .map(|number| beside(path, &format!(".replaced-{number}")))
        .find(|name| !name.exists() && !beside(name, "-wal").exists())
        .unwrap_or_else(|| beside(path, ".replaced"));
    let mut moved = false;
    for ending in ["", "-wal", "-shm"] {
        match fs::rename(beside(path, ending), beside(&aside, ending)) {
            Ok(()) => moved = true,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
            Err(why) => return Err(why),
        }
    }
    Ok(moved.then_some(aside))
}
