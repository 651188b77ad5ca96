//! Tools: whatever they do, the model hears of it and the engine stands.

use enza_kernel::agent::{CallEnd, ThreadEvent};
use enza_kernel::application::Phase;
use enza_kernel::testing::till::Event;

use crate::engine::fixture::{EngineFixture, ScriptedRun, id, open_till, say_and_rest};

/// What the model was told of its call.
async fn told(stage: &EngineFixture) -> (String, CallEnd) {
    let events = stage.events(&id("s")).await;
    let ended = events.iter().find_map(|event| match event {
        Event::Agent(step) => match &step.what {
            ThreadEvent::CallEnded { text, end, .. } => Some((text.to_string(), *end)),
            _ => None,
        },
        _ => None,
    });
    ended.expect("a call has ended")
}

async fn after_one_deed(tool: &str, deed: ScriptedRun) -> EngineFixture {
    let stage = EngineFixture::new();
    stage.model.calls(&[tool]);
    stage.hands.then(deed);
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(say_and_rest(&engine, &id("s"), "hello").await.phase, Phase::Waiting);
    assert_eq!(stage.model.times_asked(), 2);
    open_till(&engine, &id("another"), None).await;
    stage
}

#[tokio::test(start_paused = true)]
async fn a_failure_goes_to_the_model_in_the_tools_own_words() {
    for tool in ["lookup", "charge"] {
        let stage = after_one_deed(tool, ScriptedRun::Fail("The drawer is stuck.")).await;
        assert_eq!(told(&stage).await, ("The drawer is stuck.".to_owned(), CallEnd::Error));
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_repeatable_tool_is_a_failure() {
    let stage = after_one_deed("lookup", ScriptedRun::Panic).await;
    assert_eq!(told(&stage).await, ("The tool broke down.".to_owned(), CallEnd::Error));
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_tool_that_must_not_be_repeated_is_reported_unknown() {
    let stage = after_one_deed("charge", ScriptedRun::Panic).await;
    assert_eq!(told(&stage).await.1, CallEnd::Unknown);
    assert_eq!(stage.state(&id("s")).await.unknown, 1);
    assert_eq!(stage.hands.ran(), ["charge"]);
}

#[tokio::test(start_paused = true)]
async fn tools_of_one_reply_run_side_by_side() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup", "charge", "lookup"]);
    for _ in 0..3 {
        stage.hands.then(ScriptedRun::After(std::time::Duration::from_secs(10)));
    }
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    assert_eq!(stage.since_dawn().as_secs(), 10);
    assert_eq!(stage.hands.ran(), ["lookup", "charge", "lookup"]);
}
