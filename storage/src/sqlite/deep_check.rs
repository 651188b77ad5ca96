//! Checks everything in a file: its structure, every log from its first event, every file.

use std::path::Path;

use enza_runtime::seams::store::Failure;
use rusqlite::Connection;

use super::catalog::link_at;
use super::connection::{at, open_to_read, version};
use super::open_files::OpenGuard;
use super::preflight::{FileState, look};
use super::reader::all;
use crate::columns::Columns;
use crate::deep_check::{Compare, DeepCheck, Defect, OF_SESSIONS, PARTS, SESSION, Walk};
use crate::fault::Fault;
use crate::migrations::{SQLITE, newest};

/// Checks everything; `None` where there is no file, or an older one. Blocks, for as long as reading all of it takes.
pub(crate) fn inspect_deep(path: &Path, progress: &dyn Fn(u64, u64)) -> Result<Option<DeepCheck>, Failure> {
    let mut sight = None;
    let registered = OpenGuard::register(path, || look(path).map(|seen| sight = Some(seen)));
    let _open_here = registered.map_err(|failure| at(path, failure))?;
    if sight == Some(FileState::Nothing) {
        return Ok(None);
    }
    let checked = open_to_read(path).and_then(|mut connection| {
        let moment = connection.transaction()?;
        if version(&moment)? < newest(SQLITE) {
            return Ok(None);
        }
        check(&moment, progress).map(Some)
    });
    checked.map_err(|fault| at(path, fault.0))
}

/// Whether a file of ours is of an older Enza.
pub(crate) fn is_older(path: &Path) -> Result<bool, Failure> {
    let found = open_to_read(path).and_then(|connection| version(&connection));
    found.map(|found| found < newest(SQLITE)).map_err(|fault| at(path, fault.0))
}

fn check(reader: &Connection, progress: &dyn Fn(u64, u64)) -> Result<DeepCheck, Fault> {
    let mut found = DeepCheck::default();
    // Some damage stops the check itself.
    let said = all(reader, "PRAGMA integrity_check", [], |row| row.text(0));
    let said = said.unwrap_or_else(|Fault(failure)| vec![failure.to_string()]);
    said.into_iter().filter(|line| line != "ok").for_each(|line| found.complain(Defect::Structure(line)));
    let told = |result: Result<(), Fault>, found: &mut DeepCheck| match result {
        Err(Fault(failure @ Failure::Damaged(_))) => {
            found.complain(Defect::Structure(failure.to_string()));
            Ok(())
        }
        other => other,
    };
    let walked = follow_all(reader, progress, &mut found);
    told(walked, &mut found)?;
    let mut files = Compare::default();
    let compared = all(reader, PARTS, [], |row| files.take(row, &mut found)).map(|_| ());
    files.finish(&mut found);
    told(compared, &mut found)?;
    for table in OF_SESSIONS {
        let sql = format!("SELECT count(*) FROM {table} WHERE session NOT IN (SELECT key FROM sessions)");
        let rows = reader.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0).cast_unsigned();
        if rows > 0 {
            found.complain(Defect::Orphans { table, rows });
        }
    }
    Ok(found)
}

fn follow_all(reader: &Connection, progress: &dyn Fn(u64, u64), found: &mut DeepCheck) -> Result<(), Fault> {
    const EVENTS: &str = "SELECT seq, at, kind, version, body, link FROM events WHERE session = ?1 ORDER BY seq";
    const SNAPSHOT: &str = "SELECT seq, version, body, checksum FROM snapshots WHERE session = ?1";
    let total = reader.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0))?.cast_unsigned();
    let mut sessions = reader.prepare(&format!("SELECT {SESSION} FROM sessions ORDER BY key"))?;
    let mut sessions = sessions.query([])?;
    while let Some(row) = sessions.next()? {
        let mut walk = Walk::begin(row)?;
        if let Some((parent, seq)) = walk.parent() {
            walk.goes_on_from(link_at(reader, parent, seq)?);
        }
        let mut events = reader.prepare_cached(EVENTS)?;
        let mut events = events.query([walk.key])?;
        while let Some(row) = events.next()? {
            walk.take(row, found)?;
        }
        all(reader, SNAPSHOT, [walk.key], |row| walk.take_snapshot(row, found))?;
        walk.end(found);
        progress(found.sessions, total);
    }
    Ok(())
}
