//! The page of a session: the conversation as it goes on, what may be done in it, and what is known so far.
//!
//! `talk` draws it for whoever looks (`viewer`); the routes here are those of its owner, and of those whom the session itself
//! lets in (`Application::reader`). An application that lets others in shows them the same page at addresses of its own.

mod answer;
mod composer;
mod contents;
mod conversation;
mod gate;
pub mod lines;
mod offers;
mod orders;
mod panels;
mod switches;
mod talk;
mod viewer;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use enza_kernel::time::Seq;
use maud::Markup;

use super::PageContext;
use crate::access::Onlooker;
use crate::actions::sessions::{self, SessionView};
use crate::extract::QueryParams;
use crate::live::{self, StreamQuery};
use crate::problem::Problem;
use crate::state::AppState;

pub use composer::{Composer, UnsentWords};
pub use conversation::conversation;
pub use offers::order;
pub use talk::{Aside, AsideFold, ConversationQuery, NewsQuery, TalkPage, TalkSlots, talk_news, talk_page};
pub use viewer::{Act, GuestVoices, Viewer};

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/sessions/{id}", get(session))
        .route("/sessions/{id}/news", get(news))
        .route("/sessions/{id}/live", get(live))
        .route("/sessions/{id}/commands", post(orders::command))
        .route("/sessions/{id}/gates", post(answer::answer))
        .route("/sessions/{id}/gates/{gate}/files/{place}", get(answer::edit))
        .route("/sessions/{id}/fork", post(orders::fork))
        .route("/sessions/{id}/delete", get(orders::ask_to_delete).post(orders::delete))
}

async fn session(
    here: PageContext,
    onlooker: Onlooker,
    Path(id): Path<String>,
    QueryParams(part): QueryParams<ConversationQuery>,
) -> Result<Markup, Problem> {
    let view = sessions::show(&here.app, &onlooker, &id, here.lang()).await?;
    draw(&here, &view, part.end(), &UnsentWords::default()).await
}

/// The parts of the page that may have changed since an event.
async fn news(
    here: PageContext,
    onlooker: Onlooker,
    Path(id): Path<String>,
    QueryParams(since): QueryParams<NewsQuery>,
) -> Result<Markup, Problem> {
    let view = sessions::show(&here.app, &onlooker, &id, here.lang()).await?;
    let (viewer, unsent) = (contents::viewer(&here, &view), UnsentWords::default());
    talk_news(&here, &contents::page(&here, &viewer, &view, &unsent), since.place()).await
}

/// The page's feed: that something happened, and what is said as it is written.
async fn live(
    here: PageContext,
    onlooker: Onlooker,
    Path(id): Path<String>,
    QueryParams(after): QueryParams<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    live::watch_from_page(&here.app, &onlooker, &id, &after, &headers, here.lang()).await
}

/// The whole page.
async fn draw(
    here: &PageContext,
    view: &SessionView,
    before: Option<Seq>,
    unsent: &UnsentWords,
) -> Result<Markup, Problem> {
    let viewer = contents::viewer(here, view);
    let body = talk_page(here, &contents::page(here, &viewer, view, unsent), before).await?;
    Ok(here.page(&contents::title(here.words, view), &body))
}
