//! `enza session …`: looks at sessions, and forks or deletes them.

mod delete;
mod events;
mod export;
mod fork;
mod list;
mod masking;
mod replay;
pub mod searching;
mod show;
mod watch;

pub use events::{as_json, as_line};
pub use list::when;
pub use masking::Form;

use crate::arguments::SessionOrder;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;

/// Runs one of them.
pub async fn run(around: &Surroundings, screen: &Screen, order: SessionOrder) -> Result<(), Trouble> {
    match order {
        SessionOrder::List(order) => list::run(around, screen, order).await,
        SessionOrder::Show(order) => show::run(around, screen, &order.id).await,
        SessionOrder::Events(order) => events::run(around, screen, &order).await,
        SessionOrder::Watch(order) => watch::run(around, screen, &order).await,
        SessionOrder::Export(order) => export::run(around, screen, &order).await,
        SessionOrder::Fork(order) => fork::run(around, screen, &order).await,
        SessionOrder::Replay(order) => replay::run(around, screen, &order.id).await,
        SessionOrder::Delete(order) => delete::run(around, screen, &order).await,
    }
}
