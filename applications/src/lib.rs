//! The applications: rules and words, with no I/O.

pub mod companion;
pub mod forms;
pub mod interview;
