//! Lists of sessions: filters, pages, cursors.

use axum::http::StatusCode;
use enza_runtime::seams::store::SessionOpening;
use serde_json::{Value, json};

use crate::api::client::ApiClient;

fn ids(page: &Value) -> Vec<String> {
    page["sessions"].as_array().unwrap().iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn pages_have_every_session_once_whatever_their_size() {
    let desk = ApiClient::new().await;
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
    let desk = ApiClient::new().await;
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
async fn a_family_is_listed_by_what_it_belongs_to_and_nowhere_else() {
    let desk = ApiClient::new().await;
    desk.stage.person("bob", false).await;
    let form = desk.stage.interview("ada").await;
    let member = || SessionOpening::new("interview", "ada").of(&form);
    let mut family = Vec::new();
    for _ in 0..3 {
        family.push(desk.stage.interview_as(member()).await.to_string());
    }
    // Whoever changed last stands first, and within one moment the lower name.
    let listed = desk.get(&format!("/api/sessions?of={form}")).await.json();
    let mut found = ids(&listed);
    assert_eq!(listed["sessions"][0]["of"], json!(form.as_str()));
    found.sort();
    family.sort();
    assert_eq!(found, family);
    let whole = desk.get("/api/sessions").await.json();
    assert_eq!((ids(&whole), &whole["sessions"][0]["of"]), (vec![form.to_string()], &Value::Null));

    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = desk.get(&format!("/api/sessions?of={form}&limit=2{cursor}")).await.json();
        seen.extend(ids(&page));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ids(&listed), "page by page");
    assert_eq!(ids(&desk.get(&format!("/api/sessions?of={}", family[0])).await.json()), [""; 0]);

    let bobs = desk.stage.interview("bob").await;
    for of in ["nowhere", bobs.as_str()] {
        let refused = desk.get(&format!("/api/sessions?of={of}")).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::NOT_FOUND, "session-unknown".to_owned()), "{of}");
    }
}

#[tokio::test]
async fn a_session_that_others_belong_to_stays() {
    let desk = ApiClient::new().await;
    let form = desk.stage.interview("ada").await;
    let member = desk.stage.interview_as(SessionOpening::new("interview", "ada").of(&form)).await;
    let refused = desk.delete(&format!("/api/sessions/{form}")).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "session-has-family".to_owned()));
    for session in [member, form] {
        assert_eq!(desk.delete(&format!("/api/sessions/{session}")).await.status, StatusCode::NO_CONTENT);
    }
}

#[tokio::test]
async fn a_query_that_does_not_fit_is_refused() {
    let desk = ApiClient::new().await;
    for query in
        ["limit=0", "limit=101", "limit=-1", "limit=many", "cursor=x", "cursor=zz.id", "phase=asleep", "colour=red"]
    {
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
    let desk = ApiClient::new().await;
    let request = desk.request(axum::http::Method::GET, "/api/sessions/nowhere").header("accept-language", "ja");
    let answer = desk.stage.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(answer.json()["error"]["message"], json!("そのセッションはありません。"));
    assert_eq!(answer.headers["content-language"], "ja");
}
