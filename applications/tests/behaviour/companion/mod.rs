//! The companion's rules.

mod breaking_in;
mod floor;
mod folder;
mod gaps;
mod hazards;
mod long;
mod lost;
mod memory;
mod opening;
mod prompts;
mod rows;
mod rules;
mod stakes;
mod tasks;
mod told;
mod tools;
mod world;
