//! A walk over the document of the interface: every operation, tried by those who may not.
//!
//! What an operation needs is read from the document, so a route that is added without a need, or with a handler that
//! asks for less than the document says, is found here without anyone thinking of it. `readers` takes the same operations, and
//! every page besides, through a session that several people are in.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_server::Accounts;
use serde_json::Value;

use crate::common::{TestServer, parts};

/// What may be asked by anyone. Adding to this list is a decision.
const OPEN: &[&str] = &[
    "DELETE /api/r/{ticket}",
    "GET /api/r/{ticket}",
    "GET /api/r/{ticket}/live",
    "GET /api/r/{ticket}/messages",
    "POST /api/account/register",
    "POST /api/account/sign-in",
    "POST /api/f/{link}",
    "POST /api/r/{ticket}/answer",
    "POST /api/r/{ticket}/change",
    "POST /api/r/{ticket}/confirm",
    "POST /api/r/{ticket}/fill",
    "POST /api/r/{ticket}/language",
];

/// An operation of the document.
#[derive(Debug)]
pub struct Operation {
    pub method: Method,
    pub path: String,
    /// Scopes of a token that may; none where no token may.
    scope: Option<String>,
    is_open: bool,
    takes_a_body: bool,
}

impl Operation {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path, with someone's session and otherwise something that is not there.
    pub fn address(&self, session: &str) -> String {
        let mut parts = Vec::new();
        for (place, part) in self.path.split('/').enumerate() {
            let is_session = place > 0 && self.path.split('/').nth(place - 1) == Some("sessions");
            parts.push(match (part.starts_with('{'), is_session) {
                (true, true) => session,
                (true, false) => "1",
                (false, _) => part,
            });
        }
        parts.join("/")
    }

    /// A body that can be read, so that what is refused is the caller.
    pub fn body(&self) -> &'static str {
        if self.path.ends_with("/gates/{gate}") { r#"{"verdict": "yes"}"# } else { "{}" }
    }

    /// Whether it is about a session of the caller's own.
    pub fn is_of_a_session(&self) -> bool {
        self.path.starts_with("/api/sessions/{")
    }
}

pub fn operations() -> Vec<Operation> {
    let document =
        serde_json::to_value(enza_server::api::document(&parts(Accounts::Shared))).expect("the document is plain data");
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let Ok(method) = method.to_uppercase().parse::<Method>() else { continue };
            let security = operation["security"].as_array().cloned().unwrap_or_default();
            let scope = security.iter().find_map(|one| one["token"][0].as_str()).map(str::to_owned);
            let is_open =
                security.is_empty() || security.iter().all(|one| one.as_object().is_some_and(|one| one.is_empty()));
            let takes_a_body = operation.get("requestBody").is_some();
            found.push(Operation { method, path: path.clone(), scope, is_open, takes_a_body });
        }
    }
    assert!(found.len() > 20, "the document was not found");
    found
}

async fn try_as(
    stage: &TestServer,
    operation: &Operation,
    address: &str,
    way: Option<(&str, &str)>,
) -> (StatusCode, Value) {
    let mut request = Request::builder().method(operation.method.clone()).uri(address);
    if let Some((name, value)) = way {
        request = request.header(name, value);
    }
    let request = request.header("content-type", "application/json");
    let request = request.body(Body::from(operation.body())).expect("a sound request");
    let answer = stage.send(request).await;
    (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
}

#[tokio::test]
async fn what_anyone_may_ask_is_a_short_list() {
    let mut open: Vec<_> = operations().iter().filter(|one| one.is_open).map(Operation::name).collect();
    open.sort();
    assert_eq!(open, OPEN);
}

#[tokio::test]
async fn nobody_gets_in_without_signing_in() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let session = stage.interview("ada").await;
    for operation in operations().iter().filter(|one| !one.is_open) {
        let (status, body) = try_as(&stage, operation, &operation.address(session.as_str()), None).await;
        assert_eq!((status.as_u16(), &body["error"]["code"]), (401, &"not-signed-in".into()), "{}", operation.name());
    }
}

