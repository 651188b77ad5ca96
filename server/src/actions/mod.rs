//! What people can do, as plain functions over the house and the one who asks.
//!
//! The interface for programs and the pages both come here, so that neither can do what the other cannot. An act gets a
//! caller who was let in for what it does (`access::Allowed`), reaches sessions through `Caller::session` alone, and
//! notes in the journal what belongs there. HTTP and HTML stay outside.

pub mod account;
pub mod applications;
mod idempotency;
pub mod monitor;
pub mod people;
pub mod sessions;
pub mod usage;

pub use idempotency::IdempotencyKey;
