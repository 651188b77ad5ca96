//! What cannot be read: one session says so, the others go on, and a bad snapshot is only a slow start.

use enza_kernel::application::{Phase, Standing, Stored};
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::{
    Append, Appended, Failure, Lease, Log as _, NewEvent, SessionId, SessionOpening, Snapshot,
};
use enza_storage::Memory;

use crate::engine::fixture::{DAWN, EngineFixture, accepted, id, open_till, say, say_and_rest};

/// An append as another build of Enza might have made it.
fn foreign(session: &SessionId, expected: Seq, events: Vec<Stored>, snapshot: Option<Snapshot>) -> Append {
    let opening = SessionOpening::new("till", "ada");
    Append {
        session: session.clone(),
        opening: (expected == Seq::START).then_some(opening),
        expected,
        events: events.into_iter().map(|stored| NewEvent { at: Timestamp(DAWN), stored }).collect(),
        accepted: None,
        standing: Standing { phase: Phase::Working, ..Standing::default() },
        timers: None,
        rows: Vec::new(),
        usage: Vec::new(),
        snapshot,
        lease: Lease::Free,
    }
}

async fn append(memory: &Memory, append: Append) {
    let head = append.expected.plus(append.events.len());
    assert_eq!(memory.append(append).await, Ok(Appended::Appended(head)));
}

#[tokio::test(start_paused = true)]
async fn a_session_with_an_event_of_a_newer_version_says_so_and_the_others_go_on() {
    let stage = EngineFixture::new();
    let newer = Stored { kind: "Noted".to_owned(), version: 99, body: "null".to_owned() };
    append(&stage.memory, foreign(&id("bad"), Seq::START, vec![newer], None)).await;
    let engine = stage.engine("w1");
    let why = "event Noted has version 99, this build reads up to 1 in bad";
    let cannot = Declined::Failed(Failure::Unreadable(why.to_owned()));
    assert_eq!(engine.submit(&id("bad"), say("hello")).await, Err(cannot.clone()));
    assert_eq!(engine.wait_for_rest(&id("bad")).await, Err(cannot.clone()));
    assert_eq!(engine.replay(&id("bad")).await, Err(cannot));
    open_till(&engine, &id("good"), None).await;
    assert_eq!(say_and_rest(&engine, &id("good"), "hello").await.phase, Phase::Waiting);
}

#[tokio::test(start_paused = true)]
async fn a_session_of_an_unknown_application_is_left_alone_and_the_others_go_on() {
    let stage = EngineFixture::new();
    for number in 0..70 {
        let session = id(&format!("a{number}"));
        let event = Stored { kind: "Baked".to_owned(), version: 1, body: "null".to_owned() };
        let mut baked = foreign(&session, Seq::START, vec![event], None);
        baked.opening.as_mut().unwrap().application = "bakery".to_owned();
        append(&stage.memory, baked).await;
    }
    let engine = stage.engine("w1");
    assert_eq!(engine.submit(&id("a1"), say("hello")).await, Err(Declined::UnknownApplication("bakery".to_owned())));
    open_till(&engine, &id("good"), None).await;
    say_and_rest(&engine, &id("good"), "hello").await;
    assert_eq!(stage.log(&id("a1")).await, ["Baked"]);
}

#[tokio::test(start_paused = true)]
async fn unfinished_work_is_taken_up_among_many_sessions_of_an_unknown_application() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w1");
    open_till(&engine, &id("z"), None).await;
    stage.model.then(crate::engine::fixture::ScriptedReply::Silence);
    engine.submit(&id("z"), say("hello")).await.unwrap();
    crate::engine::fixture::settle_down().await;
    engine.kill();
    for number in 0..70 {
        let event = Stored { kind: "Baked".to_owned(), version: 1, body: "null".to_owned() };
        let mut baked = foreign(&id(&format!("a{number}")), Seq::START, vec![event], None);
        baked.opening.as_mut().unwrap().application = "bakery".to_owned();
        append(&stage.memory, baked).await;
    }
    let _engine = stage.next_door().engine("w2");
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    assert_eq!(stage.log(&id("z")).await.last().map(String::as_str), Some("clerk rested"));
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_snapshot_is_passed_over_for_the_log() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    engine.close().await;
    let noted = Stored { kind: "Noted".to_owned(), version: 1, body: "null".to_owned() };
    let torn = Snapshot { seq: Seq(7), version: 1, body: b"{\"owner\":".to_vec() };
    append(&stage.memory, foreign(&id("s"), Seq(6), vec![noted], Some(torn))).await;

    let engine = stage.next_door().engine("w2");
    assert_eq!(engine.submit(&id("s"), say("again")).await, accepted(9));
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.state(&id("s")).await.notes, 1);
}

#[tokio::test(start_paused = true)]
async fn a_replay_failed_because_the_snapshot_it_should_judge_was_unreadable() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let noted = Stored { kind: "Noted".to_owned(), version: 1, body: "null".to_owned() };
    let torn = Snapshot { seq: Seq(3), version: 1, body: b"{\"owner\":".to_vec() };
    append(&stage.memory, foreign(&id("s"), Seq(2), vec![noted], Some(torn))).await;
    let replay = engine.replay(&id("s")).await.unwrap();
    assert_eq!((replay.events, replay.snapshot_agrees), (3, false));
}

#[tokio::test(start_paused = true)]
async fn a_log_with_a_hole_is_damaged_and_says_where() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    let next_door = stage.next_door();
    let other = next_door.engine("w2");
    for (hole, why) in [(3, "session s: event 4 follows 2"), (6, "session s ends at 5, its row says 6")] {
        *next_door.store.hole.lock().unwrap() = Some(Seq(hole));
        let damaged = Declined::Failed(Failure::Damaged(why.to_owned()));
        assert_eq!(other.submit(&id("s"), say("hello")).await, Err(damaged));
    }
    *next_door.store.hole.lock().unwrap() = None;
    assert_eq!(other.submit(&id("s"), say("hello")).await, accepted(8));
}
