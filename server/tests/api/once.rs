//! Idempotency keys: sent twice, done once, answered twice.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Begun, IdempotentRequests as _, KeyedRequest};
use enza_server::state::{Liveness, WorkerProbe};
use serde_json::json;

use crate::api::client::ApiClient;

async fn count(desk: &ApiClient) -> usize {
    desk.get("/api/sessions?limit=100").await.json()["sessions"].as_array().unwrap().len()
}

#[tokio::test]
async fn the_same_request_with_the_same_key_is_done_once_and_answered_twice() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let first = desk.post_once("/api/sessions", "k1", new.clone()).await;
    let again = desk.post_once("/api/sessions", "k1", new.clone()).await;
    assert_eq!((first.status, &first.body), (StatusCode::CREATED, &again.body));
    assert_eq!((again.status, first.headers.get("idempotency-replayed")), (StatusCode::CREATED, None));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(again.headers["content-type"], "application/json");
    assert_eq!(count(&desk).await, 1);
    desk.post_once("/api/sessions", "k2", new).await;
    assert_eq!(count(&desk).await, 2);
}

#[tokio::test]
async fn a_repeated_request_whose_session_was_deleted_is_told_so_and_not_answered_with_nothing() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let id = desk.post_once("/api/sessions", "k", new.clone()).await.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.delete(&format!("/api/sessions/{id}")).await.status, StatusCode::NO_CONTENT);
    let again = desk.post_once("/api/sessions", "k", new).await;
    assert_eq!((again.status, again.code()), (StatusCode::NOT_FOUND, "session-unknown".to_owned()));
    assert_eq!(count(&desk).await, 0);
}

#[tokio::test]
async fn a_key_that_was_used_for_another_request_is_refused() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let path = format!("/api/sessions/{id}/commands");
    assert_eq!(desk.post_once(&path, "k", json!({ "say": { "text": "one" } })).await.status, StatusCode::OK);
    let other = desk.post_once(&path, "k", json!({ "say": { "text": "two" } })).await;
    assert_eq!((other.status, other.code()), (StatusCode::UNPROCESSABLE_ENTITY, "key-reused".to_owned()));
    let elsewhere = desk.post_once("/api/sessions", "k", json!({ "say": { "text": "one" } })).await;
    assert_eq!(elsewhere.code(), "key-reused");
}

#[tokio::test]
async fn keys_of_different_people_have_nothing_to_do_with_each_other() {
    let desk = ApiClient::new().await;
    desk.stage.person("bob", false).await;
    let his = desk.stage.token("bob", &["read", "write"]).await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let hers = desk.post_once("/api/sessions", "k", new.clone()).await.json();
    let bobs = ApiClient { token: his, ..desk };
    let answer = bobs.post_once("/api/sessions", "k", new).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    assert_ne!(answer.json()["id"], hers["id"]);
}

/// Says something many times at once under one key: it is said once, and everyone is answered or told to wait.
async fn is_done_once_of(times: usize, desk: &Arc<ApiClient>, id: &str, key: &'static str) {
    let before = crate::api::client::head(desk, id).await;
    let sending: Vec<_> = (0..times)
        .map(|_| {
            let (desk, path) = (desk.clone(), format!("/api/sessions/{id}/commands"));
            tokio::spawn(async move { desk.post_once(&path, key, json!({ "say": { "text": "once" } })).await })
        })
        .collect();
    for sent in sending {
        let answer = sent.await.unwrap();
        let is_told = answer.status == StatusCode::OK || answer.code() == "request-under-way";
        assert!(is_told, "{} {}", answer.status, answer.text());
    }
    desk.rest(id).await;
    let events = desk.get(&format!("/api/sessions/{id}/events?after={before}&limit=100")).await.text();
    assert_eq!(events.matches("AnswerGiven").count(), 1, "{events}");
}

#[tokio::test]
async fn of_many_at_once_one_is_done_and_the_others_hear_of_it() {
    let desk = Arc::new(ApiClient::new().await);
    let id = desk.interview().await;
    is_done_once_of(16, &desk, &id, "k").await;
    let last = desk.post_once(&format!("/api/sessions/{id}/commands"), "k", json!({ "say": { "text": "once" } })).await;
    assert_eq!((last.status, &last.headers["idempotency-replayed"]), (StatusCode::OK, &"true".parse().unwrap()));
}

/// The request as the register knows it.
fn asked(key: &str, path: &str, body: &str, at: i64) -> KeyedRequest {
    let digest = Digest::of(format!("POST {path}\n{body}").as_bytes());
    KeyedRequest { person: "ada".to_owned(), key: key.to_owned(), digest, at: Timestamp(at), worker: "far".to_owned() }
}

#[tokio::test]
async fn a_request_under_way_is_waited_for_and_one_that_died_runs_again() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let now = desk.stage.app.now().0;
    for (key, at) in [("alive", now - 30_000), ("dead", now - 90_000)] {
        assert_eq!(desk.stage.store.begin(&asked(key, "/api/sessions", &new.to_string(), at)).await, Ok(Begun::New));
    }
    let alive = desk.post_once("/api/sessions", "alive", new.clone()).await;
    assert_eq!((alive.status, alive.code()), (StatusCode::CONFLICT, "request-under-way".to_owned()));
    assert_eq!(alive.headers["retry-after"], "1");
    let dead = desk.post_once("/api/sessions", "dead", new.clone()).await;
    assert_eq!(dead.status, StatusCode::CREATED);
    assert_eq!(desk.post_once("/api/sessions", "dead", new).await.body, dead.body);
}

