//! Commands: told why not, or accepted once.

use enza_kernel::application::ReasonKind;
use enza_kernel::gate::Verdict;
use enza_kernel::testing::till::Command;
use enza_kernel::text::Said;
use enza_kernel::time::{Actor, Seq};
use enza_runtime::engine::{Declined, Receipt, Submission};
use enza_runtime::host::Refused;
use enza_runtime::seams::store::SessionOpening;
use serde_json::json;

use crate::engine::fixture::{
    EngineFixture, ScriptedRun, accepted, by_ada, id, open, open_till, repeated, say, say_and_rest, say_once,
    settle_down,
};

#[tokio::test(start_paused = true)]
async fn a_session_belongs_to_another_from_its_first_event_and_so_does_its_fork() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("form")).await;
    let member = SessionOpening::new("till", "bob").of(&id("form"));
    assert_eq!(engine.open(&id("s"), member, open(None)).await, accepted(2));
    assert_eq!(engine.fork(&id("s"), None, &id("fork"), "bob").await, Ok(Seq(2)));
    say_and_rest(&engine, &id("s"), "hello").await;
    let mut belongs = Vec::new();
    for name in ["form", "s", "fork"] {
        belongs.push(engine.row(&id(name)).await.unwrap().of);
    }
    assert_eq!(belongs, [None, Some(id("form")), Some(id("form"))]);
}

#[tokio::test(start_paused = true)]
async fn whoever_is_to_belong_to_a_session_that_is_gone_hears_its_name() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("form")).await;
    let member = |form: &str| SessionOpening::new("till", "ada").of(&id(form));
    let gone = Err(Declined::UnknownSession(id("gone")));
    assert_eq!(engine.open(&id("s"), member("gone"), open(None)).await, gone);
    assert_eq!(engine.row(&id("s")).await, Err(Declined::UnknownSession(id("s"))), "nothing was opened");
    assert_eq!(engine.open(&id("s"), member("form"), open(None)).await, accepted(2));
    let taken = Err(Declined::NameTaken(id("s")));
    assert_eq!(stage.engine("w2").open(&id("s"), member("form"), open(None)).await, taken);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_session_is_named() {
    let engine = EngineFixture::new().engine("w1");
    assert_eq!(engine.submit(&id("s"), say("hello")).await, Err(Declined::UnknownSession(id("s"))));
}

#[tokio::test(start_paused = true)]
async fn an_unknown_application_is_named() {
    let engine = EngineFixture::new().engine("w1");
    let declined = engine.open(&id("s"), SessionOpening::new("bakery", "ada"), open(None)).await;
    assert_eq!(declined, Err(Declined::UnknownApplication("bakery".to_owned())));
}

#[tokio::test(start_paused = true)]
async fn a_name_is_taken_once() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let again = engine.open(&id("s"), SessionOpening::new("till", "bob"), open(None)).await;
    assert_eq!(again, Err(Declined::NameTaken(id("s"))));
    let elsewhere = stage.engine("w2").open(&id("s"), SessionOpening::new("till", "bob"), open(None)).await;
    assert_eq!(elsewhere, Err(Declined::NameTaken(id("s"))));
    assert_eq!(engine.row(&id("s")).await.unwrap().owner, "ada");
}

#[tokio::test(start_paused = true)]
async fn of_two_openings_at_once_one_is_told_that_the_name_is_taken() {
    let stage = EngineFixture::new();
    let (one, other) = (stage.engine("w1"), stage.engine("w2"));
    let session = id("s");
    let both = tokio::join!(
        one.open(&session, SessionOpening::new("till", "ada"), open(None)),
        other.open(&session, SessionOpening::new("till", "bob"), open(None)),
    );
    assert_eq!(both, (accepted(2), Err(Declined::NameTaken(id("s")))));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_a_command_is_malformed_and_a_refused_opening_leaves_the_name_free() {
    let engine = EngineFixture::new().engine("w1");
    let nonsense = Submission { command: json!({"dance": {}}), ..say("x") };
    match engine.open(&id("s"), SessionOpening::new("till", "ada"), nonsense).await {
        Err(Declined::Malformed(why)) => assert!(why.contains("dance"), "{why}"),
        other => panic!("{other:?}"),
    }
    let refused = engine.open(&id("s"), SessionOpening::new("till", "ada"), by_ada(Command::Close, None)).await;
    assert!(matches!(refused, Err(Declined::Refused(_))), "{refused:?}");
    open_till(&engine, &id("s"), None).await;
}

#[tokio::test(start_paused = true)]
async fn a_command_that_is_too_large_is_told_its_size() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let declined = engine.submit(&id("s"), say(&"x".repeat(1 << 20))).await;
    let envelope = r#"{"say":{"text":""}}"#.len();
    assert_eq!(declined, Err(Declined::TooLarge { bytes: (1 << 20) + envelope, most: 1 << 20 }));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_has_words_in_both_languages() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(
        engine.submit(&id("s"), by_ada(Command::Retry, None)).await,
        Err(Declined::Refused(Refused {
            code: "nothing-to-retry",
            kind: ReasonKind::AsThingsStand,
            ja: Said::new("やり直すものはありません。", "そのまま続けてください。"),
            en: Said::new("There is nothing to retry.", "Just continue."),
        }))
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_is_accepted_once_however_often_it_is_sent() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, accepted(4));
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, repeated(4), "while the clerk is at work");
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, repeated(4), "when it would be heard again");
    assert_eq!(stage.next_door().engine("w2").submit(&id("s"), say_once("k", "hello")).await, repeated(4));
    assert_eq!(
        stage.log(&id("s")).await,
        ["Opened", "clerk began", "Spoke", "clerk heard", "clerk replied", "clerk rested"]
    );
    assert_eq!(engine.submit(&id("s"), say_once("l", "hello")).await, accepted(8), "another key is another command");
}

