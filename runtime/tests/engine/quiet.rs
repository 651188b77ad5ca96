//! Quiet forks: how else it might have gone, seen without waking anyone.

use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::testing::till::Command;
use enza_kernel::time::Seq;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::SessionCatalog as _;

use crate::engine::fixture::{EngineFixture, IDLE, by_ada, id, say, say_and_rest, say_once};

#[tokio::test(start_paused = true)]
async fn it_begins_with_the_changed_command_and_goes_on_by_itself() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "tea, please").await;
    let before = stage.log(&id("s")).await;
    engine.what_if(&id("s"), Some(Seq(2)), &id("fork"), "ada", say("coffee, please")).await.unwrap();
    assert_eq!(engine.wait_for_rest(&id("fork")).await.unwrap().phase, Phase::Waiting);
    assert!(stage.log(&id("fork")).await.len() > 3);
    assert_eq!(stage.log(&id("s")).await, before, "the parent has changed");
}

#[tokio::test(start_paused = true)]
async fn no_timer_wakes_it_or_a_fork_of_it_after_any_restart() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "tea, please").await;
    engine.what_if(&id("s"), None, &id("fork"), "ada", say("coffee, please")).await.unwrap();
    engine.wait_for_rest(&id("fork")).await.unwrap();
    engine.fork(&id("fork"), None, &id("grandchild"), "ada").await.unwrap();
    engine.close().await;
    let engine = stage.next_door().engine("w2");
    tokio::time::sleep(IDLE + Duration::from_secs(60)).await;
    assert_eq!(stage.log(&id("s")).await.last().unwrap(), "Closed", "the parent's own timer rings");
    for fork in ["fork", "grandchild"] {
        assert_ne!(stage.log(&id(fork)).await.last().unwrap(), "Closed", "{fork}");
        assert_eq!(engine.wait_for_rest(&id(fork)).await.unwrap().phase, Phase::Waiting, "{fork}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_of_it_where_its_command_is_declined() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "tea, please").await;
    let refused = engine.what_if(&id("s"), None, &id("fork"), "ada", by_ada(Command::Retry, None)).await;
    assert!(matches!(refused, Err(Declined::Refused(_))), "{refused:?}");
    assert_eq!(stage.memory.find(&id("fork")).await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn asked_for_twice_under_one_key_it_is_made_once() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "tea, please").await;
    let (parent, fork) = (id("s"), id("fork"));
    let ask = || engine.what_if(&parent, None, &fork, "ada", say_once("k", "coffee, please"));
    let (first, second) = (ask().await.unwrap(), ask().await.unwrap());
    assert_eq!((first.seq, first.repeated, second.repeated), (second.seq, false, true));
    // Another session of that name is not gone on with.
    let taken = engine.what_if(&id("s"), None, &id("s"), "ada", say("coffee, please")).await;
    assert_eq!(taken, Err(Declined::NameTaken(id("s"))));
}

#[tokio::test(start_paused = true)]
async fn what_was_under_way_at_the_fork_waits_for_the_command() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "tea, please").await;
    let asked = stage.model.times_asked();
    // At event 2 the clerk's first call is due; a quiet fork makes it only as part of what it is asked to try.
    engine.what_if(&id("s"), Some(Seq(2)), &id("fork"), "ada", by_ada(Command::Close, None)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.model.times_asked(), asked);
}
