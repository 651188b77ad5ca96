//! The interface for programs: JSON under `/api`, described by one OpenAPI document.
//!
//! A route is described where it is written and registered in one step, so the document cannot leave one out. What holds
//! for every route (who may come in, what can go wrong, idempotency keys) is added here, once. The document is committed
//! as `server/openapi.json`; a test says when it has drifted.

pub mod account;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod applications;
pub mod document;
pub mod idempotency;
pub mod monitor;
pub mod people;
mod reference;
pub mod sessions;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::live;
use crate::part::WebPart;
use crate::state::AppState;

/// Every route for programs.
pub fn routes(app: &AppState) -> Router<AppState> {
    let (routes, _) = described(app.parts()).split_for_parts();
    routes
        .layer(from_fn_with_state(app.clone(), idempotency::idempotent))
        .route("/api", get(reference::reference))
        .route("/api/openapi.json", get(show_document))
}

/// The document that describes them.
pub fn document(parts: &[Arc<dyn WebPart>]) -> OpenApi {
    document::complete(described(parts).into_openapi())
}

/// The document, as it is sent and as it is drawn.
pub struct ApiDocument {
    text: String,
    value: Value,
}

impl ApiDocument {
    /// That of a server with these parts.
    pub fn of(parts: &[Arc<dyn WebPart>]) -> Self {
        let value = serde_json::to_value(document(parts)).expect("the document is plain data");
        Self { text: value.to_string(), value }
    }
}

/// The routes of every room and of every part, with what each says about itself.
fn described(parts: &[Arc<dyn WebPart>]) -> OpenApiRouter<AppState> {
    let own = OpenApiRouter::with_openapi(document::blank())
        .merge(sessions::routes())
        .merge(live::routes())
        .merge(applications::routes())
        .merge(account::routes())
        .merge(people::routes())
        .merge(monitor::routes());
    parts.iter().fold(own, |all, part| all.merge(part.api()))
}

async fn show_document(State(app): State<AppState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], app.document().text.clone())
}
