//! Following a session live, as server-sent events or over a WebSocket; both carry the same messages.
//!
//! A watcher takes what it can at its own pace from the engine's feed, which keeps a bounded number of things for it; a
//! session never waits for one. Events have their number as id, so whoever comes back with the last one sees every later
//! event once. A stream ends when the session is deleted, when the house closes, and when its caller may no longer look.

mod message;
mod permits;
mod socket;
mod spoken;
mod stream;
mod watcher;

use axum::http::HeaderMap;
use enza_kernel::time::Seq;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::actions::sessions::place;
use crate::problem::Problem;
use crate::state::AppState;

pub use message::FeedMessage;
pub use permits::StreamPermits;
pub use spoken::SpokenArgument;
pub use stream::{watch_as_guest, watch_from_page};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stream::follow_session)).routes(routes!(socket::open_socket))
}

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// After this event; from the first where nothing is said. `Last-Event-ID` goes before it.
    after: Option<u64>,
}

/// After which event to begin.
fn begin_after(headers: &HeaderMap, after: &StreamQuery) -> Result<Seq, Problem> {
    let Some(last) = headers.get("last-event-id") else { return Ok(place(after.after.unwrap_or(0))) };
    let last = last.to_str().ok().and_then(|last| last.trim().parse().ok());
    last.map(place).ok_or_else(|| Problem::BodyUnfit("Last-Event-ID".to_owned()))
}
