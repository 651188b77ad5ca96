//! `interview run --record` and `--replay`: a session with a model, played again without one.

use serde_json::{Value, json};

use crate::behaviour::models_provider::{KEY_VARIABLE, Provider};
use crate::house::{House, Run, finished};

const KEY: &str = "stage-0123456789abcdef";

/// A form with one field, of this title.
fn form(house: &House, title: &str) -> String {
    let field = json!({ "fieldId": "name", "label": "Your name", "required": true });
    house.file(&format!("{title}.json"), &json!({ "title": title, "language": "en", "fields": [field] }).to_string())
}

fn interview(house: &House, arguments: &[&str]) -> Run {
    let answers = house.file("answers.txt", "Ada Lovelace\n");
    let typed = ["--json", "--model", "stage/any", "interview", "run", "--answers", &answers, "--yes"];
    finished(&mut house.command(&[&typed, arguments].concat()))
}

/// A session recorded onto a cassette, by a provider that is gone afterwards: the result, and the cassette.
fn recorded(house: &House, form: &str) -> (Value, String) {
    let provider = Provider::of_interviews();
    provider.moves_into(house, "stage");
    let tape = house.file("tape.json", "");
    let answers = house.file("answers.txt", "Ada Lovelace\n");
    let typed =
        ["--json", "--model", "stage/any", "interview", "run", form, "--answers", &answers, "--yes", "--record", &tape];
    let run = finished(house.command(&typed).env(KEY_VARIABLE, KEY));
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(provider.tools(), ["ask", "review"]);
    (run.json(), tape)
}

/// The log, a line an event, without what is another with every run: the time, the session's name, and the mark of the
/// process that delivered.
fn story(house: &House, result: &Value) -> Vec<String> {
    let session = result["session"].as_str().unwrap();
    let export = house.json(&["session", "export", session]);
    let mut events = export["events"].as_array().unwrap().clone();
    for event in &mut events {
        for place in ["/at", "/body/mark", "/body/answer/at", "/body/submitted_at"] {
            if let Some(volatile) = event.pointer_mut(place) {
                *volatile = Value::Null;
            }
        }
    }
    events.iter().map(|event| event.to_string().replace(session, "SESSION")).collect()
}

#[test]
fn a_recorded_interview_is_played_again_without_server_or_key_and_becomes_the_same_session() {
    let house = House::new();
    let form = form(&house, "Guests");
    let (first, tape) = recorded(&house, &form);
    // Twice, because playing must not use a cassette up.
    for _ in 0..2 {
        let run = interview(&house, &[&form, "--replay", &tape]);
        assert_eq!(run.status, 0, "{run:?}");
        let again = run.json();
        assert_eq!(again["values"], json!({ "name": "Ada Lovelace" }));
        let (played, recorded) = (story(&house, &again), story(&house, &first));
        assert_eq!(played.len(), recorded.len());
        played.iter().zip(&recorded).for_each(|(played, recorded)| assert_eq!(played, recorded));
        assert_eq!(house.enza(&["session", "replay", again["session"].as_str().unwrap()]).status, 0);
    }
}

#[test]
fn a_cassette_can_be_read_by_people_and_holds_no_header() {
    let house = House::new();
    let form = form(&house, "Guests");
    let (_, tape) = recorded(&house, &form);
    let text = std::fs::read_to_string(&tape).unwrap();
    let cassette: Value = serde_json::from_str(&text).unwrap();
    let exchanges = cassette["exchanges"].as_array().unwrap();
    assert_eq!(exchanges.len(), 2);
    for exchange in exchanges {
        assert_eq!((&exchange["model"], &exchange["status"]), (&json!("stage/any"), &json!(200)));
        let fields: Vec<_> = exchange.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["model", "request", "response", "status"]);
    }
    assert!(text.lines().count() > 30 && !text.contains(KEY), "{text}");
}

#[test]
fn a_replay_after_the_form_has_changed_says_where_it_differs() {
    let house = House::new();
    let (_, tape) = recorded(&house, &form(&house, "Guests"));
    let run = interview(&house, &[&form(&house, "Visitors"), "--replay", &tape]);
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains("the request is not on the cassette: at messages[0].content it has …"), "{run:?}");
    assert!(run.err.contains("Form: Guests") && run.err.contains("Form: Visitors"), "{run:?}");
}

#[test]
fn a_replay_with_other_answers_says_where_they_differ() {
    let house = House::new();
    let form = form(&house, "Guests");
    let (_, tape) = recorded(&house, &form);
    let answers = house.file("others.txt", "Grace Hopper\n");
    let typed = ["--model", "stage/any", "interview", "run", &form, "--answers", &answers, "--yes", "--replay", &tape];
    let run = house.enza(&typed);
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains("Ada Lovelace") && run.err.contains("Grace Hopper"), "{run:?}");
}

#[test]
fn a_replay_with_another_model_says_that_the_cassette_has_nothing_of_it() {
    let house = House::new();
    let form = form(&house, "Guests");
    let (_, tape) = recorded(&house, &form);
    let run = house.enza(&["--model", "stage/other", "interview", "run", &form, "--replay", &tape]);
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains("the cassette holds nothing more of stage/other"), "{run:?}");
}

#[test]
fn a_cassette_that_is_none_or_cannot_be_written_is_refused_before_anything_is_said() {
    let house = House::new();
    let (next, none) =
        ("Give a file that --record made, or a place that can be written to.", house.file("x.json", "{}"));
    house.enza(&["interview", "run", "--replay", &none]).failed(1, "cassette-unusable", next);
    house.enza(&["interview", "run", "--replay", "/nowhere/x.json"]).failed(1, "cassette-unusable", next);
    house.enza(&["interview", "run", "--record", "/nowhere/x.json"]).failed(1, "cassette-unusable", next);
    let both = house.enza(&["interview", "run", "--record", "/a", "--replay", "/b"]);
    both.failed(2, "usage-wrong", "enza --help");
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty(), "no session was opened for nothing");
}
