//! What stays in memory, what leaves it, and what an engine does last.

use std::time::Duration;

use enza_kernel::time::Timestamp;
use enza_runtime::engine::{Engine, Setup};
use enza_runtime::seams::clock::Clock as _;
use enza_runtime::seams::store::Leases as _;

use crate::engine::fixture::{
    COST, EngineFixture, ScriptedReply, ScriptedRun, id, open_till, say, say_and_rest, settle_down,
};

#[tokio::test(start_paused = true)]
async fn idle_sessions_leave_memory_and_come_back_when_they_are_needed() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(engine.loaded(), 1);
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(engine.loaded(), 0);
    say_and_rest(&engine, &id("s"), "again").await;
    assert_eq!(stage.log(&id("s")).await.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_had_made_was_counted_as_lost_when_its_session_came_back_to_memory() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(engine.loaded(), 0);
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, COST);
}

#[tokio::test(start_paused = true)]
async fn a_session_at_work_stays_in_memory() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(300)));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(200)).await;
    assert_eq!(engine.loaded(), 1);
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.hands.ran(), ["charge"]);
}

#[tokio::test(start_paused = true)]
async fn no_more_idle_sessions_stay_than_the_set_number() {
    let stage = EngineFixture::new();
    let engine = Engine::start(Setup { keep_loaded: 3, ..stage.setup("w1") });
    for number in 0..10 {
        open_till(&engine, &id(&format!("s{number}")), None).await;
    }
    assert_eq!(engine.loaded(), 6, "at most twice the number between two rounds of the watchman");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(engine.loaded(), 3);
}

#[tokio::test(start_paused = true)]
async fn closing_saves_what_is_unsaved() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]);
    stage.hands.then(ScriptedRun::Hang);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.log(&id("s")).await.len(), 4, "the reply ran ahead");
    engine.close().await;
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk call_queued"]);
}

#[tokio::test(start_paused = true)]
async fn closing_gives_up_leases_so_that_the_next_engine_goes_on_at_once() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    let now = stage.clock.now();
    let claim = |now: Timestamp| stage.memory.claim("w2", now, now + Duration::from_secs(1), 9);
    assert_eq!(claim(now).await, Ok(vec![]));
    engine.close().await;
    assert_eq!(claim(now).await, Ok(vec![id("s")]));
}

#[tokio::test(start_paused = true)]
async fn a_closed_engine_does_nothing_more() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(5), crate::engine::fixture::calling(&["charge"])));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    engine.close().await;
    tokio::time::sleep(Duration::from_secs(7_200)).await;
    assert_eq!(stage.log(&id("s")).await.len(), 4);
    assert_eq!(stage.hands.ran(), [] as [&str; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_dormant_engine_takes_up_no_work_by_itself() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    engine.kill();
    let next = stage.next_door();
    let dormant = Engine::dormant(next.setup("w2"));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(dormant.replay(&id("s")).await.unwrap().events, 4);
    assert_eq!(next.model.times_asked(), 0);
}
