//! Making an account: openly, with an invitation, or as the first person with the link that the start printed.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::html;
use serde::Deserialize;

use super::PageContext;
use super::form_error::FormError;
use super::sign_in::{door, welcome};
use crate::access::{Address, Channel, has_administrator, password};
use crate::actions::account::{self, NewAccount};
use crate::design::{Field, FieldKind, Tone, Weight, button, field, form, notice};
use crate::extract::{Browser, FormBody, QueryParams};
use crate::problem::Problem;
use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/register", get(show).post(register))
}

#[derive(Debug, Default, Deserialize)]
struct Invited {
    #[serde(default)]
    invitation: String,
}

#[derive(Debug, Default, Deserialize)]
struct RegisterInput {
    #[serde(default)]
    name: String,
    #[serde(default)]
    display: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    invitation: String,
}

impl RegisterInput {
    fn invitation(&self) -> Option<&str> {
        Some(self.invitation.as_str()).filter(|secret| !secret.is_empty())
    }
}

async fn show(here: PageContext, QueryParams(asked): QueryParams<Invited>) -> Result<Response, Problem> {
    let typed = RegisterInput { invitation: asked.invitation, ..RegisterInput::default() };
    // Whoever cannot register learns it before typing anything.
    account::may_register(&here.app, typed.invitation()).await?;
    draw(&here, &typed, &FormError::default()).await
}

async fn register(
    here: PageContext,
    from: Address,
    channel: Channel,
    Browser(browser): Browser,
    FormBody(typed): FormBody<RegisterInput>,
) -> Result<Response, Problem> {
    let asked = NewAccount {
        name: typed.name.trim(),
        display: &typed.display,
        password: &typed.password,
        invitation: typed.invitation(),
        lang: None,
        browser: &browser,
    };
    let problem = match account::register(&here.app, asked, &from).await {
        Ok(entered) => return Ok(welcome(channel, &entered.secret, "/")),
        Err(problem) => problem,
    };
    let beside = match &problem {
        Problem::NameTaken | Problem::NameUnfit => "name",
        Problem::PasswordUnfit | Problem::PasswordCommon => "password",
        Problem::Text(_) => "display",
        Problem::TooMany { .. } | Problem::Busy => "",
        _ => return Err(problem),
    };
    draw(&here, &typed, &FormError::at(beside, &problem, here.lang())).await
}

async fn draw(here: &PageContext, typed: &RegisterInput, mistake: &FormError) -> Result<Response, Problem> {
    let words = here.words;
    let is_first = !has_administrator(here.app.register()).await?;
    let body = html! {
        @if is_first { (notice(Tone::Plain, words.say("register.first"), words.say("register.first_what"))) }
        (mistake.above())
        (form("/register", html! {
            input type="hidden" name="invitation" value=(typed.invitation);
            (field(words, &Field {
                value: &typed.name,
                hint: Some(words.say("register.name_hint")),
                error: mistake.beside("name").as_deref(),
                required: true,
                limit: Some(password::NAME_LONGEST),
                autocomplete: "username",
                ..Field::new("name", words.say("enter.name"))
            }))
            (field(words, &Field {
                value: &typed.display,
                hint: Some(words.say("register.display_hint")),
                error: mistake.beside("display").as_deref(),
                limit: Some(enza_kernel::limits::NAME.graphemes),
                autocomplete: "name",
                ..Field::new("display", words.say("register.display"))
            }))
            (field(words, &Field {
                kind: FieldKind::Password,
                hint: Some(words.say("register.password_hint")),
                error: mistake.beside("password").as_deref(),
                required: true,
                autocomplete: "new-password",
                ..Field::new("password", words.say("enter.password"))
            }))
            div.row { (button(words.say("register.submit"), Weight::Main)) }
        }))
        p { a href="/sign-in" { (words.say("register.to_sign_in")) } }
    };
    let page = here.page(words.say("register.title"), &door(words.say("register.title"), &body));
    Ok((mistake.status(), page).into_response())
}
