//! A topic, as it is lived through: by commands, errands and timers, never by poking state.

mod proposals;
mod runs;
mod settings;
mod world;
