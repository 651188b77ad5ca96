//! Settings: one's name and language, the model, one's own limits, tokens, and the account itself.
//!
//! Each tab is a page with an address. A form that was accepted leads back to its tab, which then says what was done.

mod account;
mod budget;
mod general;
mod model;
mod tokens;

use axum::Router;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::PageContext;
use super::form_error::FormError;
use crate::assets;
use crate::design::{Tone, notice, tabs};
use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .merge(general::routes())
        .merge(model::routes())
        .merge(budget::routes())
        .merge(tokens::routes())
        .merge(account::routes())
}

/// What was done just before, as a word in the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct SettingsFlash {
    #[serde(default)]
    done: String,
}

/// What may have been done. A word that is none of these says nothing.
const DONE: &[&str] = &["saved", "password", "revoked", "choose", "model"];

/// A tab of the settings.
fn tab(here: &PageContext, current: &str, done: &SettingsFlash, mistake: &FormError, body: &Markup) -> Response {
    let words = here.words;
    let all = [
        ("/settings", words.say("settings.general")),
        ("/settings/model", words.say("settings.model")),
        ("/settings/budget", words.say("settings.budget")),
        ("/settings/tokens", words.say("settings.tokens")),
        ("/settings/account", words.say("settings.account")),
    ];
    let body = html! {
        link rel="stylesheet" href=(assets::address("account.css"));
        div.desk {
            h1 { (words.say("settings.title")) }
            (tabs(&all, current))
            @if DONE.contains(&done.done.as_str()) { (notice(Tone::Good, words.of("done", &done.done), "")) }
            (mistake.above())
            (body)
        }
    };
    (mistake.status(), here.page(words.say("settings.title"), &body)).into_response()
}

/// Leads back to a tab, which says what was done.
fn back(tab: &str, done: &str) -> Response {
    Redirect::to(&format!("{tab}?done={done}")).into_response()
}
