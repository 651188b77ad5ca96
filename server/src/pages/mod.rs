//! The pages: server-rendered HTML that reads and works without scripts, and lives with them.

mod compare;
mod here;
mod inspector;
mod problem;
mod usage;

use axum::Router;

use crate::house::House;

pub use here::Here;
pub use problem::problem_page;

/// Every page.
pub fn routes() -> Router<House> {
    Router::new().merge(inspector::routes()).merge(compare::routes()).merge(usage::routes())
}
