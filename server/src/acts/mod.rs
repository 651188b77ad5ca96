//! What people can do, as plain functions over the house and the one who asks.
//!
//! Routes for programs and pages for people call the same acts, so that both have the same rules. An act gets a caller
//! who was let in for what it does (`access::Allowed`), and reaches sessions through `Caller::session` alone. It notes
//! what it did in the journal where that is due. How an answer is written belongs to whoever calls.

pub mod account;
pub mod applications;
mod once;
pub mod people;
pub mod running;
pub mod sessions;
pub mod usage;

pub use once::Once;
