//! `enza model`: which models there are, which one is used, what it can do, and how to get one.

mod list;
mod pull;
mod remove;
mod test;
mod r#use;

use crate::arguments::ModelOrder;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;

/// Runs one of them.
pub async fn run(around: &Surroundings, screen: &Screen, order: ModelOrder) -> Result<(), Trouble> {
    match order {
        ModelOrder::List => list::run(around, screen),
        ModelOrder::Use(order) => r#use::run(around, screen, &order),
        ModelOrder::Pull(order) => pull::run(around, screen, &order).await,
        ModelOrder::Test(order) => test::run(around, screen, &order).await,
        ModelOrder::Remove(order) => remove::run(around, screen, &order).await,
    }
}
