//! A watcher on a real connection, who reads server-sent events as a browser does.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::common::TestServer;

/// A safety net; no test depends on it.
const LONG: Duration = Duration::from_secs(30);

/// Something that was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedEvent {
    pub event: String,
    pub id: Option<u64>,
    pub data: Value,
}

/// A house that is served, with a person in it.
pub struct RunningServer {
    pub stage: TestServer,
    pub address: SocketAddr,
    pub token: String,
}

impl RunningServer {
    pub async fn new() -> Self {
        Self::on(TestServer::new()).await
    }

    pub async fn on(stage: TestServer) -> Self {
        stage.person("ada", false).await;
        let token = stage.token("ada", &["read", "write"]).await;
        let address = stage.listen().await;
        Self { stage, address, token }
    }

    /// An interview that waits for its first answer.
    pub async fn interview(&self) -> String {
        self.stage.interview("ada").await.to_string()
    }

    pub async fn say(&self, id: &str, text: &str) {
        let path = format!("/api/sessions/{id}/commands");
        let sent =
            self.stage.ask(axum::http::Method::POST, &path, &self.token, Some(json!({ "say": { "text": text } })));
        assert_eq!(sent.await.status, 200);
    }

    pub async fn rest(&self, id: &str) {
        let session = enza_runtime::seams::store::SessionId::of(id);
        self.stage.app.engine().wait_for_rest(&session).await.expect("it comes to rest");
    }

    pub async fn head(&self, id: &str) -> u64 {
        let session = enza_runtime::seams::store::SessionId::of(id);
        self.stage.app.engine().row(&session).await.expect("it is there").head.0
    }

    /// Asks for a stream.
    pub async fn ask(&self, path: &str, last: Option<u64>) -> Response {
        let last = last.map_or(String::new(), |last| format!("last-event-id: {last}\r\n"));
        let (host, token) = (self.address, &self.token);
        let request = format!("GET {path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n{last}\r\n");
        let mut stream = TcpStream::connect(host).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("sent");
        Response::read(BufReader::new(stream)).await
    }

    /// Watches a session after an event, as a browser that comes back does.
    pub async fn watch(&self, id: &str, last: Option<u64>) -> Watching {
        self.watch_at(&format!("/api/sessions/{id}/live"), last).await
    }

    /// The same as the session's page does.
    pub async fn watch_from_page(&self, id: &str, last: Option<u64>) -> Watching {
        self.watch_at(&format!("/sessions/{id}/live"), last).await
    }

    async fn watch_at(&self, path: &str, last: Option<u64>) -> Watching {
        let response = self.ask(path, last).await;
        assert_eq!(response.status, 200);
        Watching { response, read: Vec::new() }
    }
}

/// An answer whose body is read as it comes. One of HTTP/1.0 has no chunks: it ends where the connection does.
pub struct Response {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    stream: BufReader<TcpStream>,
}

impl Response {
    async fn read(mut stream: BufReader<TcpStream>) -> Self {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.expect("a line");
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let status = head[0].split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let headers = head[1..].iter().filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Self { status, headers, stream }
    }

    /// More of the body; none at its end.
    pub async fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 64 * 1_024];
        let read = tokio::time::timeout(LONG, self.stream.read(&mut bytes)).await.expect("nothing was heard for long");
        bytes.truncate(read.ok().filter(|count| *count > 0)?);
        Some(bytes)
    }
}

/// An open stream.
pub struct Watching {
    pub response: Response,
    read: Vec<u8>,
}

impl Watching {
    /// The next message; none once the stream has ended.
    pub async fn next(&mut self) -> Option<FeedEvent> {
        loop {
            while let Some(end) = self.read.windows(2).position(|two| two == b"\n\n") {
                let block: Vec<u8> = self.read.drain(..end + 2).collect();
                if let Some(heard) = heard(std::str::from_utf8(&block).expect("text")) {
                    return Some(heard);
                }
            }
            self.read.extend(self.response.chunk().await?);
        }
    }

    /// The numbers of the next events, up to the one asked for.
    pub async fn up_to(&mut self, last: u64) -> Vec<u64> {
        let mut seen = Vec::new();
        while seen.last() != Some(&last) {
            let heard = self.next().await.unwrap_or_else(|| panic!("the stream ended after {seen:?}"));
            seen.extend(heard.id);
        }
        seen
    }
}

fn heard(block: &str) -> Option<FeedEvent> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some(FeedEvent {
        event: field("event")?.to_owned(),
        id: field("id").map(|id| id.parse().expect("a number")),
        data: serde_json::from_str(field("data")?).expect("JSON"),
    })
}
