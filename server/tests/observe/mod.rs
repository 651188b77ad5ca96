//! Health, readiness and figures.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::common::TestServer;

fn nobody(path: &str) -> Request<Body> {
    Request::builder().uri(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn health_and_readiness_are_open_and_readiness_ends_with_the_word_to_stop() {
    let stage = TestServer::new();
    assert_eq!(stage.send(nobody("/health")).await.status, StatusCode::OK);
    assert_eq!(stage.send(nobody("/ready")).await.text(), "ready\n");
    stage.app.close();
    assert_eq!(stage.send(nobody("/health")).await.status, StatusCode::OK);
    assert_eq!(stage.send(nobody("/ready")).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn figures_need_an_administrator_and_count_what_was_served() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    stage.person("root", true).await;
    let (hers, his) = (stage.token("ada", &["read", "admin"]).await, stage.token("root", &["admin"]).await);
    assert_eq!(stage.send(nobody("/metrics")).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(stage.ask(Method::GET, "/metrics", &hers, None).await.status, StatusCode::FORBIDDEN);
    stage.interview("ada").await;
    let figures = stage.ask(Method::GET, "/metrics", &his, None).await.text();
    for line in [
        "enza_requests_total{method=\"GET\",route=\"/metrics\",status=\"401\"} 1",
        "enza_requests_total{method=\"GET\",route=\"/metrics\",status=\"403\"} 1",
        "enza_request_seconds_count{route=\"/metrics\"} 2",
        "enza_commands_accepted_total 1",
        "enza_model_replies_total 1",
    ] {
        assert!(figures.lines().any(|one| one == line), "{line} is not in\n{figures}");
    }
}

/// Keeps the levels of the lines that say how a request was answered.
struct Levels(Arc<Mutex<Vec<Level>>>);

impl Subscriber for Levels {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        if event.metadata().target() == "enza_server::observe" {
            self.0.lock().unwrap().push(*event.metadata().level());
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_request_that_is_shed_by_design_is_no_error_in_the_log() {
    let stage = TestServer::new();
    let levels = Arc::new(Mutex::new(Vec::new()));
    let _here = tracing::subscriber::set_default(Levels(Arc::clone(&levels)));
    assert_eq!(stage.send(nobody("/health")).await.status, StatusCode::OK);
    stage.app.close();
    assert_eq!(stage.send(nobody("/ready")).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(*levels.lock().unwrap(), [Level::INFO, Level::WARN]);
}
