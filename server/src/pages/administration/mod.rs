//! Administration: people, sessions that run or are stuck, usage, the rules of the house, the journal.
//!
//! Every page here needs someone who runs the house. None of them shows what was said in anyone's session.

mod journal;
mod people;
mod person;
mod rules;
mod sessions;
mod usage;

use axum::Router;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::PageContext;
use super::form_error::FormError;
use crate::assets;
use crate::design::{Field, FieldKind, Tone, field, notice, tabs};
use crate::state::AppState;
use crate::words::Words;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .merge(people::routes())
        .merge(person::routes())
        .merge(sessions::routes())
        .merge(usage::routes())
        .merge(rules::routes())
        .merge(journal::routes())
}

/// What was done just before, as a word in the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct AdminFlash {
    #[serde(default)]
    done: String,
}

/// What may have been done. A word that is none of these says nothing.
const DONE: &[&str] = &["saved", "removed", "revoked", "retried"];

/// A tab of the administration.
fn tab(here: &PageContext, current: &str, done: &str, mistake: &FormError, body: &Markup) -> Response {
    let words = here.words;
    let all = [
        ("/administration", words.say("administration.people")),
        ("/administration/sessions", words.say("administration.sessions")),
        ("/administration/usage", words.say("administration.usage")),
        ("/administration/settings", words.say("administration.settings")),
        ("/administration/journal", words.say("administration.journal")),
    ];
    let body = html! {
        link rel="stylesheet" href=(assets::address("account.css"));
        div.desk {
            h1 { (words.say("administration.title")) }
            (tabs(&all, current))
            @if DONE.contains(&done) { (notice(Tone::Good, words.of("administered", done), "")) }
            (mistake.above())
            (body)
        }
    };
    (mistake.status(), here.page(words.say("administration.title"), &body)).into_response()
}

/// Leads back to a page, which says what was done.
fn back(page: &str, done: &str) -> Response {
    Redirect::to(&format!("{page}?done={done}")).into_response()
}

/// The four limits as they are typed: tokens in a day and in all, money in a day and in all.
fn limit_fields(words: Words, typed: [&str; 4], mistake: &FormError) -> Markup {
    let fields = [
        ("tokens_per_day", words.say("budget.tokens_per_day")),
        ("tokens_in_all", words.say("budget.tokens_in_all")),
        ("money_per_day", words.say("budget.money_per_day")),
        ("money_in_all", words.say("budget.money_in_all")),
    ];
    html! {
        p.soft.small { (words.say("budget.empty")) }
        div.pair {
            @for ((name, label), value) in fields.into_iter().zip(typed) {
                (field(words, &Field {
                    value,
                    kind: FieldKind::Number,
                    error: mistake.beside(name).as_deref(),
                    ..Field::new(name, label)
                }))
            }
        }
    }
}
