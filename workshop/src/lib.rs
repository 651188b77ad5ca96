//! Does an agent's work in a folder: looks, prepares changes, makes them, takes them back, runs commands, and uses
//! the tools of servers.
//!
//! It decides nothing: what may be done was decided before, and comes as an `Order`. What it must never do, whatever an
//! order says, is enforced here once more: leave the folder, follow a link out of it, write over what has changed since
//! it was shown, run a command that is not confined.

pub mod files;
mod git;
pub mod patch;
pub mod run;
mod running_commands;
pub mod servers;
pub mod store;
mod words;
mod workshop;

pub use workshop::Workshop;
