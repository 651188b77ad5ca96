//! A watcher on a real connection, who reads server-sent events as a browser does.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::common::Stage;

/// A safety net; no test depends on it.
const LONG: Duration = Duration::from_secs(30);

/// Something that was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    pub event: String,
    pub id: Option<u64>,
    pub data: Value,
}

/// A house that is served, with a person in it.
pub struct Served {
    pub stage: Stage,
    pub address: SocketAddr,
    pub token: String,
}

impl Served {
    pub async fn new() -> Self {
        Self::on(Stage::new()).await
    }

    pub async fn on(stage: Stage) -> Self {
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
        self.stage.house.engine().wait_for_rest(&session).await.expect("it comes to rest");
    }

    pub async fn head(&self, id: &str) -> u64 {
        let session = enza_runtime::seams::store::SessionId::of(id);
        self.stage.house.engine().row(&session).await.expect("it is there").head.0
    }

    /// Asks for a stream.
    pub async fn ask(&self, path: &str, last: Option<u64>) -> Response {
        let request = Client::new().get(format!("http://{}{path}", self.address)).bearer_auth(&self.token);
        let request = match last {
            Some(last) => request.header("last-event-id", last),
            None => request,
        };
        request.send().await.expect("an answer")
    }

    /// Watches a session after an event, as a browser that comes back does.
    pub async fn watch(&self, id: &str, last: Option<u64>) -> Watching {
        let response = self.ask(&format!("/api/sessions/{id}/live"), last).await;
        assert_eq!(response.status(), 200);
        Watching { response, read: String::new() }
    }
}

/// An open stream.
pub struct Watching {
    pub response: Response,
    read: String,
}

impl Watching {
    /// The next message; none once the stream has ended.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            while let Some(end) = self.read.find("\n\n") {
                let block: String = self.read.drain(..end + 2).collect();
                if let Some(heard) = heard(&block) {
                    return Some(heard);
                }
            }
            let chunk = tokio::time::timeout(LONG, self.response.chunk()).await.expect("nothing was heard for long");
            self.read.push_str(std::str::from_utf8(&chunk.ok()??).expect("whole characters"));
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

fn heard(block: &str) -> Option<Heard> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some(Heard {
        event: field("event")?.to_owned(),
        id: field("id").map(|id| id.parse().expect("a number")),
        data: serde_json::from_str(field("data")?).expect("JSON"),
    })
}
