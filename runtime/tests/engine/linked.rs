//! Sessions that know of each other: what one sends is taken once, whatever crashes, and told of truly.

use std::sync::atomic::Ordering;
use std::time::Duration;

use enza_kernel::testing::till::Command;
use enza_kernel::time::{Actor, Seq};
use enza_runtime::engine::{Declined, Engine, Setup, Submission};
use enza_runtime::seams::store::{SessionCatalog as _, SessionId, SessionOpening};

use crate::engine::fixture::{EngineFixture, by_ada, id, open, open_till};

fn send(to: &str, parcel: &str) -> Submission {
    by_ada(Command::Send { to: to.to_owned(), parcel: parcel.to_owned() }, None)
}

async fn two_tills(stage: &EngineFixture) -> Engine {
    let engine = stage.with_open_till(&id("a")).await;
    open_till(&engine, &id("b"), None).await;
    engine
}

async fn taken(stage: &EngineFixture, session: &SessionId) -> Vec<String> {
    stage.state(session).await.parcels.taken
}

async fn declined(stage: &EngineFixture) -> Vec<String> {
    stage.state(&id("a")).await.parcels.declined
}

#[tokio::test(start_paused = true)]
async fn what_one_session_sends_another_takes_and_the_first_hears_of_it() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    engine.submit(&id("a"), send("b", "tea")).await.unwrap();
    engine.wait_for_rest(&id("a")).await.unwrap();
    assert_eq!(taken(&stage, &id("b")).await, ["tea"]);
    assert_eq!(stage.log(&id("a")).await.last().unwrap(), "ParcelArrived");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_told_by_its_code() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    engine.submit(&id("b"), by_ada(Command::Close, None)).await.unwrap();
    for to in ["b", "nowhere", "a"] {
        engine.submit(&id("a"), send(to, "tea")).await.unwrap();
        engine.wait_for_rest(&id("a")).await.unwrap();
    }
    assert_eq!(declined(&stage).await, ["not-open", "session-unknown", "errand-out-of-reach"]);
    assert_eq!(taken(&stage, &id("b")).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_session_is_opened_for_the_same_owner() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    engine.submit(&id("a"), by_ada(Command::Branch { session: "c".to_owned() }, None)).await.unwrap();
    engine.wait_for_rest(&id("a")).await.unwrap();
    let row = stage.memory.find(&id("c")).await.unwrap().unwrap();
    assert_eq!((row.application.as_str(), row.owner.as_str()), ("till", "ada"));
    engine.submit(&id("a"), by_ada(Command::Branch { session: "b".to_owned() }, None)).await.unwrap();
    engine.wait_for_rest(&id("a")).await.unwrap();
    assert_eq!(declined(&stage).await, ["session-exists"]);
}

#[tokio::test(start_paused = true)]
async fn a_look_finds_the_rows_of_all_sessions() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    for parcel in ["tea", "rice"] {
        engine.submit(&id("a"), send("b", parcel)).await.unwrap();
    }
    engine.wait_for_rest(&id("a")).await.unwrap();
    engine.submit(&id("a"), by_ada(Command::Count, None)).await.unwrap();
    engine.wait_for_rest(&id("a")).await.unwrap();
    assert_eq!(stage.state(&id("a")).await.parcels.counted, Some(2));
}

#[tokio::test(start_paused = true)]
async fn nobody_but_the_runtime_speaks_as_a_session() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    let take = serde_json::to_value(Command::Take { parcel: "tea".to_owned() }).unwrap();
    let by = Actor::Session { session: "a".to_owned(), application: "till".to_owned() };
    let forged = Submission { command: take.clone(), by, key: None };
    let code = |answer| match answer {
        Err(Declined::Refused(refused)) => refused.code,
        other => panic!("{other:?}"),
    };
    assert_eq!(code(engine.submit(&id("b"), forged.clone()).await), "needs-a-person");
    assert_eq!(code(engine.open(&id("c"), SessionOpening::new("till", "ada"), forged).await), "needs-a-person");
    let by_hand = Submission { command: take, by: Actor::Person("ada".to_owned()), key: None };
    assert_eq!(code(engine.submit(&id("b"), by_hand).await), "needs-a-session");
}

