//! Server-sent events.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionRow;
use futures_util::{FutureExt as _, stream};

use super::message::FeedDetail;
use super::watcher::{Watcher, WatcherStep};
use super::{StreamQuery, begin_after};
use crate::access::Onlooker;
use crate::extract::{PathParams, QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::AppState;

/// How long a browser waits before it comes back, in milliseconds.
const RETRY: u32 = 1_000;
/// How many bytes are gathered before they are sent, if more is there to be sent at once.
const GATHERED: usize = 16 * 1_024;

/// Follow a session live, as server-sent events
///
/// `event: event` has an event of the log as its data and the event's number as its id; `event: piece` has a piece of a
/// reply that is being written; `event: gone` says that the session was deleted. Come back with the last id in
/// `Last-Event-ID`, as browsers do by themselves, and no event is missed or repeated. A comment comes every 15 seconds.
#[utoipa::path(get, path = "/api/sessions/{id}/live", tag = "live", security(("token" = ["read"]), ("cookie" = []), ()),
    params(("id" = String, Path, description = "The session"), StreamQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was seen")),
    responses((status = 200, description = "A stream that ends when the session is deleted", body = String,
        content_type = "text/event-stream")))]
pub async fn follow_session(
    State(app): State<AppState>,
    onlooker: Onlooker,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(after): QueryParams<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = begin_after(&headers, &after)?;
    let watcher = Watcher::for_session(&app, &onlooker, &id, after, lang, FeedDetail::Whole).await?;
    Ok(answer(watcher))
}

/// A session as its page follows it: that something happened, and what is said as it is written.
pub async fn watch_from_page(
    app: &AppState,
    onlooker: &Onlooker,
    session: &str,
    after: &StreamQuery,
    headers: &HeaderMap,
    lang: Lang,
) -> Result<Response, Problem> {
    let after = begin_after(headers, after)?;
    Ok(answer(Watcher::for_session(app, onlooker, session, after, lang, FeedDetail::Notices).await?))
}

/// A session as a guest of it sees it, as server-sent events: that something happened, and what is said to them as it is
/// written. Whether they may look is for whoever calls this to know.
pub async fn watch_as_guest(
    app: &AppState,
    row: &SessionRow,
    after: &StreamQuery,
    headers: &HeaderMap,
    lang: Lang,
) -> Result<Response, Problem> {
    let after = begin_after(headers, after)?;
    Ok(answer(Watcher::for_guest(app, row, after, lang).await?))
}

fn answer(watcher: Watcher) -> Response {
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-store"),
        // A proxy that gathers an answer before it passes it on would show nothing.
        ("x-accel-buffering", "no"),
    ];
    let first = Bytes::from(format!("retry: {RETRY}\n\n"));
    let rest = stream::unfold(watcher, |mut watcher| async move { Some((next(&mut watcher).await?, watcher)) });
    let all = futures_util::StreamExt::chain(stream::iter([first]), rest);
    let body = Body::from_stream(futures_util::StreamExt::map(all, Ok::<_, Infallible>));
    (headers, body).into_response()
}

/// The next bytes: whatever there is to send now, up to a bound. None at the end.
async fn next(watcher: &mut Watcher) -> Option<Bytes> {
    let mut out = String::new();
    let mut turn = Some(watcher.turn().await);
    while let Some(now) = turn {
        match now {
            WatcherStep::Send(messages) => out.extend(messages.iter().map(super::FeedMessage::to_sse)),
            WatcherStep::Beat => out.push_str(": \n\n"),
            // What was gathered goes first; the next call finds the same.
            WatcherStep::Leave => return (!out.is_empty()).then(|| Bytes::from(out)),
        }
        turn = if out.len() < GATHERED { watcher.turn().now_or_never() } else { None };
    }
    Some(out.into())
}
