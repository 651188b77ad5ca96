//! Following a session: no gap, no repeat, wherever one comes back.

use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::engine::{Feed, Item};
use enza_runtime::seams::model::{ModelFailure, Piece};

use crate::stage::{Line, Stage, id, open_till, say, say_and_rest, saying, settle_down};

/// Everything a feed shows until it has shown nothing for a while.
async fn drain(feed: &mut Feed) -> Vec<Item> {
    let mut seen = Vec::new();
    while let Ok(item) = tokio::time::timeout(Duration::from_secs(5), feed.next()).await {
        seen.push(item.unwrap());
    }
    seen
}

fn places(items: &[Item]) -> Vec<u64> {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Event(recorded) => Some(recorded.seq.0),
            Item::Delta { .. } => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_reader_who_comes_back_at_any_place_sees_every_event_after_it_once() {
    let stage = Stage::new();
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
    let stage = Stage::new();
    stage.model.calls(&["lookup"]).calls(&["charge"]).calls(&["note", "lookup"]).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let mut after = Seq::START;
    let mut seen = Vec::new();
    while seen.last().is_none_or(|last| *last != "clerk rested") {
        let item = engine.watch(&id("s"), after).next().await.unwrap();
        let Item::Event(recorded) = item else { continue };
        assert_eq!(recorded.seq, after.next());
        after = recorded.seq;
        seen.push(crate::stage::in_words(&recorded.stored.kind, &recorded.stored.body));
    }
    assert_eq!(seen, stage.log(&id("s")).await);
}

#[tokio::test(start_paused = true)]
async fn a_feed_sees_what_another_engine_appends() {
    let stage = Stage::new();
    let engine = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door();
    let mut feed = next_door.engine("w2").watch(&id("s"), Seq(2));
    assert_eq!(drain(&mut feed).await, []);
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(places(&drain(&mut feed).await), [3, 4, 5, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_feed_may_be_there_before_its_session() {
    let stage = Stage::new();
    let engine = stage.engine("w1");
    let mut feed = engine.watch(&id("s"), Seq::START);
    open_till(&engine, &id("s"), None).await;
    assert_eq!(places(&drain(&mut feed).await), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_is_told_when_a_reply_begins_anew() {
    let stage = Stage::new();
    stage.model.then(Line::Fail(ModelFailure::Broken("cut".to_owned()))).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq(2));
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let pieces: Vec<_> = drain(&mut feed)
        .await
        .into_iter()
        .filter_map(|item| match item {
            Item::Delta { piece, .. } => Some(piece),
            Item::Event(_) => None,
        })
        .collect();
    assert_eq!(pieces, [Piece::Again, Piece::Text("hi".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn pieces_of_a_reply_are_passed_on_as_they_come_and_are_not_kept() {
    let stage = Stage::new();
    stage.model.says("good morning to you");
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq(2));
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let seen = drain(&mut feed).await;
    let pieces: String = seen
        .iter()
        .filter_map(|item| match item {
            Item::Delta { thread, piece: Piece::Text(text) } => {
                assert_eq!(thread, "clerk");
                Some(text.as_str())
            }
            Item::Delta { piece, .. } => panic!("{piece:?} in a reply of text"),
            Item::Event(_) => None,
        })
        .collect();
    assert_eq!(pieces, "good morning to you");
    assert_eq!(places(&seen), [3, 4, 5, 6]);
    let again = drain(&mut engine.watch(&id("s"), Seq(2))).await;
    assert!(again.iter().all(|item| matches!(item, Item::Event(_))), "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_loses_pieces_but_no_event() {
    let stage = Stage::new();
    stage.model.then(Line::After(Duration::from_secs(1), saying(&"word ".repeat(3_000))));
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    say_and_rest(&engine, &id("s"), "hello").await;
    settle_down().await;
    assert_eq!(places(&drain(&mut feed).await), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_feed_goes_on_after_the_store_was_gone() {
    let stage = Stage::new();
    let engine = stage.with_open_till(&id("s")).await;
    let mut feed = engine.watch(&id("s"), Seq::START);
    stage.store.goes_down();
    assert_eq!(feed.next().await, Err(crate::shaky::gone()));
    stage.store.comes_back();
    assert_eq!(places(&drain(&mut feed).await), [1, 2]);
}
