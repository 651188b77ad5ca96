//! The end of a form: asks first, and says what goes with it.
//!
//! A form with answers is deleted only by whoever types its title, since the answers of others go with it.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use enza_server::access::{Allowed, ToRead, ToWrite};
use enza_server::design::{Field, Weight, button, card, field, link_button};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use maud::{Markup, html};
use serde::Deserialize;

use super::builder::style;
use super::head;
use crate::actions::forms::{self, LoadedForm};

/// How many answers are counted; beyond them, "more than" says enough.
const COUNTED: usize = 1_000;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/forms/{id}/delete", get(ask).post(delete))
}

/// That the owner means it.
#[derive(Debug, Deserialize)]
struct Sure {
    #[serde(default)]
    title: String,
}

async fn ask(here: PageContext, allowed: Allowed<ToRead>, Path(id): Path<String>) -> Result<Markup, Problem> {
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let count = forms::count_family(&here.app, &held.row.id, COUNTED).await?;
    Ok(draw(&here, &held, count, None))
}

async fn delete(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(sure): FormBody<Sure>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let held = forms::load(&here.app, &caller, &id).await?;
    let count = forms::count_family(&here.app, &held.row.id, COUNTED).await?;
    if count > 0 && sure.title.trim() != head::title(here.words, &held) {
        let page = draw(&here, &held, count, Some(here.words.say("forms.delete_mistyped")));
        return Ok((StatusCode::CONFLICT, page).into_response());
    }
    forms::delete(&here.app, &caller, &id).await?;
    Ok(Redirect::to("/forms").into_response())
}

fn draw(here: &PageContext, held: &LoadedForm, count: usize, error: Option<&str>) -> Markup {
    let words = here.words;
    let title = head::title(words, held);
    let at = format!("/forms/{}", held.row.id);
    let counted = if count == COUNTED { format!("{COUNTED}+") } else { count.to_string() };
    let body = html! {
        (style())
        h1.page-title { (words.say("forms.delete")) }
        (card(None, html! {
            p { (words.fill("forms.delete_what", &[("title", &title)])) }
            @if count > 0 { p { (words.fill("forms.delete_answers", &[("count", &counted)])) } }
            form.form method="post" action={ (at) "/delete" } {
                @if count > 0 {
                    (field(words, &Field {
                        error,
                        required: true,
                        ..Field::new("title", &words.fill("forms.delete_type", &[("title", &title)]))
                    }))
                }
                div.row {
                    (button(words.say("forms.delete_yes"), Weight::Grave))
                    (link_button(&at, words.say("session.not_now"), Weight::Quiet))
                }
            }
        }))
    };
    here.page(words.say("forms.delete"), &body)
}
