//! What was answered to a form, for its owner: the list with its figures, one sheet with its story, what is still owed
//! to the receiver, and files.
//!
//! Sensitive values are masked wherever they stand, and each is shown by itself on demand. Nothing here needs a script.

mod delivery;
mod download;
mod figures;
mod list;
mod reviews;
mod sheet;
mod value;
mod webhook;
mod wish;

use axum::Router;
use axum::routing::{get, post};
use maud::{Markup, html};

use super::Here;
use super::forms::tabs::{Tab, tabs};
use crate::acts::forms::Held;
use crate::assets;
use crate::house::House;
use crate::words::Words;

pub(super) fn routes() -> Router<House> {
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
fn draw(here: &Here, held: &Held, title: &str, body: &Markup) -> Markup {
    let words = here.words;
    let name = name_of(words, held);
    let body = html! {
        link rel="stylesheet" href=(assets::address("inspector.css"));
        link rel="stylesheet" href=(assets::address("submissions.css"));
        div.submissions {
            header.form-head {
                h1 { (name) }
                (tabs(words, held.row.id.as_str(), Tab::Answers))
            }
            (body)
        }
    };
    here.page(&format!("{title} — {name}"), &body)
}

/// What a form is called.
fn name_of(words: Words, held: &Held) -> String {
    let title = held.state.card().title.trim();
    if title.is_empty() { words.say("submissions.untitled").to_owned() } else { title.to_owned() }
}

/// Where a form's answers are.
fn address(held: &Held) -> String {
    format!("/forms/{}/submissions", held.row.id)
}
