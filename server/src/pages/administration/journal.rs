//! The journal: sign-ins and administrative acts, newest first.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::tab;
use crate::access::{Allowed, ToRun};
use crate::actions::people::{self, LINES};
use crate::design::{Weight, empty, link_button, table, time};
use crate::extract::QueryParams;
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;

const HERE: &str = "/administration/journal";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show))
}

#[derive(Debug, Default, Deserialize)]
struct JournalPageQuery {
    before: Option<u64>,
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    QueryParams(page): QueryParams<JournalPageQuery>,
) -> Result<Response, Problem> {
    let words = here.words;
    let lines = people::journal(&here.app, None, page.before).await?;
    let heads = ["journal.at", "journal.by", "journal.act", "journal.on", "journal.from"].map(|key| words.say(key));
    let rows = lines.iter().map(|line| {
        let note = &line.note;
        // A word of a newer Enza has no sentence here; it shows itself.
        let known = words.has(&format!("act.{}", note.act));
        let act = if known { words.of("act", &note.act) } else { &note.act };
        vec![
            time(words, note.at),
            html! { @if note.by.is_empty() { (words.say("journal.nobody")) } @else { (note.by) } },
            html! { (act) },
            html! { (note.on) },
            html! { code.small { (note.from) } },
        ]
    });
    let body = html! {
        @if lines.is_empty() { (empty(words.say("journal.none"), words.say("journal.none_what"), None)) }
        @else { (table(&heads, rows.collect())) }
        @if let (Some(last), true) = (lines.last(), lines.len() == LINES) {
            div.row { (link_button(&format!("{HERE}?before={}", last.line), words.say("administration.more"), Weight::Plain)) }
        }
    };
    Ok(tab(&here, HERE, "", &FormError::default(), &body))
}
