//! Deleting sessions, whatever they are doing and whoever watches.

use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Feed, FeedItem};
use enza_runtime::seams::store::{Deleted, SessionCatalog as _, SessionOpening};

use crate::engine::fixture::{
    EngineFixture, ScriptedReply, ScriptedRun, accepted, id, open, say, say_and_rest, settle_down,
};

/// The next thing of a feed that is neither an event nor a piece.
async fn news(feed: &mut Feed) -> FeedItem {
    loop {
        let item = tokio::time::timeout(Duration::from_secs(60), feed.next()).await.expect("nothing came").unwrap();
        if !matches!(item, FeedItem::Event(_) | FeedItem::Delta { .. }) {
            return item;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_is_told_that_the_session_was_deleted_and_hears_nothing_after_it() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::Deleted));
    assert_eq!(news(&mut feed).await, FeedItem::Gone);
    assert_eq!(feed.next().await, Ok(FeedItem::Gone));
    assert_eq!(engine.submit(&id("s"), say("hello")).await, Err(Declined::UnknownSession(id("s"))));
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_notices_that_another_process_deleted_the_session() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feeds = [engine.watch(&id("s"), Seq(2)), engine.watch(&id("s"), Seq(1))];
    assert_eq!(stage.memory.delete(&id("s")).await, Ok(Deleted::Deleted));
    let [one, other] = &mut feeds;
    assert_eq!(tokio::join!(news(one), news(other)), (FeedItem::Gone, FeedItem::Gone));
}

#[tokio::test(start_paused = true)]
async fn a_model_call_under_way_for_a_deleted_session_is_given_up() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.model.times_asked(), 1);
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::Deleted));
    settle_down().await;
    // The lane is free again: the next call need not wait for the one that never answers.
    assert_eq!(engine.loaded(), 0);
    assert_eq!(engine.open(&id("s"), SessionOpening::new("till", "ada"), open(None)).await, accepted(2));
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.model.times_asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_comes_of_a_tool_after_its_session_was_deleted_is_dropped() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(5)));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(stage.hands.ran(), ["lookup"]);
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::Deleted));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((stage.log(&id("s")).await, engine.loaded()), (Vec::<String>::new(), 0));
}

#[tokio::test(start_paused = true)]
async fn a_session_with_forks_goes_on_as_if_nobody_had_asked() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    engine.fork(&id("s"), None, &id("child"), "ada").await.unwrap();
    let mut feed = engine.watch(&id("s"), Seq(2));
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::HasForks(vec![id("child")])));
    say_and_rest(&engine, &id("s"), "hello").await;
    assert!(matches!(feed.next().await, Ok(FeedItem::Event(recorded)) if recorded.seq == Seq(3)));
}

#[tokio::test(start_paused = true)]
async fn a_session_goes_with_its_forks_and_theirs_where_that_is_asked_for() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    engine.fork(&id("s"), None, &id("child"), "ada").await.unwrap();
    engine.fork(&id("child"), None, &id("grandchild"), "ada").await.unwrap();
    engine.fork(&id("s"), None, &id("other"), "ada").await.unwrap();
    let mut feed = engine.watch(&id("grandchild"), Seq(2));
    let (deleted, mut forks) = engine.delete_with_forks(&id("s"), &mut None).await.unwrap();
    forks.sort();
    assert_eq!((deleted, forks), (Deleted::Deleted, vec![id("child"), id("grandchild"), id("other")]));
    assert!(matches!(feed.next().await, Ok(FeedItem::Gone)));
    for name in ["s", "child", "grandchild", "other"] {
        assert_eq!(stage.store.find(&id(name)).await, Ok(None), "{name}");
    }
    assert_eq!(engine.delete_with_forks(&id("s"), &mut None).await, Ok((Deleted::Unknown, Vec::new())));
}

#[tokio::test(start_paused = true)]
async fn there_is_nothing_to_delete_twice() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::Deleted));
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::Unknown));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_others_belong_to_goes_on_as_if_nobody_had_asked() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let member = || SessionOpening::new("till", "ada").of(&id("s"));
    assert_eq!(engine.open(&id("one"), member(), open(None)).await, accepted(2));
    assert_eq!(engine.open(&id("two"), member(), open(None)).await, accepted(2));
    assert_eq!(engine.delete(&id("s")).await, Ok(Deleted::HasFamily(2)));
    say_and_rest(&engine, &id("s"), "hello").await;
    for name in ["one", "two", "s"] {
        assert_eq!(engine.delete(&id(name)).await, Ok(Deleted::Deleted));
    }
}
