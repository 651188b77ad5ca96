//! A person at a desk: sends requests with a token, and holds interviews.

use axum::body::Body;
use axum::http::{Method, Request};

use serde_json::{Value, json};

use crate::common::{Answer, TestServer};

/// A person with a token that may do everything with sessions.
pub struct ApiClient {
    pub stage: TestServer,
    pub token: String,
}

impl ApiClient {
    pub async fn new() -> Self {
        let stage = TestServer::new();
        stage.person("ada", false).await;
        let token = stage.token("ada", &["read", "write"]).await;
        Self { stage, token }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.stage.ask(Method::GET, path, &self.token, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.stage.ask(Method::POST, path, &self.token, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.stage.ask(Method::DELETE, path, &self.token, None).await
    }

    /// A POST with an idempotency key.
    pub async fn post_once(&self, path: &str, key: &str, body: Value) -> Answer {
        let request = self.request(Method::POST, path).header("idempotency-key", key);
        self.stage.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// A request with the token that says it is JSON.
    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        request.header("authorization", format!("Bearer {}", self.token))
    }

    /// Opens an interview through the interface, and waits until it asks its first question.
    pub async fn interview(&self) -> String {
        let answer = self.post("/api/sessions", json!({ "application": "interview", "opening": "sample" })).await;
        let id = answer.json()["id"].as_str().expect("a name").to_owned();
        self.rest(&id).await;
        id
    }

    /// Waits until a session has nothing to do.
    pub async fn rest(&self, id: &str) {
        let session = enza_runtime::seams::store::SessionId::of(id);
        self.stage.app.engine().wait_for_rest(&session).await.expect("it comes to rest");
    }

    /// Says something in a session, and waits for what follows.
    pub async fn say(&self, id: &str, text: &str) -> Answer {
        let answer = self.post(&format!("/api/sessions/{id}/commands"), json!({ "say": { "text": text } })).await;
        self.rest(id).await;
        answer
    }

    /// An interview that stands at its gate, and the gate.
    pub async fn at_the_gate(&self) -> (String, String) {
        let id = self.interview().await;
        for _ in 0..12 {
            let floor = self.get(&format!("/api/sessions/{id}")).await.json()["floor"].clone();
            if let Some(gate) = floor["gate"]["id"].as_str() {
                return (id, gate.to_owned());
            }
            self.say(&id, "The tap in the kitchen on the third floor has been dripping since Monday.").await;
        }
        panic!("the interview did not come to its gate");
    }
}

/// Where the events of a session end.
pub async fn head(desk: &ApiClient, id: &str) -> u64 {
    desk.get(&format!("/api/sessions/{id}")).await.json()["head"].as_u64().expect("a number")
}
