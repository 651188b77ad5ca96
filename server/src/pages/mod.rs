//! The pages: server-rendered HTML that reads and works without scripts, and lives with them.

mod administration;
mod compare;
mod forms;
mod gallery;
mod here;
mod home;
mod inspector;
mod mistake;
mod problem;
mod register;
pub(crate) mod respond;
mod session;
mod settings;
mod sign_in;
mod standing;
mod submissions;
mod usage;

use axum::Router;

use crate::drawing::figures;
use crate::house::House;

pub use here::Here;
pub use problem::problem_page;

/// Every page.
pub fn routes() -> Router<House> {
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
