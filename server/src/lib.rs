//! Enza over HTTP: accounts, a REST interface with its document, live feeds, and the pages.
//!
//! This room alone knows HTTP and HTML. It shows what the engine has and passes on what people ask; it decides nothing
//! about a session. It names no application: what one adds to it comes as a part (`part`). Who may see or do what is decided in one place, `access`; every handler names its need in its
//! signature. Everything that can go wrong leaves as a `Problem`, dressed once, at the edge (`middleware`).
//!
//! Reading the environment, choosing models and opening databases belong to whoever starts the server.

pub mod access;
pub mod actions;
pub mod api;
pub mod assets;
pub mod csv_cell;
pub mod design;
pub mod drawing;
pub mod extract;
pub mod guard;
pub mod live;
pub mod middleware;
pub mod observe;
pub mod pages;
pub mod part;
pub mod percent;
pub mod prepare;
pub mod problem;
pub mod serve;
pub mod state;
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
        .merge(pages::routes(&app))
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
