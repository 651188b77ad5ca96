//! Which model answers, how to get one, and, for administrators, another to choose.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::{SettingsFlash, back, tab};
use crate::access::{Address, Allowed, Need, ToKeep, ToRun};
use crate::actions::people;
use crate::design::{Tone, Weight, badge, button, choice, facts, form, notice, section};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;

const HERE: &str = "/settings/model";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show).post(choose))
}

#[derive(Debug, Deserialize)]
struct Choice {
    model: String,
}

async fn show(here: PageContext, caller: Allowed<ToKeep>, QueryParams(done): QueryParams<SettingsFlash>) -> Response {
    draw(&here, caller.0.may(Need::Run), &done, &FormError::default())
}

async fn choose(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    FormBody(typed): FormBody<Choice>,
) -> Result<Response, Problem> {
    match people::choose_model(&here.app, &caller.0, &typed.model, here.lang(), &from).await {
        Ok(()) => Ok(back(HERE, "model")),
        Err(problem @ Problem::Model(_)) => {
            Ok(draw(&here, true, &SettingsFlash::default(), &FormError::at("", &problem, here.lang())))
        }
        Err(problem) => Err(problem),
    }
}

fn draw(here: &PageContext, may_choose: bool, done: &SettingsFlash, mistake: &FormError) -> Response {
    let words = here.words;
    let current = here.app.models().current();
    let choices = here.app.models().choices();
    let options: Vec<(&str, &str)> = choices.iter().map(|name| (name.as_str(), name.as_str())).collect();
    let body = html! {
        (facts(&[(words.say("model.current"), html! {
            (current.name) " "
            @if current.understudy { (badge(words.say("model.understudy"), Tone::Warn)) }
        })]))
        @if current.understudy { (notice(Tone::Plain, words.say("model.understudy_title"), words.say("model.understudy_what"))) }
        @if may_choose && options.len() > 1 {
            (section(words.say("model.choose"), form(HERE, html! {
                (choice("model", words.say("model.name"), &options, &current.name))
                p.soft.small { (words.say("model.choose_what")) }
                div.row { (button(words.say("model.use"), Weight::Main)) }
            })))
        }
        (section(words.say("model.get"), html! {
            p { (words.say("model.get_local")) }
            p { code { "enza model pull" } }
            p { (words.say("model.get_key")) }
            p { code { "enza model list" } }
        }))
    };
    tab(here, HERE, done, mistake, &body)
}
