//! Looking back: states, prompts, replays and forks, all from the log.

use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::conversation::Digest;
use enza_kernel::testing::fold;
use enza_kernel::testing::till::{CLERK, Till};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Engine, Replay};

use crate::engine::fixture::{
    COST, EngineFixture, ScriptedReply, ScriptedRun, accepted, id, say, say_and_rest, saying,
};

/// A session with two turns, tools and a child in it.
async fn played() -> (EngineFixture, Engine) {
    let stage = EngineFixture::new();
    stage.model.calls(&["note", "audit"]).calls(&["verdict"]).calls(&["charge"]).says("sold").says("bye");
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    say_and_rest(&engine, &id("s"), "thanks").await;
    (stage, engine)
}

#[tokio::test(start_paused = true)]
async fn the_state_at_any_place_is_what_its_events_lead_to() {
    let (stage, engine) = played().await;
    let events = stage.events(&id("s")).await;
    for place in 0..=events.len() {
        let then = engine.state_at(&id("s"), Some(Seq(place as u64))).await.unwrap();
        assert_eq!(then.seq(), Seq(place as u64));
        let mut expected = fold::<Till>(events[..place].iter().cloned());
        // The story's clock stands still and the engine's does not matter here.
        expected.heard_at =
            serde_json::from_slice::<enza_kernel::testing::till::State>(&then.to_snapshot()).unwrap().heard_at;
        assert_eq!(then.to_snapshot(), serde_json::to_vec(&expected).unwrap(), "at {place}");
    }
    let last = engine.state_at(&id("s"), None).await.unwrap();
    assert_eq!(engine.in_memory(&id("s")).await, Some((last.seq(), last.to_snapshot())));
    let beyond = engine.state_at(&id("s"), Some(Seq(9_999))).await.unwrap();
    assert_eq!(beyond.seq(), last.seq());
}

#[tokio::test(start_paused = true)]
async fn a_session_can_be_looked_at_around_any_of_its_events_from_one_reading() {
    let (stage, engine) = played().await;
    let past = engine.past(&id("s")).await.unwrap();
    let events = stage.events(&id("s")).await;
    assert_eq!(past.row, engine.row(&id("s")).await.unwrap());
    assert_eq!(past.events.len(), events.len());
    for place in 1..=events.len() as u64 {
        let (before, after) = past.around(Seq(place)).unwrap();
        assert_eq!(before, engine.state_at(&id("s"), Some(Seq(place - 1))).await.unwrap().to_json());
        assert_eq!(after.to_snapshot(), engine.state_at(&id("s"), Some(Seq(place))).await.unwrap().to_snapshot());
        assert_eq!(past.event(Seq(place)).map(|recorded| recorded.seq), Some(Seq(place)));
    }
    assert_eq!(past.event(Seq(0)), None);
    assert_eq!(past.event(past.row.head.next()), None);
    assert!(matches!(engine.past(&id("nobody")).await, Err(Declined::UnknownSession(_))));
}

