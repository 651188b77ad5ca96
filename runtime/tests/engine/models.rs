//! Models: asked again where that is worth it, given up where it is not, and never asked faster than they allow.

use std::sync::Arc;
use std::time::Duration;

use enza_kernel::agent::{ThreadEvent, ThreadFailure};
use enza_kernel::application::Phase;
use enza_kernel::conversation::{Reply, Usage};
use enza_kernel::testing::till::{Command, Event};
use enza_runtime::engine::{Allowance, Engine, Limit, Setup};
use enza_runtime::seams::model::{ModelFailure, RateLimits};
use enza_runtime::seams::store::{SessionCatalog as _, UsageQuery, UsageRow};

use crate::engine::fixture::{
    COST, EngineFixture, FIRST_RESERVE, Quoted, ScriptedReply, by_ada, calling, id, open_till, say, say_and_rest,
    saying,
};

fn in_tokens(tokens: Limit) -> Allowance {
    Allowance { tokens, ..Allowance::default() }
}

fn broken() -> ScriptedReply {
    ScriptedReply::Fail(ModelFailure::Broken("500".to_owned()))
}

async fn failure_in_the_log(stage: &EngineFixture) -> Option<ThreadFailure> {
    match stage.events(&id("s")).await.pop() {
        Some(Event::Agent(step)) => match step.what {
            ThreadEvent::Failed { failure } => Some(failure),
            _ => None,
        },
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_model_is_waited_for_as_long_as_it_says() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Fail(ModelFailure::Busy { after: Some(Duration::from_secs(30)) })).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    assert_eq!(stage.model.pauses(), [Duration::from_secs(30)]);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_asks_for_hours_is_asked_again_after_a_minute() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Fail(ModelFailure::Busy { after: Some(Duration::from_secs(7_200)) })).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.model.pauses(), [Duration::from_secs(60)]);
}

#[tokio::test(start_paused = true)]
async fn a_broken_service_is_asked_again_with_growing_pauses() {
    let stage = EngineFixture::new();
    stage.model.then(broken()).then(broken()).then(broken()).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    let pauses = stage.model.pauses();
    assert_eq!(pauses.len(), 3);
    for (pause, middle) in pauses.iter().zip([500, 1_000, 2_000]) {
        let middle = Duration::from_millis(middle);
        assert!((middle / 2..=middle * 3 / 2 + Duration::from_millis(1)).contains(pause), "{pauses:?}");
    }
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk rested"], "retries are not history");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_stays_broken_leaves_the_session_stuck_until_it_is_retried() {
    let stage = EngineFixture::new();
    stage.model.then(broken()).then(broken()).then(broken()).then(broken()).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Stuck);
    assert_eq!(stage.model.times_asked(), 4);
    let why = "the model's service failed: 500".to_owned();
    assert_eq!(failure_in_the_log(&stage).await, Some(ThreadFailure::Unanswered { why }));
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(stage.model.times_asked(), 4, "nobody asks while nobody retries");
    engine.submit(&id("s"), by_ada(Command::Retry, None)).await.unwrap();
    assert_eq!(engine.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Waiting);
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk failed", "clerk retried", "clerk replied", "clerk rested"]);
}

#[tokio::test(start_paused = true)]
async fn a_refused_request_is_not_asked_again() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Fail(ModelFailure::Refused("wrong key".to_owned())));
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Stuck);
    assert_eq!(stage.model.times_asked(), 1);
    let why = "the model refused the request: wrong key".to_owned();
    assert_eq!(failure_in_the_log(&stage).await, Some(ThreadFailure::Unanswered { why }));
}

#[tokio::test(start_paused = true)]
async fn silence_is_given_up_and_asked_again() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence).says("hi");
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    let pauses = stage.model.pauses();
    assert_eq!(pauses.len(), 1);
    assert!((Duration::from_secs(1_200)..Duration::from_secs(1_202)).contains(&pauses[0]), "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_stays_silent_leaves_the_session_stuck() {
    let stage = EngineFixture::new();
    for _ in 0..4 {
        stage.model.then(ScriptedReply::Silence);
    }
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Stuck);
    let why = "the model did not answer in time".to_owned();
    assert_eq!(failure_in_the_log(&stage).await, Some(ThreadFailure::Unanswered { why }));
}

