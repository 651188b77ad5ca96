//! Whatever does not do is answered with a clear status, a code, a message and a hint.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind, Passes as _};
use enza_server::access::Secret;
use serde_json::json;

use crate::api::client::ApiClient;
use crate::common::Answer;

/// The status and the code of a problem, which has its words too.
fn problem(answer: &Answer) -> (u16, String) {
    let error = &answer.json()["error"];
    for part in ["code", "message", "hint"] {
        assert!(error[part].as_str().is_some_and(|part| !part.is_empty()), "{part} of {error}");
    }
    assert_eq!(answer.headers["content-type"], "application/json");
    (answer.status.as_u16(), answer.code())
}

async fn send(desk: &ApiClient, kind: &str, body: impl Into<Body>) -> Answer {
    let request = Request::builder().method(Method::POST).uri("/api/sessions").header("content-type", kind);
    let request = request.header("authorization", format!("Bearer {}", desk.token));
    desk.stage.send(request.body(body.into()).unwrap()).await
}

#[tokio::test]
async fn a_body_that_is_not_json_is_malformed() {
    let desk = ApiClient::new().await;
    let deep = format!("{{\"application\":\"interview\",\"command\":{}", "[".repeat(100_000));
    for body in ["", "{", "{\"application\":", "nonsense", "\u{feff}{}", deep.as_str()] {
        let answer = send(&desk, "application/json", body.to_owned()).await;
        assert_eq!(problem(&answer), (400, "body-malformed".to_owned()), "{body:.20}");
    }
    let answer = send(&desk, "application/json", vec![b'"', 0xFF, b'"']).await;
    assert_eq!(problem(&answer), (400, "body-malformed".to_owned()));
}

#[tokio::test]
async fn a_body_of_another_shape_is_unfit() {
    let desk = ApiClient::new().await;
    for body in [
        json!({}),
        json!({ "application": 7 }),
        json!({ "application": "interview" }),
        json!({ "application": "interview", "opening": "sample", "command": {} }),
        json!({ "application": "interview", "opening": "no such" }),
        json!({ "application": "interview", "opening": "sample", "colour": "red" }),
        json!({ "application": "interview", "opening": "sample", "id": "not-a-uuid" }),
        json!({ "application": "interview", "command": { "open": { "form": 7 } } }),
        json!({ "application": "interview", "command": "no such" }),
    ] {
        let answer = desk.post("/api/sessions", body.clone()).await;
        assert_eq!(problem(&answer), (422, "body-unfit".to_owned()), "{body}");
    }
    for body in [json!([]), json!([null, null]), json!(7), json!("sample"), json!(null)] {
        let answer = desk.post("/api/sessions", body.clone()).await;
        assert_eq!(problem(&answer), (400, "body-malformed".to_owned()), "{body}");
    }
    let positional = json!({ "application": "interview", "command": { "open": [{ "title": "T", "fields": [] }] } });
    let answer = desk.post("/api/sessions", positional).await;
    assert_eq!(problem(&answer), (422, "body-unfit".to_owned()), "a list is no object, however deep it stands");
    let answer = desk.post("/api/sessions", json!({ "application": "sewing", "opening": "sample" })).await;
    assert_eq!(problem(&answer), (422, "application-unknown".to_owned()));
}

