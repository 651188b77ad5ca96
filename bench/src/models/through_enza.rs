//! The conversation as a session of Enza: the real engine, a store, and the client for llama.cpp.
//!
//! A turn begins when the person's word is submitted and ends when the session rests, all of it saved. Somebody
//! watches, and the first piece counts when the watcher has it.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::application::Phase;
use enza_kernel::effect::RunTool;
use enza_kernel::time::Seq;
use enza_models::client::{Client, Timeouts};
use enza_models::providers::{Provider, Providers};
use enza_runtime::engine::{Engine, FeedItem, Setup};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{SessionId, SessionOpening, Store};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use serde_json::json;

use super::chat::Chat;
use super::script::{LINES, MODEL};
use super::{ReplyStats, TurnTime};
use crate::workload::by_a_person;

/// A conversation through Enza.
pub struct ThroughEnza {
    engine: Engine,
    session: SessionId,
    conversations: usize,
    turn: usize,
    head: Seq,
}

/// Enza's client for llama.cpp at this address.
pub fn client(base_url: &str) -> Client {
    let usual = Providers::built_in().find("llama.cpp").expect("a built-in provider").clone();
    let provider = Provider { base_url: base_url.to_owned(), ..usual };
    Client::new(provider, MODEL, None, None, Timeouts::default()).expect("a client")
}

impl ThroughEnza {
    /// An engine on a store, asking the server at this address.
    pub fn new(store: Arc<dyn Store>, base_url: &str) -> Self {
        let registry = ApplicationRegistry::default().with(Chat::new());
        let engine = Engine::start(Setup::new(store, Arc::new(client(base_url)), Arc::new(NoTools), registry));
        Self { engine, session: SessionId::of("none"), conversations: 0, turn: 0, head: Seq(0) }
    }

    /// Begins the conversation anew, as a session of its own.
    pub async fn begin(&mut self) {
        self.conversations += 1;
        self.turn = 0;
        self.session = SessionId::of(format!("visit-{}", self.conversations));
        let open = by_a_person(json!({"open": {}}));
        self.engine.open(&self.session, SessionOpening::new("parlour", "bench"), open).await.expect("opened");
        self.engine.wait_for_rest(&self.session).await.expect("at rest");
        self.head = self.engine.row(&self.session).await.expect("a session").head;
    }

    /// The next turn.
    pub async fn turn(&mut self) -> TurnTime {
        let mut feed = self.engine.watch(&self.session, self.head);
        self.turn += 1;
        let began = Instant::now();
        let say = by_a_person(json!({"say": {"text": LINES[self.turn - 1]}}));
        self.engine.submit(&self.session, say).await.expect("accepted");
        let first = loop {
            match feed.next().await.expect("a live feed") {
                FeedItem::Delta { piece: Piece::Text(_), .. } => break began.elapsed(),
                FeedItem::Delta { piece: Piece::Again, .. } => panic!("the model had to be asked again"),
                FeedItem::Delta { piece: Piece::Reasoning(_) | Piece::Call { .. }, .. }
                | FeedItem::Event(_)
                | FeedItem::Skipped => {}
                FeedItem::Gone => panic!("the session was deleted"),
            }
        };
        let standing = self.engine.wait_for_rest(&self.session).await.expect("at rest");
        let whole = began.elapsed();
        assert_eq!(standing.phase, Phase::Waiting, "the turn failed: {:?}", standing.waiting_for);
        TurnTime { first, whole }
    }

    /// What the log says of the last turn's reply; afterwards the next turn begins behind it.
    pub async fn heard(&mut self) -> ReplyStats {
        let events = self.engine.store().events(&self.session, self.head, 100).await.expect("the log");
        self.head = events.last().expect("a turn leaves events").seq;
        let steps = events.iter().filter_map(|event| serde_json::from_str::<Step>(&event.stored.body).ok());
        let mut replies = steps.filter_map(|step| {
            let ThreadEvent::Replied { text, usage, .. } = step.what else { return None };
            Some((text, usage))
        });
        let (text, usage) = replies.next_back().expect("a reply in the log");
        ReplyStats { text: text.to_string(), input: usage.input, cached: usage.cache_read }
    }

    /// Ends the engine.
    pub async fn close(self) {
        self.engine.close().await;
    }
}

/// The parlour calls none.
struct NoTools;

#[async_trait]
impl Tools for NoTools {
    async fn run(&self, _session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        Err(ToolFailure(format!("there is no tool {:?}", run.tool)))
    }
}
