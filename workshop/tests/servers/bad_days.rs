//! Servers that do not behave: each is told in words that help, and none takes the session with it.

use std::time::Duration;

use enza_workshop::servers::ServerStatus;
use serde_json::json;

use crate::servers::fixture::{ServersFixture, gone};

#[tokio::test]
async fn a_server_that_ends_at_once_is_told_with_its_last_words() {
    let house = ServersFixture::with("dead");
    let trouble = house.opened().await.remove("one").unwrap().unwrap_err();
    let told = trouble.say(house.terms.lang);
    assert!(told.contains("could not be started") && told.ends_with("It said last:\nno licence found"), "{told}");
}

#[tokio::test]
async fn a_server_that_answers_nonsense_is_told() {
    let house = ServersFixture::with("nonsense");
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.contains("Check that it is an MCP server."), "{told}");
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_is_started_once_more_at_the_next() {
    let house = ServersFixture::with("dies-first");
    let told = house.used("one/echo", json!({"text": "one"})).await.unwrap_err();
    assert!(told.contains("is not known") && told.contains("the server is out of ideas"), "{told}");
    assert_eq!(house.traces(), ["start", "call echo"], "a call is never made twice");
    assert_eq!(house.used("one/echo", json!({"text": "two"})).await, Ok("two".to_owned()));
    assert_eq!(house.traces(), ["start", "call echo", "start", "call echo"]);
}

#[tokio::test]
async fn a_server_that_dies_again_and_again_is_left_alone() {
    let house = ServersFixture::with("dies");
    for _ in 0..2 {
        house.used("one/echo", json!({})).await.unwrap_err();
    }
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.contains("not started any more") && told.contains("the server is out of ideas"), "{told}");
    assert_eq!(house.traces(), ["start", "call echo", "start", "call echo"]);
    assert_eq!(house.servers.standing(&house.session), [("one".to_owned(), ServerStatus::Fallen)].into());
}

#[tokio::test]
async fn a_call_that_hangs_runs_out_of_time_and_the_server_is_ended() {
    let house = ServersFixture::by("hangs", |terms| terms.patience = Duration::from_secs(2));
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.starts_with("No answer in 2 s"), "{told}");
    gone(house.process("start")).await;
}

#[tokio::test]
async fn what_is_very_long_is_cut_in_the_middle() {
    let house = ServersFixture::by("well", |terms| terms.output = 1_000);
    let text = house.used("one/huge", json!({})).await.unwrap();
    assert!(text.len() < 1_100 && text.starts_with("line of text\n") && text.contains("bytes …]"), "{text}");
}

#[tokio::test]
async fn a_tool_that_fails_says_so_and_the_server_stays() {
    let house = ServersFixture::with("well");
    assert_eq!(house.used("one/no", json!({})).await, Err("The tool says: it cannot be done".to_owned()));
    assert_eq!(house.used("one/echo", json!({"text": "on"})).await, Ok("on".to_owned()));
    assert_eq!(house.traces(), ["start", "call no", "call echo"]);
}

#[tokio::test]
async fn a_list_of_tools_without_end_is_cut() {
    let house = ServersFixture::with("endless");
    assert_eq!(house.opened().await["one"].as_ref().unwrap().len(), 50);
}
