//! Turns what a database says into a `Failure`.
//!
//! `Fault` is a `Failure` on its way out: it exists so that `?` works on the errors of two drivers. Each driver's words
//! are sorted in its own folder; here is only what both share.

use enza_runtime::seams::store::Failure;

/// A failure inside this crate.
#[derive(Debug)]
pub(crate) struct Fault(pub Failure);

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

/// A value that our own migrations and writes could not have put there.
pub(crate) fn unexpected(what: impl std::fmt::Display) -> Fault {
    Fault(Failure::Damaged(what.to_string()))
}
