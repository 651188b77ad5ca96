//! A debate, as it is lived through: by commands, replies and timers, never by poking state.

mod altered;
mod chaos;
mod directions;
mod endings;
mod openings;
mod privacy;
mod prompts;
mod sentences;
mod speakers;
mod tables;
mod tutorial;
mod world;
