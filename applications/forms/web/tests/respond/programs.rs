//! The interface for respondents' programs, from the link to the submission, and what a respondent's feed tells.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use enza_runtime::seams::model::Piece;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::common::Answer;
use crate::respond::visit::{SharedForm, party};

async fn post(shared: &SharedForm, path: &str, body: Value) -> Answer {
    let request = Request::post(path).header("content-type", "application/json").header("accept-language", "en-GB");
    shared.stage.send(request.body(Body::from(body.to_string())).unwrap()).await
}

/// Begins, and gives the ticket's address.
async fn begin(shared: &SharedForm) -> String {
    let begun = post(shared, &format!("/api{}", shared.door()), json!({ "consented": true })).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
    let at = format!("/r/{}", begun.json()["ticket"].as_str().unwrap());
    shared.rest(&at).await;
    at
}

#[tokio::test]
async fn a_program_answers_a_form_from_the_link_to_the_submission() {
    let shared = SharedForm::new(party()).await;
    let at = begin(&shared).await;
    let api = format!("/api{at}");
    let seen = shared.seen(&at).await;
    assert_eq!((&seen["stage"], &seen["done"], &seen["total"]), (&json!("interviewing"), &json!(0), &json!(4)));
    assert!(seen["question"].as_str().unwrap().contains("Your name"), "{seen}");
    for answer in [json!({ "text": "Ada" }), json!({ "text": "yes" })] {
        assert_eq!(post(&shared, &format!("{api}/answer"), answer).await.status, StatusCode::OK);
        shared.rest(&at).await;
    }
    assert_eq!(shared.seen(&at).await["offers"][0], json!({ "text": "Fish" }));
    let early = post(&shared, &format!("{api}/confirm"), json!({})).await;
    assert_eq!((early.status, early.code()), (StatusCode::CONFLICT, "gate-unknown".to_owned()));
    let fill = json!({ "answers": { "meal": "Meat", "day": "2027-05-20" } });
    assert_eq!(post(&shared, &format!("{api}/fill"), fill).await.status, StatusCode::OK);
    shared.rest(&at).await;
    let wrong = post(&shared, &format!("{api}/fill"), json!({ "answers": { "day": "soon-ish" } })).await;
    assert_eq!(wrong.code(), "answer-unread");
    post(&shared, &format!("{api}/answer"), json!({ "absence": "unknown" })).await;
    shared.rest(&at).await;
    let change = post(&shared, &format!("{api}/change"), json!({ "field_id": "name" })).await;
    assert_eq!(change.status, StatusCode::OK, "{}", change.text());
    shared.rest(&at).await;
    post(&shared, &format!("{api}/answer"), json!({ "text": "Grace" })).await;
    shared.rest(&at).await;
    let submitted = post(&shared, &format!("{api}/confirm"), json!({})).await;
    assert_eq!(submitted.status, StatusCode::OK, "{}", submitted.text());
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    let values: Vec<(&Value, &Value, &Value)> = seen["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (&field["field_id"], &field["value"], &field["remark"]))
        .collect();
    let null = Value::Null;
    assert_eq!(
        values,
        [
            (&json!("name"), &json!("Grace"), &null),
            (&json!("coming"), &json!("yes"), &null),
            (&json!("meal"), &json!("Meat"), &null),
            (&json!("day"), &json!("2027-05-20"), &null),
            (&json!("wishes"), &null, &json!("unknown")),
        ]
    );
    let messages = shared.look(&format!("{api}/messages?limit=100"), "").await.json();
    assert!(messages["messages"].as_array().unwrap().iter().any(|said| said["line"]["text"] == "Grace"), "{messages}");
}

#[tokio::test]
async fn the_same_key_begins_one_interview_and_says_a_thing_once() {
    let shared = SharedForm::new(party()).await;
    let door = format!("/api{}", shared.door());
    let body = json!({ "consented": true, "key": "0123456789abcdef" });
    let (one, two) = tokio::join!(post(&shared, &door, body.clone()), post(&shared, &door, body));
    assert_eq!(one.json(), two.json());
    let short = post(&shared, &door, json!({ "consented": true, "key": "1" })).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let at = format!("/r/{}", one.json()["ticket"].as_str().unwrap());
    shared.rest(&at).await;
    let said = json!({ "text": "Ada", "key": "k" });
    let first = post(&shared, &format!("/api{at}/answer"), said.clone()).await.json();
    shared.rest(&at).await;
    let second = post(&shared, &format!("/api{at}/answer"), said).await.json();
    assert_eq!((&first["repeated"], &second["repeated"], &first["seq"]), (&json!(false), &json!(true), &second["seq"]));
}

/// What a respondent hears of a reply: the question as it is written, and nothing that agents say among themselves.
#[tokio::test]
async fn a_respondents_feed_tells_questions_and_that_something_happened_alone() {
    let shared = SharedForm::new(party()).await;
    let at = begin(&shared).await;
    let live = Request::get(format!("/api{at}/live?after=0")).body(Body::empty()).unwrap();
    let response = shared.stage.router.clone().oneshot(live).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body().into_data_stream();
    let call =
        |tool: &str, fragment: &str| Piece::Call { place: 0, tool: tool.to_owned(), fragment: fragment.to_owned() };
    shared.stage.model.shows([
        Piece::Text("SECRET-THOUGHT".to_owned()),
        Piece::Reasoning("SECRET-REASON".to_owned()),
        call("review", "{\"feedback\":\"SECRET-REVIEW\"}"),
        call("ask", ""),
        call("ask", "{\"question\":\"And will you\"}"),
    ]);
    let hear = async |body: &mut axum::body::BodyDataStream, heard: &mut String, awaited: &str| {
        while !heard.contains(awaited) {
            heard.push_str(&String::from_utf8_lossy(&body.next().await.expect("the feed goes on").unwrap()));
        }
    };
    // Whoever is up to date hears pieces as they come; the others hear what they led to.
    let mut heard = String::new();
    hear(&mut body, &mut heard, "data: {\"seq\":1}\n").await;
    let said = [("act", "say"), ("words", "Ada")];
    tokio::join!(hear(&mut body, &mut heard, "And will you"), shared.order(&at, &said));
    let news = shared.look(&format!("{at}/news?after=0"), "").await.text();
    let head = news.split("data-head=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    hear(&mut body, &mut heard, &format!("id: {head}\n")).await;
    assert!(!heard.contains("SECRET"), "{heard}");
}

#[tokio::test]
async fn a_program_deletes_what_was_not_submitted() {
    let shared = SharedForm::new(party()).await;
    let at = begin(&shared).await;
    let delete = || Request::delete(format!("/api{at}")).body(Body::empty()).unwrap();
    assert_eq!(shared.stage.send(delete()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(shared.stage.send(delete()).await.status, StatusCode::NOT_FOUND);
}
