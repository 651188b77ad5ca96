//! What one may spend: the house's word, and one's own limit for a day.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

use super::{SettingsFlash, back, tab};
use crate::access::{Allowed, Limits, ToKeep};
use crate::actions::account::{self, Account, Changes};
use crate::design::{Field, FieldKind, Weight, button, facts, field, form, section};
use crate::drawing::figures;
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::{FormError, Unread, read_money, read_tokens, write_money, write_tokens};
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;

const HERE: &str = "/settings/budget";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show).post(save))
}

#[derive(Debug, Deserialize)]
struct Daily {
    tokens_per_day: String,
    money_per_day: String,
}

impl Daily {
    /// The limits with what was typed; those in all stay as they are.
    fn read(&self, own: Limits) -> Result<Limits, Unread> {
        Ok(Limits {
            tokens_per_day: read_tokens("tokens_per_day", &self.tokens_per_day)?,
            money_per_day: read_money("money_per_day", &self.money_per_day)?,
            ..own
        })
    }
}

async fn show(
    here: PageContext,
    caller: Allowed<ToKeep>,
    QueryParams(done): QueryParams<SettingsFlash>,
) -> Result<Response, Problem> {
    let account = account::account(&here.app, &caller.0).await?;
    let typed = Daily {
        tokens_per_day: write_tokens(account.own_limits.tokens_per_day),
        money_per_day: write_money(account.own_limits.money_per_day),
    };
    Ok(draw(&here, &account, &typed, &done, &FormError::default()))
}

async fn save(
    here: PageContext,
    caller: Allowed<ToKeep>,
    FormBody(typed): FormBody<Daily>,
) -> Result<Response, Problem> {
    let account = account::account(&here.app, &caller.0).await?;
    let again = |mistake: FormError| draw(&here, &account, &typed, &SettingsFlash::default(), &mistake);
    let own = match typed.read(account.own_limits) {
        Ok(own) => own,
        Err(unread) => return Ok(again(FormError::unread(unread, here.lang()))),
    };
    let changes = Changes { own_limits: Some(own), ..Changes::default() };
    match account::change(&here.app, &caller.0, changes).await {
        Ok(_) => Ok(back(HERE, "saved")),
        Err(problem @ Problem::BodyUnfit(_)) => Ok(again(FormError::at("", &problem, here.lang()))),
        Err(problem) => Err(problem),
    }
}

fn draw(here: &PageContext, account: &Account, typed: &Daily, done: &SettingsFlash, mistake: &FormError) -> Response {
    let words = here.words;
    let body = html! {
        (section(words.say("budget.own"), html! {
            p.soft { (words.say("budget.own_what")) }
            (form(HERE, html! {
                (field(words, &Field {
                    value: &typed.tokens_per_day,
                    kind: FieldKind::Number,
                    hint: Some(words.say("budget.empty")),
                    error: mistake.beside("tokens_per_day").as_deref(),
                    ..Field::new("tokens_per_day", words.say("budget.tokens_per_day"))
                }))
                (field(words, &Field {
                    value: &typed.money_per_day,
                    kind: FieldKind::Number,
                    hint: Some(words.say("budget.empty")),
                    error: mistake.beside("money_per_day").as_deref(),
                    ..Field::new("money_per_day", words.say("budget.money_per_day"))
                }))
                div.row { (button(words.say("settings.save"), Weight::Main)) }
            }))
        }))
        (section(words.say("budget.house"), limits_as_facts(words, account.house_limits)))
    };
    tab(here, HERE, done, mistake, &body)
}

/// Limits, to be read.
fn limits_as_facts(words: Words, limits: Limits) -> Markup {
    let tokens = |limit: Option<u64>| limit.map_or(words.say("budget.none").to_owned(), figures::count);
    let money = |limit: Option<u64>| limit.map_or(words.say("budget.none").to_owned(), figures::money);
    facts(&[
        (words.say("budget.tokens_per_day"), html! { (tokens(limits.tokens_per_day)) }),
        (words.say("budget.tokens_in_all"), html! { (tokens(limits.tokens_in_all)) }),
        (words.say("budget.money_per_day"), html! { (money(limits.money_per_day)) }),
        (words.say("budget.money_in_all"), html! { (money(limits.money_in_all)) }),
    ])
}