#[tokio::test(start_paused = true)]
async fn every_prompt_is_rendered_again_byte_for_byte() {
    let (stage, engine) = played().await;
    let mut again = Vec::new();
    for (place, word) in stage.log(&id("s")).await.iter().enumerate() {
        if word.ends_with(" replied") {
            let prompts = engine.prompts_at(&id("s"), Seq(place as u64 + 1)).await.unwrap();
            let [prompt] = prompts.as_slice() else { panic!("{prompts:?}") };
            assert!(prompt.recorded.is_some() && prompt.is_exact());
            again.push(prompt.request.clone());
        }
    }
    let asked: Vec<_> = stage.model.asked.lock().unwrap().iter().map(|(_, request)| request.clone()).collect();
    assert_eq!(again, asked);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_waits_is_shown_before_its_reply() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::Silence);
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let prompts = engine.prompts_at(&id("s"), Seq(4)).await.unwrap();
    assert_eq!(prompts.iter().map(|one| (one.thread.as_str(), one.recorded)).collect::<Vec<_>>(), [(CLERK, None)]);
    assert_eq!(prompts[0].request.messages.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_replay_agrees_with_the_live_state() {
    let (stage, engine) = played().await;
    let (_, state) = engine.in_memory(&id("s")).await.unwrap();
    assert_eq!(
        engine.replay(&id("s")).await,
        Ok(Replay {
            events: stage.log(&id("s")).await.len() as u64,
            state: Digest::of(&state),
            snapshot_agrees: true,
            prompts: 5,
            prompts_that_differ: Vec::new(),
        })
    );
}

#[tokio::test(start_paused = true)]
async fn a_fork_shares_what_came_before_and_goes_its_own_way_after() {
    let (stage, engine) = played().await;
    let before = stage.log(&id("s")).await;
    let at = Seq(before.len() as u64);
    assert_eq!(engine.fork(&id("s"), None, &id("f"), "bob").await, Ok(at));
    assert_eq!(stage.log(&id("f")).await, before);
    stage.model.says("in the fork").says("in the parent");
    say_and_rest(&engine, &id("f"), "left").await;
    say_and_rest(&engine, &id("s"), "right").await;
    let words = |state: enza_kernel::testing::till::State| {
        let messages = &state.cast.threads[CLERK].messages;
        messages[messages.len() - 2..].iter().map(|one| one.text.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(words(stage.state(&id("f")).await), ["left", "in the fork"]);
    assert_eq!(words(stage.state(&id("s")).await), ["right", "in the parent"]);
    let row = engine.row(&id("f")).await.unwrap();
    assert_eq!((row.owner.as_str(), row.parent), ("bob", Some((id("s"), at))));
}

#[tokio::test(start_paused = true)]
async fn a_fork_at_a_place_with_a_due_call_makes_that_call_and_charges_nothing_for_lost_ones() {
    let stage = EngineFixture::new();
    stage.model.says("first");
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    stage.model.says("second");
    assert_eq!(engine.fork(&id("s"), Some(Seq(4)), &id("f"), "ada").await, Ok(Seq(4)));
    assert_eq!(engine.wait_for_rest(&id("f")).await.unwrap().phase, Phase::Waiting);
    assert_eq!(stage.log(&id("f")).await[4..], ["clerk replied", "clerk rested"]);
    let cast = stage.state(&id("f")).await.cast;
    assert_eq!(cast.ledger.spent, COST);
    assert_eq!(&*cast.threads[CLERK].messages[1].text, "second");
}

#[tokio::test(start_paused = true)]
async fn a_fork_has_the_timers_of_its_place() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    engine.fork(&id("s"), None, &id("f"), "ada").await.unwrap();
    tokio::time::sleep(crate::engine::fixture::IDLE + Duration::from_secs(5)).await;
    assert_eq!(stage.log(&id("f")).await.last().map(String::as_str), Some("Closed"));
    assert_eq!(stage.log(&id("s")).await.last().map(String::as_str), Some("Closed"));
}

#[tokio::test(start_paused = true)]
async fn a_fork_that_cannot_be_is_told_why() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let no_such = Declined::Malformed("the session has events 1 to 2, not 3".to_owned());
    assert_eq!(engine.fork(&id("s"), Some(Seq(3)), &id("f"), "ada").await, Err(no_such));
    let nothing = Declined::Malformed("the session has events 1 to 2, not 0".to_owned());
    assert_eq!(engine.fork(&id("s"), Some(Seq(0)), &id("f"), "ada").await, Err(nothing));
    assert_eq!(engine.fork(&id("s"), None, &id("s"), "ada").await, Err(Declined::NameTaken(id("s"))));
    assert_eq!(engine.fork(&id("x"), None, &id("f"), "ada").await, Err(Declined::UnknownSession(id("x"))));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_rest_waits_for_the_whole_turn() {
    let stage = EngineFixture::new();
    stage.model.then(ScriptedReply::After(Duration::from_secs(9), saying("hi")));
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(engine.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Waiting);
    assert_eq!(engine.submit(&id("s"), say("hello")).await, accepted(4));
    let standing = engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.since_dawn().as_secs(), 9);
    assert_eq!(standing, engine.row(&id("s")).await.unwrap().standing, "and what it says is in the store");
    assert_eq!(engine.wait_for_rest(&id("x")).await, Err(Declined::UnknownSession(id("x"))));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_rest_sees_another_workers_end_of_the_turn() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::After(Duration::from_secs(9)));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    let other = stage.next_door().engine("w2");
    assert_eq!(other.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Waiting);
    assert_eq!(stage.log(&id("s")).await.last().map(String::as_str), Some("clerk rested"));
}

#[tokio::test(start_paused = true)]
async fn a_fork_in_the_middle_of_a_decision_is_taken_at_its_end() {
    let stage = EngineFixture::new();
    stage.model.calls(&["note"]).says("noted");
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    let log = stage.log(&id("s")).await;
    let replied = log.iter().position(|kind| kind == "clerk replied").expect("a reply") as u64 + 1;
    stage.model.says("in the fork").says("again");
    let at = engine.fork(&id("s"), Some(Seq(replied)), &id("f"), "ada").await.unwrap();
    assert_eq!(log[at.0 as usize - 1], "clerk call_ended", "the reply's call is decided with it");
    assert_eq!(engine.wait_for_rest(&id("f")).await.unwrap().phase, Phase::Waiting);
    say_and_rest(&engine, &id("f"), "more").await;
}
