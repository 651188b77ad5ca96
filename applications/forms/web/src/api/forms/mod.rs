//! Forms for programs: what their owners do on the pages, as JSON.
//!
//! A form is a session, too, and the common routes of sessions show its log. Here it has the shape that programs want:
//! the draft, the newest version, the rules and the links. What respondents do is elsewhere.

#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod change;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
pub mod query;
pub mod shapes;
pub mod share;

use enza_server::state::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(query::list_forms, change::create_form))
        .routes(routes!(query::show_form, change::delete_form))
        .routes(routes!(query::export_form))
        .routes(routes!(change::replace_draft))
        .routes(routes!(change::describe_form))
        .routes(routes!(change::publish_form))
        .routes(routes!(change::close_form))
        .routes(routes!(change::reopen_form))
        .routes(routes!(share::set_rules))
        .routes(routes!(share::list_links, share::make_links))
        .routes(routes!(share::revoke_link))
        .routes(routes!(share::set_webhook, share::clear_webhook))
}
