//! Following a session: no gap, no repeat, wherever one comes back.

use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::engine::{Feed, FeedItem};
use enza_runtime::seams::model::{ModelFailure, Piece};

use crate::engine::fixture::{EngineFixture, ScriptedReply, id, open_till, say, say_and_rest, saying, settle_down};

/// Everything a feed shows until it has shown nothing for a while.
async fn drain(feed: &mut Feed) -> Vec<FeedItem> {
    let mut seen = Vec::new();
    while let Ok(item) = tokio::time::timeout(Duration::from_secs(5), feed.next()).await {
        seen.push(item.unwrap());
    }
    seen
}

/// What was said in pieces.
fn words(items: &[FeedItem]) -> String {
    let text = |item: &FeedItem| match item {
        FeedItem::Delta { thread, piece: Piece::Text(text) } => {
            assert_eq!(thread, "clerk");
            Some(text.clone())
        }
        FeedItem::Delta { piece, .. } => panic!("{piece:?} in a reply of text"),
        FeedItem::Event(_) | FeedItem::Skipped | FeedItem::Gone => None,
    };
    items.iter().filter_map(text).collect()
}

fn places(items: &[FeedItem]) -> Vec<u64> {
    items
        .iter()
        .filter_map(|item| match item {
            FeedItem::Event(recorded) => Some(recorded.seq.0),
            FeedItem::Delta { .. } | FeedItem::Skipped | FeedItem::Gone => None,
        })
        .collect()
}

