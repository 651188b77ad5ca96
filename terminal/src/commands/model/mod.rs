//! `enza model`: which models there are, which one is used, what it can do, and how to get one.

mod list;
mod pull;
mod remove;
mod test;
mod r#use;

use crate::arguments::ModelCommand;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;

/// Runs one of them.
pub async fn run(around: &Environment, screen: &Screen, order: ModelCommand) -> Result<(), Trouble> {
    match order {
        ModelCommand::List => list::run(around, screen),
        ModelCommand::Use(order) => r#use::run(around, screen, &order),
        ModelCommand::Pull(order) => pull::run(around, screen, &order).await,
        ModelCommand::Test(order) => test::run(around, screen, &order).await,
        ModelCommand::Remove(order) => remove::run(around, screen, &order).await,
    }
}
