//! A form as a session like any other: begun with a sentence, published, refused, shown, by the common routes alone.
//!
//! Pages and routes of forms themselves have tests of their own.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::client::ApiClient;

/// Peers 21, on the real engine.
#[tokio::test]
async fn a_form_is_written_from_a_sentence_and_published_once() {
    let desk = ApiClient::new().await;
    let begin =
        json!({ "begin": { "language": "en", "sentence": "a visit report with date, customer, what was agreed" } });
    let answer = desk.post("/api/sessions", json!({ "application": "form", "command": begin })).await;
    let id = answer.json()["id"].as_str().expect("a name").to_owned();
    desk.rest(&id).await;
    let commands = format!("/api/sessions/{id}/commands");
    let published = desk.post(&commands, json!("publish")).await;
    assert_eq!(published.status, StatusCode::OK);
    let again = desk.post(&commands, json!("publish")).await;
    assert_eq!((again.status.is_client_error(), again.code()), (true, "nothing-to-publish".to_owned()));
    let late = json!({ "edit": { "form": { "title": "x", "fields": [] }, "edition": 0 } });
    assert_eq!(desk.post(&commands, late).await.code(), "form-edited-meanwhile");

    let shown = desk.get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!((&shown["title"], &shown["phase"]), (&json!("Visit report"), &json!("waiting")));
    let lines = desk.get(&format!("/api/sessions/{id}/conversation?limit=100")).await.json();
    let told: Vec<&Value> = lines["lines"].as_array().unwrap().iter().map(|said| &said["line"]["text"]).collect();
    assert_eq!(
        told,
        [
            "The form was started.",
            "a visit report with date, customer, what was agreed",
            "Wrote a draft of \"Visit report\" (edition 1). Fields: Date, Customer, What was agreed.",
            "Version 1 was published. The form accepts answers.",
        ]
    );
}
