//! The interface for programs: JSON under `/api`.

pub mod account;
pub mod people;
pub mod running;

use axum::Router;

use crate::house::House;

/// Every route for programs.
pub fn routes() -> Router<House> {
    Router::new().merge(account::routes()).merge(people::routes()).merge(running::routes())
}
