//! What is done in a folder: its files, patches, commands and servers of tools.

mod behaviour;
mod patch;
mod run;
mod servers;
