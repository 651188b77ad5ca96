//! Sessions of every application, through one set of routes.
//!
//! Handlers read the request, call an act and write its answer; the shapes of answers are in `shapes`.

mod begin;
mod change;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
mod export;
mod lists;
#[allow(unused_qualifications, reason = "the macro that describes a route writes them")]
mod look;
mod shapes;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::house::House;

pub use change::Accepted;
pub use export::lines;
pub use lists::Lists;
pub use shapes::{Event, LineShape, Phase, ProblemBody, Session, Spent};

/// The routes.
pub fn routes() -> OpenApiRouter<House> {
    OpenApiRouter::new()
        .routes(routes!(look::list_sessions, begin::open_session))
        .routes(routes!(look::show_session, change::delete_session))
        .routes(routes!(change::send_command))
        .routes(routes!(change::answer_gate))
        .routes(routes!(look::list_events))
        .routes(routes!(look::list_lines))
        .routes(routes!(look::show_state))
        .routes(routes!(look::show_prompts))
        .routes(routes!(begin::fork_session))
        .routes(routes!(export::export_session))
}
