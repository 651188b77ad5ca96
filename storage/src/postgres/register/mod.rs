//! The register on a PostgreSQL server.
//!
//! Whoever is to get something exactly once gets it from one statement. Where several rows are locked, it is in the
//! order of their keys, so that two who want the same ones cannot wait for each other.

pub(super) mod audit_log;
pub(super) mod idempotency;
mod passes;
mod people;
mod settings;
