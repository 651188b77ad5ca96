//! The interface for programs: JSON under `/api`, described by one OpenAPI document.
//!
//! A route is described where it is written and registered in one step, so the document cannot leave one out. What holds
//! for every route (who may come in, what can go wrong, idempotency keys) is added here, once. The document is committed
//! as `server/openapi.json`; a test says when it has drifted.

pub mod account;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod applications;
pub mod document;
pub mod forms;
pub mod idempotency;
pub mod monitor;
pub mod people;
mod reference;
pub mod respond;
pub mod sessions;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod submissions;

use std::sync::OnceLock;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::live;
use crate::state::AppState;

/// Every route for programs.
pub fn routes(app: &AppState) -> Router<AppState> {
    let (routes, _) = described().split_for_parts();
    routes
        .layer(from_fn_with_state(app.clone(), idempotency::idempotent))
        .route("/api", get(reference::reference))
        .route("/api/openapi.json", get(show_document))
}

/// The document that describes them.
pub fn document() -> OpenApi {
    document::complete(described().into_openapi())
}

/// The routes of every room, with what each says about itself. An application that brings routes of its own adds them
/// here, under `/api/NAME/`.
fn described() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(document::blank())
        .merge(sessions::routes())
        .merge(live::routes())
        .merge(applications::routes())
        .merge(forms::routes())
        .merge(account::routes())
        .merge(people::routes())
        .merge(respond::routes())
        .merge(monitor::routes())
        .merge(submissions::routes())
}

async fn show_document() -> impl IntoResponse {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| document().to_json().expect("the document is plain data"));
    ([(CONTENT_TYPE, "application/json")], text.as_str())
}
