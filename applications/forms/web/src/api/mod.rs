//! Forms for programs: those of owners, respondents, and what was answered.

pub mod forms;
pub mod respond;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod submissions;

use enza_server::AppState;
use utoipa_axum::router::OpenApiRouter;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(forms::routes()).merge(respond::routes()).merge(submissions::routes())
}
