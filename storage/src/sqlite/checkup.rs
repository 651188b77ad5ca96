//! Looks at a file without touching it.

use std::path::Path;

use enza_runtime::seams::store::Failure;
use rusqlite::{Connection, OpenFlags};

use super::connection::{at, open_to_read, version};
use super::open_files::OpenGuard;
use super::preflight::beside;
use super::reader::all;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::migrations::{SQLITE, newest, pending};
use crate::open::{Checkup, Integrity};

/// What is in the file, or `None` where there is none. Blocks, for as long as reading all of it takes.
pub(crate) fn inspect(path: &Path) -> Result<Option<Checkup>, Failure> {
    match path.try_exists() {
        Ok(true) => {
            let _open_here =
                OpenGuard::register(path, || super::preflight::look(path).map(|_| ())).map_err(|why| at(path, why))?;
            look(path).map(Some).map_err(|fault| at(path, fault.0))
        }
        Ok(false) => Ok(None),
        Err(why) => Err(at(path, Failure::ReadOnly(why.to_string()))),
    }
}

fn look(path: &Path) -> Result<Checkup, Fault> {
    let (connection, version) = open(path)?;
    pending(SQLITE, version)?;
    let integrity = match all(&connection, "PRAGMA quick_check", [], |row| row.text(0)) {
        Ok(said) if said == ["ok"] => Integrity::Sound,
        Ok(complaints) => Integrity::Damaged(complaints),
        // Some damage stops the check itself.
        Err(Fault(Failure::Damaged(complaint))) => Integrity::Damaged(vec![complaint]),
        Err(other) => return Err(other),
    };
    // A damaged table may not be countable; its complaints are what matters then.
    let count = |table: &str| -> Result<u64, Fault> {
        if version == 0 {
            return Ok(0);
        }
        match connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)) {
            Ok(number) => Ok(number.cast_unsigned()),
            Err(_) if integrity != Integrity::Sound => Ok(0),
            Err(why) => Err(why.into()),
        }
    };
    let (sessions, events) = (count("sessions")?, count("events")?);
    Ok(Checkup {
        what: format!("sqlite {}", path.display()),
        version,
        known: newest(SQLITE),
        integrity,
        bytes: size(path) + size(&beside(path, "-wal")),
        sessions,
        events,
    })
}

/// A file in a folder that may not be written can be read only as one that nobody else writes: true as long as it has
/// no write-ahead log.
fn open(path: &Path) -> Result<(Connection, i64), Fault> {
    let connection = open_to_read(path)?;
    match version(&connection) {
        Err(Fault(Failure::ReadOnly(_))) if !beside(path, "-wal").exists() => {
            let address = format!("file:{}?immutable=1", escaped(path));
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(address, flags)?;
            let version = version(&connection)?;
            Ok((connection, version))
        }
        other => Ok((connection, other?)),
    }
}

fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |about| about.len())
}