#[tokio::test(start_paused = true)]
async fn nobody_can_use_up_the_key_of_an_errand() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    let mut squatter = by_ada(Command::Say { text: "hello".to_owned() }, Some("errand:a:3/0"));
    let answer = engine.submit(&id("b"), squatter.clone()).await;
    assert!(matches!(answer, Err(Declined::Malformed(_))), "{answer:?}");
    squatter.key = Some("errands".to_owned());
    engine.submit(&id("b"), squatter).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_before_a_crash_is_not_taken_again_after_it() {
    let stage = EngineFixture::new();
    let first = two_tills(&stage).await;
    *stage.store.slow.lock().unwrap() = Duration::from_secs(1);
    first.submit(&id("a"), send("b", "tea")).await.unwrap();
    // The other till has it, and the process dies before the first hears of it.
    while taken(&stage, &id("b")).await != ["tea"] {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    first.kill();
    let heard = stage.log(&id("a")).await.contains(&"ParcelArrived".to_owned());

    let next = stage.next_door();
    let second = next.engine("w2");
    tokio::time::sleep(Duration::from_secs(20)).await;
    second.wait_for_rest(&id("a")).await.unwrap();
    assert!(!heard, "the crash came too late to show anything");
    assert_eq!(taken(&stage, &id("b")).await, ["tea"]);
    assert_eq!(stage.log(&id("a")).await.last().unwrap(), "ParcelArrived");
}

#[tokio::test(start_paused = true)]
async fn an_errand_goes_on_once_the_store_is_back() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    engine.submit(&id("a"), send("b", "tea")).await.unwrap();
    stage.store.unanswered.store(3, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(60)).await;
    engine.wait_for_rest(&id("a")).await.unwrap();
    assert_eq!(taken(&stage, &id("b")).await, ["tea"]);
    assert_eq!(declined(&stage).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_fork_sends_nothing_that_its_parent_sent_and_nothing_of_its_own() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    engine.submit(&id("a"), send("b", "tea")).await.unwrap();
    engine.wait_for_rest(&id("a")).await.unwrap();
    let sent = stage.log(&id("a")).await.iter().position(|kind| kind == "ParcelSent").unwrap() + 1;
    let at = Seq(sent as u64);
    engine.fork(&id("a"), Some(at), &id("fork"), "ada").await.unwrap();
    engine.submit(&id("fork"), send("b", "rice")).await.unwrap();
    engine.wait_for_rest(&id("fork")).await.unwrap();
    assert_eq!(taken(&stage, &id("b")).await, ["tea"]);
    let parcels = stage.state(&id("fork")).await.parcels;
    assert_eq!(parcels.declined, ["fork-runs-no-errands"; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_deleted_owes_no_errand_any_more() {
    let stage = EngineFixture::new();
    let engine = two_tills(&stage).await;
    stage.store.unanswered.store(1_000, Ordering::Relaxed);
    let _ = engine.submit(&id("a"), send("b", "tea")).await;
    stage.store.unanswered.store(0, Ordering::Relaxed);
    engine.delete(&id("a")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(engine.submit(&id("a"), open(None)).await, Err(Declined::UnknownSession(id("a"))));
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_log_is_damaged_takes_nothing_and_the_sender_hears_of_it() {
    let stage = EngineFixture::new();
    // Whoever is not of use leaves memory, so that its log is read again.
    let engine = Engine::start(Setup { keep_loaded: 1, ..stage.setup("w1") });
    open_till(&engine, &id("b"), None).await;
    tokio::time::sleep(Duration::from_secs(90)).await;
    open_till(&engine, &id("a"), None).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    *stage.store.hole.lock().unwrap() = Some(Seq(2));
    engine.submit(&id("a"), send("b", "tea")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(declined(&stage).await, ["database-damaged"]);
}
