//! When the database is gone: a clear answer, nothing done by halves, and everything goes on once it is back.

#[path = "../../../runtime/tests/engine/shaky.rs"]
#[allow(dead_code, unused_imports, reason = "the engine's tests need more of it")]
mod shaky;

use std::sync::Arc;

use axum::http::StatusCode;
use enza_runtime::engine::Engine;
use enza_storage::Memory;
use serde_json::json;
use shaky::Shaky;

use crate::api::client::ApiClient;
use crate::common::TestServer;

/// A desk whose sessions are behind a line that can be cut.
async fn desk() -> (ApiClient, Arc<Shaky>) {
    let store = Arc::new(Memory::new());
    let shaky = Shaky::before(store.clone());
    let stage = TestServer::behind(store, shaky.clone());
    stage.person("ada", false).await;
    let token = stage.token("ada", &["read", "write"]).await;
    (ApiClient { stage, token }, shaky)
}

#[tokio::test]
async fn a_database_that_is_gone_is_said_so_and_the_same_request_goes_through_later() {
    let (desk, store) = desk().await;
    let id = desk.interview().await;
    let (path, say) = (format!("/api/sessions/{id}/commands"), json!({ "say": { "text": "The tap drips." } }));
    store.goes_down();
    for answer in [desk.get("/api/sessions").await, desk.post_once(&path, "k", say.clone()).await] {
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::SERVICE_UNAVAILABLE, "database-unreachable".to_owned())
        );
        assert_eq!(answer.headers["retry-after"], "5");
        assert!(!answer.text().contains("plug"), "the cause stays inside: {}", answer.text());
    }
    store.comes_back();
    assert_eq!(desk.post_once(&path, "k", say.clone()).await.status, StatusCode::OK);
    assert_eq!(desk.post_once(&path, "k", say).await.headers["idempotency-replayed"], "true");
}

#[tokio::test]
async fn a_command_whose_answer_was_lost_is_accepted_once() {
    let (desk, store) = desk().await;
    let id = desk.interview().await;
    let before = crate::api::client::head(&desk, &id).await;
    let (path, say) = (format!("/api/sessions/{id}/commands"), json!({ "say": { "text": "just once" } }));
    // It takes place, and the line is cut before anyone hears of it.
    store.unanswered.store(1, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(desk.post_once(&path, "k", say.clone()).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(desk.post_once(&path, "k", say).await.json()["repeated"], json!(true));
    desk.rest(&id).await;
    let events = desk.get(&format!("/api/sessions/{id}/events?after={before}&limit=100")).await.text();
    assert_eq!(events.matches("AnswerGiven").count(), 1, "{events}");
}

#[tokio::test]
async fn deleting_while_the_database_is_gone_changes_nothing() {
    let (desk, store) = desk().await;
    let id = desk.interview().await;
    store.goes_down();
    let answer = desk.delete(&format!("/api/sessions/{id}")).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    store.comes_back();
    assert_eq!(desk.say(&id, "Still here.").await.status, StatusCode::OK);
    assert_eq!(Engine::loaded(desk.stage.app.engine()), 1);
}

#[tokio::test(start_paused = true)]
async fn a_database_that_answers_but_cannot_be_written_is_not_ready() {
    let (desk, store) = desk().await;
    let ready = || async {
        let answer = desk.get("/ready").await;
        (answer.status, answer.text())
    };
    assert_eq!(ready().await, (StatusCode::OK, "ready\n".to_owned()));
    store.unwritable.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(ready().await.0, StatusCode::OK, "the disk is not bothered by everyone who asks");
    tokio::time::advance(std::time::Duration::from_secs(6)).await;
    let full = (StatusCode::SERVICE_UNAVAILABLE, "nothing can be written: disk-full\n".to_owned());
    assert_eq!(ready().await, full);
    store.unwritable.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(ready().await, full);
    tokio::time::advance(std::time::Duration::from_secs(6)).await;
    assert_eq!(ready().await.0, StatusCode::OK);
}
