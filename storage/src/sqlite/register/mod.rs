//! The register in a SQLite file.
//!
//! Every change is an errand of the one writer, and so are the looks before it: nothing can come in between. An errand
//! that says no has written nothing.

pub(super) mod audit_log;
pub(super) mod idempotency;
mod passes;
mod people;
mod settings;
