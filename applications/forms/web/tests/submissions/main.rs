//! What was answered to a form: sent on, listed, exported, deleted, and seen by nobody else.

#[path = "../../../../../server/tests/common/mod.rs"]
mod common;

mod delivery;
mod files;
mod owner;
mod pages;
mod receiver;
mod retention;
mod submissions;
