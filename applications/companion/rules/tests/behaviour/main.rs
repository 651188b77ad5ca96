//! The companion's rules.

mod answers;
mod breaking_in;
mod budget;
mod checks;
mod closed_paths;
mod floor;
mod folder;
mod gaps;
mod hazards;
mod long;
mod lost;
mod memory;
mod prompts;
mod rows;
mod rules;
mod stakes;
mod tasks;
mod told;
mod tools;
mod words;
mod world;
