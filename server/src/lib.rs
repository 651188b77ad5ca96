//! Enza over HTTP: accounts, a REST interface with its document, live feeds, and the pages.
//!
//! This room alone knows HTTP and HTML. It shows what the engine has and passes on what people ask; it decides nothing
//! about a session. Who may see or do what is decided in one place, `access`; every handler names its need in its
//! signature. Everything that can go wrong leaves as a `Problem`, dressed once, at the edge (`dress`).
//!
//! Reading the environment, choosing models and opening databases belong to whoever starts the server.

pub mod access;
pub mod actions;
pub mod api;
pub mod assets;
pub mod design;
pub mod drawing;
pub mod exports;
mod extract;
pub mod folders;
mod guard;
pub mod live;
pub mod middleware;
pub mod observe;
pub mod pages;
pub mod problem;
pub mod serve;
pub mod state;
pub mod webhook;
pub mod words;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;

pub use serve::{Connections, serve};
pub use state::{Accounts, AppState, Setup};

/// The whole service, as one router.
pub fn router(app: AppState) -> Router {
    let routes = Router::new()
        .merge(api::routes(&app))
        .merge(pages::routes())
        .merge(assets::routes())
        .merge(observe::routes())
        .fallback(middleware::not_found)
        .method_not_allowed_fallback(middleware::method_not_allowed);
    guard::guarded(routes).layer(from_fn_with_state(app.clone(), edge)).with_state(app)
}

/// What every request passes through, in one layer: each costs an allocation of the whole request's size.
async fn edge(State(app): State<AppState>, request: Request, next: Next) -> Response {
    observe::watch(&app, request, |request| middleware::wrap(&app, request, next)).await
}
