//! What applications are tested with: stories in given/when/then, readers of sentences and of catalogues, and a small whole
//! application.
//!
//! Public, so that every application's tests speak the same grammar. The simulator, which drives
//! applications through the real engine under faults, is the runtime's.

pub mod prose;
mod story;
pub mod till;
pub mod words;

pub use story::{Story, fold, given};
