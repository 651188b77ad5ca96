//! The pages: server-rendered HTML that reads and works without scripts, and lives with them.

mod administration;
pub mod badges;
mod compare;
mod context;
mod form_error;
mod gallery;
mod home;
mod inspector;
mod problem;
mod register;
pub mod session;
mod settings;
mod sign_in;
mod usage;

use axum::Router;

use crate::drawing::figures;
use crate::state::AppState;

pub use context::PageContext;
pub use home::{home_with, lead_to};
pub use problem::problem_page;

/// Every page, with those of the parts.
pub fn routes(app: &AppState) -> Router<AppState> {
    let own = Router::new()
        .merge(home::routes())
        .merge(session::routes())
        .merge(inspector::routes())
        .merge(compare::routes())
        .merge(usage::routes())
        .merge(gallery::routes())
        .merge(sign_in::routes())
        .merge(register::routes())
        .merge(settings::routes())
        .merge(administration::routes());
    app.parts().iter().fold(own, |all, part| all.merge(part.pages()))
}
