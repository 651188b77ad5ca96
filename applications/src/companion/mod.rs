//! The companion: a careful partner on a folder of code.

mod action;
mod agent_state;
mod command;
mod consent;
mod constraints;
mod desk;
mod event;
mod evolve;
mod memory;
mod risk;
mod settings;
mod state;
mod steps;
mod verdict;
pub mod work;
