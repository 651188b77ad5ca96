//! An owner at a browser without scripts: forms are sent as browsers send them, and pages are read as text.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use serde_json::Value;

use crate::common::{Answer, TestServer};

/// An owner with a cookie and a token.
pub struct OwnerBrowser {
    pub stage: TestServer,
    pub cookie: String,
    pub token: String,
}

impl OwnerBrowser {
    /// Ada, in a house of her own.
    pub async fn new() -> Self {
        let stage = TestServer::new();
        stage.person("ada", false).await;
        let cookie = stage.cookie("ada").await;
        let token = stage.token("ada", &["read", "write"]).await;
        Self { stage, cookie, token }
    }

    /// A page, as text.
    pub async fn page(&self, path: &str) -> String {
        let answer = self.stage.look(path, &self.cookie, Lang::En).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
        answer.text()
    }

    /// Sends a form of a page.
    pub async fn send(&self, path: &str, pairs: &[(&str, &str)]) -> Answer {
        self.send_as(&self.cookie, path, pairs).await
    }

    /// The same, as somebody else.
    pub async fn send_as(&self, cookie: &str, path: &str, pairs: &[(&str, &str)]) -> Answer {
        let body: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let request = Request::builder().method(Method::POST).uri(path).header("cookie", cookie);
        let request = request.header("accept-language", "en").header("accept", "text/html");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        self.stage.send(request.body(Body::from(body.join("&"))).expect("a sound request")).await
    }

    /// Asks the interface for programs.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.stage.ask(method, path, &self.token, body).await
    }

    /// The form as programs see it.
    pub async fn form(&self, id: &str) -> Value {
        self.ask(Method::GET, &format!("/api/forms/{id}"), None).await.json()
    }

    /// A form that was begun blank.
    pub async fn blank(&self) -> String {
        let begun = self.send("/forms/new", &[("way", "blank"), ("key", "k1")]).await;
        name_in(location(&begun))
    }

    /// A form with two sound fields, saved.
    pub async fn sound(&self) -> String {
        let id = self.blank().await;
        let answer = self.send(&format!("/forms/{id}"), &two_fields("0")).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
        id
    }

    /// A form that is published.
    pub async fn published(&self) -> String {
        let id = self.sound().await;
        let answer = self.ask(Method::POST, &format!("/api/forms/{id}/publish"), None).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        id
    }

    /// Waits until a session has nothing to do.
    pub async fn rest(&self, id: &str) {
        self.stage.app.engine().wait_for_rest(&SessionId::of(id)).await.expect("it comes to rest");
    }
}

/// What the builder sends for a form of two fields.
pub fn two_fields(edition: &str) -> Vec<(&str, &str)> {
    vec![
        ("edition", edition),
        ("title", "Visit report"),
        ("language", "en"),
        ("order", "fixed"),
        ("fields[a].label", "Date of the visit"),
        ("fields[a].kind", "date"),
        ("fields[a].required", "on"),
        ("fields[b].label", "Outcome"),
        ("fields[b].kind", "choice"),
        ("fields[b].options", "won | They signed\r\nlost\r\n"),
    ]
}

/// Where an answer leads.
pub fn location(answer: &Answer) -> &str {
    let place = answer.headers.get("location").unwrap_or_else(|| panic!("{}: {}", answer.status, answer.text()));
    place.to_str().expect("an address")
}

/// The form's name in an address.
pub fn name_in(address: &str) -> String {
    let rest = address.strip_prefix("/forms/").expect("an address of a form");
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
