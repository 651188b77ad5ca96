//! A model and tools that misbehave as real ones do.
//!
//! The model answers soundly most of the time; else it talks nonsense, says nothing, hangs, or its
//! service fails. What it answers is charged, whether or not anyone lives to hear it. Tools tell the
//! witness each time they really run.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Message, Reply, Request, ToolCall, Usage};
use enza_kernel::effect::{RunTool, Safety};
use serde_json::json;

use super::role::Role;
use super::world::{Fault, World};
use crate::seams::model::{Deltas, Lane, Model, ModelFailure, Piece, RateLimits};
use crate::seams::store::SessionId;
use crate::seams::tools::{ToolFailure, Tools};

pub(super) struct SimModel {
    pub world: Arc<World>,
    pub worker: usize,
    pub roles: Vec<Arc<dyn Role>>,
}

#[async_trait]
impl Model for SimModel {
    fn name(&self, _request: &Request) -> String {
        "simulated".to_owned()
    }

    fn lane(&self, _request: &Request) -> Lane {
        Lane { name: String::new(), pace: RateLimits { at_once: 4, ..RateLimits::default() } }
    }

    async fn reply(&self, request: &Request, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        self.world.moment().await;
        if self.world.strikes(Fault::Crash, 4) {
            self.world.die(self.worker).await;
        }
        if self.world.strikes(Fault::ModelFailed, 60) {
            let after = self.world.happens(50).then(|| Duration::from_secs(self.world.below(5)));
            return Err(if self.world.happens(50) {
                ModelFailure::Busy { after }
            } else {
                ModelFailure::Broken("simulated".to_owned())
            });
        }
        if self.world.strikes(Fault::ModelSilence, 10) {
            std::future::pending::<()>().await;
        }
        let session = session_named_in(request);
        let role = self.world.witness.lock().expect("witness").role_of(&session, &self.roles);
        self.world.witness.lock().expect("witness").saw_prompt(&session, request, &*role);
        let draw = self.world.below(1 << 32);
        let mut reply = if self.world.strikes(Fault::ModelGarbage, 80) {
            garbage(draw)
        } else if self.world.strikes(Fault::ModelSilence, 20) {
            Reply::default()
        } else {
            role.reply(request, draw)
        };
        deltas.piece(Piece::Text(reply.text.clone()));
        reply.usage = self.price(request);
        self.world.witness.lock().expect("witness").charged(&session, reply.usage.total());
        self.world.moment().await;
        if self.world.strikes(Fault::Crash, 4) {
            self.world.die(self.worker).await;
        }
        Ok(reply)
    }
}

impl SimModel {
    fn price(&self, request: &Request) -> Usage {
        let thread: u64 = request.messages.iter().map(Message::tokens).sum();
        Usage { input: thread + 50, output: self.world.below(u64::from(request.max_output)) + 1, ..Usage::default() }
    }
}

/// Every session's words begin with its name, so that the model can tell whose prompt it is reading.
fn session_named_in(request: &Request) -> SessionId {
    let text = request.to_plain_text();
    let name = text.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|word| word.starts_with("session0"));
    SessionId::of(name.unwrap_or("session0"))
}

fn garbage(draw: u64) -> Reply {
    let call = |id: &str, tool: &str, arguments| ToolCall { id: id.to_owned(), tool: tool.to_owned(), arguments };
    let calls = match draw % 5 {
        0 => vec![call("", "no_such_tool", json!(null))],
        1 => vec![call("same", "note", json!([])), call("same", "note", json!("x"))],
        2 => vec![call("x", "", json!({"a": {"b": [1, 2, 3]}}))],
        3 => vec![call("", "review", json!({"passed": "maybe"})), call("", "verdict", json!(7))],
        _ => Vec::new(),
    };
    Reply { text: "}{ \u{0} ```json {\"passed\": ".to_owned(), calls, ..Reply::default() }
}

pub(super) struct SimTools {
    pub world: Arc<World>,
    pub worker: usize,
}

#[async_trait]
impl Tools for SimTools {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        self.world.moment().await;
        if self.world.strikes(Fault::Crash, 8) {
            self.world.die(self.worker).await;
        }
        if self.world.strikes(Fault::ToolFailed, 60) {
            return Err(ToolFailure("It did not work, and nothing was done.".to_owned()));
        }
        // The till's charges and payments count whatever the effect claims, so that a flaw in the claim is seen.
        if run.safety == Safety::Once || matches!(run.tool.as_str(), "charge" | "pay") {
            self.world.witness.lock().expect("witness").ran(session, run.key);
        }
        let draw = self.world.below(1 << 32);
        let answer = self.world.witness.lock().expect("witness").run(session, run, draw);
        let long = if self.world.happens(5) { self.world.below(40_000) } else { self.world.below(20) };
        tokio::time::sleep(Duration::from_millis(long)).await;
        if self.world.strikes(Fault::Crash, 8) {
            self.world.die(self.worker).await;
        }
        Ok(answer.unwrap_or_else(|| format!("{} done", run.tool)))
    }
}
