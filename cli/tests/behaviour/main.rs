//! The real binary, as a person or a script runs it: each command's path, both languages, and every bad day.

mod companion;
mod companion_stage;
mod companion_talk;
mod dialogue;
mod forms;
mod help;
mod house;
mod inspection;
mod interviews;
mod models_cassettes;
mod models_choice;
mod models_keys;
mod models_provider;
mod models_pull;
mod models_secret;
mod models_spending;
mod models_trouble;
mod models_weights;
mod rehearsal;
mod serving;
mod sessions;
mod simulation;
mod tour;
mod trouble;
mod usage;
