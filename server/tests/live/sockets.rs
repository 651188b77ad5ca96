//! The same over a WebSocket.

use axum::http::Method;
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::live::watch::{FeedEvent, RunningServer};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(served: &RunningServer, path: &str, headers: &[(&'static str, String)]) -> Result<Socket, Error> {
    let mut request = format!("ws://{}{path}", served.address).into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    Ok(connect_async(request).await?.0)
}

fn token(served: &RunningServer) -> (&'static str, String) {
    ("authorization", format!("Bearer {}", served.token))
}

/// The next message; none once the socket is closed.
async fn next(socket: &mut Socket) -> Option<FeedEvent> {
    loop {
        match socket.next().await?.ok()? {
            Message::Text(text) => {
                let frame: Value = serde_json::from_str(&text).unwrap();
                let event = frame["event"].as_str().unwrap().to_owned();
                return Some(FeedEvent { event, id: frame["id"].as_u64(), data: frame["data"].clone() });
            }
            Message::Close(_) => return None,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_socket_carries_what_the_stream_carries() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let head = served.head(&id).await;
    let (mut stream, path) = (served.watch(&id, Some(1)).await, format!("/api/sessions/{id}/socket?after=1"));
    let mut socket = connect(&served, &path, &[token(&served)]).await.unwrap();
    for _ in 1..head {
        assert_eq!(next(&mut socket).await, stream.next().await);
    }
}

#[tokio::test]
async fn a_socket_closes_after_its_session_is_gone_and_when_the_house_closes() {
    let served = RunningServer::new().await;
    let (gone, kept) = (served.interview().await, served.interview().await);
    let after = |id: &str, head: u64| format!("/api/sessions/{id}/socket?after={head}");
    let mut first = connect(&served, &after(&gone, served.head(&gone).await), &[token(&served)]).await.unwrap();
    let mut second = connect(&served, &after(&kept, served.head(&kept).await), &[token(&served)]).await.unwrap();
    served.stage.ask(Method::DELETE, &format!("/api/sessions/{gone}"), &served.token, None).await;
    assert_eq!(next(&mut first).await.map(|heard| heard.event), Some("gone".to_owned()));
    assert_eq!(next(&mut first).await, None);
    served.stage.app.close();
    assert_eq!(next(&mut second).await, None);
}

#[tokio::test]
async fn another_site_cannot_open_a_socket_with_a_visitors_cookie() {
    let served = RunningServer::new().await;
    let path = format!("/api/sessions/{}/socket", served.interview().await);
    let cookie = ("cookie", served.stage.cookie("ada").await);
    let ours = ("origin", format!("http://{}", served.address));
    connect(&served, &path, &[cookie.clone(), ours]).await.expect("our own page may");
    let theirs = ("origin", "http://elsewhere.example".to_owned());
    match connect(&served, &path, &[cookie, theirs]).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 403),
        other => panic!("{other:?}"),
    }
}
