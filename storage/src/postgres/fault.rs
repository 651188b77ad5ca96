//! What PostgreSQL's errors mean, and how its rows are read.

use std::error::Error as _;

use deadpool_postgres::PoolError;
use enza_runtime::seams::store::Failure;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, Row};

use crate::columns::Columns;
use crate::fault::{Fault, unexpected};

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(failure(&error))
    }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            other => Self(Failure::Unreachable(other.to_string())),
        }
    }
}

/// Sorts an error by who must act.
fn failure(error: &Error) -> Failure {
    let text = text(error);
    let Some(state) = error.code() else {
        // Without a word from the server it is the connection, or a value that does not fit.
        let ours = error.source().is_some_and(|cause| !cause.is::<std::io::Error>()) && !error.is_closed();
        return if ours && !is_connecting(error) { Failure::Other(text) } else { Failure::Unreachable(text) };
    };
    match *state {
        SqlState::DISK_FULL => Failure::Full(text),
        SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::INSUFFICIENT_PRIVILEGE => Failure::ReadOnly(text),
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Failure::Damaged(text),
        SqlState::T_R_DEADLOCK_DETECTED | SqlState::T_R_SERIALIZATION_FAILURE | SqlState::LOCK_NOT_AVAILABLE => {
            Failure::Unreachable(text)
        }
        _ if is_unreachable(state.code()) => Failure::Unreachable(text),
        _ => Failure::Other(text),
    }
}

/// Classes of states that say "not now" or "not with this connection": connection, authorisation, no such database,
/// resources (too many connections, memory), operator intervention (shutting down), system error.
fn is_unreachable(code: &str) -> bool {
    ["08", "28", "3D", "53", "57", "58"].iter().any(|class| code.starts_with(class))
}

/// Errors of the driver while it connects (time-outs, authentication, no TLS) name no state.
fn is_connecting(error: &Error) -> bool {
    let words = error.to_string();
    ["connect", "authentication", "TLS", "configuration"].iter().any(|word| words.contains(word))
}

/// The error with its causes. The driver names hosts, users and databases in it, but never a password.
fn text(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("{} ({})", said.message(), said.code().code());
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let words = deeper.to_string();
        if !text.ends_with(&words) {
            text = format!("{text}: {words}");
        }
        cause = deeper.source();
    }
    text
}

impl Columns for Row {
    fn text(&self, place: usize) -> Result<String, Fault> {
        Ok(self.try_get(place)?)
    }

    fn maybe_text(&self, place: usize) -> Result<Option<String>, Fault> {
        Ok(self.try_get(place)?)
    }

    fn number(&self, place: usize) -> Result<i64, Fault> {
        self.maybe_number(place)?.ok_or_else(|| unexpected("a number is missing"))
    }

    fn maybe_number(&self, place: usize) -> Result<Option<i64>, Fault> {
        if *self.columns()[place].type_() == Type::INT4 {
            return Ok(self.try_get::<_, Option<i32>>(place)?.map(i64::from));
        }
        Ok(self.try_get(place)?)
    }

    fn flag(&self, place: usize) -> Result<bool, Fault> {
        Ok(self.try_get(place)?)
    }

    fn bytes(&self, place: usize) -> Result<Vec<u8>, Fault> {
        Ok(self.try_get(place)?)
    }

    fn maybe_bytes(&self, place: usize) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.try_get(place)?)
    }
}
