//! The work of one turn, the same as the peer's: a person speaks, the model calls a tool, the tool
//! answers, the model answers, and the session waits. 1,460 bytes of varied text a turn; the model and
//! the tool answer at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request, Role, ToolCall, Usage};
use enza_kernel::effect::RunTool;
use enza_kernel::testing::till::Till;
use enza_kernel::time::Actor;
use enza_runtime::engine::{Engine, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::{Deltas, Model, ModelFailure};
use enza_runtime::seams::store::{SessionId, SessionOpening, Store};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use serde_json::json;

/// Texts of the peer's sizes, from one vocabulary.
pub struct Texts {
    human: Vec<String>,
    tool: Vec<String>,
    answer: Vec<String>,
    next: AtomicUsize,
}

impl Texts {
    pub fn new() -> Arc<Self> {
        let mut chance = Chance(7);
        let vocabulary: Vec<String> = (0..3_000).map(|_| chance.word()).collect();
        let mut pool = |bytes: usize| (0..97).map(|_| chance.text(&vocabulary, bytes)).collect();
        Arc::new(Self { human: pool(200), tool: pool(600), answer: pool(600), next: AtomicUsize::new(0) })
    }

    fn take<'a>(&self, pool: &'a [String]) -> &'a str {
        &pool[self.next.fetch_add(1, Ordering::Relaxed) % pool.len()]
    }

    pub fn human(&self) -> &str {
        self.take(&self.human)
    }
}

/// A small generator, so that the texts are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn word(&mut self) -> String {
        const LETTERS: &[u8] = b"etaoinshrdlucmfwypvbgk";
        (0..2 + self.below(8)).map(|_| LETTERS[self.below(LETTERS.len())] as char).collect()
    }

    fn text(&mut self, vocabulary: &[String], bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            text += &vocabulary[self.below(vocabulary.len())];
            text.push(' ');
        }
        text.truncate(bytes);
        text.trim_end().to_owned()
    }
}

/// Calls the tool after a person has spoken, and answers after the tool has.
pub struct InstantModel(pub Arc<Texts>);

#[async_trait]
impl Model for InstantModel {
    fn name(&self, _request: &Request) -> String {
        "instant".to_owned()
    }

    async fn reply(&self, request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        let usage = Usage { input: 100, output: 50, ..Usage::default() };
        if request.messages.last().is_some_and(|message| message.role == Role::Tool) {
            return Ok(Reply { text: self.0.take(&self.0.answer).to_owned(), usage, ..Reply::default() });
        }
        let call = ToolCall {
            id: format!("c{}", self.0.next.load(Ordering::Relaxed)),
            tool: "charge".to_owned(),
            arguments: json!({"q": "weather in Paris", "k": 3}),
        };
        Ok(Reply { calls: vec![call], usage, ..Reply::default() })
    }
}

/// Answers at once.
pub struct InstantTool(pub Arc<Texts>);

#[async_trait]
impl Tools for InstantTool {
    async fn run(&self, _session: &SessionId, _run: &RunTool) -> Result<String, ToolFailure> {
        Ok(self.0.take(&self.0.tool).to_owned())
    }
}

/// An engine for this work on a store.
pub fn engine(store: Arc<dyn Store>, texts: &Arc<Texts>) -> Engine {
    Engine::start(Setup {
        keep_loaded: 200,
        ..Setup::new(store, Arc::new(InstantModel(texts.clone())), Arc::new(InstantTool(texts.clone())), registry())
    })
}

/// The application whose turns are measured.
pub fn registry() -> ApplicationRegistry {
    ApplicationRegistry::default().with(Till::new(Duration::from_secs(30 * 24 * 3_600)))
}

/// Opens a session.
pub async fn open(engine: &Engine, session: &SessionId) {
    let command = json!({"open": {"budget": null, "floor": "none"}});
    engine.open(session, SessionOpening::new("till", "bench"), by_a_person(command)).await.expect("opened");
}

/// One turn, from a person's word to the next wait.
pub async fn turn(engine: &Engine, session: &SessionId, texts: &Texts) {
    let command = json!({"say": {"text": texts.human()}});
    engine.submit(session, by_a_person(command)).await.expect("accepted");
    engine.wait_for_rest(session).await.expect("at rest");
}

pub fn by_a_person(command: serde_json::Value) -> Submission {
    Submission { command, by: Actor::Person("bench".to_owned()), key: None }
}
