//! The pages: server-rendered HTML that reads and works without scripts, and lives with them.

mod figures;
mod gallery;
mod here;
mod home;
mod problem;
mod session;
mod standing;

use axum::Router;

use crate::house::House;

pub use here::Here;
pub use problem::problem_page;

/// Every page.
pub fn routes() -> Router<House> {
    Router::new().merge(home::routes()).merge(session::routes()).merge(gallery::routes())
}
