//! What was answered to a form, for its owner: the list with its figures, one sheet with its story, what is still owed
//! to the receiver, and files.
//!
//! Sensitive values are masked wherever they stand, and each is shown by itself on demand. Nothing here needs a script.

mod delivery;
mod download;
mod figures;
mod list;
mod query;
mod reviews;
mod sheet;
mod value;
mod webhook;

use axum::Router;
use axum::routing::{get, post};
use enza_server::assets;
use enza_server::pages::PageContext;
use enza_server::state::AppState;
use maud::{Markup, html};

use super::forms::head::{Tab, head, title};
use crate::actions::forms::LoadedForm;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/forms/{id}/submissions", get(list::show))
        .route("/forms/{id}/submissions.csv", get(download::csv))
        .route("/forms/{id}/submissions.jsonl", get(download::jsonl))
        .route("/forms/{id}/submissions.xlsx", get(download::xlsx))
        .route("/forms/{id}/submissions/deliveries", get(delivery::show))
        .route("/forms/{id}/submissions/{session}", get(sheet::show))
        .route("/forms/{id}/submissions/{session}/delete", get(sheet::ask_to_delete).post(sheet::delete))
        .route("/forms/{id}/submissions/{session}/retry", post(delivery::retry))
        .route("/forms/{id}/webhook/test", post(webhook::test))
}

/// A page of a form's answers, under the form's head.
fn draw(here: &PageContext, held: &LoadedForm, about: &str, body: &Markup) -> Markup {
    let body = html! {
        link rel="stylesheet" href=(assets::address("forms.css"));
        link rel="stylesheet" href=(assets::address("inspector.css"));
        link rel="stylesheet" href=(assets::address("submissions.css"));
        div.submissions {
            (head(here, held, Tab::Answers))
            (body)
        }
    };
    here.page(&format!("{about} — {}", title(here.words, held)), &body)
}

/// Where a form's answers are.
fn address(held: &LoadedForm) -> String {
    format!("/forms/{}/submissions", held.row.id)
}
