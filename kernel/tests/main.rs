//! The kernel by its public API, and the guide that is written on it.

mod behaviour;
mod guide;
