//! Bad days of a provider: not there, no such model, nonsense without end, too busy for a moment.
//!
//! A session that cannot go on says why in the provider's own words, keeps what was said, and goes on once the cause
//! is gone.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::behaviour::models_provider::{Answer, KEY_VARIABLE, Provider, plays_well, register};
use crate::house::{House, Run, finished};

fn interview(house: &House, more: &[&str]) -> Run {
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    let typed = [&["--model", "stage/any", "interview", "run", "--answers", &answers, "--yes"], more].concat();
    finished(house.command(&typed).env(KEY_VARIABLE, "stage-123456"))
}

/// Insists that the session is stuck for this reason.
fn is_stuck(run: &Run, reason: &str) {
    run.failed(4, "session-stuck", "enza interview run --session");
    assert!(run.err.contains(reason), "{reason:?} is not in {run:?}");
    assert!(run.err.contains("Your answers are kept."), "{run:?}");
}

#[test]
fn a_model_that_the_provider_does_not_have_is_named() {
    let provider = Provider::by(|_| Answer::Refusal(404, "The model `any` does not exist".to_owned()));
    let house = House::new();
    provider.moves_into(&house, "stage");
    let run = interview(&house, &[]);
    is_stuck(&run, "The stage has no model any");
    is_stuck(&run, "Check the model's name.");
    assert_eq!(provider.asked().len(), 1, "a refusal is not asked again");
}

#[test]
fn a_server_that_does_not_run_is_tried_a_few_times_and_then_told_of() {
    let house = House::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    register(&house, "stage", &format!("http://{closed}/v1"));
    let run = interview(&house, &[]);
    is_stuck(&run, &format!("cannot be reached at http://{closed}/v1"));
    is_stuck(&run, "Is the server running?");
    is_stuck(&run, "Keys are at the stage door.");
    let test = finished(house.command(&["--lang", "ja", "model", "test", "stage/any"]).env(KEY_VARIABLE, "stage-123"));
    test.failed(1, "model-silent", "enza model test でもう一度");
}

#[test]
fn a_session_goes_on_where_it_was_once_its_provider_is_back() {
    let house = House::new();
    let answered = AtomicUsize::new(0);
    // The first call is answered: the question.
    let failing = Provider::by(move |asked| match answered.fetch_add(1, Ordering::SeqCst) {
        0 => plays_well(asked),
        _ => Answer::Refusal(400, "out of order".to_owned()),
    });
    failing.moves_into(&house, "stage");
    is_stuck(&interview(&house, &[]), "did not accept the request (status 400 Bad Request): out of order");
    let session = house.json(&["session", "list"])[0]["id"].as_str().unwrap().to_owned();
    let provider = Provider::of_interviews();
    provider.moves_into(&house, "stage");
    let answers = house.file("rest.txt", "Hall 2, by the door\n/skip\n");
    let typed =
        ["--json", "--model", "stage/any", "interview", "run", "--session", &session, "--answers", &answers, "--yes"];
    let run = finished(house.command(&typed).env(KEY_VARIABLE, "stage-123456"));
    assert_eq!(run.status, 0, "{run:?}");
    let values = json!({ "symptom": "The lamp flickers since Monday", "place": "Hall 2, by the door" });
    assert_eq!(run.json()["values"], values);
    assert_eq!(provider.tools(), ["review", "ask", "review", "ask"], "nothing was asked twice");
}

#[test]
fn a_model_that_never_says_anything_of_use_gets_a_session_stuck_and_not_in_a_loop() {
    for answer in [
        Answer::Words("Lorem ipsum dolor sit amet.".to_owned()),
        Answer::Call(json!({ "colour": "blue" })),
        Answer::Words(String::new()),
    ] {
        let said = answer.clone();
        let provider = Provider::by(move |_| said.clone());
        let house = House::new();
        provider.moves_into(&house, "stage");
        is_stuck(
            &interview(&house, &[]),
            "Reason: there was no usable reply in 10 attempts. Another model may do better",
        );
        assert_eq!(provider.asked().len(), 10, "{answer:?}");
        let run = interview(&house, &["--lang", "ja"]);
        run.failed(4, "session-stuck", "端末で続けてください: enza interview run --session");
        assert!(run.err.contains("理由: 10回尋ねても使える返事がありませんでした。"), "{run:?}");
    }
}

#[test]
fn a_provider_that_is_busy_for_a_moment_is_asked_again_and_nobody_notices() {
    let turns = AtomicUsize::new(0);
    let provider = Provider::by(move |asked| match turns.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::Plain(429, vec!["retry-after-ms: 5".to_owned()], String::new()),
        1 => Answer::Refusal(503, "overloaded".to_owned()),
        _ => plays_well(asked),
    });
    let house = House::new();
    provider.moves_into(&house, "stage");
    let run = interview(&house, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    assert_eq!(provider.asked().len(), 7, "five calls and two that were turned away");
}
