//! The pages of forms for their owners: the list, ways to begin, the builder, sharing, files, the end.
//!
//! What respondents see is `respond`, and what they answered `submissions`; both know a form by its links and its
//! versions alone.

mod builder;
mod delete;
mod export;
pub(in crate::pages) mod head;
mod list;
mod new;
mod share;
mod tabs;

use axum::Router;
use enza_server::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .merge(list::routes())
        .merge(new::routes())
        .merge(builder::routes())
        .merge(share::routes())
        .merge(export::routes())
        .merge(delete::routes())
}
