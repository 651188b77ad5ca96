//! Sharing a form: the public link, links that count once, the rules, and who is told of submissions.
//!
//! Every form here is sent plainly and leads back to the page, which then says what was done. What was typed comes back
//! where it was not taken.

mod links;
mod rules;
mod webhook;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use enza_forms::{Command, LinkKind, Secret};
use enza_kernel::text::Said;
use enza_server::access::{Allowed, Caller, ToRead, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::assets;
use enza_server::design::{Tone, Weight, button, link_button, notice, section, verdict_button};
use enza_server::extract::{FormBody, QueryParams};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use maud::{Markup, html};
use serde::Deserialize;

use super::builder::style;
use super::head::{self, Tab};
use crate::actions::forms::{self, LoadedForm};

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/forms/{id}/share", get(show))
        .route("/forms/{id}/open", post(open))
        .route("/forms/{id}/public", post(links::public))
        .route("/forms/{id}/links", post(links::make))
        .route("/forms/{id}/links/revoke", post(links::revoke))
        .route("/forms/{id}/links.csv", get(links::csv))
        .route("/forms/{id}/rules", post(rules::set))
        .route("/forms/{id}/webhook", post(webhook::set))
}

/// What was done just before, as a word in the address.
#[derive(Debug, Default, Deserialize)]
struct ShareFlash {
    #[serde(default)]
    done: String,
}

/// What may have been done. A word that is none of these says nothing.
const DONE: &[&str] = &["published", "opened", "closed", "linked", "made", "revoked", "ruled", "hooked", "unhooked"];

/// What a page has to show beside what is kept: what was typed and not taken, or what is shown once.
#[derive(Debug, Default)]
struct SharePageExtras {
    /// Which part was not taken, why, and with which status.
    trouble: Option<(&'static str, String, StatusCode)>,
    links: links::LinksInput,
    rules: Option<rules::RulesInput>,
    url: Option<String>,
    secret: Option<Secret>,
}

impl SharePageExtras {
    fn refused(part: &'static str, here: &PageContext, problem: &Problem) -> Self {
        let Said { message, hint } = problem.say(here.lang());
        let detail = match problem {
            Problem::BodyUnfit(why) => format!(" ({why})"),
            _ => String::new(),
        };
        let text = format!("{message}{detail} {hint}");
        Self { trouble: Some((part, text, problem.status())), ..Self::default() }
    }

    /// What to say at a part.
    fn trouble_at(&self, part: &str) -> Option<&str> {
        self.trouble.as_ref().filter(|(at, ..)| *at == part).map(|(_, text, _)| text.as_str())
    }
}

async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(done): QueryParams<ShareFlash>,
) -> Result<Response, Problem> {
    draw(&here, &allowed.0, &id, &done, &SharePageExtras::default()).await
}

/// Whether answers are to be taken.
#[derive(Debug, Deserialize)]
struct Opening {
    to: String,
}

async fn open(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(opening): FormBody<Opening>,
) -> Result<Response, Problem> {
    let (command, done) = if opening.to == "open" { (Command::Reopen, "opened") } else { (Command::Close, "closed") };
    let sent = forms::submit(&here.app, &allowed.0, &id, &command, IdempotencyKey::default()).await.map(drop);
    back(&here, &allowed.0, &id, "public", sent, done).await
}

/// Back to the page, which says what was done, or why it was not.
async fn back(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    part: &'static str,
    sent: Result<(), Problem>,
    done: &str,
) -> Result<Response, Problem> {
    match sent {
        Ok(()) => Ok(Redirect::to(&format!("/forms/{id}/share?done={done}#{part}")).into_response()),
        Err(problem) => {
            draw(here, caller, id, &ShareFlash::default(), &SharePageExtras::refused(part, here, &problem)).await
        }
    }
}

async fn draw(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    done: &ShareFlash,
    fresh: &SharePageExtras,
) -> Result<Response, Problem> {
    let words = here.words;
    let held = forms::load(&here.app, caller, id).await?;
    let is_published = held.state.published().is_some();
    let body = html! {
        (style())
        div.share data-copied=(words.say("share.copied")) {
            (head::head(here, &held, Tab::Share))
            @if DONE.contains(&done.done.as_str()) { (notice(Tone::Good, words.of("share-done", &done.done), "")) }
            @if !is_published {
                (notice(Tone::Warn, words.say("share.unpublished"), words.say("share.unpublished_what")))
                div.row { (link_button(&format!("/forms/{id}"), words.say("share.to_builder"), Weight::Plain)) }
            }
            div #public { (section(words.say("share.public"), public(here, &held, fresh))) }
            div #links { (section(words.say("share.single"), links::part(here, &held, fresh))) }
            div #rules { (section(words.say("share.rules"), rules::part(here, &held, fresh))) }
            div #webhook { (section(words.say("share.webhook"), webhook::part(here, &held, fresh))) }
        }
        script type="module" src=(assets::address("forms.js")) {}
    };
    let status = fresh.trouble.as_ref().map_or(StatusCode::OK, |(_, _, status)| *status);
    Ok((status, here.page(&head::title(words, &held), &body)).into_response())
}

/// The link for everyone, and whether anybody is let in.
fn public(here: &PageContext, held: &LoadedForm, fresh: &SharePageExtras) -> Markup {
    let words = here.words;
    let at = format!("/forms/{}", held.row.id);
    let live = forms::links_of(held, LinkKind::Public).into_iter().find(|(_, link)| !link.is_revoked);
    let is_open = held.state.card().is_open;
    html! {
        @if let Some(why) = fresh.trouble_at("public") { p.error role="alert" { (why) } }
        @match live {
            Some((token, _)) => {
                @let address = forms::address_of(&here.app, &held.row.id, token);
                (copyable("public-link", words.say("share.link"), &address, words.say("share.copy")))
                p.row {
                    a href=(address) target="_blank" rel="noopener" { (words.say("share.look")) }
                }
                p.hint { (words.say("share.prefill_by_address")) " " code { (address) "?p." (example_field(held)) "=…" } }
                form.row method="post" action={ (at) "/public" } {
                    (verdict_button("act", "replace", words.say("share.replace"), Weight::Quiet))
                    (verdict_button("act", "revoke", words.say("share.revoke"), Weight::Quiet))
                }
            }
            None => {
                p.soft { (words.say("share.no_link")) }
                form.row method="post" action={ (at) "/public" } { (verdict_button("act", "make", words.say("share.make"), Weight::Plain)) }
            }
        }
        @if held.state.published().is_some() {
            form.row.open-state method="post" action={ (at) "/open" } {
                (head::state_badge(words, &held.state))
                input type="hidden" name="to" value=(if is_open { "closed" } else { "open" });
                (button(words.say(if is_open { "share.close" } else { "share.reopen" }), Weight::Plain))
                span.hint { (words.fill("share.counts", &[
                    ("admitted", &held.state.admitted().to_string()), ("received", &held.state.received().to_string())])) }
            }
        }
    }
}

/// A text to be taken along. The button needs a script; without one the text can be marked and copied.
fn copyable(id: &str, label: &str, text: &str, button: &str) -> Markup {
    html! {
        div.copyable {
            label for=(id) { (label) }
            div.copy-row {
                input.entry id=(id) type="text" value=(text) readonly data-selects;
                button.button.plain type="button" data-copies=(id) hidden { (button) }
            }
        }
    }
}

/// A field to show how an address fills one in.
fn example_field(held: &LoadedForm) -> &str {
    let form = held.state.published().map_or_else(|| held.state.draft(), |published| &published.form);
    form.fields.first().map_or("field", |field| field.field_id.as_str())
}
