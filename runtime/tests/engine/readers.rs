//! Who may look at a session as the engine decides it: from the log, anew when it changes, and never from what is over.

use std::time::Duration;

use enza_kernel::reader::{Reader, ReaderRole};
use enza_kernel::testing::till::{Audience, Command, Seat, SeatCommand};
use enza_kernel::time::{Actor, Seq};
use enza_runtime::engine::{Engine, ReaderFeed, ReaderItem, Submission};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::SessionId;

use crate::engine::fixture::{EngineFixture, ScriptedReply, id, open_till, say_and_rest, saying};

fn seats(by: &str, command: SeatCommand) -> Submission {
    let command = serde_json::to_value(Command::Seats(command)).unwrap();
    Submission { command, by: Actor::Person(by.to_owned()), key: None }
}

async fn give(engine: &Engine, session: &SessionId, person: Option<&str>) {
    let give = SeatCommand::Give { seat: Seat::Cashier, person: person.map(str::to_owned) };
    engine.submit(session, seats("ada", give)).await.unwrap();
}

async fn admit(engine: &Engine, session: &SessionId, audience: Audience) {
    engine.submit(session, seats("ada", SeatCommand::Admit { audience })).await.unwrap();
}

async fn jot(engine: &Engine, session: &SessionId, person: &str, text: &str) {
    engine.submit(session, seats(person, SeatCommand::Jot { text: text.to_owned() })).await.unwrap();
    engine.wait_for_rest(session).await.unwrap();
}

async fn reader(engine: &Engine, session: &SessionId, person: Option<&str>) -> Option<Reader> {
    engine.read_as(session, person).await.unwrap().map(|reading| (*reading.reader).clone())
}

/// Everything a feed shows until it has shown nothing for a while: what is shown of events, pieces, and how it ended.
async fn drain(feed: &mut ReaderFeed) -> String {
    let mut seen = String::new();
    while let Ok(item) = tokio::time::timeout(Duration::from_secs(5), feed.next()).await {
        match item.unwrap() {
            ReaderItem::Event(event) => match event.stored() {
                Some(stored) => seen.push_str(&format!("{}:{} ", event.seq(), stored.body)),
                None => seen.push_str(&format!("{} ", event.seq())),
            },
            ReaderItem::Delta { thread, piece: Piece::Text(text) | Piece::Reasoning(text) } => {
                seen.push_str(&format!("[{thread}: {text}] "));
            }
            ReaderItem::Delta { .. } | ReaderItem::Skipped => {}
            ReaderItem::Gone => return seen + "gone",
            ReaderItem::Closed => return seen + "closed",
        }
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn who_reads_follows_the_log_event_by_event() {
    let stage = EngineFixture::new();
    let (engine, till) = (stage.with_open_till(&id("s")).await, id("s"));
    assert_eq!(reader(&engine, &till, Some("ada")).await, Some(Reader::host()));
    assert_eq!(reader(&engine, &till, Some("bob")).await, None);
    give(&engine, &till, Some("bob")).await;
    assert_eq!(reader(&engine, &till, Some("bob")).await, Some(Reader::seat_holder(vec!["cashier".to_owned()])));
    admit(&engine, &till, Audience::Anybody).await;
    assert_eq!(reader(&engine, &till, None).await, Some(Reader::spectator()));
    give(&engine, &till, None).await;
    assert_eq!(reader(&engine, &till, Some("bob")).await, Some(Reader::spectator()));
    assert_eq!(reader(&engine, &id("another"), Some("ada")).await, None);
}

#[tokio::test(start_paused = true)]
async fn what_another_worker_appended_counts_at_once() {
    let stage = EngineFixture::new();
    let (engine, till) = (stage.with_open_till(&id("s")).await, id("s"));
    give(&engine, &till, Some("bob")).await;
    assert!(reader(&engine, &till, Some("bob")).await.is_some());
    let other = stage.next_door().engine("w2");
    give(&other, &till, None).await;
    assert_eq!(reader(&engine, &till, Some("bob")).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_given_again_lets_nobody_in_whom_the_old_session_knew() {
    let stage = EngineFixture::new();
    let (engine, till) = (stage.with_open_till(&id("s")).await, id("s"));
    give(&engine, &till, Some("bob")).await;
    assert!(reader(&engine, &till, Some("bob")).await.is_some());
    engine.delete(&till).await.unwrap();
    assert_eq!(reader(&engine, &till, Some("bob")).await, None);
    tokio::time::advance(Duration::from_secs(1)).await;
    open_till(&engine, &till, None).await;
    say_and_rest(&engine, &till, "hello").await;
    assert_eq!(reader(&engine, &till, Some("bob")).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_feed_hands_out_what_is_the_readers_and_ends_with_their_seat() {
    let stage = EngineFixture::new();
    let (engine, till) = (stage.with_open_till(&id("s")).await, id("s"));
    give(&engine, &till, Some("bob")).await;
    let mut bobs = engine.watch_as(&till, Seq::START, Some("bob")).await.unwrap().unwrap();
    let mut hosts = engine.watch_as(&till, Seq::START, Some("ada")).await.unwrap().unwrap();
    assert_eq!(bobs.reader().role, ReaderRole::SeatHolder);
    drain(&mut bobs).await;
    drain(&mut hosts).await;
    stage.model.then(ScriptedReply::Midway("a thought", Duration::from_secs(1), saying("a reply")));
    jot(&engine, &till, "bob", "a note").await;
    let (heard, hosts_heard) = (drain(&mut bobs).await, drain(&mut hosts).await);
    assert!(heard.contains("a note") && heard.contains("a reply") && heard.contains("[cashier: a thought]"), "{heard}");
    assert!(!hosts_heard.contains(':') && hosts_heard.contains("5 "), "numbers alone: {hosts_heard}");
    give(&engine, &till, None).await;
    assert_eq!(drain(&mut bobs).await, "closed");
    assert!(drain(&mut hosts).await.contains("given"));
}

#[tokio::test(start_paused = true)]
async fn a_feed_of_a_session_that_is_not_ones_own_is_not_there() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    for (session, person) in [("s", Some("bob")), ("s", None), ("nowhere", Some("ada"))] {
        assert!(engine.watch_as(&id(session), Seq::START, person).await.unwrap().is_none(), "{session} {person:?}");
    }
}

/// Otherwise the event that takes the seat away is passed over, and what is written goes on being heard.
#[tokio::test(start_paused = true)]
async fn a_feed_that_was_asked_for_what_is_yet_to_come_ends_with_the_seat_too() {
    let stage = EngineFixture::new();
    let (engine, till) = (stage.with_open_till(&id("s")).await, id("s"));
    give(&engine, &till, Some("bob")).await;
    for ahead in [1, 5, u64::MAX >> 1] {
        let head = engine.row(&till).await.unwrap().head;
        let after = Seq(head.0.saturating_add(ahead));
        let mut feed = engine.watch_as(&till, after, Some("bob")).await.unwrap().unwrap();
        give(&engine, &till, None).await;
        assert!(drain(&mut feed).await.ends_with("closed"), "{ahead} ahead");
        give(&engine, &till, Some("bob")).await;
    }
}
