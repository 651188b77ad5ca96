//! Sessions of every application, through one set of routes.
//!
//! Handlers read the request, call an act and write its answer; the shapes of answers are in `shapes`.

mod begin;
mod change;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
mod export;
mod list_cache;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
mod query;
mod shapes;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub use change::Accepted;
pub use export::lines;
pub use list_cache::ListCache;
pub use shapes::{Event, LineShape, Phase, ProblemBody, Session, Spent};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(query::list_sessions, begin::open_session))
        .routes(routes!(query::show_session, change::delete_session))
        .routes(routes!(change::send_command))
        .routes(routes!(change::answer_gate))
        .routes(routes!(query::list_events))
        .routes(routes!(query::list_lines))
        .routes(routes!(query::show_state))
        .routes(routes!(query::show_prompts))
        .routes(routes!(begin::fork_session))
        .routes(routes!(export::export_session))
}
