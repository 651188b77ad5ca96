//! The interface for programs: JSON under `/api`.

use axum::Router;

use crate::house::House;

/// Every route for programs.
pub fn routes() -> Router<House> {
    Router::new()
}
