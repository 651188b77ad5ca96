//! Everything that the terminal says to people, one file for each subject, Japanese and English side by side.

pub mod backup;
pub mod command_line;
pub mod companion;
pub mod doctor;
pub mod forms;
pub mod gate;
pub mod help;
pub mod interview;
pub mod model_trouble;
pub mod models;
pub mod question;
pub mod rehearse;
pub mod serve;
pub mod sessions;
pub mod simulation;
pub mod store;
pub mod tour;
pub mod trouble;
pub mod usage_report;

/// So many of a thing, in English.
fn many(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
