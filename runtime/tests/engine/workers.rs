//! Two workers on one store: one performs, both listen.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;

use crate::engine::fixture::{
    EngineFixture, ScriptedReply, ScriptedRun, accepted, calling, id, say, say_and_rest, saying, settle_down,
};

#[tokio::test(start_paused = true)]
async fn a_persons_word_is_accepted_by_one_worker_while_the_other_holds_the_lease() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup", "ask"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(40)));
    let holder = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door();
    let other = next_door.engine("w2");
    holder.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(other.submit(&id("s"), say("the red one")).await, accepted(9));
    holder.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(
        stage.log(&id("s")).await[4..],
        [
            "clerk replied",
            "clerk call_queued",
            "clerk call_asks",
            "Spoke",
            "clerk heard",
            "clerk call_ended",
            "clerk replied",
            "clerk rested"
        ]
    );
    assert_eq!((stage.hands.ran().len(), next_door.hands.ran().len()), (1, 0));
    assert_eq!((stage.model.times_asked(), next_door.model.times_asked()), (2, 0));
}

/// A worker that asks its model, loses its lease unnoticed, and gets its reply when another has long gone on.
async fn a_slow_and_a_quick_worker() -> (EngineFixture, Engine, EngineFixture, Engine) {
    let slow = EngineFixture::new();
    slow.store.off_the_roster.store(true, Ordering::Relaxed);
    slow.model.then(ScriptedReply::After(Duration::from_secs(100), saying("too late")));
    let first = slow.with_open_till(&id("s")).await;
    first.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    let quick = slow.next_door();
    quick.model.says("in time");
    let second = quick.engine("w2");
    (slow, first, quick, second)
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_ended_is_taken_over() {
    let (stage, _first, quick, second) = a_slow_and_a_quick_worker().await;
    second.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(quick.model.times_asked(), 1);
    assert!(stage.since_dawn() >= Duration::from_secs(15));
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk calls_lost", "clerk replied", "clerk rested"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_outcome_changes_nothing() {
    let (stage, first, quick, second) = a_slow_and_a_quick_worker().await;
    second.wait_for_rest(&id("s")).await.unwrap();
    let before = stage.log(&id("s")).await;
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(stage.log(&id("s")).await, before);
    say_and_rest(&first, &id("s"), "still there?").await;
    assert_eq!(stage.log(&id("s")).await.len(), before.len() + 4);
    assert_eq!(quick.model.times_asked(), 1);
    let words: Vec<_> =
        stage.state(&id("s")).await.cast.threads["clerk"].messages.iter().map(|one| one.text.to_string()).collect();
    assert_eq!(words, ["hello", "in time", "still there?", "done"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_outcome_kept_its_session_in_memory() {
    let (_stage, first, _quick, second) = a_slow_and_a_quick_worker().await;
    second.wait_for_rest(&id("s")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!((first.loaded(), second.loaded()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_kept_while_a_model_takes_long() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(120), saying("at last")));
    let holder = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door();
    let _other = next_door.engine("w2");
    holder.submit(&id("s"), say("hello")).await.unwrap();
    holder.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!((stage.model.times_asked(), next_door.model.times_asked()), (1, 0));
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk rested"]);
}

/// A stage whose clock is ahead of everyone's by an hour.
fn an_hour_ahead(stage: &EngineFixture) -> EngineFixture {
    EngineFixture { clock: Arc::new(stage.clock.ahead(Duration::from_secs(3600))), ..stage.next_door() }
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_clock_is_an_hour_ahead_strands_no_session_when_it_is_killed() {
    let stage = EngineFixture::new();
    let ahead = an_hour_ahead(&stage);
    ahead.model.then(ScriptedReply::After(Duration::from_secs(100), saying("never heard")));
    let first = ahead.with_open_till(&id("s")).await;
    first.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    first.kill();
    stage.model.says("in time");
    let second = stage.engine("w2");
    second.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk calls_lost", "clerk replied", "clerk rested"]);
    let waited = stage.since_dawn().as_secs();
    assert!((15..=30).contains(&waited), "{waited} seconds");
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_clock_is_an_hour_ahead_keeps_what_it_works_on() {
    let stage = EngineFixture::new();
    let ahead = an_hour_ahead(&stage);
    ahead.model.then(ScriptedReply::After(Duration::from_secs(100), saying("at last")));
    let first = ahead.with_open_till(&id("s")).await;
    let _second = stage.engine("w2");
    first.submit(&id("s"), say("hello")).await.unwrap();
    first.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!((ahead.model.times_asked(), stage.model.times_asked()), (1, 0));
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk rested"]);
}

#[tokio::test(start_paused = true)]
async fn by_a_shared_clock_a_worker_that_is_ahead_takes_nothing_from_others_and_holds_nothing_too_long() {
    let stage = EngineFixture::new();
    let ahead = an_hour_ahead(&stage);
    for line in [&stage.store, &ahead.store] {
        *line.shared_clock.lock().unwrap() = Some(stage.clock.clone());
    }
    stage.model.then(ScriptedReply::After(Duration::from_secs(100), saying("at last")));
    let first = stage.with_open_till(&id("s")).await;
    let second = ahead.engine("w2");
    first.submit(&id("s"), say("hello")).await.unwrap();
    first.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!((stage.model.times_asked(), ahead.model.times_asked()), (1, 0));
    crate::engine::fixture::open_till(&second, &id("t"), None).await;
    ahead.model.then(ScriptedReply::After(Duration::from_secs(100), saying("never heard")));
    second.submit(&id("t"), say("hello")).await.unwrap();
    settle_down().await;
    second.kill();
    let killed = stage.since_dawn();
    stage.model.says("in time");
    first.wait_for_rest(&id("t")).await.unwrap();
    assert!((stage.since_dawn() - killed).as_secs() <= 16, "its lease ended by the shared clock");
}

#[tokio::test(start_paused = true)]
async fn two_workers_share_many_sessions_and_none_is_worked_on_twice() {
    let stage = EngineFixture::new();
    let next_door = stage.next_door();
    let (one, other) = (stage.engine("w1"), next_door.engine("w2"));
    let names: Vec<_> = (0..20).map(|number| id(&format!("s{number}"))).collect();
    for (number, session) in names.iter().enumerate() {
        let engine = if number % 2 == 0 { &one } else { &other };
        crate::engine::fixture::open_till(engine, session, None).await;
        let script = if number % 2 == 0 { &stage.model } else { &next_door.model };
        script.then(ScriptedReply::Reply(calling(&["charge"])));
        engine.submit(session, say("hello")).await.unwrap();
    }
    for session in &names {
        one.wait_for_rest(session).await.unwrap();
        assert_eq!(
            stage.log(session).await[4..],
            [
                "clerk replied",
                "clerk call_queued",
                "clerk call_started",
                "clerk call_ended",
                "clerk replied",
                "clerk rested"
            ]
        );
        assert_eq!(one.row(session).await.unwrap().head, Seq(10));
    }
    assert_eq!(stage.hands.ran().len() + next_door.hands.ran().len(), 20);
}