#[tokio::test]
async fn a_token_of_the_wrong_scope_is_not_enough() {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let session = stage.interview("ada").await;
    for operation in operations().iter().filter(|one| !one.is_open) {
        let others: Vec<&str> =
            ["read", "write", "admin"].into_iter().filter(|scope| operation.scope.as_deref() != Some(*scope)).collect();
        let bearer = format!("Bearer {}", stage.token("ada", &others).await);
        let way = Some(("authorization", bearer.as_str()));
        let (status, body) = try_as(&stage, operation, &operation.address(session.as_str()), way).await;
        assert_eq!((status.as_u16(), &body["error"]["code"]), (403, &"not-allowed".into()), "{}", operation.name());
    }
}

#[tokio::test]
async fn someone_elses_session_is_not_found_by_anyone() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    stage.person("eve", true).await;
    let session = stage.interview("ada").await;
    let bearer = format!("Bearer {}", stage.token("eve", &["read", "write", "admin"]).await);
    let head = stage.app.engine().row(&session).await.unwrap().head;
    for operation in operations().iter().filter(|one| one.is_of_a_session()) {
        let way = Some(("authorization", bearer.as_str()));
        let (status, body) = try_as(&stage, operation, &operation.address(session.as_str()), way).await;
        let code = &body["error"]["code"];
        assert_eq!((status.as_u16(), code), (404, &"session-unknown".into()), "{}", operation.name());
    }
    assert_eq!(stage.app.engine().row(&session).await.unwrap().head, head, "and nothing happened to it");
}

#[tokio::test]
async fn only_administrators_run_the_house() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let cookie = stage.cookie("ada").await;
    // A token keeps its scopes when its owner is no administrator any more.
    let bearer = format!("Bearer {}", stage.token("ada", &["read", "write", "admin"]).await);
    let of_administrators: Vec<_> =
        operations().into_iter().filter(|one| one.scope.as_deref() == Some("admin")).collect();
    assert!(of_administrators.len() > 10);
    for operation in of_administrators {
        for way in [("cookie", cookie.as_str()), ("authorization", bearer.as_str())] {
            let (status, body) = try_as(&stage, &operation, &operation.address("1"), Some(way)).await;
            assert_eq!((status.as_u16(), &body["error"]["code"]), (403, &"not-allowed".into()), "{}", operation.name());
        }
    }
}

/// On PostgreSQL no column keeps the character, so it is refused before anything is done, everywhere alike.
#[tokio::test]
async fn the_null_character_is_refused_at_every_operation_wherever_it_stands() {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let session = stage.interview("ada").await;
    let bearer = format!("Bearer {}", stage.token("ada", &["read", "write", "admin"]).await);
    let cookie = stage.cookie("ada").await;
    let head = stage.app.engine().row(&session).await.unwrap().head;
    let bodies = [r#"{"a": {"b": [1, ["x\u0000y"]]}}"#, r#"{"a\u0000": 1}"#, r#""\u0000""#];
    for operation in operations() {
        let way = match (&operation.scope, operation.is_open) {
            (Some(_), _) => ("authorization", bearer.as_str()),
            (None, true) => ("accept", "application/json"),
            (None, false) => ("cookie", cookie.as_str()),
        };
        let address = operation.address(session.as_str());
        let mut tries = vec![(format!("{address}?q=a%00b"), "{}")];
        if operation.path.contains('{') {
            let named = operation.path.split('/').map(|part| if part.starts_with('{') { "a%00b" } else { part });
            tries.push((named.collect::<Vec<_>>().join("/"), "{}"));
        }
        if operation.takes_a_body {
            tries.extend(bodies.map(|body| (address.clone(), body)));
        }
        for (address, body) in tries {
            let request = Request::builder().method(operation.method.clone()).uri(&address).header(way.0, way.1);
            let request = request.header("origin", crate::common::PUBLIC).header("content-type", "application/json");
            let answer = stage.send(request.body(Body::from(body)).expect("a sound request")).await;
            let seen = (answer.status.as_u16(), answer.code());
            assert_eq!(seen, (400, "null-character".to_owned()), "{} {address} {body}", operation.name());
        }
    }
    assert_eq!(stage.app.engine().row(&session).await.unwrap().head, head, "and nothing happened to it");
}
