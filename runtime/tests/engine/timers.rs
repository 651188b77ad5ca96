//! Timers: they ring at their time, once in effect, also when they were moved.

use std::time::Duration;

use enza_kernel::application::{Application, Entry, Phase, Reason, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome, Wake};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use enza_runtime::engine::{Engine, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::{Log as _, Rows, SessionCatalog as _, SessionOpening};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::fixture::{DAWN, EngineFixture, IDLE, ScriptedRun, id, say, say_and_rest};

/// An alarm clock: set to a time, moved, rung.
struct Alarm;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    Set { at: Timestamp },
    Rang,
}

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new("", "")
    }
}

impl Application for Alarm {
    type State = Option<Timestamp>;
    type Event = Event;
    type Command = u64;
    type Refusal = Never;

    const NAME: &'static str = "alarm";

    fn evolve(state: &mut Option<Timestamp>, entry: &Entry<Event>) {
        *state = match entry.event {
            Event::Set { at } => Some(at),
            Event::Rang => None,
        };
    }

    fn decide(&self, _state: &Option<Timestamp>, seconds: u64, now: &Now) -> Result<Vec<Event>, Never> {
        Ok(vec![Event::Set { at: now.time + Duration::from_secs(seconds) }])
    }

    fn due(&self, state: &Option<Timestamp>) -> Vec<Effect> {
        state.iter().map(|at| Effect::Wake(Wake { name: "alarm".to_owned(), at: *at })).collect()
    }

    fn request(&self, _state: &Option<Timestamp>, _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _state: &Option<Timestamp>, _effect: &Effect, _outcome: Outcome, now: &Now) -> Vec<Event> {
        assert_eq!(now.by, Actor::Clock);
        vec![Event::Rang]
    }

    fn standing(_state: &Option<Timestamp>) -> Standing {
        Standing { phase: Phase::Waiting, ..Standing::default() }
    }
}

fn in_seconds(seconds: u64) -> Submission {
    Submission { command: json!(seconds), by: Actor::Person("ada".to_owned()), key: None }
}

/// An engine that by itself looks for work once an hour.
fn sleepy(stage: &EngineFixture, worker: &str) -> Engine {
    let repertoire = ApplicationRegistry::default().with(Alarm);
    Engine::start(Setup { repertoire, patrol: Duration::from_secs(3_600), ..stage.setup(worker) })
}

/// When it rang, in seconds since the beginning.
async fn rang_at(stage: &EngineFixture) -> Vec<i64> {
    let log = stage.memory.events(&id("a"), Seq::START, usize::MAX).await.unwrap();
    log.iter().filter(|one| one.stored.kind == "Rang").map(|one| (one.at.0 - DAWN) / 1_000).collect()
}

#[tokio::test(start_paused = true)]
async fn a_timer_rings_at_its_time_however_seldom_the_watchman_goes_round() {
    let stage = EngineFixture::new();
    let engine = sleepy(&stage, "w1");
    tokio::time::sleep(Duration::from_secs(1)).await;
    engine.open(&id("a"), SessionOpening::new("alarm", "ada"), in_seconds(10)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(rang_at(&stage).await, [11]);
}

#[tokio::test(start_paused = true)]
async fn a_timer_moved_earlier_wakes_the_watchman() {
    let stage = EngineFixture::new();
    let engine = sleepy(&stage, "w1");
    tokio::time::sleep(Duration::from_secs(1)).await;
    engine.open(&id("a"), SessionOpening::new("alarm", "ada"), in_seconds(1_000)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    engine.submit(&id("a"), in_seconds(10)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2_000)).await;
    assert_eq!(rang_at(&stage).await, [12]);
}

#[tokio::test(start_paused = true)]
async fn a_timer_moved_later_rings_later_and_not_twice() {
    let stage = EngineFixture::new();
    let engine = sleepy(&stage, "w1");
    engine.open(&id("a"), SessionOpening::new("alarm", "ada"), in_seconds(10)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    engine.submit(&id("a"), in_seconds(20)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(rang_at(&stage).await, [25]);
}

#[tokio::test(start_paused = true)]
async fn a_timer_that_two_workers_ring_rings_once_in_effect() {
    let stage = EngineFixture::new();
    let next_door = stage.next_door();
    for one in [&stage, &next_door] {
        *one.store.always_claimed.lock().unwrap() = Some(id("a"));
    }
    let (first, second) = (sleepy(&stage, "w1"), sleepy(&next_door, "w2"));
    first.open(&id("a"), SessionOpening::new("alarm", "ada"), in_seconds(10)).await.unwrap();
    second.wait_for_rest(&id("a")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(9_000)).await;
    assert_eq!(rang_at(&stage).await, [10]);
}

#[tokio::test(start_paused = true)]
async fn a_timer_of_a_dead_process_is_rung_by_the_next() {
    let stage = EngineFixture::new();
    let engine = sleepy(&stage, "w1");
    engine.open(&id("a"), SessionOpening::new("alarm", "ada"), in_seconds(10)).await.unwrap();
    engine.kill();
    tokio::time::sleep(Duration::from_secs(50)).await;
    let _next = sleepy(&stage.next_door(), "w2");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(rang_at(&stage).await, [50], "late, but not lost");
}

#[tokio::test(start_paused = true)]
async fn a_till_closes_when_it_has_been_quiet_for_long_and_its_table_row_comes_with_it() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    tokio::time::sleep(IDLE / 2).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    tokio::time::sleep(IDLE - Duration::from_secs(5)).await;
    assert_eq!(engine.row(&id("s")).await.unwrap().standing.phase, Phase::Waiting, "a word moves the timer");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(engine.row(&id("s")).await.unwrap().standing.phase, Phase::Ended);
    let rows = stage.memory.rows("closings", Rows::All).await.unwrap();
    assert_eq!(rows.iter().map(|row| &row.content).collect::<Vec<_>>(), [&json!({"why": "too quiet"})]);
}

#[tokio::test(start_paused = true)]
async fn a_timer_that_comes_due_in_the_middle_of_a_turn_rings_after_it() {
    let stage = EngineFixture::new();
    stage.model.calls(&["charge"]);
    stage.hands.then(ScriptedRun::After(IDLE * 2));
    let engine = stage.with_open_till(&id("s")).await;
    engine.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(IDLE * 2 + Duration::from_secs(10)).await;
    let log = stage.log(&id("s")).await;
    assert_eq!(log[log.len() - 4..], ["clerk call_ended", "clerk replied", "clerk rested", "Closed"]);
}
