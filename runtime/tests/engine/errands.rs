//! Tools that must not be repeated and follow one another: each has its start in the log before it runs, and none runs twice.
//!
//! The till runs its tools side by side, so these are run by an application of their own: a list of errands, one at a time,
//! of which another can be put first while one is under way.

use std::time::Duration;

use enza_kernel::application::{Application, Entry, Phase, Reason, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Key, Outcome, RunTool, Safety};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Actor, Now};
use enza_runtime::engine::{Engine, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::SessionOpening;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::fixture::{EngineFixture, ScriptedRun, id, settle_down};

struct Errands;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct State {
    errands: Vec<(Key, Option<String>)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    Listed { count: u16 },
    LastPutFirst,
    Started { mark: String },
    Done,
    Unknown,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Command {
    List { count: u16 },
    PutLastFirst,
}

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new(String::new(), "")
    }
}

impl Application for Errands {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Never;

    const NAME: &'static str = "errands";

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        match &entry.event {
            Event::Listed { count } => {
                state.errands = (0..*count).map(|ordinal| (Key { seq: entry.seq, ordinal }, None)).collect();
            }
            Event::LastPutFirst => state.errands.rotate_right(1),
            Event::Started { mark } => state.errands[0].1 = Some(mark.clone()),
            Event::Done | Event::Unknown => drop(state.errands.remove(0)),
        }
    }

    fn decide(&self, _state: &State, command: Command, _now: &Now) -> Result<Vec<Event>, Never> {
        Ok(vec![match command {
            Command::List { count } => Event::Listed { count },
            Command::PutLastFirst => Event::LastPutFirst,
        }])
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let first = state.errands.first();
        let run = first.map(|(key, started)| RunTool {
            key: *key,
            tool: format!("errand-{}", key.ordinal),
            arguments: json!({}),
            safety: Safety::Once,
            started: started.clone(),
            reserve: 0,
        });
        run.map(Effect::RunTool).into_iter().collect()
    }

    fn request(&self, _state: &State, _ask: &AskModel) -> Request {
        unreachable!("no model is asked")
    }

    fn settle(&self, _state: &State, _effect: &Effect, outcome: Outcome, _now: &Now) -> Vec<Event> {
        match outcome {
            Outcome::Starting { mark } => vec![Event::Started { mark }],
            Outcome::Returned { .. } => vec![Event::Done],
            Outcome::Unknown => vec![Event::Unknown],
            other => panic!("{other:?}"),
        }
    }

    fn standing(state: &State) -> Standing {
        let phase = if state.errands.is_empty() { Phase::Ended } else { Phase::Waiting };
        Standing { phase, title: "errands".to_owned(), waiting_for: None }
    }
}

fn engine(stage: &EngineFixture, worker: &str) -> Engine {
    Engine::start(Setup { repertoire: ApplicationRegistry::default().with(Errands), ..stage.setup(worker) })
}

fn asks(command: Command) -> Submission {
    let command = serde_json::to_value(command).unwrap();
    Submission { command, by: Actor::Person("ada".to_owned()), key: None }
}

async fn list(engine: &Engine, count: u16) {
    let opening = SessionOpening::new(Errands::NAME, "ada");
    engine.open(&id("s"), opening, asks(Command::List { count })).await.unwrap();
    settle_down().await;
}

fn ran(stage: &EngineFixture) -> Vec<(String, String)> {
    stage.hands.ran.lock().unwrap().clone()
}

/// Each run with the last event that was in the log then.
fn run(name: &str, last: &str) -> (String, String) {
    (name.to_owned(), last.to_owned())
}

#[tokio::test(start_paused = true)]
async fn what_comes_due_when_the_one_before_is_reported_as_unknown_is_recorded_before_it_runs() {
    let stage = EngineFixture::new();
    stage.hands.then(ScriptedRun::Hang);
    let first = engine(&stage, "w1");
    list(&first, 2).await;
    assert_eq!(ran(&stage), [run("errand-0", "Started")]);
    first.kill();

    let next = stage.next_door();
    next.hands.then(ScriptedRun::Hang);
    let second = engine(&next, "w2");
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(stage.log(&id("s")).await, ["Listed", "Started", "Unknown", "Started"]);
    assert_eq!(ran(&next), [run("errand-1", "Started")]);
    second.kill();

    // So whoever comes after a second crash does not run it again.
    let last = stage.next_door();
    let third = engine(&last, "w3");
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(third.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Ended);
    assert_eq!(stage.log(&id("s")).await[3..], ["Started", "Unknown"]);
    assert_eq!(ran(&last), []);
}

#[tokio::test(start_paused = true)]
async fn what_came_to_its_end_while_it_was_not_due_is_not_run_a_second_time() {
    let stage = EngineFixture::new();
    stage.hands.then(ScriptedRun::After(Duration::from_secs(5))).then(ScriptedRun::After(Duration::from_secs(20)));
    let engine = engine(&stage, "w1");
    list(&engine, 2).await;
    engine.submit(&id("s"), asks(Command::PutLastFirst)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(engine.wait_for_rest(&id("s")).await.unwrap().phase, Phase::Ended);
    assert_eq!(stage.hands.ran(), ["errand-0", "errand-1"]);
    assert_eq!(stage.log(&id("s")).await, ["Listed", "Started", "LastPutFirst", "Started", "Done", "Unknown"]);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_was_saved_and_reported_as_failed_is_run_once() {
    let stage = EngineFixture::new();
    let engine = engine(&stage, "w1");
    stage.store.unanswered.store(1, std::sync::atomic::Ordering::Relaxed);
    let opening = SessionOpening::new(Errands::NAME, "ada");
    let _ = engine.open(&id("s"), opening, asks(Command::List { count: 2 })).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(stage.hands.ran(), ["errand-0", "errand-1"]);
    assert!(!stage.log(&id("s")).await.contains(&"Unknown".to_owned()), "{:?}", stage.log(&id("s")).await);
}
