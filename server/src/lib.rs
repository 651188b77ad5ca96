//! Enza over HTTP: accounts, a REST interface with its document, live feeds, and the pages.
//!
//! This room alone knows HTTP and HTML. It shows what the engine has and passes on what people ask; it decides nothing
//! about a session. Who may see or do what is decided in one place, `access`; every handler names its need in its
//! signature. Everything that can go wrong leaves as a `Problem`, dressed once, at the edge (`dress`).
//!
//! Reading the environment, choosing models and opening databases belong to whoever starts the server.

pub mod access;
pub mod acts;
pub mod api;
pub mod assets;
pub mod design;
pub mod drawing;
pub mod dress;
pub mod exports;
pub mod folders;
mod guard;
pub mod house;
pub mod live;
pub mod observe;
pub mod pages;
pub mod post;
pub mod problem;
mod read;
pub mod serve;
pub mod words;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;

pub use house::{Accounts, House, Setup};
pub use serve::{Connections, serve};

/// The whole service, as one router.
pub fn router(house: House) -> Router {
    let routes = Router::new()
        .merge(api::routes(&house))
        .merge(pages::routes())
        .merge(assets::routes())
        .merge(observe::routes())
        .fallback(dress::nothing_here)
        .method_not_allowed_fallback(dress::not_that_way);
    guard::guarded(routes).layer(from_fn_with_state(house.clone(), edge)).with_state(house)
}

/// What every request passes through, in one layer: each costs an allocation of the whole request's size.
async fn edge(State(house): State<House>, request: Request, next: Next) -> Response {
    observe::watch(&house, request, |request| dress::dress(&house, request, next)).await
}