#[tokio::test]
async fn a_request_whose_end_this_worker_could_not_write_down_runs_again() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let worker = desk.stage.app.engine().worker().to_owned();
    let unwritten = KeyedRequest { worker, ..asked("k", "/api/sessions", &new.to_string(), desk.stage.app.now().0) };
    assert_eq!(desk.stage.store.begin(&unwritten).await, Ok(Begun::New));
    let again = desk.post_once("/api/sessions", "k", new.clone()).await;
    assert_eq!(again.status, StatusCode::CREATED);
    assert_eq!(desk.post_once("/api/sessions", "k", new).await.body, again.body);
}

/// Knows of two workers: one died, one lives.
struct TwoWorkers;

impl WorkerProbe for TwoWorkers {
    fn probe(&self, worker: &str) -> Liveness {
        match worker {
            "dead" => Liveness::Dead,
            "alive" => Liveness::Alive,
            _ => Liveness::Unknown,
        }
    }
}

#[tokio::test]
async fn a_request_that_a_kill_cut_off_can_be_repeated_at_once_and_only_one_repeats_it() {
    let desk = ApiClient::new().await;
    let ApiClient { stage, token } = desk;
    let stage = stage.rebuilt(|setup| setup.workers = Some(Arc::new(TwoWorkers)));
    let desk = Arc::new(ApiClient { stage, token });
    let id = desk.interview().await;
    let (path, body) = (format!("/api/sessions/{id}/commands"), json!({ "say": { "text": "once" } }));
    let now = desk.stage.app.now().0;
    for worker in ["dead", "alive"] {
        let cut_off = KeyedRequest { worker: worker.to_owned(), ..asked(worker, &path, &body.to_string(), now) };
        assert_eq!(desk.stage.store.begin(&cut_off).await, Ok(Begun::New));
    }
    let alive = desk.post_once(&path, "alive", body.clone()).await;
    assert_eq!(alive.code(), "request-under-way");
    is_done_once_of(8, &desk, &id, "dead").await;
    assert_eq!(desk.post_once(&path, "dead", body).await.headers["idempotency-replayed"], "true");
}

#[tokio::test]
async fn a_clock_that_went_back_does_not_keep_a_cut_off_request_for_years() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    let ten_years = 10 * 365 * 24 * 60 * 60 * 1_000;
    let begun = asked("k", "/api/sessions", &new.to_string(), desk.stage.app.now().0 + ten_years);
    assert_eq!(desk.stage.store.begin(&begun).await, Ok(Begun::New));
    assert_eq!(desk.post_once("/api/sessions", "k", new).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn what_died_after_it_was_done_is_found_and_not_done_again() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let requests = [
        ("/api/sessions".to_owned(), json!({ "application": "interview", "opening": "sample" })),
        (format!("/api/sessions/{id}/fork"), json!({})),
        (format!("/api/sessions/{id}/commands"), json!({ "say": { "text": "The tap drips." } })),
    ];
    for (path, body) in requests {
        let first = desk.post_once(&path, &path, body.clone()).await.json();
        let sessions = count(&desk).await;
        // As if the process had died before the answer was kept.
        let long_ago = asked(&path, &path, &body.to_string(), 0);
        desk.stage.store.sweep(Timestamp(i64::MAX), Timestamp(i64::MAX)).await.unwrap();
        assert_eq!(desk.stage.store.begin(&long_ago).await, Ok(Begun::New));
        let second = desk.post_once(&path, &path, body).await.json();
        assert_eq!((&second["id"], &second["seq"]), (&first["id"], &first["seq"]), "{path}");
        assert_eq!(count(&desk).await, sessions, "{path}");
    }
}

#[tokio::test]
async fn a_refusal_is_given_again_and_a_matter_of_rights_is_looked_at_anew() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let path = format!("/api/sessions/{id}/commands");
    let first = desk.post_once(&path, "k", json!("reconfirm")).await;
    let again = desk.post_once(&path, "k", json!("reconfirm")).await;
    assert_eq!((first.status, first.json()), (StatusCode::CONFLICT, again.json()));
    assert_eq!(again.headers["idempotency-replayed"], "true");

    let narrow = ApiClient { token: desk.stage.token("ada", &["read"]).await, ..desk };
    let say = json!({ "say": { "text": "hello" } });
    assert_eq!(narrow.post_once(&path, "n", say.clone()).await.status, StatusCode::FORBIDDEN);
    let wide = ApiClient { token: narrow.stage.token("ada", &["read", "write"]).await, ..narrow };
    assert_eq!(wide.post_once(&path, "n", say).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_key_that_cannot_be_one_is_refused() {
    let desk = ApiClient::new().await;
    for key in ["", " ", &"k".repeat(256)] {
        let answer =
            desk.post_once("/api/sessions", key, json!({ "application": "interview", "opening": "sample" })).await;
        assert_eq!(answer.code(), "body-unfit", "{key:.10}");
    }
}

#[tokio::test]
async fn answers_are_forgotten_after_a_day() {
    let desk = ApiClient::new().await;
    let new = json!({ "application": "interview", "opening": "sample" });
    desk.post_once("/api/sessions", "fresh", new.clone()).await;
    let day_old = asked("old", "/api/sessions", &new.to_string(), desk.stage.app.now().0 - 25 * 3_600_000);
    desk.stage.store.begin(&day_old).await.unwrap();
    assert_eq!(desk.stage.app.sweep().await, Ok(1));
    let again = desk.post_once("/api/sessions", "fresh", new).await;
    assert_eq!(again.headers["idempotency-replayed"], "true");
}

#[tokio::test]
async fn a_key_on_anything_but_a_post_changes_nothing() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let request = desk.request(Method::GET, &format!("/api/sessions/{id}")).header("idempotency-key", "k");
    let answer = desk.stage.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!((answer.status, answer.headers.get("idempotency-replayed")), (StatusCode::OK, None));
}
