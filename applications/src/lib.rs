//! The applications: rules and words, with no I/O.

pub mod forms;
pub mod interview;
