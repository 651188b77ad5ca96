//! Calls of one worker that another worker's append calls off: they count, though whoever made them dies.
//!
//! The clerk of a till does not listen while it is at work, so these are made by an application of their own: a desk where
//! each word takes the place of the one before, whether that was answered or not.

use std::time::Duration;

use enza_kernel::application::{Application, Entry, Phase, Reason, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Key, Outcome};
use enza_kernel::testing::till::CLERK;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Actor, Now};
use enza_runtime::engine::{Engine, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::SessionOpening;
use serde::{Deserialize, Serialize};

use crate::engine::fixture::{
    COST, EngineFixture, FIRST_RESERVE, ScriptedReply, by_ada, calling, id, say, settle_down,
};

struct Desk;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct State {
    asked: Option<Key>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    Spoke,
    Left,
    Answered,
    Lost { tokens: u64 },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Command {
    Speak,
    Leave,
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

/// What each call at the desk sets aside.
const RESERVE: u64 = 700;
/// What a crash is charged for one of them: the call, and one after it that may have grown.
const CHARGE: u64 = 2 * RESERVE + 2_000;

impl Application for Desk {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Never;

    const NAME: &'static str = "desk";

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        match &entry.event {
            Event::Spoke => state.asked = Some(Key { seq: entry.seq, ordinal: 0 }),
            Event::Left | Event::Answered => state.asked = None,
            Event::Lost { .. } => {}
        }
    }

    fn decide(&self, _state: &State, command: Command, _now: &Now) -> Result<Vec<Event>, Never> {
        Ok(vec![match command {
            Command::Speak => Event::Spoke,
            Command::Leave => Event::Left,
        }])
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let ask = |key| AskModel { key, thread: "desk".to_owned(), agent: "desk".to_owned(), reserve: RESERVE };
        state.asked.map(ask).map(Effect::AskModel).into_iter().collect()
    }

    fn request(&self, _state: &State, _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _state: &State, _effect: &Effect, outcome: Outcome, _now: &Now) -> Vec<Event> {
        match outcome {
            Outcome::Replied { .. } => vec![Event::Answered],
            Outcome::CallsLost { tokens } => vec![Event::Lost { tokens }],
            other => panic!("{other:?}"),
        }
    }

    fn standing(_state: &State) -> Standing {
        Standing { phase: Phase::Waiting, title: "desk".to_owned(), waiting_for: None }
    }
}

fn engine(stage: &EngineFixture, worker: &str) -> Engine {
    Engine::start(Setup { repertoire: ApplicationRegistry::default().with(Desk), ..stage.setup(worker) })
}

fn asks(command: &Command) -> Submission {
    let command = serde_json::to_value(command).unwrap();
    Submission { command, by: Actor::Person("ada".to_owned()), key: None }
}

/// A worker with a call under way that never ends, on a new session, and another worker beside it.
async fn a_holder_and_another(stage: &EngineFixture) -> (Engine, EngineFixture, Engine) {
    stage.model.then(ScriptedReply::Silence);
    let holder = engine(stage, "w1");
    holder.open(&id("s"), SessionOpening::new(Desk::NAME, "ada"), asks(&Command::Speak)).await.unwrap();
    settle_down().await;
    assert_eq!(stage.model.times_asked(), 1);
    let next_door = stage.next_door();
    let other = engine(&next_door, "w2");
    (holder, next_door, other)
}

/// How many tokens each event of the session's log counts as lost.
async fn lost(stage: &EngineFixture) -> Vec<u64> {
    use enza_runtime::seams::store::Log as _;
    let recorded = stage.memory.events(&id("s"), enza_kernel::time::Seq::START, usize::MAX).await.unwrap();
    let events = recorded.iter().map(|one| enza_kernel::application::restore::<Desk>(&one.stored).unwrap());
    let tokens = events.filter_map(|event| match event {
        Event::Lost { tokens } => Some(tokens),
        Event::Spoke | Event::Left | Event::Answered => None,
    });
    tokens.collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_word_to_another_worker_called_off_is_counted_though_its_holder_dies_unheard() {
    let stage = EngineFixture::new();
    let (holder, next_door, other) = a_holder_and_another(&stage).await;
    other.submit(&id("s"), asks(&Command::Speak)).await.unwrap();
    holder.kill();
    assert_eq!(stage.log(&id("s")).await, ["Spoke", "Spoke", "Lost"]);
    assert_eq!(lost(&stage).await, [CHARGE]);
    // Whoever goes on counts the call that the word made due: for all one knows, the holder has made that, too.
    other.wait_for_rest(&id("s")).await.unwrap();
    assert_eq!(stage.log(&id("s")).await[3..], ["Lost", "Answered"]);
    assert_eq!(next_door.model.times_asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_word_to_another_worker_that_calls_nothing_off_counts_nothing() {
    let stage = EngineFixture::new();
    stage.model.calls(&["audit", "ask"]).then(ScriptedReply::Silence);
    let holder = stage.with_open_till(&id("s")).await;
    holder.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(stage.model.times_asked(), 2, "the auditor is at work, and the clerk waits for an answer");
    let other = stage.next_door().engine("w2");
    other.submit(&id("s"), say("the red one")).await.unwrap();
    assert!(!stage.log(&id("s")).await.contains(&"auditor calls_lost".to_owned()), "{:?}", stage.log(&id("s")).await);
    assert_eq!(stage.state(&id("s")).await.cast.ledger.spent, COST);
}

/// After it nothing is due, in whose name it could be counted.
#[tokio::test(start_paused = true)]
async fn a_call_that_the_last_word_to_another_worker_called_off_is_counted_though_its_holder_dies_unheard() {
    let stage = EngineFixture::new();
    let (holder, _next_door, other) = a_holder_and_another(&stage).await;
    other.submit(&id("s"), asks(&Command::Leave)).await.unwrap();
    holder.kill();
    assert_eq!(stage.log(&id("s")).await, ["Spoke", "Left", "Lost"]);
    assert_eq!(lost(&stage).await, [CHARGE]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_died_with_its_worker_is_counted_by_the_word_that_calls_it_off() {
    let stage = EngineFixture::new();
    let (holder, _next_door, other) = a_holder_and_another(&stage).await;
    holder.kill();
    other.submit(&id("s"), asks(&Command::Leave)).await.unwrap();
    assert_eq!(lost(&stage).await, [CHARGE]);
}

#[tokio::test(start_paused = true)]
async fn a_call_after_a_tool_that_died_with_its_worker_is_counted_by_the_word_that_calls_the_tool_off() {
    let stage = EngineFixture::new();
    stage.model.calls(&["lookup"]).then(ScriptedReply::Silence);
    stage.hands.then(crate::engine::fixture::ScriptedRun::After(Duration::from_secs(1)));
    let holder = stage.with_open_till(&id("s")).await;
    holder.submit(&id("s"), say("hello")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1_010)).await;
    assert_eq!(stage.model.times_asked(), 2);
    assert_eq!(stage.log(&id("s")).await[4..], ["clerk replied", "clerk call_queued"]);
    holder.kill();
    let other = stage.next_door().engine("w2");
    other.submit(&id("s"), by_ada(enza_kernel::testing::till::Command::Close, None)).await.unwrap();
    let spent = stage.state(&id("s")).await.cast.ledger.spent;
    assert!(spent >= COST + FIRST_RESERVE, "{spent}");
}

/// Two workers ask the same, since the first lost its lease unnoticed. Its reply is taken, and the holder's is called off by it.
#[tokio::test(start_paused = true)]
async fn a_late_reply_counts_the_call_of_the_holder_that_it_called_off() {
    let slow = EngineFixture::new();
    slow.store.off_the_roster.store(true, std::sync::atomic::Ordering::Relaxed);
    slow.model.then(ScriptedReply::After(Duration::from_secs(30), calling(&["lookup"])));
    let first = slow.with_open_till(&id("s")).await;
    first.submit(&id("s"), say("hello")).await.unwrap();
    settle_down().await;
    let quick = slow.next_door();
    quick.model.then(ScriptedReply::Silence);
    let holder = quick.engine("w2");
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert_eq!(
        slow.model.times_asked(),
        2,
        "it ran ahead of the log before it found that it no longer holds the session"
    );
    assert_eq!(quick.model.times_asked(), 1);
    holder.kill();
    let log = slow.log(&id("s")).await;
    assert_eq!(log[4..8], ["clerk calls_lost", "clerk replied", "clerk call_queued", "clerk calls_lost"]);
    let charge = 2 * FIRST_RESERVE + 2_000;
    let state = slow.state(&id("s")).await;
    assert!(state.cast.ledger.spent >= 2 * charge + COST, "{:?}", state.cast.ledger);
    assert!(state.cast.threads.contains_key(CLERK));
}
