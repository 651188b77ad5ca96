//! Tokens: shown once, for what they were made for, until they are taken away or their time is over.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};

use crate::common::{Answer, TestServer};

async fn make(stage: &TestServer, cookie: &str, wish: Value) -> Answer {
    stage.browse(Method::POST, "/api/account/tokens", cookie, Some(wish)).await
}

fn secret(made: &Answer) -> String {
    made.json()["secret"].as_str().expect("a secret").to_owned()
}

#[tokio::test]
async fn a_tokens_secret_is_shown_once_and_lets_a_program_in() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let made = make(&stage, &cookie, json!({ "label": "report", "scopes": ["read"], "days": 7 })).await;
    assert_eq!(made.status, 201);
    let secret = secret(&made);
    assert!(secret.starts_with("enza_"), "{secret}");
    assert_eq!(stage.ask(Method::GET, "/api/account", &secret, None).await.json()["name"], "ada");

    let listed = stage.browse(Method::GET, "/api/account/tokens", &cookie, None).await;
    assert_eq!(listed.json()[0]["label"], "report");
    assert!(!listed.text().contains(&secret));
}

#[tokio::test]
async fn a_token_ends_with_its_time_or_when_it_is_taken_away() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let short = make(&stage, &cookie, json!({ "label": "short", "scopes": ["read"], "days": 1 })).await;
    let lasting = make(&stage, &cookie, json!({ "label": "lasting", "scopes": ["read"] })).await;
    stage.clock.push(Duration::from_secs(24 * 60 * 60));
    assert_eq!(stage.ask(Method::GET, "/api/account", &secret(&short), None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &secret(&lasting), None).await.status, 200);

    let path = format!("/api/account/tokens/{}", lasting.json()["token"]["id"].as_str().unwrap());
    assert_eq!(stage.browse(Method::DELETE, &path, &cookie, None).await.status, 204);
    assert_eq!(stage.ask(Method::GET, "/api/account", &secret(&lasting), None).await.status, 401);
    assert_eq!(stage.browse(Method::DELETE, &path, &cookie, None).await.code(), "nothing-here");
}

#[tokio::test]
async fn nobody_takes_away_a_token_of_someone_elses() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let made = make(&stage, &ada, json!({ "label": "report", "scopes": ["read"] })).await;
    let path = format!("/api/account/tokens/{}", made.json()["token"]["id"].as_str().unwrap());
    assert_eq!(stage.browse(Method::DELETE, &path, &bob, None).await.code(), "nothing-here");
    assert_eq!(stage.ask(Method::GET, "/api/account", &secret(&made), None).await.status, 200);
}

#[tokio::test]
async fn a_token_that_could_do_more_than_its_owner_is_not_made() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let wishes = [
        (json!({ "label": "x", "scopes": ["admin"] }), "not-allowed"),
        (json!({ "label": "x", "scopes": ["all"] }), "body-unfit"),
        (json!({ "label": "x", "scopes": [] }), "body-unfit"),
        (json!({ "label": " ", "scopes": ["read"] }), "text-empty"),
        (json!({ "label": "x", "scopes": ["read"], "days": 0 }), "body-unfit"),
        (json!({ "label": "x", "scopes": ["read"], "forever": true }), "body-unfit"),
    ];
    for (wish, code) in wishes {
        assert_eq!(make(&stage, &bob, wish.clone()).await.code(), code, "{wish}");
    }
}

#[tokio::test]
async fn a_token_never_looks_after_its_owners_account() {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let token = stage.token("ada", &["read", "write", "admin"]).await;
    let wish = json!({ "label": "more", "scopes": ["read"] });
    assert_eq!(stage.ask(Method::POST, "/api/account/tokens", &token, Some(wish)).await.code(), "not-allowed");
    let change = json!({ "old": "", "new": "a password of mine" });
    assert_eq!(stage.ask(Method::POST, "/api/account/password", &token, Some(change)).await.code(), "not-allowed");
}
