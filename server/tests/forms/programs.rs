//! Forms through the interface for programs: made, edited, published, shared, once for each idempotency key.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::desk::Desk;

#[tokio::test]
async fn a_program_makes_edits_publishes_and_shares_a_form() {
    let desk = Desk::new().await;
    let form = json!({ "title": "Survey", "language": "en", "fields": [{ "fieldId": "name", "label": "Name" }] });
    let begun = desk.ask(Method::POST, "/api/forms", Some(json!({ "form": form }))).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/api/forms/{id}{rest}");

    let faulty = json!({ "title": "", "language": "en", "fields": [] });
    let edited = desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": faulty, "edition": 0 }))).await.json();
    assert_eq!((&edited["edition"], edited["problems"].as_array().unwrap().len()), (&json!(1), 2));
    let refused = desk.ask(Method::POST, &at("/publish"), None).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "form-faulty".to_owned()));
    let late = desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": form, "edition": 0 }))).await;
    assert_eq!(late.code(), "form-edited-meanwhile");
    desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": form, "edition": 1 }))).await;
    let published = desk.ask(Method::POST, &at("/publish"), None).await.json();
    assert_eq!((&published["version"], &published["open"]), (&json!(1), &json!(true)));
    assert_eq!(desk.ask(Method::POST, &at("/close"), None).await.json()["open"], false);
    assert_eq!(desk.ask(Method::POST, &at("/reopen"), None).await.json()["open"], true);

    let rules = desk.ask(Method::PUT, &at("/rules"), Some(json!({ "most_answers": 5 }))).await.json();
    assert_eq!(rules["rules"]["most_answers"], 5);
    let made = desk.ask(Method::POST, &at("/links"), Some(json!({ "count": 2, "prefill": { "name": "Ada" } }))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let token = made.json()["links"][0]["token"].as_str().unwrap().to_owned();
    assert_eq!(desk.ask(Method::DELETE, &at(&format!("/links/{token}")), None).await.status, StatusCode::NO_CONTENT);
    let all = desk.ask(Method::GET, &at("/links"), None).await.json()["links"].as_array().unwrap().clone();
    assert_eq!((all.len(), all.iter().filter(|link| link["revoked"] == true).count()), (3, 1));

    let hook = desk.ask(Method::PUT, &at("/webhook"), Some(json!({ "url": "https://example.org/in" }))).await.json();
    assert!(hook["secret"].as_str().unwrap().starts_with("whsec_"));
    assert!(!desk.ask(Method::GET, &at(""), None).await.text().contains("whsec_"), "it is shown once");
    assert_eq!(desk.ask(Method::DELETE, &at("/webhook"), None).await.status, StatusCode::NO_CONTENT);
    let toml = desk.ask(Method::GET, &at("/export/toml"), None).await;
    assert!(toml.text().contains("title = \"Survey\""));
    assert_eq!(desk.ask(Method::DELETE, &at(""), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(desk.ask(Method::GET, "/api/forms", None).await.json()["forms"], json!([]));
}

#[tokio::test]
async fn one_key_makes_one_form_and_one_set_of_links() {
    let desk = Desk::new().await;
    let post = async |path: &str, key: &str, body: Value| {
        let request = Request::builder().method(Method::POST).uri(path).header("idempotency-key", key);
        let request = request.header("authorization", format!("Bearer {}", desk.token));
        let request = request.header("content-type", "application/json").body(Body::from(body.to_string()));
        desk.stage.send(request.unwrap()).await.json()
    };
    let body = json!({ "sentence": "a survey with name, rating", "language": "en" });
    let (first, again) = (post("/api/forms", "k", body.clone()).await, post("/api/forms", "k", body).await);
    assert_eq!(first, again);
    let id = first["id"].as_str().unwrap().to_owned();
    desk.rest(&id).await;
    let links = format!("/api/forms/{id}/links");
    let wish = json!({ "count": 2 });
    assert_eq!(post(&links, "l", wish.clone()).await, post(&links, "l", wish).await);
    assert_eq!(desk.ask(Method::GET, &links, None).await.json()["links"].as_array().unwrap().len(), 2);
    let list = desk.ask(Method::GET, "/api/forms", None).await.json();
    assert_eq!(list["forms"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_form_with_answers_is_not_deleted_unless_they_are_meant_to_go() {
    let desk = Desk::new().await;
    let id = desk.published().await;
    let belongs = enza_runtime::seams::store::Opening::new("interview", "ada");
    desk.stage.interview_as(belongs.of(&enza_runtime::seams::store::SessionId::of(id.as_str()))).await;
    let at = format!("/api/forms/{id}");
    let refused = desk.ask(Method::DELETE, &at, None).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "session-has-family".to_owned()));
    let gone = desk.ask(Method::DELETE, &format!("{at}?with_answers=true"), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
}
