//! The account itself: its password, everything in it as a file, signing out everywhere, and leaving.

use axum::Router;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use super::{SettingsFlash, back, tab};
use crate::access::{Address, Allowed, Channel, ToKeep, cookie};
use crate::actions::account::{self, Account, DeletionProof};
use crate::design::{Field, FieldKind, Weight, button, facts, field, form, link_button, section, time};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::{AppState, LOCAL};

const HERE: &str = "/settings/account";

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route(HERE, get(show))
        .route("/settings/account/password", post(change_password))
        .route("/settings/account/sign-out", post(sign_out))
        .route("/settings/account/delete", post(delete))
}

#[derive(Debug, Deserialize)]
struct PasswordInput {
    #[serde(default)]
    old: String,
    #[serde(default)]
    new: String,
}

#[derive(Debug, Deserialize)]
struct LeaveInput {
    #[serde(default)]
    farewell: String,
}

async fn show(
    here: PageContext,
    caller: Allowed<ToKeep>,
    QueryParams(done): QueryParams<SettingsFlash>,
) -> Result<Response, Problem> {
    let account = account::account(&here.app, &caller.0).await?;
    Ok(draw(&here, &account, &done, &FormError::default()))
}

async fn change_password(
    here: PageContext,
    caller: Allowed<ToKeep>,
    from: Address,
    FormBody(typed): FormBody<PasswordInput>,
) -> Result<Response, Problem> {
    let (field, problem) = match account::change_password(&here.app, &caller.0, &typed.old, &typed.new, &from).await {
        Ok(()) => return Ok(back(HERE, "password")),
        Err(problem @ Problem::WrongPassword) => ("old", problem),
        Err(problem @ (Problem::PasswordUnfit | Problem::PasswordCommon)) => ("new", problem),
        Err(problem @ (Problem::TooMany { .. } | Problem::Busy)) => ("", problem),
        Err(problem) => return Err(problem),
    };
    again(&here, &caller, field, &problem).await
}

async fn sign_out(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
) -> Result<Response, Problem> {
    account::sign_out_everywhere(&app, &caller.0, &from).await?;
    Ok(([(SET_COOKIE, cookie::clear(channel))], Redirect::to("/")).into_response())
}

async fn delete(
    here: PageContext,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
    FormBody(typed): FormBody<LeaveInput>,
) -> Result<Response, Problem> {
    let farewell = DeletionProof { password: &typed.farewell, name: &typed.farewell };
    let (field, problem) = match account::delete(&here.app, &caller.0, farewell, &from).await {
        Ok(()) => return Ok(([(SET_COOKIE, cookie::clear(channel))], Redirect::to("/")).into_response()),
        Err(problem @ Problem::WrongPassword) => ("farewell", problem),
        Err(problem @ (Problem::TooMany { .. } | Problem::Busy | Problem::LastAdmin)) => ("", problem),
        Err(problem) => return Err(problem),
    };
    again(&here, &caller, field, &problem).await
}

async fn again(
    here: &PageContext,
    caller: &Allowed<ToKeep>,
    field: &'static str,
    problem: &Problem,
) -> Result<Response, Problem> {
    let account = account::account(&here.app, &caller.0).await?;
    Ok(draw(here, &account, &SettingsFlash::default(), &FormError::at(field, problem, here.lang())))
}

fn draw(here: &PageContext, account: &Account, done: &SettingsFlash, mistake: &FormError) -> Response {
    let words = here.words;
    let body = html! {
        (facts(&[
            (words.say("enter.name"), html! { code { (account.name) } }),
            (words.say("account.since"), time(words, account.added_at)),
        ]))
        @if account.name != LOCAL { (section(words.say("account.password"), password_form(here, account, mistake))) }
        (section(words.say("account.export"), html! {
            p { (words.say("account.export_what")) }
            div.row { (link_button("/api/account/export", words.say("account.export_do"), Weight::Plain)) }
        }))
        @if account.name != LOCAL {
            (section(words.say("account.everywhere"), html! {
                p { (words.say("account.everywhere_what")) }
                (form("/settings/account/sign-out", button(words.say("account.everywhere"), Weight::Plain)))
            }))
        }
        (section(words.say("account.delete"), leave_form(here, account, mistake)))
    };
    tab(here, HERE, done, mistake, &body)
}

fn password_form(here: &PageContext, account: &Account, mistake: &FormError) -> Markup {
    let words = here.words;
    form(
        "/settings/account/password",
        html! {
            // For the browser's keeper of passwords: whose they are.
            input type="text" name="username" value=(account.name) autocomplete="username" hidden;
            @if account.has_password {
                (field(words, &Field {
                    kind: FieldKind::Password,
                    error: mistake.beside("old").as_deref(),
                    required: true,
                    autocomplete: "current-password",
                    ..Field::new("old", words.say("account.old"))
                }))
            }
            (field(words, &Field {
                kind: FieldKind::Password,
                hint: Some(words.say("register.password_hint")),
                error: mistake.beside("new").as_deref(),
                required: true,
                autocomplete: "new-password",
                ..Field::new("new", words.say("account.new"))
            }))
            div.row { (button(words.say("account.change"), Weight::Main)) }
        },
    )
}

/// Folded away, and asked for in so many words: it cannot be undone.
fn leave_form(here: &PageContext, account: &Account, mistake: &FormError) -> Markup {
    let words = here.words;
    let error = mistake.beside("farewell");
    let typed_name = words.fill("account.type_name", &[("name", &account.name)]);
    let asked = if account.has_password {
        Field {
            kind: FieldKind::Password,
            autocomplete: "current-password",
            ..Field::new("farewell", words.say("enter.password"))
        }
    } else {
        Field::new("farewell", &typed_name)
    };
    html! {
        details.grave-fold open[error.is_some()] {
            summary { (words.say("account.delete_open")) }
            p { (words.say("account.delete_what")) }
            (form("/settings/account/delete", html! {
                (field(words, &Field { error: error.as_deref(), required: true, ..asked }))
                div.row { (button(words.say("account.delete_do"), Weight::Grave)) }
            }))
        }
    }
}
