//! The rules of the house: who may register, and what everyone may spend.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::{Done, back, limit_fields, tab};
use crate::access::{Address, Allowed, Registration, ToRun};
use crate::acts::people::{self, HouseRules};
use crate::design::{Tone, Weight, button, choice, form, notice, section};
use crate::house::{Accounts, House};
use crate::pages::Here;
use crate::pages::mistake::{Mistake, read_limits, write_money, write_tokens};
use crate::problem::Problem;
use crate::read::{Asked, Typed};

const HERE: &str = "/administration/settings";

pub(super) fn routes() -> Router<House> {
    Router::new().route(HERE, get(show).post(save))
}

#[derive(Debug, Deserialize)]
struct TypedRules {
    registration: Registration,
    #[serde(default)]
    tokens_per_day: String,
    #[serde(default)]
    tokens_in_all: String,
    #[serde(default)]
    money_per_day: String,
    #[serde(default)]
    money_in_all: String,
}

impl TypedRules {
    fn limits(&self) -> [&str; 4] {
        [&self.tokens_per_day, &self.tokens_in_all, &self.money_per_day, &self.money_in_all]
    }
}

async fn show(here: Here, _: Allowed<ToRun>, Asked(done): Asked<Done>) -> Result<Response, Problem> {
    let rules = people::rules(&here.house).await?;
    let typed = TypedRules {
        registration: rules.registration,
        tokens_per_day: write_tokens(rules.limits.tokens_per_day),
        tokens_in_all: write_tokens(rules.limits.tokens_in_all),
        money_per_day: write_money(rules.limits.money_per_day),
        money_in_all: write_money(rules.limits.money_in_all),
    };
    Ok(draw(&here, &typed, &done, &Mistake::default()))
}

async fn save(
    here: Here,
    caller: Allowed<ToRun>,
    from: Address,
    Typed(typed): Typed<TypedRules>,
) -> Result<Response, Problem> {
    let again = |mistake: Mistake| Ok(draw(&here, &typed, &Done::default(), &mistake));
    let limits = match read_limits(typed.limits()) {
        Ok(limits) => limits,
        Err(unread) => return again(Mistake::unread(unread, here.lang())),
    };
    let wished = HouseRules { registration: typed.registration, limits };
    match people::change_rules(&here.house, &caller.0, wished, &from).await {
        Ok(_) => Ok(back(HERE, "saved")),
        Err(problem @ Problem::BodyUnfit(_)) => again(Mistake::at("", &problem, here.lang())),
        Err(problem) => Err(problem),
    }
}

fn draw(here: &Here, typed: &TypedRules, done: &Done, mistake: &Mistake) -> Response {
    let words = here.words;
    let modes = Registration::ALL.map(|mode| (mode.word(), words.of("registration", mode.word())));
    let body = html! {
        @if here.house.accounts() == Accounts::Alone {
            (notice(Tone::Plain, words.say("rules.alone"), words.say("rules.alone_what")))
        }
        (form(HERE, html! {
            (section(words.say("rules.registration"), choice("registration", words.say("rules.who"), &modes, typed.registration.word())))
            (section(words.say("rules.limits"), html! {
                p.soft { (words.say("rules.limits_what")) }
                (limit_fields(words, typed.limits(), mistake))
            }))
            div.row { (button(words.say("settings.save"), Weight::Main)) }
        }))
    };
    tab(here, HERE, &done.done, mistake, &body)
}
