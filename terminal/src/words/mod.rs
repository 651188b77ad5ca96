//! Everything that the terminal says to people of its own accord, one file for each subject, Japanese and English side by side.

pub(crate) mod backup;
pub(crate) mod command_line;
pub(crate) mod doctor;
pub mod gate;
pub mod help;
pub mod model_trouble;
pub mod models;
pub(crate) mod serve;
pub mod sessions;
pub(crate) mod simulation;
pub(crate) mod store;
pub(crate) mod talk;
pub(crate) mod tour;
pub mod trouble;
pub(crate) mod usage_report;

/// So many of a thing, in English.
fn many(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
