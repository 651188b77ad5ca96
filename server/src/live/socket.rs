//! The same messages over a WebSocket, one text frame each.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::http::HeaderMap;
use axum::response::Response;

use super::message::FeedDetail;
use super::watcher::{Watcher, WatcherStep};
use super::{StreamQuery, begin_after};
use crate::access::Onlooker;
use crate::extract::{PathParams, QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::AppState;

/// How long a client may take for one frame before it is taken to be gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most bytes of what a client sends. Nothing that it says is of use.
const HEARD: usize = 4 * 1_024;

/// Follow a session live, over a WebSocket
///
/// Each text frame is `{"event", "id", "data"}` with the content that the stream of server-sent events has.
#[utoipa::path(get, path = "/api/sessions/{id}/socket", tag = "live", security(("token" = ["read"]), ("cookie" = []), ()),
    params(("id" = String, Path, description = "The session"), StreamQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was seen")),
    responses((status = 101, description = "The connection is a WebSocket from here on"),
        (status = 426, description = "The request did not ask for a WebSocket", body = crate::api::sessions::ProblemBody)))]
pub async fn open_socket(
    State(app): State<AppState>,
    onlooker: Onlooker,
    ReaderLang(lang): ReaderLang,
    PathParams(id): PathParams<String>,
    QueryParams(after): QueryParams<StreamQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let after = begin_after(&headers, &after)?;
    let watcher = Watcher::for_session(&app, &onlooker, &id, after, lang, FeedDetail::Whole).await?;
    let upgrade = upgrade.map_err(|_| Problem::NotASocket)?;
    Ok(upgrade.max_message_size(HEARD).on_upgrade(|socket| carry(socket, watcher)))
}

/// Carries messages until either side leaves.
async fn carry(mut socket: WebSocket, mut watcher: Watcher) {
    loop {
        let turn = tokio::select! {
            turn = watcher.turn() => turn,
            heard = socket.recv() => match heard {
                Some(Ok(Frame::Text(_) | Frame::Binary(_) | Frame::Ping(_) | Frame::Pong(_))) => continue,
                Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
            },
        };
        let frames = match turn {
            WatcherStep::Send(messages) => messages.iter().map(frame).collect(),
            WatcherStep::Beat => vec![Frame::Ping(Default::default())],
            WatcherStep::Leave => {
                let goodbye = CloseFrame { code: close_code::AWAY, reason: "".into() };
                let _ = socket.send(Frame::Close(Some(goodbye))).await;
                return;
            }
        };
        for frame in frames {
            let sent = tokio::time::timeout(PATIENCE, socket.send(frame)).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    }
}

fn frame(message: &super::FeedMessage) -> Frame {
    let text = serde_json::to_string(message).expect("messages are plain data and always serialise");
    Frame::Text(text.into())
}
