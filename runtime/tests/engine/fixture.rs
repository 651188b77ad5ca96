//! A stage for one test: a store in memory, a clock that follows tokio's, a model and tools that do as they are told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::application::{Standing, restore};
use enza_kernel::conversation::{Reply, Request, ToolCall, Usage};
use enza_kernel::effect::RunTool;
use enza_kernel::testing::fold;
use enza_kernel::testing::till::{Command, Event, State, Till};
use enza_kernel::time::{Actor, Seq, Timestamp};
use enza_runtime::engine::{Declined, Engine, Receipt, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::clock::Clock;
use enza_runtime::seams::model::{Deltas, Lane, Model, ModelFailure, Piece, RateLimits};
use enza_runtime::seams::store::{Log as _, SessionId, SessionOpening};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_storage::Memory;
use serde_json::json;
use tokio::time::Instant;

use crate::engine::shaky::Shaky;

/// When every test begins.
pub const DAWN: i64 = 1_000_000;
/// How long a till stays open without a word.
pub const IDLE: Duration = Duration::from_secs(3_600);
/// What every reply costs.
pub const COST: u64 = 15;
/// What the clerk's call after "hello" in a new session sets aside.
pub const FIRST_RESERVE: u64 = 200 + 600 + 6;

/// Everything an engine needs, kept by the test.
pub struct EngineFixture {
    pub memory: Arc<Memory>,
    pub store: Arc<Shaky>,
    pub model: Arc<ScriptedModel>,
    pub hands: Arc<ScriptedTools>,
    pub clock: Arc<ManualClock>,
}

impl EngineFixture {
    pub fn new() -> Self {
        let memory = Arc::new(Memory::new());
        let store = Shaky::before(memory.clone());
        let hands = Arc::new(ScriptedTools { store: memory.clone(), plan: Mutex::default(), ran: Mutex::default() });
        Self {
            memory,
            store,
            model: Arc::default(),
            hands,
            clock: Arc::new(ManualClock(Instant::now(), Duration::ZERO)),
        }
    }

    /// The same store and clock, with a model, tools and a line to the store of its own.
    pub fn next_door(&self) -> Self {
        let store = Shaky::before(self.memory.clone());
        let hands =
            Arc::new(ScriptedTools { store: self.memory.clone(), plan: Mutex::default(), ran: Mutex::default() });
        Self { memory: self.memory.clone(), store, model: Arc::default(), hands, clock: self.clock.clone() }
    }

    pub fn setup(&self, worker: &str) -> Setup {
        let repertoire = ApplicationRegistry::default().with(Till::new(IDLE));
        Setup {
            clock: self.clock.clone(),
            worker: worker.to_owned(),
            seed: 7,
            ..Setup::new(self.store.clone(), self.model.clone(), self.hands.clone(), repertoire)
        }
    }

    pub fn engine(&self, worker: &str) -> Engine {
        Engine::start(self.setup(worker))
    }

    /// An engine with one open till.
    pub async fn with_open_till(&self, session: &SessionId) -> Engine {
        let engine = self.engine("w1");
        open_till(&engine, session, None).await;
        engine
    }

    /// The log in words: an event's kind, or its thread and what happened in it.
    pub async fn log(&self, session: &SessionId) -> Vec<String> {
        let recorded = self.memory.events(session, Seq::START, usize::MAX).await.unwrap();
        recorded.iter().map(|one| in_words(&one.stored.kind, &one.stored.body)).collect()
    }

    pub async fn events(&self, session: &SessionId) -> Vec<Event> {
        let recorded = self.memory.events(session, Seq::START, usize::MAX).await.unwrap();
        recorded.iter().map(|one| restore::<Till>(&one.stored).unwrap()).collect()
    }

    /// The state that the log leads to.
    pub async fn state(&self, session: &SessionId) -> State {
        fold::<Till>(self.events(session).await)
    }

    pub fn since_dawn(&self) -> Duration {
        self.clock.0.elapsed()
    }
}

pub fn in_words(kind: &str, body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let (Some(thread), Some(fields)) = (body["thread"].as_str(), body.as_object()) else { return kind.to_owned() };
    let what = fields.keys().find(|name| *name != "thread").map_or("?", String::as_str);
    format!("{thread} {what}")
}

pub fn id(name: &str) -> SessionId {
    SessionId::of(name)
}

pub fn by_ada(command: Command, key: Option<&str>) -> Submission {
    Submission {
        command: serde_json::to_value(command).unwrap(),
        by: Actor::Person("ada".to_owned()),
        key: key.map(str::to_owned),
    }
}

pub fn open(budget: Option<u64>) -> Submission {
    by_ada(Command::Open { budget, floor: "7".to_owned() }, None)
}

pub fn say(text: &str) -> Submission {
    by_ada(Command::Say { text: text.to_owned() }, None)
}

pub fn say_once(key: &str, text: &str) -> Submission {
    by_ada(Command::Say { text: text.to_owned() }, Some(key))
}

pub fn accepted(seq: u64) -> Result<Receipt, Declined> {
    Ok(Receipt { seq: Seq(seq), repeated: false })
}

pub fn repeated(seq: u64) -> Result<Receipt, Declined> {
    Ok(Receipt { seq: Seq(seq), repeated: true })
}

pub async fn open_till(engine: &Engine, session: &SessionId, budget: Option<u64>) {
    assert_eq!(engine.open(session, SessionOpening::new("till", "ada"), open(budget)).await, accepted(2));
}

/// Says something and waits until the clerk has answered.
pub async fn say_and_rest(engine: &Engine, session: &SessionId, text: &str) -> Standing {
    engine.submit(session, say(text)).await.unwrap();
    engine.wait_for_rest(session).await.unwrap()
}

/// Lets every task run as far as it can without time passing.
pub async fn settle_down() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

/// A clock that follows tokio's, which a test can pause and push; and how far it is ahead.
pub struct ManualClock(Instant, Duration);

impl ManualClock {
    /// Another clock, ahead of this one.
    pub fn ahead(&self, by: Duration) -> Self {
        Self(self.0, self.1 + by)
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(DAWN) + self.0.elapsed() + self.1
    }
}

/// What a model does when it is asked.
pub enum ScriptedReply {
    Reply(Reply),
    Fail(ModelFailure),
    After(Duration, Reply),
    /// Says the text, and goes on with the reply after a while.
    Midway(&'static str, Duration, Reply),
    Silence,
}

/// What a reply may cost at most, and what it costs.
#[derive(Clone, Copy, Default)]
pub struct Quoted {
    pub quote: u64,
    pub cost: u64,
}

/// A model that follows a script, and says `done` when it has come to its end.
#[derive(Default)]
pub struct ScriptedModel {
    lines: Mutex<VecDeque<ScriptedReply>>,
    /// What it was asked, and when.
    pub asked: Mutex<Vec<(Instant, Request)>>,
    under_way: Mutex<usize>,
    pace: Mutex<RateLimits>,
    price: Mutex<Quoted>,
    /// The most calls there were at once.
    pub most_at_once: Mutex<usize>,
}

impl ScriptedModel {
    pub fn then(&self, line: ScriptedReply) -> &Self {
        self.lines.lock().unwrap().push_back(line);
        self
    }

    pub fn calls(&self, tools: &[&str]) -> &Self {
        self.then(ScriptedReply::Reply(calling(tools)))
    }

    pub fn says(&self, text: &str) -> &Self {
        self.then(ScriptedReply::Reply(saying(text)))
    }

    /// Says what a reply costs.
    pub fn costs(&self, price: Quoted) {
        *self.price.lock().unwrap() = price;
    }

    /// Says how fast it may be asked.
    pub fn keeps(&self, pace: RateLimits) {
        *self.pace.lock().unwrap() = pace;
    }

    pub fn times_asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// The pauses between one call and the next.
    pub fn pauses(&self) -> Vec<Duration> {
        self.asked.lock().unwrap().windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
    }
}

pub fn saying(text: &str) -> Reply {
    Reply { text: text.to_owned(), usage: usage(), ..Reply::default() }
}

/// A reply that calls these tools, each under its own name and place.
pub fn calling(tools: &[&str]) -> Reply {
    let call = |(place, tool): (usize, &&str)| ToolCall {
        id: format!("{tool}{place}"),
        tool: (*tool).to_owned(),
        arguments: json!({}),
    };
    Reply {
        text: String::new(),
        calls: tools.iter().enumerate().map(call).collect(),
        usage: usage(),
        ..Reply::default()
    }
}

fn usage() -> Usage {
    Usage { input: COST - 5, output: 5, ..Usage::default() }
}

#[async_trait]
impl Model for ScriptedModel {
    fn name(&self, _request: &Request) -> String {
        "script".to_owned()
    }

    fn lane(&self, _request: &Request) -> Lane {
        Lane { name: String::new(), pace: *self.pace.lock().unwrap() }
    }

    fn quote(&self, _request: &Request) -> u64 {
        self.price.lock().unwrap().quote
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.asked.lock().unwrap().push((Instant::now(), request.clone()));
        {
            let mut now = self.under_way.lock().unwrap();
            *now += 1;
            let mut most = self.most_at_once.lock().unwrap();
            *most = (*most).max(*now);
        }
        let line = self.lines.lock().unwrap().pop_front();
        let mut reply = match line {
            None => Ok(saying("done")),
            Some(ScriptedReply::Reply(reply)) => Ok(reply),
            Some(ScriptedReply::Fail(failure)) => Err(failure),
            Some(ScriptedReply::After(span, reply)) => {
                tokio::time::sleep(span).await;
                Ok(reply)
            }
            Some(ScriptedReply::Midway(text, span, reply)) => {
                deltas.piece(Piece::Text(text.to_owned()));
                tokio::time::sleep(span).await;
                Ok(reply)
            }
            Some(ScriptedReply::Silence) => std::future::pending().await,
        };
        *self.under_way.lock().unwrap() -= 1;
        if let Ok(reply) = &mut reply {
            reply.usage.cost = self.price.lock().unwrap().cost;
        }
        for word in reply.iter().flat_map(|reply| reply.text.split_inclusive(' ')) {
            deltas.piece(Piece::Text(word.to_owned()));
        }
        reply
    }
}

/// What a tool does when it is run.
pub enum ScriptedRun {
    Fail(&'static str),
    After(Duration),
    Panic,
    Hang,
}

/// Tools that do as they are told, and `done` otherwise. They look at the log before they begin.
pub struct ScriptedTools {
    store: Arc<Memory>,
    plan: Mutex<VecDeque<ScriptedRun>>,
    /// What was run, and the last event in the log then.
    pub ran: Mutex<Vec<(String, String)>>,
}

impl ScriptedTools {
    pub fn then(&self, deed: ScriptedRun) -> &Self {
        self.plan.lock().unwrap().push_back(deed);
        self
    }

    pub fn ran(&self) -> Vec<String> {
        self.ran.lock().unwrap().iter().map(|(tool, _)| tool.clone()).collect()
    }
}

#[async_trait]
impl Tools for ScriptedTools {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        let log = self.store.events(session, Seq::START, usize::MAX).await.unwrap();
        let last = log.last().map(|one| in_words(&one.stored.kind, &one.stored.body)).unwrap_or_default();
        self.ran.lock().unwrap().push((run.tool.clone(), last));
        let deed = self.plan.lock().unwrap().pop_front();
        match deed {
            None => {}
            Some(ScriptedRun::Fail(why)) => return Err(ToolFailure(why.to_owned())),
            Some(ScriptedRun::After(span)) => tokio::time::sleep(span).await,
            Some(ScriptedRun::Panic) => panic!("a tool was told to"),
            Some(ScriptedRun::Hang) => std::future::pending().await,
        }
        Ok(format!("{} done", run.tool))
    }
}
