//! The page of a session: the conversation as it goes on, what may be done in it, and what is known so far.
//!
//! It is drawn whole by the server. `session.js` follows the live feed and asks `news` for the parts that changed, drawn
//! by the same functions, so a page that was kept up to date looks as one that was loaded anew.

mod answer;
mod aside;
mod conversation;
mod gate;
pub mod lines;
mod offers;
mod orders;
mod panels;
mod switches;

use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post};
use enza_kernel::time::Seq;
use maud::{Markup, html};
use serde::Deserialize;

use super::PageContext;
use super::badges::standing_badge;
use crate::access::{Allowed, ToRead};
use crate::actions::sessions::{self, SessionView};
use crate::assets;
use crate::design::{Weight, dialog, verdict_button};
use crate::extract::QueryParams;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;
use offers::UnsentWords;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/sessions/{id}", get(session))
        .route("/sessions/{id}/news", get(news))
        .route("/sessions/{id}/commands", post(orders::command))
        .route("/sessions/{id}/gates", post(answer::answer))
        .route("/sessions/{id}/gates/{gate}/files/{place}", get(answer::edit))
        .route("/sessions/{id}/fork", post(orders::fork))
        .route("/sessions/{id}/delete", get(orders::ask_to_delete).post(orders::delete))
}

/// Which part of the conversation to show.
#[derive(Debug, Default, Deserialize)]
struct ConversationQuery {
    /// The last event of an older stretch.
    before: Option<u64>,
}

/// Where the reader is.
#[derive(Debug, Deserialize)]
struct NewsQuery {
    /// The last event seen.
    after: u64,
}

async fn session(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(part): QueryParams<ConversationQuery>,
) -> Result<Markup, Problem> {
    let caller = allowed.0;
    let view = sessions::show(&here.app, &caller, &id, here.lang()).await?;
    draw(&here, &view, part.before.map(sessions::place), &UnsentWords::default()).await
}

/// The parts of the page that may have changed since an event.
async fn news(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
    QueryParams(since): QueryParams<NewsQuery>,
) -> Result<Markup, Problem> {
    let caller = allowed.0;
    let (words, unsent) = (here.words, UnsentWords::default());
    let view = sessions::show(&here.app, &caller, &id, here.lang()).await?;
    let lines =
        lines::lines_after(&here.app, &view.row, sessions::place(since.after), view.row.head, here.lang()).await?;
    let about = here.app.about(&view.row.application);
    Ok(html! {
        div #news data-head=(view.row.head) {
            div data-part="standing" { (standing(words, &view)) }
            div data-part="lines" { (conversation::lines(words, about, &lines)) }
            div data-part="at-work" { (conversation::at_work(words, about, &view)) }
            div data-part="gate" { (gate::gate(words, &view, &unsent, may_edit(&here))) }
            div data-part="composer" { (offers::composer(words, &view, &unsent)) }
            div data-part="presses" { (offers::presses(words, &view)) }
            div data-part="brief" { (aside::brief(words, &view)) }
            div data-part="aside" { (aside::aside(words, &here.app, &view)) }
        }
    })
}

/// The whole page.
async fn draw(
    here: &PageContext,
    view: &SessionView,
    before: Option<Seq>,
    unsent: &UnsentWords,
) -> Result<Markup, Problem> {
    let words = here.words;
    let about = here.app.about(&view.row.application);
    let end = before.unwrap_or(view.row.head).min(view.row.head);
    let stretch = lines::lines_before(&here.app, &view.row, end, here.lang()).await?;
    let title = title(words, view);
    let is_now = end == view.row.head;
    let body = html! {
        div.room #session data-session=(view.row.id) data-head=(view.row.head) data-live[is_now]
            data-lost=(words.say("session.lost")) data-back=(words.say("session.back"))
            data-gone=(words.say("session.gone")) data-signed-out=(words.say("session.signed_out"))
            data-too-long=(words.say("session.too_long")) {
            header.session-head {
                div.row.apart {
                    p.kind { (about.title(here.lang())) }
                    (menu(words, view))
                }
                h1 { (title) }
                div #standing { (standing(words, view)) }
            }
            div.session-main {
                (conversation::conversation(words, about, view, &stretch))
                @if is_now {
                    div #speaking hidden {}
                    div #at-work aria-live="polite" { (conversation::at_work(words, about, view)) }
                    div #gate { (gate::gate(words, view, unsent, may_edit(here))) }
                    div.floor {
                        p.link-lost #link-lost role="status" hidden {}
                        (offers::composer(words, view, unsent))
                        div #presses { (offers::presses(words, view)) }
                    }
                    p.newest hidden { button.button.plain type="button" data-newest { (words.say("session.newest")) } }
                } @else {
                    p.older { a href={ "/sessions/" (view.row.id) } { (words.say("session.to_now")) } }
                }
            }
            aside.session-aside {
                details.aside-fold open {
                    summary { span { (words.say("session.aside")) } span.figures #brief { (aside::brief(words, view)) } }
                    div.aside-body #aside { (aside::aside(words, &here.app, view)) }
                }
            }
        }
        script type="module" src=(assets::address("session.js")) {}
    };
    Ok(here.page(&title, &body))
}

/// Whether files can be written anew at a gate.
fn may_edit(here: &PageContext) -> bool {
    here.app.contents().is_some()
}

fn title(words: Words, view: &SessionView) -> String {
    let title = &view.row.standing.title;
    if title.is_empty() { words.say("session.untitled").to_owned() } else { title.clone() }
}

fn standing(words: Words, view: &SessionView) -> Markup {
    html! { p.standing { (standing_badge(words, &view.row.standing)) } }
}

fn menu(words: Words, view: &SessionView) -> Markup {
    let at = format!("/sessions/{}", view.row.id);
    html! {
        details.menu {
            summary { (words.say("session.more")) }
            div.menu-list {
                a href={ (at) "/inspect" } { (words.say("session.inspect")) }
                form method="post" action={ (at) "/fork" } {
                    (verdict_button("at", &view.row.head.to_string(), words.say("session.fork"), Weight::Quiet))
                }
                a href={ "/api" (at) "/export" } download { (words.say("session.export")) }
                a.grave href={ (at) "/delete" } data-opens="delete" { (words.say("session.delete")) }
            }
        }
        (dialog("delete", words.say("session.delete"), orders::deletion(words, view)))
    }
}
