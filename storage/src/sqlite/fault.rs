//! What SQLite's errors mean, and how its rows are read.

use enza_runtime::seams::store::Failure;
use rusqlite::{Error, ErrorCode, Row, ffi};

use crate::columns::Columns;
use crate::fault::Fault;

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(failure(&error))
    }
}

/// Sorts an error by who must act.
pub(super) fn failure(error: &Error) -> Failure {
    let text = error.to_string();
    let Error::SqliteFailure(cause, _) = error else { return unreadable(error, text) };
    // The shared-memory file is the first to notice that a disk has no room.
    if cause.extended_code == ffi::SQLITE_IOERR_SHMSIZE {
        return Failure::Full(text);
    }
    match cause.code {
        ErrorCode::DiskFull => Failure::Full(text),
        ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Failure::ReadOnly(text),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Failure::Damaged(text),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::SystemIoFailure => Failure::Unreachable(text),
        _ => Failure::Other(text),
    }
}

/// An error of the driver itself: a value that is not of its column's type can only come from damage.
fn unreadable(error: &Error, text: String) -> Failure {
    match error {
        Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..) | Error::IntegralValueOutOfRange(..) => {
            Failure::Damaged(text)
        }
        _ => Failure::Other(text),
    }
}

impl Columns for Row<'_> {
    fn text(&self, place: usize) -> Result<String, Fault> {
        Ok(self.get(place)?)
    }

    fn maybe_text(&self, place: usize) -> Result<Option<String>, Fault> {
        Ok(self.get(place)?)
    }

    fn number(&self, place: usize) -> Result<i64, Fault> {
        Ok(self.get(place)?)
    }

    fn maybe_number(&self, place: usize) -> Result<Option<i64>, Fault> {
        Ok(self.get(place)?)
    }

    fn flag(&self, place: usize) -> Result<bool, Fault> {
        Ok(self.get(place)?)
    }

    fn bytes(&self, place: usize) -> Result<Vec<u8>, Fault> {
        Ok(self.get(place)?)
    }

    fn maybe_bytes(&self, place: usize) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.get(place)?)
    }
}
