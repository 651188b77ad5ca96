//! The chat: what was said, the respondent's turn, and every answer beside it; and after its end, what became of it.
//!
//! It is drawn whole by the server. `respond.js` follows the live feed and asks `news` for the parts that changed, drawn
//! by the same functions, so a page that was kept up to date looks as one that was loaded anew.

use axum::Extension;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use enza_kernel::floor::{Line, Who};
use enza_kernel::time::Seq;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{AskedFor, page};
use super::orders::switched;
use super::turn::{Unsent, composer, turn};
use super::{leave, panel, receipt};
use crate::acts::respond::{Guest, Moment};
use crate::acts::sessions::place;
use crate::design::{Message, Speaker, Tone, message, notice, progress};
use crate::live::{self, After};
use crate::pages::Here;
use crate::pages::session::stretch::{self, Placed, Stretch};
use crate::problem::Problem;
use crate::read::Asked;
use crate::words::Words;

/// Which part of the conversation to show.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Part {
    /// The last event of an older stretch.
    before: Option<u64>,
}

/// Where the reader is.
#[derive(Debug, Deserialize)]
pub(super) struct Since {
    /// The last event seen.
    after: u64,
}

/// The page.
pub(super) async fn show(
    here: Here,
    Path(ticket): Path<String>,
    Extension(asked): Extension<AskedFor>,
    Asked(part): Asked<Part>,
) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    if let Some(elsewhere) = switched(&here, &guest, asked, "").await {
        return Ok(elsewhere);
    }
    Ok(draw(&here, &guest, part.before.map(place), &Unsent::default()).await?.into_response())
}

/// The parts of the page that may have changed since an event.
pub(super) async fn news(
    here: Here,
    Path(ticket): Path<String>,
    Asked(since): Asked<Since>,
) -> Result<Markup, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    let words = here.words;
    let head = guest.row.head;
    let lines = stretch::lines_after(&here.house, &guest.row, place(since.after), head, here.lang()).await?;
    Ok(html! {
        div #news data-head=(head) data-over[is_over(&guest)] data-working[guest.is_working()] {
            div data-part="progress" { (bar(words, &guest)) }
            div data-part="lines" { (said(words, &lines)) }
            div data-part="at-work" { (at_work(words, &guest)) }
            div data-part="turn" { (turn(words, &guest)) }
            div data-part="composer" { (composer(words, &guest, &Unsent::default())) }
            div data-part="panel" { (panel::panel(words, &here.house, &guest)) }
        }
    })
}

/// The feed.
pub(super) async fn live(
    here: Here,
    Path(ticket): Path<String>,
    Asked(after): Asked<After>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    live::watch_interview(&here.house, &guest, &after, &headers, here.lang()).await
}

/// The whole page.
pub(super) async fn draw(here: &Here, guest: &Guest, before: Option<Seq>, unsent: &Unsent) -> Result<Markup, Problem> {
    let end = before.unwrap_or(guest.row.head).min(guest.row.head);
    let stretch = stretch::lines_before(&here.house, &guest.row, end, here.lang()).await?;
    match guest.moment() {
        Moment::Talking | Moment::Confirming => Ok(talking(here, guest, &stretch, end == guest.row.head, unsent)),
        Moment::Submitted => {
            let told = conversation(here.words, guest, &stretch);
            receipt::draw(here, guest, &told).await
        }
        Moment::GivenUp => leave::gone(here, guest).await,
    }
}

fn talking(here: &Here, guest: &Guest, stretch: &Stretch, is_now: bool, unsent: &Unsent) -> Markup {
    let words = here.words;
    let form = guest.state.form();
    let at = guest.address();
    let body = html! {
        div.talk #talk data-at=(at) data-head=(guest.row.head) data-live[is_now]
            data-lost=(words.say("session.lost")) data-back=(words.say("session.back"))
            data-gone=(words.say("respond.gone")) data-signed-out=(words.say("respond.gone"))
            data-too-long=(words.say("session.too_long")) {
            header.talk-head {
                h1 lang=(form.language) { (form.title) }
                div #progress { (bar(words, guest)) }
                nav.talk-ways aria-label=(words.say("respond.ways")) {
                    a.button.quiet href={ (at) "/form" } { (words.say("respond.as_form")) }
                    button.button.quiet.panel-opener type="button" hidden data-panel aria-expanded="false" aria-controls="panel" {
                        (words.say("respond.answers"))
                    }
                }
            }
            div.talk-main {
                @if here.house.models().current().understudy {
                    (notice(Tone::Plain, words.say("respond.understudy"), words.say("respond.understudy_how")))
                }
                (conversation(words, guest, stretch))
                @if is_now {
                    div #speaking data-name=(words.say("respond.asker")) hidden {}
                    div #at-work aria-live="polite" { (at_work(words, guest)) }
                    div.floor {
                        p.link-lost #link-lost role="status" hidden {}
                        div #turn { (turn(words, guest)) }
                        (composer(words, guest, unsent))
                    }
                } @else {
                    p.older { a href=(at) { (words.say("session.to_now")) } }
                }
            }
            aside.panel #panel aria-label=(words.say("respond.answers")) {
                button.button.quiet.panel-closer type="button" hidden data-panel-close { (words.say("respond.close")) }
                div.panel-body #panel-body { (panel::panel(words, &here.house, guest)) }
            }
        }
    };
    page(words, &form.title, &wait_without_scripts(guest), &body)
}

/// Whoever has no scripts is shown the next question when it is there.
pub(super) fn wait_without_scripts(guest: &Guest) -> Markup {
    html! { @if guest.is_working() { noscript { meta http-equiv="refresh" content="3"; } } }
}

/// A stretch of the conversation, with the way to what came before.
fn conversation(words: Words, guest: &Guest, stretch: &Stretch) -> Markup {
    html! {
        @if let Some(before) = stretch.older {
            p.older { a href={ (guest.address()) "?before=" (before) } { (words.say("session.older")) } }
        }
        div.lines #lines role="log" aria-label=(words.say("session.conversation")) { (said(words, &stretch.lines)) }
    }
}

fn said(words: Words, placed: &[Placed]) -> Markup {
    html! { @for one in placed { (line(words, one)) } }
}

fn line(words: Words, placed: &Placed) -> Markup {
    let Line { who, tone, text, .. } = &placed.line;
    // Which agent speaks is nothing to a respondent: it is one voice that asks.
    let (who, name) = match who {
        Who::Person(_) => (Speaker::Person, words.say("session.you")),
        Who::Agent(_) => (Speaker::Agent, words.say("respond.asker")),
        Who::Session => (Speaker::Session, words.say("respond.form")),
    };
    message(words, &Message { who, name, tone: *tone, text, at: placed.at, seq: placed.seq })
}

/// That the next question is being prepared.
fn at_work(words: Words, guest: &Guest) -> Markup {
    html! {
        @if guest.is_working() {
            p.at-work {
                span.dots aria-hidden="true" { span {} span {} span {} }
                (words.say("respond.preparing"))
            }
        }
    }
}

fn bar(words: Words, guest: &Guest) -> Markup {
    let (done, total) = guest.state.progress();
    html! { @if total > 0 { (progress(words, done, total, words.say("respond.progress"))) } }
}

fn is_over(guest: &Guest) -> bool {
    match guest.moment() {
        Moment::Talking | Moment::Confirming => false,
        Moment::Submitted | Moment::GivenUp => true,
    }
}
