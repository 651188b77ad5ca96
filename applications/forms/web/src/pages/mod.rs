//! The pages of forms: their owners', their respondents', and what was answered.

mod forms;
pub(crate) mod respond;
mod submissions;

use axum::Router;
use enza_server::AppState;

pub(crate) use respond::body_limit;

/// Every page.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().merge(submissions::routes()).merge(forms::routes()).merge(respond::routes())
}
