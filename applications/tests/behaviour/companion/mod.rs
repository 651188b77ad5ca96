//! The companion's rules.

mod hazards;
mod rules;
mod tasks;
mod world;
