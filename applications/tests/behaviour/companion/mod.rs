//! The companion's rules.

mod hazards;
mod prompts;
mod rules;
mod tasks;
mod world;
