//! Calls and tools that nobody waits for any more.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::conversation::{Usage, estimate_tokens};
use enza_kernel::testing::till::Command;
use enza_runtime::engine::{Allowance, Engine, Limit, Setup};
use enza_runtime::seams::model::RateLimits;
use enza_runtime::seams::store::{SessionCatalog as _, UsageQuery};

use crate::engine::fixture::{
    COST, EngineFixture, FIRST_RESERVE, ScriptedReply, ScriptedRun, by_ada, id, open_till, say, say_and_rest, saying,
    settle_down,
};

/// The most that the first call of a session can have come to.
fn most(stage: &EngineFixture) -> u64 {
    let asked = stage.model.asked.lock().unwrap();
    let (_, request) = &asked[0];
    estimate_tokens(&request.to_plain_text()) + u64::from(request.max_output)
}

async fn spent(stage: &EngineFixture) -> Vec<(String, u64, Usage)> {
    let lines = stage.memory.usage(&UsageQuery::default()).await.unwrap();
    lines.into_iter().map(|line| (line.model, line.calls, line.usage)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_no_longer_due_is_given_up_and_what_it_may_have_cost_is_counted() {
    let stage = EngineFixture::new();
    stage.model.keeps(RateLimits { at_once: 1, ..RateLimits::default() });
    stage.model.then(ScriptedReply::Silence).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    open_till(&engine, &id("t"), None).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    assert_eq!(stage.model.times_asked(), 1);
    engine.submit(&id("s"), by_ada(Command::Close, None)).await.unwrap();
    assert_eq!(engine.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Ended);
    assert_eq!(stage.log(&id("s")).await[4..], ["Closed", "clerk calls_lost"]);
    let most = most(&stage);
    assert!(COST < most && most < FIRST_RESERVE, "{most}");
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, most);
    assert_eq!(spent(&stage).await, [(String::new(), 0, Usage { input: most, ..Usage::default() })]);
    // The lane has one place, and it is free again.
    let began = stage.since_dawn();
    say_and_rest(&engine, &id("t"), "hello").await;
    assert!(stage.since_dawn() - began < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_still_waited_for_its_turn_has_cost_nothing() {
    let stage = EngineFixture::new();
    stage.model.keeps(RateLimits { at_once: 1, ..RateLimits::default() });
    stage.model.then(ScriptedReply::After(Duration::from_secs(5), saying("hi")));
    let engine = stage.with_open_till(&id("s")).await;
    open_till(&engine, &id("t"), None).await;
    for session in ["s", "t"] {
        engine.submit(&id(session), say("hello")).await.unwrap();
        settle_down().await;
    }
    engine.submit(&id("t"), by_ada(Command::Close, None)).await.unwrap();
    assert_eq!(engine.wait_for_rest(&id("t")).await.unwrap().phase, Phase::Ended);
    assert_eq!(stage.log(&id("t")).await[4..], ["Closed"]);
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.model.times_asked(), 1);
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, COST);
}

/// Nobody else would count it: the state after a close owes nothing.
#[tokio::test(start_paused = true)]
async fn a_call_that_was_given_up_is_counted_even_if_the_process_dies_the_next_moment() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    *stage.store.slow.lock().unwrap() = Duration::from_secs(1);
    engine.submit(&id("s"), by_ada(Command::Close, None)).await.unwrap();
    engine.kill();
    assert_eq!(stage.log(&id("s")).await[4..], ["Closed", "clerk calls_lost"]);
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, most(&stage));
}

/// The reply comes while the word that calls it off is being saved. What it may have cost was counted with that word, before
/// anybody could know.
#[tokio::test(start_paused = true)]
async fn a_reply_that_comes_while_it_is_called_off_counts_as_the_most_that_it_can_be() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(5), saying("hi")));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(4_500)).await;
    *stage.store.slow.lock().unwrap() = Duration::from_secs(1);
    engine.submit(&id("s"), by_ada(Command::Close, None)).await.unwrap();
    assert_eq!(engine.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Ended);
    assert_eq!(stage.log(&id("s")).await[4..], ["Closed", "clerk calls_lost"]);
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, most(&stage));
}

/// Stopping must not be a way around a limit.
#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_counts_towards_its_owners_allowance() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let tokens = Limit { in_all: Some(FIRST_RESERVE + COST), per_day: None };
    let allowance = Allowance { tokens, ..Allowance::default() };
    let engine = Engine::start(Setup { allowances: Arc::new(allowance), ..stage.setup("w1") });
    open_till(&engine, &id("s"), None).await;
    open_till(&engine, &id("t"), None).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    engine.submit(&id("s"), by_ada(Command::Close, None)).await.unwrap();
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(say_and_rest(&engine, &id("t"), "hello").await.phase, Phase::Stuck);
    assert_eq!(stage.model.times_asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_no_longer_due_runs_to_its_end() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(5)));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(stage.hands.ran(), ["charge"]);
    engine.submit(&id("s"), by_ada(Command::Close, None)).await.unwrap();
    settle_down().await;
    assert!(engine.is_at_work(&id("s")).await, "it is not cut off in the middle");
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(!engine.is_at_work(&id("s")).await);
}
