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
use enza_server::actions::sessions::place;
use enza_server::design::{Message, Speaker, Tone, message, notice, progress};
use enza_server::extract::QueryParams;
use enza_server::live::{self, StreamQuery};
use enza_server::pages::PageContext;
use enza_server::pages::session::lines::{self, LinePage, PlacedLine};
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{RequestedLanguage, page};
use super::orders::switched;
use super::turn::{UnsentAnswer, composer, turn};
use super::{leave, panel, receipt};
use crate::actions::respond::{GuestInterview, InterviewPhase};

/// Which part of the conversation to show.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ChatQuery {
    /// The last event of an older stretch.
    before: Option<u64>,
}

/// Where the reader is.
#[derive(Debug, Deserialize)]
pub(super) struct ChatNewsQuery {
    /// The last event seen.
    after: u64,
}

/// The page.
pub(super) async fn show(
    here: PageContext,
    Path(ticket): Path<String>,
    Extension(asked): Extension<RequestedLanguage>,
    QueryParams(part): QueryParams<ChatQuery>,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    if let Some(elsewhere) = switched(&here, &guest, asked, "").await {
        return Ok(elsewhere);
    }
    Ok(draw(&here, &guest, part.before.map(place), &UnsentAnswer::default()).await?.into_response())
}

/// The parts of the page that may have changed since an event.
pub(super) async fn news(
    here: PageContext,
    Path(ticket): Path<String>,
    QueryParams(since): QueryParams<ChatNewsQuery>,
) -> Result<Markup, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let words = here.words;
    let head = guest.row.head;
    let lines = lines::lines_after(&here.app, &guest.row, place(since.after), head, here.lang()).await?;
    Ok(html! {
        div #news data-head=(head) data-over[is_over(&guest)] data-working[guest.is_working()] {
            div data-part="progress" { (bar(words, &guest)) }
            div data-part="lines" { (said(words, &lines)) }
            div data-part="at-work" { (at_work(words, &guest)) }
            div data-part="turn" { (turn(words, &guest)) }
            div data-part="composer" { (composer(words, &guest, &UnsentAnswer::default())) }
            div data-part="panel" { (panel::panel(words, &here.app, &guest)) }
        }
    })
}

/// The feed.
pub(super) async fn live(
    here: PageContext,
    Path(ticket): Path<String>,
    QueryParams(after): QueryParams<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    live::watch_as_guest(&here.app, &guest.row, &after, &headers, here.lang()).await
}

/// The whole page.
pub(super) async fn draw(
    here: &PageContext,
    guest: &GuestInterview,
    before: Option<Seq>,
    unsent: &UnsentAnswer,
) -> Result<Markup, Problem> {
    let end = before.unwrap_or(guest.row.head).min(guest.row.head);
    let stretch = lines::lines_before(&here.app, &guest.row, end, here.lang()).await?;
    match guest.moment() {
        InterviewPhase::Talking | InterviewPhase::Confirming => {
            Ok(talking(here, guest, &stretch, end == guest.row.head, unsent))
        }
        InterviewPhase::Submitted => {
            let told = conversation(here.words, guest, &stretch);
            receipt::draw(here, guest, &told).await
        }
        InterviewPhase::GivenUp => leave::gone(here, guest).await,
    }
}

fn talking(
    here: &PageContext,
    guest: &GuestInterview,
    stretch: &LinePage,
    is_now: bool,
    unsent: &UnsentAnswer,
) -> Markup {
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
                @if here.app.models().current().understudy {
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
                div.panel-body #panel-body { (panel::panel(words, &here.app, guest)) }
            }
        }
    };
    page(words, &form.title, &wait_without_scripts(guest), &body)
}

/// Whoever has no scripts is shown the next question when it is there.
pub(super) fn wait_without_scripts(guest: &GuestInterview) -> Markup {
    html! { @if guest.is_working() { noscript { meta http-equiv="refresh" content="3"; } } }
}

/// A stretch of the conversation, with the way to what came before.
fn conversation(words: Words, guest: &GuestInterview, stretch: &LinePage) -> Markup {
    html! {
        @if let Some(before) = stretch.older {
            p.older { a href={ (guest.address()) "?before=" (before) } { (words.say("session.older")) } }
        }
        div.lines #lines role="log" aria-label=(words.say("session.conversation")) { (said(words, &stretch.lines)) }
    }
}

fn said(words: Words, placed: &[PlacedLine]) -> Markup {
    html! { @for one in placed { (line(words, one)) } }
}

fn line(words: Words, placed: &PlacedLine) -> Markup {
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
fn at_work(words: Words, guest: &GuestInterview) -> Markup {
    html! {
        @if guest.is_working() {
            p.at-work {
                span.dots aria-hidden="true" { span {} span {} span {} }
                (words.say("respond.preparing"))
            }
        }
    }
}

fn bar(words: Words, guest: &GuestInterview) -> Markup {
    let (done, total) = guest.state.progress();
    html! { @if total > 0 { (progress(words, done, total, words.say("respond.progress"))) } }
}

fn is_over(guest: &GuestInterview) -> bool {
    match guest.moment() {
        InterviewPhase::Talking | InterviewPhase::Confirming => false,
        InterviewPhase::Submitted | InterviewPhase::GivenUp => true,
    }
}
