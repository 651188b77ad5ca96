//! The chat: a session's page as its respondent sees it, with their turn, and every answer beside it; and after its end,
//! what became of it.
//!
//! The page is the server's own (`pages::session`), seen by a guest. What is the respondent's alone goes into its slots.

use axum::Extension;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use enza_kernel::limits;
use enza_kernel::time::Seq;
use enza_server::actions::sessions::SessionView;
use enza_server::design::{Tone, notice, progress};
use enza_server::extract::QueryParams;
use enza_server::live::{self, StreamQuery};
use enza_server::pages::PageContext;
use enza_server::pages::session::{
    Aside, AsideFold, Composer, ConversationQuery, GuestVoices, NewsQuery, TalkPage, TalkSlots, UnsentWords, Viewer,
    conversation, lines, talk_news, talk_page,
};
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::frame::{RequestedLanguage, page};
use super::orders::switched;
use super::turn::turn;
use super::{leave, panel, receipt};
use crate::actions::respond::{GuestInterview, InterviewPhase};

/// The page.
pub(super) async fn show(
    here: PageContext,
    Path(ticket): Path<String>,
    Extension(asked): Extension<RequestedLanguage>,
    QueryParams(part): QueryParams<ConversationQuery>,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    if let Some(elsewhere) = switched(&here, &guest, asked, "").await {
        return Ok(elsewhere);
    }
    Ok(draw(&here, &guest, part.end(), &UnsentWords::default()).await?.into_response())
}

/// The parts of the page that may have changed since an event.
pub(super) async fn news(
    here: PageContext,
    Path(ticket): Path<String>,
    QueryParams(since): QueryParams<NewsQuery>,
) -> Result<Markup, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let (viewer, view, unsent) =
        (viewer(here.words, &guest), guest.view(&here.app, here.lang()), UnsentWords::default());
    talk_news(&here, &chat(&here, &guest, &viewer, &view, &unsent), since.place()).await
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
    unsent: &UnsentWords,
) -> Result<Markup, Problem> {
    match guest.moment() {
        InterviewPhase::Talking | InterviewPhase::Confirming => {
            let (viewer, view) = (viewer(here.words, guest), guest.view(&here.app, here.lang()));
            let body = talk_page(here, &chat(here, guest, &viewer, &view, unsent), before).await?;
            Ok(page(here.words, &guest.state.form().title, &wait_without_scripts(guest), &body))
        }
        InterviewPhase::Submitted => {
            let end = before.unwrap_or(guest.row.head).min(guest.row.head);
            let stretch = lines::lines_before(&here.app, &guest.reading(&here.app), end, here.lang()).await?;
            receipt::draw(
                here,
                guest,
                &conversation(&viewer(here.words, guest), here.app.about(&guest.row.application), &stretch),
            )
            .await
        }
        InterviewPhase::GivenUp => leave::gone(here, guest).await,
    }
}

/// The respondent as one who looks at a session.
pub(super) fn viewer(words: Words, guest: &GuestInterview) -> Viewer {
    let voices = GuestVoices {
        agents: words.say("respond.asker"),
        session: words.say("respond.form"),
        at_work: words.say("respond.preparing"),
        gone: words.say("respond.gone"),
    };
    Viewer::guest(words, guest.address(), voices)
}

/// Whoever has no scripts is shown the next question when it is there.
pub(super) fn wait_without_scripts(guest: &GuestInterview) -> Markup {
    html! { @if guest.is_working() { noscript { meta http-equiv="refresh" content="3"; } } }
}

/// The session's page with what is the respondent's in its slots.
fn chat<'a>(
    here: &PageContext,
    guest: &GuestInterview,
    viewer: &'a Viewer,
    view: &'a SessionView,
    unsent: &'a UnsentWords,
) -> TalkPage<'a> {
    let words = here.words;
    let slots = TalkSlots {
        head: head(words, guest),
        standing: bar(words, guest),
        notice: html! {
            @if here.app.models().current().understudy {
                (notice(Tone::Plain, words.say("respond.understudy"), words.say("respond.understudy_how")))
            }
        },
        turn: turn(viewer, guest),
        composer: composer(words, guest),
        aside: Aside {
            label: words.say("respond.answers"),
            fold: AsideFold::Sheet(words.say("respond.close")),
            body: panel::panel(viewer, &here.app, guest),
        },
        is_over: is_over(guest),
    };
    TalkPage { viewer, view, unsent, slots }
}

fn head(words: Words, guest: &GuestInterview) -> Markup {
    let form = guest.state.form();
    html! {
        h1 lang=(form.language) { (form.title) }
        nav.talk-ways aria-label=(words.say("respond.ways")) {
            a.button.quiet href={ (guest.address()) "/form" } { (words.say("respond.as_form")) }
            button.button.quiet.panel-opener type="button" hidden data-panel aria-expanded="false" aria-controls="panel" {
                (words.say("respond.answers"))
            }
        }
    }
}

/// The place to write an answer.
fn composer(words: Words, guest: &GuestInterview) -> Composer {
    let is_stuck = guest.state.failure().is_some();
    Composer {
        label: words.say("respond.your_answer").to_owned(),
        is_aloud: true,
        placeholder: words.say("respond.write_here"),
        send: words.say("respond.send"),
        limit: limits::MESSAGE.graphemes,
        fields: vec![("act", "say".to_owned())],
        ways: Vec::new(),
        may_send: guest.state.question().is_some() && !is_stuck,
        is_shown: guest.moment() == InterviewPhase::Talking && !is_stuck,
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
