//! The way in and the way out: signing in with a password or a one-time link, and signing out.
//!
//! A link signs in by being followed, once. A browser that only looks ahead does not follow it.

use axum::Router;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use super::PageContext;
use super::form_error::FormError;
use crate::access::{Address, Allowed, Channel, Registration, Rules, Secret, ToKeep, cookie};
use crate::actions::account::{self, LinkOutcome};
use crate::assets;
use crate::design::{Field, FieldKind, Tone, Weight, button, circle, field, form, notice};
use crate::extract::{Browser, FormBody, QueryParams};
use crate::problem::Problem;
use crate::state::{Accounts, AppState};

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/sign-in", get(show).post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/enter", get(enter))
}

/// Where to go afterwards.
#[derive(Debug, Default, Deserialize)]
struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Debug, Default, Deserialize)]
struct SignInInput {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    next: String,
}

async fn show(here: PageContext, QueryParams(asked): QueryParams<Next>) -> Result<Response, Problem> {
    if here.caller.is_some() {
        return Ok(Redirect::to(ours(&asked.next)).into_response());
    }
    draw(&here, &SignInInput { next: asked.next, ..SignInInput::default() }, &FormError::default()).await
}

async fn sign_in(
    here: PageContext,
    from: Address,
    channel: Channel,
    Browser(browser): Browser,
    FormBody(typed): FormBody<SignInInput>,
) -> Result<Response, Problem> {
    match account::sign_in(&here.app, &typed.name, &typed.password, &browser, &from).await {
        Ok(entered) => Ok(welcome(channel, &entered.secret, ours(&typed.next))),
        Err(problem @ (Problem::WrongPassword | Problem::Blocked | Problem::TooMany { .. } | Problem::Busy)) => {
            let mut page = draw(&here, &typed, &FormError::at("", &problem, here.lang())).await?;
            if let Some(after) = problem.retry_after() {
                page.headers_mut().insert("retry-after", after.into());
            }
            Ok(page)
        }
        Err(problem) => Err(problem),
    }
}

async fn draw(here: &PageContext, typed: &SignInInput, mistake: &FormError) -> Result<Response, Problem> {
    let words = here.words;
    let body = match here.app.accounts() {
        Accounts::Alone => alone(here),
        Accounts::Shared => {
            let is_open = Rules::read(here.app.register()).await?.registration == Registration::Open;
            html! {
                (mistake.above())
                (form("/sign-in", html! {
                    input type="hidden" name="next" value=(typed.next);
                    (field(words, &Field {
                        value: &typed.name,
                        required: true,
                        autocomplete: "username",
                        ..Field::new("name", words.say("enter.name"))
                    }))
                    (field(words, &Field {
                        kind: FieldKind::Password,
                        required: true,
                        autocomplete: "current-password",
                        ..Field::new("password", words.say("enter.password"))
                    }))
                    div.row { (button(words.say("frame.sign_in"), Weight::Main)) }
                }))
                @if is_open { p { a href="/register" { (words.say("enter.to_register")) } } }
                @else { p.soft.small { (words.say("enter.by_invitation")) } }
                p.soft.small { (words.say("enter.forgotten")) }
            }
        }
    };
    let page = here.page(words.say("enter.title"), &door(words.say("enter.title"), &body));
    Ok((mistake.status(), page).into_response())
}

/// Where there are no accounts, the way in is the link that the start printed.
fn alone(here: &PageContext) -> Markup {
    let words = here.words;
    html! {
        (notice(Tone::Plain, words.say("enter.alone"), words.say("enter.alone_how")))
        p { code { "enza account link" } }
    }
}

#[derive(Debug, Deserialize)]
struct Link {
    #[serde(default)]
    link: String,
}

async fn enter(
    here: PageContext,
    from: Address,
    channel: Channel,
    Browser(browser): Browser,
    method: Method,
    headers: HeaderMap,
    QueryParams(asked): QueryParams<Link>,
) -> Result<Response, Problem> {
    let looks_ahead = ["sec-purpose", "purpose"]
        .iter()
        .any(|name| headers.get(*name).is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch")));
    if method == Method::HEAD || looks_ahead {
        return Ok(Problem::NotThatWay.into_response());
    }
    match account::sign_in_by_link(&here.app, &asked.link, &browser, &from).await? {
        LinkOutcome::First => Ok(Redirect::to(&format!("/register?invitation={}", asked.link)).into_response()),
        LinkOutcome::SignedIn(entered) => {
            let next = if account::lacks_password(&entered.person) { "/settings/account?done=choose" } else { "/" };
            Ok(welcome(channel, &entered.secret, next))
        }
    }
}

async fn sign_out(
    State(app): State<AppState>,
    caller: Allowed<ToKeep>,
    from: Address,
    channel: Channel,
) -> Result<Response, Problem> {
    account::sign_out(&app, &caller.0, &from).await?;
    Ok(([(SET_COOKIE, cookie::clear(channel))], Redirect::to("/")).into_response())
}

/// Gives a browser its cookie and leads it on.
pub(super) fn welcome(channel: Channel, secret: &Secret, next: &str) -> Response {
    ([(SET_COOKIE, cookie::set(channel, secret))], Redirect::to(next)).into_response()
}

/// A page with one thing to do, in the middle.
pub(super) fn door(title: &str, body: &Markup) -> Markup {
    html! {
        link rel="stylesheet" href=(assets::address("account.css"));
        div.door { (circle()) h1 { (title) } (body) }
    }
}

/// A path of ours; anything else, such as another site's address, leads home.
fn ours(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//") && !next.contains('\\');
    if is_path && next.bytes().all(|byte| byte.is_ascii_graphic()) { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site_after_signing_in() {
        for good in ["/", "/sessions/1", "/settings?done=saved"] {
            assert_eq!(ours(good), good);
        }
        for bad in ["", "https://evil.example", "//evil.example", "/\\evil.example", "/a\r\nset-cookie: x", "settings"]
        {
            assert_eq!(ours(bad), "/", "{bad}");
        }
    }
}
