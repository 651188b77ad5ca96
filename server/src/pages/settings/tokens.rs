//! Tokens for programs: made, shown once, listed, taken away.

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use enza_kernel::limits;
use maud::{Markup, html};
use serde::Deserialize;

use super::{SettingsFlash, back, tab};
use crate::access::{Address, Allowed, Caller, Need, ToKeep};
use crate::actions::account::{self, NewToken, SCOPES, Token, TokenWish};
use crate::design::{Field, Tone, Weight, button, checkbox, choice, empty, field, form, notice, section, table, time};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;

const HERE: &str = "/settings/tokens";
/// For how many days one may choose; 0 for ever.
const DAYS: [&str; 4] = ["30", "90", "365", "0"];

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show).post(issue)).route("/settings/tokens/revoke", post(revoke))
}

#[derive(Debug, Default, Deserialize)]
struct TokenInput {
    #[serde(default)]
    label: String,
    #[serde(default)]
    days: String,
    #[serde(default)]
    read: String,
    #[serde(default)]
    write: String,
    #[serde(default)]
    admin: String,
}

impl TokenInput {
    fn scopes(&self) -> Vec<String> {
        let ticked = [&self.read, &self.write, &self.admin];
        let both = SCOPES.iter().zip(ticked).filter(|(_, tick)| !tick.is_empty());
        both.map(|(scope, _)| (*scope).to_owned()).collect()
    }
}

#[derive(Debug, Deserialize)]
struct RevokeTokenInput {
    id: String,
}

async fn show(
    here: PageContext,
    caller: Allowed<ToKeep>,
    QueryParams(done): QueryParams<SettingsFlash>,
) -> Result<Response, Problem> {
    let wish = TokenInput { read: "on".to_owned(), ..TokenInput::default() };
    draw(&here, &caller.0, &wish, None, &done, &FormError::default()).await
}

/// The secret is in this answer and in no other, so this form does not lead on.
async fn issue(
    here: PageContext,
    caller: Allowed<ToKeep>,
    from: Address,
    FormBody(typed): FormBody<TokenInput>,
) -> Result<Response, Problem> {
    let days = typed.days.parse().ok().filter(|days| *days > 0);
    let wish = TokenWish { label: typed.label.clone(), scopes: typed.scopes(), days };
    let mistake = match account::issue_token(&here.app, &caller.0, &wish, &from).await {
        Ok(made) => {
            let fresh = TokenInput { read: "on".to_owned(), ..TokenInput::default() };
            return draw(&here, &caller.0, &fresh, Some(&made), &SettingsFlash::default(), &FormError::default()).await;
        }
        Err(problem @ Problem::Text(_)) => FormError::at("label", &problem, here.lang()),
        Err(problem @ Problem::BodyUnfit(_)) => FormError::at("", &problem, here.lang()),
        Err(problem) => return Err(problem),
    };
    draw(&here, &caller.0, &typed, None, &SettingsFlash::default(), &mistake).await
}

async fn revoke(
    here: PageContext,
    caller: Allowed<ToKeep>,
    from: Address,
    FormBody(gone): FormBody<RevokeTokenInput>,
) -> Result<Response, Problem> {
    match account::revoke_token(&here.app, &caller.0, &gone.id, &from).await {
        // Taken away twice is taken away.
        Ok(()) | Err(Problem::NothingHere) => Ok(back(HERE, "revoked")),
        Err(problem) => Err(problem),
    }
}

async fn draw(
    here: &PageContext,
    caller: &Caller,
    wish: &TokenInput,
    made: Option<&NewToken>,
    done: &SettingsFlash,
    mistake: &FormError,
) -> Result<Response, Problem> {
    let words = here.words;
    let tokens = account::tokens(&here.app, caller).await?;
    let body = html! {
        @if let Some(made) = made {
            (notice(Tone::Good, words.say("token.made"), words.say("token.made_what")))
            code.secret { (made.secret) }
        }
        (section(words.say("token.yours"), html! {
            @if tokens.is_empty() { (empty(words.say("token.none"), words.say("token.none_what"), None)) }
            @else { (list(here, &tokens)) }
        }))
        (section(words.say("token.new"), new_token(here, caller, wish, mistake)))
    };
    Ok(tab(here, HERE, done, mistake, &body))
}

fn list(here: &PageContext, tokens: &[Token]) -> Markup {
    let words = here.words;
    let heads =
        ["token.label", "token.scopes", "token.used", "token.expires", "token.action"].map(|key| words.say(key));
    let rows = tokens.iter().map(|token| {
        let is_over = token.expires_at.is_some_and(|end| here.app.now() >= end);
        vec![
            html! { (token.label) },
            html! { (token.scopes.join(", ")) },
            html! { @match token.used_at { Some(at) => { (time(words, at)) } None => { (words.say("token.never")) } } },
            html! {
                @match token.expires_at { Some(at) => { (time(words, at)) } None => { (words.say("token.no_end")) } }
                @if is_over { " " (words.say("token.over")) }
            },
            form(
                "/settings/tokens/revoke",
                html! {
                    input type="hidden" name="id" value=(token.id);
                    (button(words.say("token.revoke"), Weight::Grave))
                },
            ),
        ]
    });
    table(&heads, rows.collect())
}

fn new_token(here: &PageContext, caller: &Caller, wish: &TokenInput, mistake: &FormError) -> Markup {
    let words = here.words;
    let days = DAYS.map(|days| (days, words.of("token-days", days)));
    form(
        HERE,
        html! {
            (field(words, &Field {
                value: &wish.label,
                hint: Some(words.say("token.label_hint")),
                error: mistake.beside("label").as_deref(),
                required: true,
                limit: Some(limits::NAME.graphemes),
                ..Field::new("label", words.say("token.label"))
            }))
            fieldset.checks {
                legend { (words.say("token.scopes")) }
                (checkbox("read", words.say("token.read"), !wish.read.is_empty()))
                (checkbox("write", words.say("token.write"), !wish.write.is_empty()))
                @if caller.may(Need::Run) { (checkbox("admin", words.say("token.admin"), !wish.admin.is_empty())) }
            }
            (choice("days", words.say("token.lasts"), &days, if wish.days.is_empty() { "90" } else { &wish.days }))
            div.row { (button(words.say("token.make"), Weight::Main)) }
        },
    )
}
