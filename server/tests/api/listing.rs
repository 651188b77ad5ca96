//! Lists of sessions: filters, pages, cursors.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::desk::Desk;

fn ids(page: &Value) -> Vec<String> {
    page["sessions"].as_array().unwrap().iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn pages_have_every_session_once_whatever_their_size() {
    let desk = Desk::new().await;
    for _ in 0..5 {
        desk.interview().await;
    }
    let whole = ids(&desk.get("/api/sessions").await.json());
    assert_eq!(whole.len(), 5);
    for limit in 1..=6 {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = desk.get(&format!("/api/sessions?limit={limit}{cursor}")).await.json();
            seen.extend(ids(&page));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(seen, whole, "in pages of {limit}");
    }
}

#[tokio::test]
async fn a_filter_keeps_what_it_says() {
    let desk = Desk::new().await;
    let id = desk.interview().await;
    for (query, found) in [
        ("phase=waiting", true),
        ("phase=ended", false),
        ("application=interview", true),
        ("application=sewing", false),
        ("title=FAULT", true),
        ("title=%E9%9B%A8", false),
        ("phase=waiting&application=interview&title=fault", true),
    ] {
        let page = desk.get(&format!("/api/sessions?{query}")).await.json();
        assert_eq!(ids(&page), if found { vec![id.clone()] } else { Vec::new() }, "{query}");
    }
}

#[tokio::test]
async fn a_query_that_does_not_fit_is_refused() {
    let desk = Desk::new().await;
    for query in [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=many",
        "cursor=x",
        "cursor=zz.id",
        "phase=asleep",
        "colour=red",
        "title=%00",
    ] {
        let answer = desk.get(&format!("/api/sessions?{query}")).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::UNPROCESSABLE_ENTITY, "body-unfit".to_owned()),
            "{query}"
        );
    }
}

#[tokio::test]
async fn an_answer_has_the_language_that_was_asked_for() {
    let desk = Desk::new().await;
    let request = desk.request(axum::http::Method::GET, "/api/sessions/nowhere").header("accept-language", "ja");
    let answer = desk.stage.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(answer.json()["error"]["message"], json!("そのセッションはありません。"));
    assert_eq!(answer.headers["content-language"], "ja");
}
