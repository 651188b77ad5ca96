//! A store that cannot be reached for a while: nothing acknowledged is lost, nothing is doubled.

use std::sync::atomic::Ordering;
use std::time::Duration;

use enza_runtime::engine::{Declined, Submission};
use enza_runtime::seams::store::SessionOpening;

use crate::engine::fixture::{
    COST, EngineFixture, ScriptedReply, ScriptedRun, accepted, calling, id, open, open_till, repeated, say,
    say_and_rest, say_once, saying, settle_down,
};
use crate::engine::shaky::gone;

#[tokio::test(start_paused = true)]
async fn a_declined_command_is_accepted_exactly_once_when_it_is_sent_again() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.goes_down();
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, Err(Declined::Failed(gone())));
    stage.store.comes_back();
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, accepted(4));
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, repeated(4));
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(
        stage.log(&id("s")).await,
        ["Opened", "clerk began", "Spoke", "clerk heard", "clerk replied", "clerk rested"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_declined_command_that_nobody_repeats_leaves_no_trace() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.goes_down();
    engine.submit(&id("s"), say("hello")).await.unwrap_err();
    stage.store.comes_back();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.log(&id("s")).await.len(), 2);
    assert_eq!(stage.model.times_asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_append_that_took_place_and_was_reported_failed_is_not_doubled() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.unanswered.store(1, Ordering::Relaxed);
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, Err(Declined::Failed(gone())));
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, repeated(4));
    engine.wait_for_rest(&id("s")).await.unwrap();
    let log = stage.log(&id("s")).await;
    assert_eq!(log.iter().filter(|word| *word == "clerk heard").count(), 1);
    assert_eq!(log.last().map(String::as_str), Some("clerk rested"), "and the session goes on by itself");
}

#[tokio::test(start_paused = true)]
async fn an_opening_that_took_place_and_was_reported_failed_is_found_by_its_key() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w1");
    let opening = || Submission { key: Some("k".to_owned()), ..open(None) };
    stage.store.unanswered.store(1, Ordering::Relaxed);
    assert_eq!(
        engine.open(&id("s"), SessionOpening::new("till", "ada"), opening()).await,
        Err(Declined::Failed(gone()))
    );
    assert_eq!(engine.open(&id("s"), SessionOpening::new("till", "ada"), opening()).await, repeated(2));
    say_and_rest(&engine, &id("s"), "hello").await;
}

#[tokio::test(start_paused = true)]
async fn an_outcome_is_saved_when_the_store_is_back() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(1), saying("hi")));
    let engine = stage.engine("w1");
    open_till(&engine, &id("s"), Some(10_000)).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    stage.store.goes_down();
    tokio::time::sleep(Duration::from_secs(9)).await;
    assert_eq!(stage.log(&id("s")).await.len(), 4);
    stage.store.comes_back();
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk rested"]);
    assert_eq!(stage.model.times_asked(), 1);
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, COST);
}

#[tokio::test(start_paused = true)]
async fn an_outcome_whose_append_was_reported_failed_is_not_doubled() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(1), saying("hi")));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    stage.store.unanswered.store(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(9)).await;
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk rested"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_must_not_be_repeated_does_not_run_while_its_start_cannot_be_saved() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(1), calling(&["charge"])));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    stage.store.goes_down();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(stage.hands.ran(), [] as [&str; 0]);
    stage.store.comes_back();
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.hands.ran(), ["charge"]);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_was_saved_and_reported_failed_is_still_this_workers_to_run() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(1), calling(&["charge"])));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    stage.store.unanswered.store(1, Ordering::Relaxed);
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.hands.ran(), ["charge"]);
    assert_eq!(stage.state(&id("s")).await.unknown, 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_whose_end_cannot_be_saved_is_not_run_again() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(1)));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.hands.ran(), ["charge"]);
    stage.store.goes_down();
    tokio::time::sleep(Duration::from_secs(8)).await;
    stage.store.comes_back();
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.hands.ran(), ["charge"]);
    assert_eq!(stage.state(&id("s")).await.unknown, 0, "this worker knows how it ended");
}
