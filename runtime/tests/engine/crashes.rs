//! Crashes: whatever was acknowledged is kept, and what was under way is asked, repeated or reported, never guessed.

use std::time::Duration;

use enza_kernel::agent::{CallEnd, ThreadEvent, Threads};
use enza_kernel::budget::Ledger;
use enza_kernel::testing::till::{CLERK, Event};
use enza_kernel::time::Seq;

use crate::engine::fixture::{
    COST, EngineFixture, FIRST_RESERVE, ScriptedReply, ScriptedRun, id, open_till, say, saying, settle_down,
};

/// The ends of calls in the log.
async fn ends(stage: &EngineFixture) -> Vec<CallEnd> {
    let events = stage.events(&id("s")).await;
    let ends = events.iter().filter_map(|event| match event {
        Event::Agent(step) => match step.what {
            ThreadEvent::CallEnded { end, .. } => Some(end),
            _ => None,
        },
        _ => None,
    });
    ends.collect()
}

fn spent(cast: &Threads) -> Ledger {
    cast.ledger
}

#[tokio::test(start_paused = true)]
async fn a_message_is_kept_and_its_reply_asked_for_again() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.engine("w1");
    open_till(&engine, &id("s"), Some(10_000)).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.model.times_asked(), 1);
    engine.kill();

    let after = stage.next_door();
    after.engine("w2").wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(after.model.times_asked(), 1);
    assert_eq!(
        stage.log(&id("s")).await[2..],
        ["Spoke", "clerk heard", "clerk calls_lost", "clerk replied", "clerk rested"]
    );
    let state = stage.state(&id("s")).await;
    // The call that was under way, and one after it that may have grown.
    let lost = 2 * FIRST_RESERVE + 2_000;
    assert_eq!(spent(&state.cast), Ledger { limit: Some(10_000), spent: lost + COST, held: 0 });
    assert_eq!(&*state.cast.threads[CLERK].messages[0].text, "hello");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_was_not_saved_is_asked_for_again() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]);
    stage.hands.then(ScriptedRun::Hang);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.log(&id("s")).await.len(), 4);
    engine.kill();

    let after = stage.next_door();
    after.engine("w2").wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(
        stage.log(&id("s")).await[4..],
        ["clerk calls_lost", "clerk replied", "clerk rested"],
        "the first reply is gone with the process, and so is the call it made"
    );
    assert_eq!(after.hands.ran(), [] as [&str; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_must_not_be_repeated_is_reported_unknown_and_not_run_again() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::Hang);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.hands.ran(), ["charge"]);
    engine.kill();

    let after = stage.next_door();
    after.engine("w2").wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(after.hands.ran(), [] as [&str; 0]);
    assert_eq!(ends(&stage).await, [CallEnd::Unknown]);
    assert_eq!(
        stage.log(&id("s")).await[4..],
        [
            "clerk replied",
            "clerk call_queued",
            "clerk call_started",
            "clerk calls_lost",
            "clerk call_ended",
            "LeftUnknown",
            "clerk replied",
            "clerk rested"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_repeatable_tool_is_run_again() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]);
    stage.hands.then(ScriptedRun::Hang);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    engine.kill();

    let after = stage.next_door();
    after.engine("w2").wait_for_rest(&id("s")).await.unwrap();
    assert_eq!((stage.hands.ran(), after.hands.ran()), (vec!["lookup".to_owned()], vec!["lookup".to_owned()]));
    assert_eq!(ends(&stage).await, [CallEnd::Done]);
    assert_eq!(after.model.times_asked(), 1, "the reply that called it is in the log");
}

#[tokio::test(start_paused = true)]
async fn no_number_of_crashes_spends_more_than_the_budget() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w0");
    open_till(&engine, &id("s"), Some(6_000)).await;
    stage.model.then(ScriptedReply::Silence);
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    engine.kill();
    let mut charged = FIRST_RESERVE;
    for worker in 1..9 {
        let next = stage.next_door();
        next.model.then(ScriptedReply::Silence);
        let engine = next.engine(&format!("w{worker}"));
        tokio::time::sleep(Duration::from_secs(20)).await;
        charged += next.model.times_asked() as u64 * FIRST_RESERVE;
        engine.kill();
    }
    let state = stage.state(&id("s")).await;
    assert!(charged <= 6_000, "{charged} tokens may have been charged");
    assert!(state.cast.threads[CLERK].standing.is_failed(), "and in the end it says so: {:?}", state.cast.ledger);
}

/// The head of a fork does not move before its first reply, so that it looks as if nobody had worked on it.
#[tokio::test(start_paused = true)]
async fn no_number_of_crashes_before_its_first_event_lets_a_fork_spend_more_than_the_budget() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w0");
    open_till(&engine, &id("s"), Some(6_000)).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    engine.wait_for_rest(&id("s")).await.unwrap();
    stage.model.then(ScriptedReply::Silence);
    engine.fork(&id("s"), Some(Seq(4)), &id("f"), "ada").await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(stage.model.times_asked(), 2, "the fork makes its call");
    assert_eq!(stage.log(&id("f")).await.len(), 4, "and nothing has been charged for it");
    engine.kill();
    let mut charged = FIRST_RESERVE;
    for worker in 1..9 {
        let next = stage.next_door();
        next.model.then(ScriptedReply::Silence);
        let engine = next.engine(&format!("w{worker}"));
        tokio::time::sleep(Duration::from_secs(20)).await;
        charged += next.model.times_asked() as u64 * FIRST_RESERVE;
        engine.kill();
    }
    assert!(charged <= 6_000, "{charged} tokens may have been charged");
}

/// What a till has spent when so many appends in a row did not go through, the first of them with a call ahead of the log.
async fn spent_after_failed_saves(unwritten: usize) -> u64 {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]).then(ScriptedReply::After(Duration::from_secs(5), saying("hi")));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.model.times_asked(), 2, "the second call has begun before the first reply is saved");
    stage.store.unwritten.store(unwritten, std::sync::atomic::Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.model.times_asked(), 3, "it is made again");
    assert_eq!(stage.log(&id("s")).await.last().map(String::as_str), Some("clerk rested"));
    stage.state(&id("s")).await.cast.ledger.spent
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_is_not_forgotten_when_the_save_that_would_count_it_fails_too() {
    let once = spent_after_failed_saves(1).await;
    assert!(once > FIRST_RESERVE, "the call that was lost is counted: {once}");
    for more in 2..5 {
        assert!(spent_after_failed_saves(more).await >= once, "after {more} failed saves");
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_at_rest_owes_nothing_after_a_crash() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    crate::engine::fixture::say_and_rest(&engine, &id("s"), "hello").await;
    let before = stage.log(&id("s")).await;
    engine.kill();
    let after = stage.next_door();
    let engine = after.engine("w2");
    engine.wait_for_rest(&id("s")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.log(&id("s")).await, before);
    crate::engine::fixture::say_and_rest(&engine, &id("s"), "again").await;
    assert_eq!(stage.log(&id("s")).await.len(), before.len() + 4);
}