#[tokio::test]
async fn a_body_of_another_kind_is_not_read() {
    let desk = ApiClient::new().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"] {
        let answer = send(&desk, kind, r#"{"application":"interview","opening":"sample"}"#).await;
        assert_eq!(problem(&answer), (415, "body-of-another-kind".to_owned()), "{kind}");
    }
    let answer =
        send(&desk, "application/json; charset=utf-8", r#"{"application":"interview","opening":"sample"}"#).await;
    assert_eq!(answer.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_huge_body_is_refused_with_and_without_a_key() {
    let desk = ApiClient::new().await;
    let huge = json!({ "application": "interview", "command": "x".repeat(3_000_000) });
    assert_eq!(problem(&desk.post("/api/sessions", huge.clone()).await), (413, "body-too-large".to_owned()));
    assert_eq!(problem(&desk.post_once("/api/sessions", "k", huge).await), (413, "body-too-large".to_owned()));
}

#[tokio::test]
async fn unknown_names_and_places_are_not_found() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    for path in ["/api/sessions/nowhere", "/api/sessions/..%2f..", "/api/sessions/日本"] {
        let path = path.replace("日本", "%E6%97%A5%E6%9C%AC");
        assert_eq!(problem(&desk.get(&path).await), (404, "session-unknown".to_owned()), "{path}");
    }
    assert_eq!(problem(&desk.get("/api/nothing").await), (404, "nothing-here".to_owned()));
    assert_eq!(problem(&desk.delete("/api/applications").await), (405, "method-wrong".to_owned()));
    for place in ["x", "-1", "18446744073709551616"] {
        let answer = desk.get(&format!("/api/sessions/{id}/prompts/{place}")).await;
        assert_eq!(problem(&answer), (422, "body-unfit".to_owned()), "{place}");
    }
    let answer = desk.post(&format!("/api/sessions/{id}/gates/nowhere"), json!({ "verdict": "yes" })).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let answer = desk.post(&format!("/api/sessions/{id}/gates/nowhere"), json!({ "verdict": "perhaps" })).await;
    assert_eq!(problem(&answer), (422, "body-unfit".to_owned()));
    assert_eq!(problem(&desk.get(&format!("/api/sessions/{id}/socket")).await), (426, "upgrade-required".to_owned()));
    let request = desk.request(Method::GET, &format!("/api/sessions/{id}/live")).header("last-event-id", "x");
    assert_eq!(problem(&desk.stage.send(request.body(Body::empty()).unwrap()).await), (422, "body-unfit".to_owned()));
}

#[tokio::test]
async fn an_unknown_an_expired_and_a_narrow_token_are_told_apart() {
    let desk = ApiClient::new().await;
    let secret = Secret::draw("enza");
    let expired = Pass {
        digest: secret.digest(),
        kind: PassKind::Token,
        person: Some("ada".to_owned()),
        label: String::new(),
        scopes: vec!["read".to_owned()],
        issued_at: Timestamp(0),
        expires_at: Some(Timestamp(1)),
        used_at: None,
    };
    desk.stage.store.issue(&expired).await.unwrap();
    for token in ["nonsense", secret.reveal()] {
        let answer = desk.stage.ask(Method::GET, "/api/sessions", token, None).await;
        assert_eq!(problem(&answer), (401, "not-signed-in".to_owned()));
    }
    let narrow = desk.stage.token("ada", &["read"]).await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let answer = desk.stage.ask(Method::POST, "/api/sessions", &narrow, Some(new)).await;
    assert_eq!(problem(&answer), (403, "not-allowed".to_owned()));
}

#[tokio::test]
async fn a_backslash_before_the_escape_is_plain_text() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let plain = json!({ "say": { "text": "the escape \\u0000 of JSON" } });
    assert_eq!(desk.post(&format!("/api/sessions/{id}/commands"), plain).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_that_could_not_be_read_does_not_use_its_key_up() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let path = format!("/api/sessions/{id}/commands");
    let null = desk.post_once(&path, "k", json!({ "say": { "text": "a\u{0}b" } })).await;
    assert_eq!(problem(&null), (400, "null-character".to_owned()));
    let unfit = desk.post_once(&path, "k", json!({ "say": { "words": "ab" } })).await;
    assert_eq!(problem(&unfit), (422, "body-unfit".to_owned()));
    let mended = desk.post_once(&path, "k", json!({ "say": { "text": "ab" } })).await;
    assert_eq!(mended.status, StatusCode::OK, "{}", mended.text());
}
