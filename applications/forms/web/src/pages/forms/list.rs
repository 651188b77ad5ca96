//! The reader's forms: what each is called, how it stands, and what has come in.

use axum::Router;
use axum::routing::get;
use enza_server::access::{Allowed, ToRead};
use enza_server::design::{Weight, empty, link_button, table, time};
use enza_server::extract::QueryParams;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use enza_server::words::Words;
use maud::{Markup, html};
use serde::Deserialize;

use super::builder::style;
use super::head;
use crate::actions::forms::{self, FormPage, LoadedForm};

const AT_A_TIME: usize = 20;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/forms", get(show))
}

/// Where to begin.
#[derive(Debug, Default, Deserialize)]
struct FormListQuery {
    #[serde(default)]
    after: String,
}

async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    QueryParams(part): QueryParams<FormListQuery>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let cursor = Some(part.after.clone()).filter(|after| !after.is_empty());
    let FormPage { forms, next } = forms::list(&here.app, &allowed.0, Some(AT_A_TIME), cursor).await?;
    let begin = link_button("/forms/new", words.say("forms.new"), Weight::Main);
    let body = html! {
        (style())
        div.list-head { h1 { (words.say("forms.name")) } @if !forms.is_empty() { (begin) } }
        @if forms.is_empty() {
            (empty(words.say("forms.none"), words.say("forms.none_what"), Some(begin)))
        } @else {
            (table(&["forms.title", "forms.state", "forms.version", "forms.received", "forms.changed"].map(|key| words.say(key)),
                forms.iter().map(|held| row(words, held)).collect()))
        }
        div.row.apart {
            @if !part.after.is_empty() { (link_button("/forms", words.say("home.first_page"), Weight::Quiet)) }
            @if let Some(next) = &next { (link_button(&format!("/forms?after={next}"), words.say("home.next_page"), Weight::Plain)) }
        }
    };
    Ok(here.page(words.say("forms.name"), &body))
}

fn row(words: Words, held: &LoadedForm) -> Vec<Markup> {
    let (id, state) = (&held.row.id, &held.state);
    let version = state.card().version;
    vec![
        html! { a.form-title href={ "/forms/" (id) } { (head::title(words, held)) } },
        head::state_badge(words, state),
        html! { @if version == 0 { "—" } @else { (version) } },
        html! { a href={ "/forms/" (id) "/submissions" } { (state.received()) } },
        time(words, held.row.changed_at),
    ]
}
