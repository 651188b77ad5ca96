//! One file for each command; this one only shows the way.

mod account;
mod backup;
mod companion;
pub mod doctor;
mod drill;
mod form;
pub mod interview;
mod model;
mod moves;
mod prompt;
pub mod rehearse;
mod serve;
mod session;
mod simulate;
mod tour;
mod usage;

pub use companion::{
    Halt, MachineFolders, Misplaced, MissingMention, MissingReason, RuleWriter, SessionServers, SettingSource,
};

use crate::arguments::{CliCommand, InterviewCommand, Serve};
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;

/// Runs a command; with none, the server.
pub async fn run(around: &Environment, screen: &Screen, order: Option<CliCommand>) -> Result<(), Trouble> {
    match order {
        None => serve::run(around, screen, Serve::default()).await,
        Some(CliCommand::Serve(order)) => serve::run(around, screen, order).await,
        Some(CliCommand::Tour) => tour::run(around, screen).await,
        Some(CliCommand::Account(order)) => account::run(around, screen, order).await,
        Some(CliCommand::Form(order)) => form::run(screen, order),
        Some(CliCommand::Interview(InterviewCommand::Run(order))) => interview::run(around, screen, *order).await,
        Some(CliCommand::Interview(InterviewCommand::Rehearse(order))) => rehearse::run(around, screen, order).await,
        Some(CliCommand::Companion(order)) => companion::run(around, screen, *order).await,
        Some(CliCommand::Session(order)) => session::run(around, screen, order).await,
        Some(CliCommand::Model(order)) => model::run(around, screen, order).await,
        Some(CliCommand::Prompt(order)) => prompt::run(around, screen, order).await,
        Some(CliCommand::Moves(order)) => moves::run(around, screen, &order),
        Some(CliCommand::Usage(order)) => usage::run(around, screen, order).await,
        Some(CliCommand::Doctor(order)) => doctor::run(around, screen, order).await,
        Some(CliCommand::Backup(order)) => backup::backup(around, screen, order).await,
        Some(CliCommand::Restore(order)) => backup::restore(around, screen, order).await,
        Some(CliCommand::Simulate(order)) => simulate::run(around, screen, order).await,
        Some(CliCommand::Drill(order)) => drill::run(around, order).await,
    }
}
