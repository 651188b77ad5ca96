//! Sessions of everyone that run or are stuck. A stuck one may be told to try again.

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use enza_kernel::application::Phase;
use enza_kernel::time::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use super::{back, tab};
use crate::access::{Address, Allowed, ToRun};
use crate::actions::monitor::{self, PAGE, Running};
use crate::design::{Weight, button, empty, form, link_button, table, time};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::badges::phase_badge;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;

const HERE: &str = "/administration/sessions";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show)).route("/administration/sessions/retry", post(retry))
}

#[derive(Debug, Default, Deserialize)]
struct RunningPageQuery {
    after_changed: Option<i64>,
    after_id: Option<String>,
    #[serde(default)]
    done: String,
}

#[derive(Debug, Deserialize)]
struct Retry {
    id: String,
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    QueryParams(page): QueryParams<RunningPageQuery>,
) -> Result<Response, Problem> {
    draw(&here, page, &FormError::default()).await
}

async fn retry(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    FormBody(typed): FormBody<Retry>,
) -> Result<Response, Problem> {
    match monitor::retry(&here.app, &caller.0, &typed.id, &from).await {
        Ok(()) => Ok(back(HERE, "retried")),
        Err(problem @ (Problem::NoSession | Problem::Refused(_) | Problem::Contended)) => {
            draw(&here, RunningPageQuery::default(), &FormError::at("", &problem, here.lang())).await
        }
        Err(problem) => Err(problem),
    }
}

async fn draw(here: &PageContext, page: RunningPageQuery, mistake: &FormError) -> Result<Response, Problem> {
    let words = here.words;
    let after = page.after_changed.map(Timestamp).zip(page.after_id);
    let found = monitor::running(&here.app, after).await?;
    let body = html! {
        p.soft { (words.say("running.what")) }
        @if found.is_empty() { (empty(words.say("running.none"), words.say("running.none_what"), None)) }
        @else { (list(here, &found)) }
        @if let (Some(last), true) = (found.last(), found.len() == PAGE) {
            @let next = format!("{HERE}?after_changed={}&after_id={}", last.changed_at.0, last.id);
            div.row { (link_button(&next, words.say("administration.more"), Weight::Plain)) }
        }
    };
    Ok(tab(here, HERE, &page.done, mistake, &body))
}

fn list(here: &PageContext, found: &[Running]) -> Markup {
    let words = here.words;
    let heads =
        ["running.session", "running.owner", "running.phase", "running.because", "running.changed", "token.action"]
            .map(|key| words.say(key));
    let rows = found.iter().map(|session| {
        vec![
            html! { (here.title_of(&session.application)) " " code.small { (session.id) } },
            html! { (session.owner) },
            phase_badge(words, session.phase),
            html! { @if let Some(why) = &session.stuck_because { (why) } },
            time(words, session.changed_at),
            html! {
                @if session.phase == Phase::Stuck {
                    (form("/administration/sessions/retry", html! {
                        input type="hidden" name="id" value=(session.id);
                        (button(words.say("running.retry"), Weight::Plain))
                    }))
                }
            },
        ]
    });
    table(&heads, rows.collect())
}
