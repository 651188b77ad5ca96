//! The interface for programs: JSON under `/api`.

pub mod account;
pub mod people;
pub mod running;

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::house::House;

/// Every route for programs.
pub fn routes() -> Router<House> {
    described().split_for_parts().0
}

/// The document of the interface.
pub fn document() -> OpenApi {
    described().split_for_parts().1
}

fn described() -> OpenApiRouter<House> {
    OpenApiRouter::new().merge(account::routes()).merge(people::routes()).merge(running::routes())
}
