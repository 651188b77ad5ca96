//! Opens a file as ours, or says why it is not.
//!
//! Nothing is opened before the file is known to be empty or an Enza database of a version we know (`look`): a damaged,
//! foreign or newer file stays byte for byte what it was. Our files carry an application id, so that another program's
//! database is recognised.

use std::path::Path;
use std::time::{Duration, Instant};

use enza_runtime::seams::store::Failure;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::open_files::OpenGuard;
use super::preflight::{FileState, cut_off, look};
use super::shown_tables::hide_all;
use crate::fault::Fault;
use crate::migrations::{SQLITE, newest, pending};
use crate::open::Durability;

/// "Enza", in the header of every file of ours.
pub(super) const APPLICATION_ID: i64 = 0x456e_7a61;

/// How long to wait for another process's transaction.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long to leave others alone before trying again.
const A_MOMENT: Duration = Duration::from_millis(5);

/// Pages in the write-ahead log before they are moved to the file. A short log is soon written over instead of made
/// longer, and a sync that need not record a new length is the cheaper one.
const CHECKPOINT_PAGES: i64 = 1000;

/// Looks at the file, unless this process has it open already, and registers it as open here.
pub(super) fn register(path: &Path, durability: Durability, must_be_there: bool) -> Result<OpenGuard, Failure> {
    OpenGuard::register(path, || match look(path) {
        Ok(FileState::Nothing) if must_be_there => Err(Failure::Missing("the file is empty or gone".to_owned())),
        // Without a sync after each commit a power cut may tear a log anywhere, and that was agreed to.
        Err(Failure::LogDamaged(loss)) if durability == Durability::Normal => {
            let copy = cut_off(path)?.unwrap_or_default();
            tracing::warn!(%loss, copy = %copy.display(), "the write-ahead log was cut off where it breaks");
            Ok(())
        }
        other => other.map(|_| ()),
    })
    .map_err(|failure| at(path, failure))
}

/// Opens for writing, making or migrating the database as needed.
pub(super) fn open(path: &Path, durability: Durability) -> Result<Connection, Failure> {
    let opened = || -> Result<Connection, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let version = version(&connection)?;
        pending(SQLITE, version)?;
        if connection.is_readonly("main")? {
            return Err(Failure::ReadOnly("the file may only be read".to_owned()).into());
        }
        configure(&connection, durability)?;
        migrate(&mut connection)?;
        Ok(connection)
    };
    let began = Instant::now();
    loop {
        match opened() {
            // Turning to a write-ahead log does not wait by itself for others who are doing the same.
            Err(Fault(Failure::Unreachable(_))) if began.elapsed() < PATIENCE => std::thread::sleep(A_MOMENT),
            other => return other.map_err(|fault| at(path, fault.0)),
        }
    }
}

/// Opens for reading only; the file must be there.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    plan_once(&connection)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// The schema version of a file that is ours or empty (0). Reads only.
pub(super) fn version(connection: &Connection) -> Result<i64, Fault> {
    // All from one view of the file: between two of them, another process may make the tables.
    let _view = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let version = number("PRAGMA user_version")?;
    let ours = number("PRAGMA application_id")? == APPLICATION_ID;
    let objects = number("SELECT count(*) FROM sqlite_schema")?;
    if ours || (version == 0 && objects == 0) {
        return Ok(version);
    }
    Err(Failure::Damaged("the file is a database, but not one of Enza's; it was left as it is".to_owned()).into())
}

/// Names the file in a failure.
pub(super) fn at(path: &Path, failure: Failure) -> Failure {
    let name = |text: String| format!("{}: {text}", path.display());
    match failure {
        Failure::Unreachable(text) => Failure::Unreachable(name(text)),
        Failure::Full(text) => Failure::Full(name(text)),
        Failure::ReadOnly(text) => Failure::ReadOnly(name(text)),
        Failure::Damaged(text) => Failure::Damaged(name(text)),
        Failure::LogDamaged(text) => Failure::LogDamaged(name(text)),
        Failure::Missing(text) => Failure::Missing(name(text)),
        Failure::Other(text) => Failure::Other(name(text)),
        Failure::Newer { .. } | Failure::EventDamaged { .. } | Failure::Unreadable(_) => failure,
    }
}

fn configure(connection: &Connection, durability: Durability) -> Result<(), Fault> {
    let synchronous = match durability {
        Durability::Full => "FULL",
        Durability::Normal => "NORMAL",
    };
    connection.pragma_update(None, "page_size", 4096)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is deleted or replaced is overwritten: it may be somebody's answer.
    connection.pragma_update_and_check(None, "secure_delete", true, |row| row.get::<_, i64>(0))?;
    connection.pragma_update(None, "cache_size", -32_000)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    plan_once(connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Plans a statement when it is prepared and not again for every value: planning costs more than most of our reads.
fn plan_once(connection: &Connection) -> Result<(), Fault> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), Fault> {
    // Asked again inside the transaction: another process may have just done it.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let steps = pending(SQLITE, version(&transaction)?)?;
    if !steps.is_empty() {
        hide_all(&transaction)?;
        for step in steps {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", newest(SQLITE))?;
    }
    Ok(transaction.commit()?)
}
