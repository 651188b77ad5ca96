//! Commands, confined.