#[tokio::test(start_paused = true)]
async fn an_opening_is_accepted_once_by_its_key() {
    let stage = EngineFixture::new();
    let engine = stage.engine("w1");
    let opening = || Submission { key: Some("k".to_owned()), ..open(None) };
    assert_eq!(engine.open(&id("s"), SessionOpening::new("till", "ada"), opening()).await, accepted(2));
    assert_eq!(engine.open(&id("s"), SessionOpening::new("till", "ada"), opening()).await, repeated(2));
    assert_eq!(stage.engine("w2").open(&id("s"), SessionOpening::new("till", "ada"), opening()).await, repeated(2));
}

#[tokio::test(start_paused = true)]
async fn a_key_sent_to_two_engines_at_once_is_accepted_by_one() {
    let stage = EngineFixture::new();
    let one = stage.with_open_till(&id("s")).await;
    let other = stage.next_door().engine("w2");
    let session = id("s");
    let both =
        tokio::join!(one.submit(&session, say_once("k", "hello")), other.submit(&session, say_once("k", "hello")),);
    assert_eq!(both, (accepted(4), repeated(4)));
    one.wait_for_rest(&session).await.unwrap();
    assert_eq!(stage.log(&session).await.iter().filter(|word| *word == "clerk heard").count(), 1);
}

fn answer(key: &str, verdict: Verdict) -> Submission {
    by_ada(Command::Answer { gate: "g1".to_owned(), verdict }, Some(key))
}

#[tokio::test(start_paused = true)]
async fn a_repeated_answer_to_a_gate_gets_its_first_receipt() {
    let stage = EngineFixture::new();
    stage.model.calls(&["pay"]);
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "pay me").await;
    let first = engine.submit(&id("s"), answer("k", Verdict::Yes)).await.unwrap();
    engine.wait_for_rest(&id("s")).await.unwrap();
    let again = engine.submit(&id("s"), answer("k", Verdict::Yes)).await;
    assert_eq!(again, Ok(Receipt { seq: first.seq, repeated: true }));
    assert_eq!(stage.hands.ran(), ["pay"]);
}

#[tokio::test(start_paused = true)]
async fn of_two_different_answers_to_one_gate_one_is_accepted_and_the_other_told_so() {
    let stage = EngineFixture::new();
    stage.model.calls(&["pay"]);
    let one = stage.with_open_till(&id("s")).await;
    let other = stage.next_door().engine("w2");
    say_and_rest(&one, &id("s"), "pay me").await;
    let session = id("s");
    let (yes, no) =
        tokio::join!(one.submit(&session, answer("k", Verdict::Yes)), other.submit(&session, answer("l", Verdict::No)));
    assert!(yes.is_ok(), "{yes:?}");
    match no {
        Err(Declined::Refused(refused)) => assert_eq!(refused.code, "gate-answered"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_was_refused_on_a_state_that_another_worker_had_left_behind() {
    let stage = EngineFixture::new();
    let one = stage.with_open_till(&id("s")).await;
    let next_door = stage.next_door();
    let other = next_door.engine("w2");
    say_and_rest(&other, &id("s"), "hello").await;
    stage.model.calls(&["pay"]);
    say_and_rest(&one, &id("s"), "pay me").await;
    let yes = by_ada(Command::Answer { gate: "g2".to_owned(), verdict: Verdict::Yes }, None);
    let answered = other.submit(&id("s"), yes).await;
    assert!(answered.is_ok(), "the gate is in the log: {answered:?}");
}

#[tokio::test(start_paused = true)]
async fn a_repeated_command_took_the_work_under_way_with_it() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup", "ask"]);
    stage.hands.then(ScriptedRun::After(std::time::Duration::from_secs(5)));
    let engine = stage.with_open_till(&id("s")).await;
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, accepted(4));
    settle_down().await;
    assert_eq!(stage.hands.ran(), ["lookup"], "the lookup is under way, ahead of the log");
    assert_eq!(engine.submit(&id("s"), say_once("k", "hello")).await, repeated(4));
    engine.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.hands.ran(), ["lookup"], "it was not run again");
    assert_eq!(stage.since_dawn().as_secs(), 5, "and nobody waited for a lease to end");
}

#[tokio::test(start_paused = true)]
async fn a_command_goes_on_when_its_sender_has_gone() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    let sender = tokio::spawn({
        let engine = engine.clone();
        async move { engine.submit(&id("s"), say("hello")).await }
    });
    tokio::task::yield_now().await;
    sender.abort();
    settle_down().await;
    assert_eq!(stage.log(&id("s")).await.last().map(String::as_str), Some("clerk rested"));
}

#[tokio::test(start_paused = true)]
async fn a_stopped_engine_takes_no_command() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    engine.close().await;
    let declined = engine.submit(&id("s"), say("hello")).await;
    assert!(matches!(declined, Err(Declined::Failed(ref failure)) if failure.may_retry()), "{declined:?}");
}

#[tokio::test(start_paused = true)]
async fn who_asks_is_part_of_the_decision() {
    let stage = EngineFixture::new();
    stage.model.calls(&["pay"]);
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "pay me").await;
    let eve = Submission { by: Actor::Person("eve".to_owned()), ..answer("k", Verdict::Yes) };
    match engine.submit(&id("s"), eve).await {
        Err(Declined::Refused(refused)) => assert_eq!(refused.code, "gate-not-yours"),
        other => panic!("{other:?}"),
    }
}