/// So many sessions say hello at once to a model that takes a second; when each was asked, from the first on.
async fn asked_at(stage: &EngineFixture, setup: Setup, sessions: usize) -> Vec<u64> {
    let engine = Engine::start(setup);
    for number in 0..sessions {
        open_till(&engine, &id(&format!("s{number}")), None).await;
        stage.model.then(ScriptedReply::After(Duration::from_secs(1), saying("hi")));
    }
    for number in 0..sessions {
        engine.submit(&id(&format!("s{number}")), say("hello")).await.unwrap();
    }
    for number in 0..sessions {
        engine.wait_for_rest(&id(&format!("s{number}"))).await.unwrap();
    }
    let asked = stage.model.asked.lock().unwrap();
    asked.iter().map(|(at, _)| (*at - asked[0].0).as_secs()).collect()
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_are_made_at_once_than_the_pace_allows() {
    let stage = EngineFixture::new();
    stage.model.keeps(RateLimits { at_once: 2, ..RateLimits::default() });
    assert_eq!(asked_at(&stage, stage.setup("w1"), 5).await, [0, 0, 1, 1, 2]);
    assert_eq!(*stage.model.most_at_once.lock().unwrap(), 2);
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_are_made_in_a_minute_than_the_pace_allows() {
    let stage = EngineFixture::new();
    stage.model.keeps(RateLimits { requests_per_minute: Some(2), ..RateLimits::default() });
    assert_eq!(asked_at(&stage, stage.setup("w1"), 5).await, [0, 0, 30, 60, 90]);
}

#[tokio::test(start_paused = true)]
async fn no_more_tokens_are_asked_for_in_a_minute_than_the_pace_allows() {
    let stage = EngineFixture::new();
    stage.model.keeps(RateLimits { tokens_per_minute: Some(FIRST_RESERVE), ..RateLimits::default() });
    assert_eq!(asked_at(&stage, stage.setup("w1"), 3).await, [0, 60, 120]);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_asks_one_session_to_wait_is_left_alone_by_all() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Fail(ModelFailure::Busy { after: Some(Duration::from_secs(30)) }));
    let engine = stage.with_open_till(&id("s")).await;
    open_till(&engine, &id("t"), None).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(10)).await;
    engine.submit(&id("t"), say("hello")).await.unwrap();
    engine.wait_for_rest(&id("t")).await.unwrap();
    engine.wait_for_rest(&id("s")).await.unwrap();
    let asked: Vec<_> = stage.model.asked.lock().unwrap().iter().map(|(at, _)| *at).collect();
    let seconds: Vec<_> = asked.iter().map(|at| (*at - asked[0]).as_secs()).collect();
    assert_eq!(seconds, [0, 30, 30]);
}

#[tokio::test(start_paused = true)]
async fn money_is_set_aside_like_tokens() {
    let stage = EngineFixture::new();
    stage.model.costs(Quoted { quote: 60, cost: 10 });
    let money = Limit { in_all: Some(69), per_day: None };
    let engine =
        Engine::start(Setup { allowances: Arc::new(Allowance { money, ..Allowance::default() }), ..stage.setup("w1") });
    open_till(&engine, &id("s"), None).await;
    open_till(&engine, &id("t"), None).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    assert_eq!(say_and_rest(&engine, &id("t"), "hello").await.phase, Phase::Stuck, "59 are left of 69");
    assert_eq!(stage.model.times_asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_owner_who_cannot_pay_is_told_and_nobody_is_asked() {
    let stage = EngineFixture::new();
    let allowance = in_tokens(Limit { in_all: Some(FIRST_RESERVE + COST - 1), per_day: None });
    let engine = Engine::start(Setup { allowances: Arc::new(allowance), ..stage.setup("w1") });
    open_till(&engine, &id("s"), None).await;
    open_till(&engine, &id("t"), None).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    assert_eq!(say_and_rest(&engine, &id("t"), "hello").await.phase, Phase::Stuck, "one owner, two sessions");
    assert_eq!(stage.model.times_asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_days_allowance_is_there_again_the_next_day() {
    let stage = EngineFixture::new();
    let allowance = in_tokens(Limit { in_all: None, per_day: Some(FIRST_RESERVE) });
    let engine =
        Engine::start(Setup { allowances: Arc::new(allowance), patrol: Duration::from_secs(600), ..stage.setup("w1") });
    for name in ["s", "t", "u"] {
        open_till(&engine, &id(name), None).await;
    }
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    assert_eq!(say_and_rest(&engine, &id("t"), "hello").await.phase, Phase::Stuck);
    tokio::time::sleep(Duration::from_secs(24 * 3_600)).await;
    open_till(&engine, &id("v"), None).await;
    assert_eq!(say_and_rest(&engine, &id("v"), "hello").await.phase, Phase::Waiting);
}

fn by_model(model: &str, reply: Reply) -> ScriptedReply {
    ScriptedReply::Reply(Reply { model: model.to_owned(), ..reply })
}

#[tokio::test(start_paused = true)]
async fn what_each_model_cost_is_saved_with_the_session_that_asked_it() {
    let stage = EngineFixture::new();
    stage.model.costs(Quoted { quote: 9, cost: 7 });
    stage.model.then(by_model("big", calling(&["lookup"]))).then(by_model("small", saying("hi")));
    stage.model.then(by_model("big", saying("hi again")));
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    say_and_rest(&engine, &id("s"), "and?").await;
    let line = |model: &str, calls| UsageRow {
        owner: "ada".to_owned(),
        day: 0,
        application: "till".to_owned(),
        model: model.to_owned(),
        session: Some(id("s")),
        calls,
        usage: Usage { input: (COST - 5) * calls, output: 5 * calls, cost: 7 * calls, ..Usage::default() },
    };
    let lines = stage.memory.usage(&UsageQuery::default()).await.unwrap();
    assert_eq!(lines, [line("big", 2), line("small", 1)]);
}

#[tokio::test(start_paused = true)]
async fn what_was_paid_before_a_restart_counts_towards_the_allowance() {
    let stage = EngineFixture::new();
    stage.model.costs(Quoted { quote: 100, cost: 100 });
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    drop(engine);
    let money = Limit { in_all: Some(100), per_day: None };
    let later = stage.next_door();
    later.model.costs(Quoted { quote: 1, cost: 1 });
    let engine =
        Engine::start(Setup { allowances: Arc::new(Allowance { money, ..Allowance::default() }), ..later.setup("w2") });
    open_till(&engine, &id("t"), None).await;
    assert_eq!(say_and_rest(&engine, &id("t"), "hello").await.phase, Phase::Stuck);
    assert_eq!(later.model.times_asked(), 0);
}
