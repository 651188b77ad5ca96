//! What a watcher hears: events with their lines, pieces of replies, and what of them is void.

use enza_runtime::seams::model::Piece;
use serde_json::{Value, json};

use crate::live::watch::RunningServer;

/// The pieces that a watcher hears of the next reply.
async fn pieces(shown: Vec<Piece>) -> Vec<Value> {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let head = served.head(&id).await;
    let mut watching = served.watch(&id, Some(head)).await;
    served.stage.model.shows(shown);
    served.say(&id, "The tap drips.").await;
    served.rest(&id).await;
    let head = served.head(&id).await;
    let mut heard = Vec::new();
    loop {
        let one = watching.next().await.expect("more");
        if one.id == Some(head) {
            return heard;
        }
        if one.event == "piece" {
            assert_eq!(one.id, None);
            heard.push(one.data);
        }
    }
}

fn call(tool: &str, fragment: &str) -> Piece {
    Piece::Call { place: 0, tool: tool.to_owned(), fragment: fragment.to_owned() }
}

fn piece(kind: &str, text: &str, spoken: bool) -> Value {
    json!({ "thread": "reviewer-1", "kind": kind, "text": text, "spoken": spoken })
}

#[tokio::test]
async fn an_event_has_its_number_its_body_and_its_line() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let first = served.watch(&id, None).await.next().await.unwrap();
    let path = format!("/api/sessions/{id}/events");
    let logged = served.stage.ask(axum::http::Method::GET, &path, &served.token, None);
    assert_eq!((first.event.as_str(), first.id), ("event", Some(1)));
    assert_eq!(first.data, logged.await.json()["events"][0]);
}

#[tokio::test]
async fn a_page_hears_that_something_happened_and_what_is_said_and_nothing_that_it_would_throw_away() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let head = served.head(&id).await;
    let mut watching = served.watch_from_page(&id, Some(head)).await;
    served.stage.model.shows(vec![
        Piece::Reasoning("Hm.".to_owned()),
        Piece::Text("Well".to_owned()),
        call("review", "{\"passed\":"),
        call("ask", ""),
        call("ask", "{\"question\": \"Where?\"}"),
    ]);
    served.say(&id, "The tap drips.").await;
    served.rest(&id).await;
    let (head, mut events, mut pieces) = (served.head(&id).await, Vec::new(), Vec::new());
    while events.last().is_none_or(|(seq, _)| *seq != Some(head)) {
        let one = watching.next().await.expect("more");
        match one.event.as_str() {
            "event" => events.push((one.id, one.data)),
            _ => pieces.push(one.data),
        }
    }
    for (seq, data) in &events {
        assert_eq!(*data, json!({ "seq": seq }), "an event is told by its place alone");
    }
    assert_eq!(pieces, [piece("call", "Where?", true)]);
}

#[tokio::test]
async fn text_and_thoughts_are_passed_on_as_they_come() {
    let heard = pieces(vec![
        Piece::Reasoning("Hm.".to_owned()),
        Piece::Text("Two\nlines".to_owned()),
        Piece::Again,
        Piece::Text("Well".to_owned()),
    ]);
    let expected = [
        piece("reasoning", "Hm.", false),
        piece("text", "Two\nlines", false),
        piece("again", "", false),
        piece("text", "Well", false),
    ];
    assert_eq!(heard.await, expected);
}

#[tokio::test]
async fn what_a_call_says_to_a_person_is_heard_while_it_is_written() {
    let heard = pieces(vec![
        call("ask", ""),
        call("ask", "{\"quest"),
        call("ask", "ion\": \"Wo ist d"),
        call("ask", "er \\u00e"),
        call("ask", "4ltere Hahn?\\\" \\ud83d"),
        call("ask", "\\ude00\"}"),
        call("ask", ""),
        call("ask", "{\"question\":\"Next\"}"),
        call("review", "{\"passed\":"),
    ]);
    let expected = [
        piece("call", "Wo ist d", true),
        piece("call", "er ", true),
        piece("call", "ältere Hahn?\" ", true),
        piece("call", "😀", true),
        piece("call", "Next", true),
        piece("call", "{\"passed\":", false),
    ];
    assert_eq!(heard.await, expected);
}
