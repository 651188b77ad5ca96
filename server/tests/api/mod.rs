//! The interface for programs, route by route: what it answers, and what it says to whatever does not do.

mod bad_days;
mod bad_input;
mod client;
mod document;
mod form_sessions;
mod lists;
mod once;
mod parts;
mod sessions;
