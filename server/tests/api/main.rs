//! The interface for programs, route by route: what it answers, and what it says to whatever does not do.

#[path = "../common/mod.rs"]
mod common;

mod bad_days;
mod bad_input;
mod desk;
mod document;
mod form_sessions;
mod listing;
mod once;
mod sessions;
