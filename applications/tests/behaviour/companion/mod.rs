//! The companion's rules.

mod hazards;
mod tasks;
mod world;
