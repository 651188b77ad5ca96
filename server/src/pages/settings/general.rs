//! What others see, and the language.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use enza_kernel::limits;
use enza_kernel::text::Lang;
use maud::html;
use serde::Deserialize;

use super::{SettingsFlash, back, tab};
use crate::access::{Allowed, ToKeep};
use crate::actions::account::{self, Changes, LangWish};
use crate::design::{Field, Weight, button, choice, field, form};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;

const HERE: &str = "/settings";

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show).post(save))
}

#[derive(Debug, Deserialize)]
struct General {
    display: String,
    lang: LangWish,
}

async fn show(
    here: PageContext,
    caller: Allowed<ToKeep>,
    QueryParams(done): QueryParams<SettingsFlash>,
) -> Result<Response, Problem> {
    let account = account::account(&here.app, &caller.0).await?;
    let lang = match account.lang {
        Some(Lang::Ja) => LangWish::Ja,
        Some(Lang::En) => LangWish::En,
        None => LangWish::Browser,
    };
    Ok(draw(&here, &General { display: account.display, lang }, &done, &FormError::default()))
}

async fn save(
    here: PageContext,
    caller: Allowed<ToKeep>,
    FormBody(typed): FormBody<General>,
) -> Result<Response, Problem> {
    let changes = Changes { display: Some(typed.display.clone()), lang: Some(typed.lang), own_limits: None };
    match account::change(&here.app, &caller.0, changes).await {
        Ok(_) => Ok(back(HERE, "saved")),
        Err(problem @ Problem::Text(_)) => {
            Ok(draw(&here, &typed, &SettingsFlash::default(), &FormError::at("display", &problem, here.lang())))
        }
        Err(problem) => Err(problem),
    }
}

fn draw(here: &PageContext, typed: &General, done: &SettingsFlash, mistake: &FormError) -> Response {
    let words = here.words;
    let langs = [("browser", words.say("settings.lang_browser")), ("ja", "日本語"), ("en", "English")];
    let lang = match typed.lang {
        LangWish::Ja => "ja",
        LangWish::En => "en",
        LangWish::Browser => "browser",
    };
    let body = form(
        HERE,
        html! {
            (field(words, &Field {
                value: &typed.display,
                hint: Some(words.say("register.display_hint")),
                error: mistake.beside("display").as_deref(),
                required: true,
                limit: Some(limits::NAME.graphemes),
                autocomplete: "name",
                ..Field::new("display", words.say("register.display"))
            }))
            (choice("lang", words.say("settings.lang"), &langs, lang))
            div.row { (button(words.say("settings.save"), Weight::Main)) }
        },
    );
    tab(here, HERE, done, mistake, &body)
}
