//! Saves: as few as the promises allow, and never fewer.

use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::engine::FeedItem;

use crate::engine::fixture::{
    EngineFixture, ScriptedReply, ScriptedRun, calling, id, say, say_and_rest, saying, settle_down,
};

/// How many appends a turn takes, and what of it is in the log at the end.
async fn appends_of_a_turn(tools: &[&str]) -> usize {
    let stage = EngineFixture::new();
    stage.model.calls(tools).says("There you are.");
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.take_appends();
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.model.times_asked(), 2);
    assert_eq!(stage.log(&id("s")).await.last().map(String::as_str), Some("clerk rested"));
    stage.store.take_appends().len()
}

#[tokio::test(start_paused = true)]
async fn a_turn_with_a_tool_that_must_not_be_repeated_is_saved_three_times() {
    assert_eq!(appends_of_a_turn(&["charge"]).await, 3);
}

#[tokio::test(start_paused = true)]
async fn a_turn_with_a_repeatable_tool_is_saved_twice() {
    assert_eq!(appends_of_a_turn(&["lookup"]).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_turn_with_a_pure_tool_is_saved_twice() {
    assert_eq!(appends_of_a_turn(&["note"]).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_turn_without_tools_is_saved_twice() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.take_appends();
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.store.take_appends(), [2, 2]);
}

#[tokio::test(start_paused = true)]
async fn the_start_of_a_tool_that_must_not_be_repeated_is_in_the_log_before_it_runs() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(*stage.hands.ran.lock().unwrap(), [("charge".to_owned(), "clerk call_started".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn what_ran_ahead_is_saved_shortly_after_even_if_the_model_takes_long() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]).then(ScriptedReply::After(Duration::from_secs(100), saying("At last.")));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.log(&id("s")).await.len(), 4, "nothing has to be saved yet");
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!(
        stage.log(&id("s")).await[4..],
        ["clerk replied", "clerk call_queued", "clerk call_ended"],
        "and yet it is, while the model thinks"
    );
    assert_eq!(stage.model.times_asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn nothing_unsaved_is_shown_to_a_watcher() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Reply(calling(&["lookup"])));
    stage.hands.then(ScriptedRun::Hang);
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq(2));
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    stage.store.goes_down();
    let mut seen = Vec::new();
    while let Ok(Ok(item)) = tokio::time::timeout(Duration::from_secs(2), feed.next()).await {
        seen.push(item);
    }
    assert_eq!(seen, [] as [FeedItem; 0], "the store is gone, and what it has not confirmed is not shown");
    stage.store.comes_back();
    let Ok(FeedItem::Event(first)) = feed.next().await else { panic!("no event") };
    assert_eq!((first.seq, first.stored.kind.as_str()), (Seq(3), "Spoke"));
}

#[tokio::test(start_paused = true)]
async fn calls_further_ahead_than_a_crash_is_charged_for_are_made_after_a_save() {
    let stage = EngineFixture::new();
    stage.model.calls(&["note"]).calls(&["note"]).calls(&["note"]).calls(&["note"]);
    let engine = stage.with_open_till(&id("s")).await;
    stage.store.take_appends();
    say_and_rest(&engine, &id("s"), "hello").await;
    let saves = stage.store.take_appends().len();
    assert_eq!(saves, 3, "the message, once in the middle of five calls, and the end");
}
