//! Which model answers, how to get one, and, for administrators, another to choose.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::{Done, back, tab};
use crate::access::{Address, Allowed, Need, ToKeep, ToRun};
use crate::acts::people;
use crate::design::{Tone, Weight, badge, button, choice, facts, form, notice, section};
use crate::house::House;
use crate::pages::Here;
use crate::pages::mistake::Mistake;
use crate::problem::Problem;
use crate::read::{Asked, Typed};

const HERE: &str = "/settings/model";

pub(super) fn routes() -> Router<House> {
    Router::new().route(HERE, get(show).post(choose))
}

#[derive(Debug, Deserialize)]
struct Choice {
    model: String,
}

async fn show(here: Here, caller: Allowed<ToKeep>, Asked(done): Asked<Done>) -> Response {
    draw(&here, caller.0.may(Need::Run), &done, &Mistake::default())
}

async fn choose(
    here: Here,
    caller: Allowed<ToRun>,
    from: Address,
    Typed(typed): Typed<Choice>,
) -> Result<Response, Problem> {
    match people::choose_model(&here.house, &caller.0, &typed.model, here.lang(), &from).await {
        Ok(()) => Ok(back(HERE, "model")),
        Err(problem @ Problem::Model(_)) => {
            Ok(draw(&here, true, &Done::default(), &Mistake::at("", &problem, here.lang())))
        }
        Err(problem) => Err(problem),
    }
}

fn draw(here: &Here, may_choose: bool, done: &Done, mistake: &Mistake) -> Response {
    let words = here.words;
    let current = here.house.models().current();
    let choices = here.house.models().choices();
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
