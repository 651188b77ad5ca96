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

pub use companion::{Halt, Keeper, Misplaced, Missing, Roster, Served, Source, Why};

use crate::arguments::{InterviewOrder, Order, Serve};
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;

/// Runs a command; with none, the server.
pub async fn run(around: &Surroundings, screen: &Screen, order: Option<Order>) -> Result<(), Trouble> {
    match order {
        None => serve::run(around, screen, Serve::default()).await,
        Some(Order::Serve(order)) => serve::run(around, screen, order).await,
        Some(Order::Tour) => tour::run(around, screen).await,
        Some(Order::Account(order)) => account::run(around, screen, order).await,
        Some(Order::Form(order)) => form::run(screen, order),
        Some(Order::Interview(InterviewOrder::Run(order))) => interview::run(around, screen, *order).await,
        Some(Order::Interview(InterviewOrder::Rehearse(order))) => rehearse::run(around, screen, order).await,
        Some(Order::Companion(order)) => companion::run(around, screen, *order).await,
        Some(Order::Session(order)) => session::run(around, screen, order).await,
        Some(Order::Model(order)) => model::run(around, screen, order).await,
        Some(Order::Prompt(order)) => prompt::run(around, screen, order).await,
        Some(Order::Moves(order)) => moves::run(around, screen, &order),
        Some(Order::Usage(order)) => usage::run(around, screen, order).await,
        Some(Order::Doctor(order)) => doctor::run(around, screen, order).await,
        Some(Order::Backup(order)) => backup::backup(around, screen, order).await,
        Some(Order::Restore(order)) => backup::restore(around, screen, order).await,
        Some(Order::Simulate(order)) => simulate::run(around, screen, order).await,
        Some(Order::Drill(order)) => drill::run(around, order).await,
    }
}