/// The next events, as many as asked for; whatever else comes is passed over.
async fn take(feed: &mut Feed, count: usize) -> Vec<u64> {
    let mut seen = Vec::new();
    while seen.len() < count {
        if let FeedItem::Event(recorded) = feed.next().await.unwrap() {
            seen.push(recorded.seq.0);
        }
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn a_watcher_who_is_up_to_date_takes_what_is_appended_without_reading_the_log() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    assert_eq!(take(&mut feed, 2).await, [1, 2]);
    stage.store.take_reads();
    engine.submit(&id("s"), say("hello")).await.unwrap();
    assert_eq!(take(&mut feed, 4).await, [3, 4, 5, 6]);
    assert_eq!(stage.store.take_reads(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_is_too_large_to_be_handed_on_is_read_from_the_log() {
    let stage = EngineFixture::new();
    stage.model.says(&"word".repeat(10_000));
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    assert_eq!(take(&mut feed, 2).await, [1, 2]);
    stage.store.take_reads();
    engine.submit(&id("s"), say("hello")).await.unwrap();
    assert_eq!(take(&mut feed, 4).await, [3, 4, 5, 6]);
    assert!(stage.store.take_reads() > 0);
}

#[tokio::test(start_paused = true)]
async fn those_who_watch_one_session_look_for_others_once_a_second_between_them() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feeds: Vec<_> = (0..10).map(|_| engine.watch(&id("s"), Seq(2))).collect();
    for feed in &mut feeds {
        assert!(tokio::time::timeout(Duration::from_millis(1), feed.next()).await.is_err());
    }
    stage.store.take_reads();
    let watching: Vec<_> =
        feeds.into_iter().map(|mut feed| tokio::spawn(async move { drain(&mut feed).await })).collect();
    for watcher in watching {
        assert_eq!(watcher.await.unwrap(), []);
    }
    let looks = stage.store.take_reads();
    assert!((4..=6).contains(&looks), "{looks} looks in five seconds");
}

#[tokio::test(start_paused = true)]
async fn what_one_watcher_finds_of_another_process_all_of_them_see_once() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door().engine("w2");
    let watching: Vec<_> = (0..5)
        .map(|_| next_door.watch(&id("s"), Seq(2)))
        .map(|mut feed| tokio::spawn(async move { drain(&mut feed).await }))
        .collect();
    settle_down().await;
    say_and_rest(&engine, &id("s"), "hello").await;
    for watcher in watching {
        assert_eq!(places(&watcher.await.unwrap()), [3, 4, 5, 6]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_comes_back_at_any_place_sees_every_event_after_it_once() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge", "note"]).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    let head = engine.row(&id("s")).await.unwrap().head.0;
    for place in 0..=head {
        let seen = drain(&mut engine.watch(&id("s"), Seq(place))).await;
        assert_eq!(places(&seen), (place + 1..=head).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_leaves_after_every_event_misses_none_while_the_session_goes_on() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]).calls(&["charge"]).calls(&["note", "lookup"]).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let mut after = Seq::START;
    let mut seen = Vec::new();
    while seen.last().is_none_or(|last| *last != "clerk rested") {
        let item = engine.watch(&id("s"), after).next().await.unwrap();
        let FeedItem::Event(recorded) = item else { continue };
        assert_eq!(recorded.seq, after.next());
        after = recorded.seq;
        seen.push(crate::engine::fixture::in_words(&recorded.stored.kind, &recorded.stored.body));
    }
    assert_eq!(seen, stage.log(&id("s")).await);
}

#[tokio::test(start_paused = true)]
async fn a_feed_sees_what_another_engine_appends() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door();
    let mut feed = next_door.engine("w2").watch(&id("s"), Seq(2));
    assert_eq!(drain(&mut feed).await, []);
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(places(&drain(&mut feed).await), [3, 4, 5, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_feed_may_be_there_before_its_session() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w1");
    let mut feed = engine.watch(&id("s"), Seq::START);
    open_till(&engine, &id("s"), None).await;
    assert_eq!(places(&drain(&mut feed).await), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_is_told_when_a_reply_begins_anew() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Fail(ModelFailure::Broken("cut".to_owned()))).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq(2));
    assert_eq!(drain(&mut feed).await, []);
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let pieces: Vec<_> = drain(&mut feed)
        .await
        .into_iter()
        .filter_map(|item| match item {
            FeedItem::Delta { piece, .. } => Some(piece),
            FeedItem::Event(_) | FeedItem::Skipped | FeedItem::Gone => None,
        })
        .collect();
    assert_eq!(pieces, [Piece::Again, Piece::Text("hi".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn pieces_of_a_reply_are_passed_on_as_they_come_and_are_not_kept() {
    let stage = EngineFixture::new();
    stage.model.says("good morning to you");
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq(2));
    assert_eq!(drain(&mut feed).await, []);
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let seen = drain(&mut feed).await;
    assert_eq!(words(&seen), "good morning to you");
    assert_eq!(places(&seen), [3, 4, 5, 6]);
    let again = drain(&mut engine.watch(&id("s"), Seq(2))).await;
    assert!(again.iter().all(|item| matches!(item, FeedItem::Event(_))), "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_in_the_middle_of_a_reply_is_shown_its_beginning_once() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Midway("good ", Duration::from_secs(60), saying("morning")));
    let engine = stage.with_open_till(&id("s")).await;
    let mut early = engine.watch(&id("s"), Seq::START);
    assert_eq!(places(&drain(&mut early).await), [1, 2]);
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    let mut late = engine.watch(&id("s"), Seq::START);
    let seen = drain(&mut late).await;
    assert_eq!((places(&seen), words(&seen)), (vec![1, 2, 3, 4], "good ".to_owned()));
    assert_eq!(seen.len(), 5, "events come first: {seen:?}");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(words(&drain(&mut late).await), "morning");
    assert_eq!(words(&drain(&mut early).await), "good morning");
    let after = drain(&mut engine.watch(&id("s"), Seq::START)).await;
    assert_eq!((places(&after), words(&after)), (vec![1, 2, 3, 4, 5, 6], String::new()), "the whole reply is an event");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_loses_pieces_and_is_told_but_loses_no_event() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(1), saying(&"word ".repeat(3_000))));
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    say_and_rest(&engine, &id("s"), "hello").await;
    settle_down().await;
    let seen = drain(&mut feed).await;
    assert_eq!(places(&seen), [1, 2, 3, 4, 5, 6]);
    assert_eq!(seen.iter().filter(|item| **item == FeedItem::Skipped).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_feed_goes_on_after_the_store_was_gone() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    stage.store.goes_down();
    assert_eq!(feed.next().await, Err(crate::engine::shaky::gone()));
    stage.store.comes_back();
    assert_eq!(places(&drain(&mut feed).await), [1, 2]);
}
