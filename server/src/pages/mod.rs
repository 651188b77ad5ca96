//! The pages: server-rendered HTML that reads and works without scripts, and lives with them.

mod administration;
mod badges;
mod compare;
mod context;
mod form_error;
mod forms;
mod gallery;
mod home;
mod inspector;
mod problem;
mod register;
pub(crate) mod respond;
mod session;
mod settings;
mod sign_in;
mod submissions;
mod usage;

use axum::Router;

use crate::drawing::figures;
use crate::state::AppState;

pub use context::PageContext;
pub use problem::problem_page;

/// Every page.
pub fn routes() -> Router<AppState> {
    Router::new()
        .merge(home::routes())
        .merge(session::routes())
        .merge(submissions::routes())
        .merge(inspector::routes())
        .merge(compare::routes())
        .merge(usage::routes())
        .merge(forms::routes())
        .merge(gallery::routes())
        .merge(sign_in::routes())
        .merge(register::routes())
        .merge(respond::routes())
        .merge(settings::routes())
        .merge(administration::routes())
}
