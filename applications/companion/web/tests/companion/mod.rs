//! The companion by way of the server: who may begin in a folder, with what, and what goes with their words.
//!
//! The folders are pretended; those of a real machine are tried in `applications/companion/whole/companion_served.rs` and
//! in `applications/companion/browser/companion.test.mjs`.

mod begin;
mod fake_folders;
mod panels;
mod say;
