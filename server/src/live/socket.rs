//! The same messages over a WebSocket, one text frame each.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::http::HeaderMap;
use axum::response::Response;

use super::watcher::{Turn, Watcher};
use super::{After, begin_after};
use crate::access::{Allowed, ToRead};
use crate::house::House;
use crate::problem::Problem;
use crate::read::{Asked, Place, Reader};

/// How long a client may take for one frame before it is taken to be gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most bytes of what a client sends. Nothing that it says is of use.
const HEARD: usize = 4 * 1_024;

/// Follow a session live, over a WebSocket
///
/// Each text frame is `{"event", "id", "data"}` with the content that the stream of server-sent events has.
#[utoipa::path(get, path = "/api/sessions/{id}/socket", tag = "live", security(("token" = ["read"]), ("cookie" = [])),
    params(("id" = String, Path, description = "The session"), After,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was seen")),
    responses((status = 101, description = "The connection is a WebSocket from here on"),
        (status = 426, description = "The request did not ask for a WebSocket", body = crate::api::sessions::ProblemBody)))]
pub async fn open_socket(
    State(house): State<House>,
    caller: Allowed<ToRead>,
    Reader(lang): Reader,
    Place(id): Place<String>,
    Asked(after): Asked<After>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let after = begin_after(&headers, &after)?;
    let watcher = Watcher::sit_down(&house, &caller.0, &id, after, lang).await?;
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
            Turn::Send(messages) => messages.iter().map(frame).collect(),
            Turn::Beat => vec![Frame::Ping(Default::default())],
            Turn::Leave => {
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

fn frame(message: &super::Message) -> Frame {
    let text = serde_json::to_string(message).expect("messages are plain data and always serialise");
    Frame::Text(text.into())
}
