//! How the house is doing: health for whoever restarts it, figures for whoever watches it, a line for each request.
//!
//! A request is logged by its route and never by its query, where one-time links are. `/health` says that the process
//! answers, `/ready` that it can do its work; both are open. The figures need an administrator, or a token that may.

mod metrics;
mod readiness;

use std::future::Future;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tracing::Instrument as _;

use crate::access::{Allowed, ToRun};
use crate::state::AppState;

pub use metrics::{Metrics, Served};
pub use readiness::Readiness;

/// The routes of this room.
pub fn routes() -> Router<AppState> {
    Router::new().route("/health", get(health)).route("/ready", get(ready)).route("/metrics", get(figures))
}

/// Whether a path is asked for by whoever watches over the house. These are answered also where there is no more room.
pub fn is_a_check(path: &str) -> bool {
    path == "/health" || path == "/ready"
}

/// Times, counts and logs a request.
pub async fn watch<A>(app: &AppState, request: Request, answer: impl FnOnce(Request) -> A) -> Response
where
    A: Future<Output = Response>,
{
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("(none)", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!(
        "request",
        otel.name = %format_args!("{method} {route}"),
        otel.kind = "server",
        http.request.method = %method,
        http.route = route,
        http.response.status_code = tracing::field::Empty,
    );
    let response = answer(request).instrument(span.clone()).await;
    let (status, took) = (response.status(), started.elapsed());
    span.record("http.response.status_code", status.as_u16());
    app.metrics().served(&Served { method: method.as_str(), route: &route, status: status.as_u16(), took });
    let _inside = span.enter();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        // More came than can be done: that is said by design. Where the store is the reason, it has told its own.
        tracing::warn!(status = status.as_u16(), millis = took.as_millis() as u64, "answered");
    } else if status.is_server_error() {
        tracing::error!(status = status.as_u16(), millis = took.as_millis() as u64, "answered");
    } else {
        tracing::info!(status = status.as_u16(), millis = took.as_millis() as u64, "answered");
    }
    response
}

async fn health() -> &'static str {
    "ok\n"
}

/// Ready means: not about to stop, and the database can be written.
async fn ready(State(app): State<AppState>) -> Response {
    if app.is_closing() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    match app.readiness().ask(&app).await {
        Ok(()) => "ready\n".into_response(),
        Err(code) => (StatusCode::SERVICE_UNAVAILABLE, format!("nothing can be written: {code}\n")).into_response(),
    }
}

async fn figures(State(app): State<AppState>, _caller: Allowed<ToRun>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, kind)], app.metrics().print(app.engine())).into_response()
}
