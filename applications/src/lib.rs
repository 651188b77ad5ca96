//! The applications: rules and words, with no I/O.
