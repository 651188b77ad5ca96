//! `enza session …`: looks at sessions, talks in them, and forks or deletes them.

mod delete;
mod events;
mod export;
mod fork;
mod list;
mod mask;
mod replay;
pub mod search;
mod show;
mod talk;
mod watch;

pub(crate) use events::{as_json, as_line};
pub use list::when;
pub use mask::SecretMasking;

use crate::arguments::SessionCommand;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;

/// Runs one of them.
pub(crate) async fn run(around: &Environment, screen: &Screen, order: SessionCommand) -> Result<(), Trouble> {
    match order {
        SessionCommand::List(order) => list::run(around, screen, order).await,
        SessionCommand::Open(order) => talk::open(around, screen, order).await,
        SessionCommand::Talk(order) => talk::talk(around, screen, order).await,
        SessionCommand::Show(order) => show::run(around, screen, &order.id).await,
        SessionCommand::Events(order) => events::run(around, screen, &order).await,
        SessionCommand::Watch(order) => watch::run(around, screen, &order).await,
        SessionCommand::Export(order) => export::run(around, screen, &order).await,
        SessionCommand::Fork(order) => fork::run(around, screen, &order).await,
        SessionCommand::Replay(order) => replay::run(around, screen, &order.id).await,
        SessionCommand::Delete(order) => delete::run(around, screen, &order).await,
    }
}
