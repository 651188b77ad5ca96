//! One file for each command of our own; this one only shows the way.

mod account;
mod backup;
pub(crate) mod doctor;
mod drill;
mod model;
mod moves;
mod prompt;
pub mod serve;
pub mod session;
pub(crate) mod simulate;
mod tour;
mod usage;

use crate::arguments::{CliCommand, Serve};
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;

/// Runs a command; with none, the server.
pub(crate) async fn run(around: &Environment, screen: &Screen, order: Option<CliCommand>) -> Result<(), Trouble> {
    match order {
        None => serve::run(around, screen, Serve::default()).await,
        Some(CliCommand::Serve(order)) => serve::run(around, screen, order).await,
        Some(CliCommand::Tour) => tour::run(around, screen).await,
        Some(CliCommand::Account(order)) => account::run(around, screen, order).await,
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
