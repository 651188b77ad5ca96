//! The peer's two probes of semantics, on Enza: two answers to one gate, and a kill inside a tool.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::conversation::{Reply, Request, Role, ToolCall, Usage};
use enza_kernel::effect::RunTool;
use enza_kernel::reader::Reader;
use enza_kernel::testing::till::Till;
use enza_kernel::text::Lang;
use enza_runtime::engine::{Declined, Engine, Setup};
use enza_runtime::seams::model::{Deltas, Model, ModelFailure};
use enza_runtime::seams::store::{Log, SessionId};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_storage::{Durability, Sqlite};
use serde_json::{Value, json};

use crate::workload::{by_a_person, open, registry};

/// Calls the tool once after each word of a person.
struct Caller(&'static str);

#[async_trait]
impl Model for Caller {
    fn name(&self, _request: &Request) -> String {
        "caller".to_owned()
    }

    async fn reply(&self, request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        let usage = Usage { input: 10, output: 10, ..Usage::default() };
        if request.messages.last().is_some_and(|message| message.role == Role::Tool) {
            return Ok(Reply { text: "Done.".to_owned(), usage, ..Reply::default() });
        }
        let call = ToolCall { id: "c1".to_owned(), tool: self.0.to_owned(), arguments: json!({"amount": 10}) };
        Ok(Reply { calls: vec![call], usage, ..Reply::default() })
    }
}

/// Pays by adding a line to a file; may die right after.
struct Payer {
    log: PathBuf,
    dies: bool,
}

#[async_trait]
impl Tools for Payer {
    async fn run(&self, _session: &SessionId, _run: &RunTool) -> Result<String, ToolFailure> {
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(&self.log).expect("the log");
        writeln!(log, "paid").expect("written");
        if self.dies {
            kill_this_process();
        }
        Ok("paid".to_owned())
    }
}

/// As `kill -9` would: nothing is flushed, nothing is dropped.
fn kill_this_process() -> ! {
    let _ = std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
    std::process::abort()
}

fn start(folder: &Path, worker: &str, tool: &'static str, dies: bool) -> Engine {
    let store = Arc::new(Sqlite::open(&folder.join("probe.db"), Durability::Full).expect("a file"));
    let tools = Arc::new(Payer { log: folder.join("side.log"), dies });
    Engine::start(Setup {
        worker: worker.to_owned(),
        patrol: Duration::from_millis(100),
        ..Setup::new(store, Arc::new(Caller(tool)), tools, registry())
    })
}

fn paid(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("side.log")).unwrap_or_default().lines().count()
}

pub async fn run(folder: &Path) -> Vec<Value> {
    vec![two_answers(&folder.join("gate")).await, killed_inside_a_tool(&folder.join("kill")).await]
}

async fn two_answers(folder: &Path) -> Value {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).expect("a folder");
    let session = SessionId::of("p");
    let (one, other) = (start(folder, "one", "pay", false), start(folder, "other", "pay", false));
    open(&one, &session).await;
    one.submit(&session, by_a_person(json!({"say": {"text": "pay it"}}))).await.expect("accepted");
    one.wait_for_rest(&session).await.expect("at the gate");
    let gate = one
        .state_at(&session, None)
        .await
        .expect("a state")
        .floor(&Reader::host(), Lang::En)
        .gate
        .expect("an open gate")
        .id;
    let answer = |verdict: &str| by_a_person(json!({"answer": {"gate": gate, "verdict": verdict}}));
    let (yes, no) = tokio::join!(one.submit(&session, answer("yes")), other.submit(&session, answer("no")));
    let told = |who: &str, told: Result<_, Declined>| match told {
        Ok(_) => format!("{who}: accepted"),
        Err(Declined::Refused(refused)) => format!("{who}: {}", refused.code),
        Err(declined) => format!("{who}: {declined:?}"),
    };
    let results = [told("yes, approve", yes.map(|_| ())), told("no, reject", no.map(|_| ()))];
    for engine in [&one, &other] {
        engine.wait_for_rest(&session).await.expect("at rest");
    }
    let log = one.store().events(&session, enza_kernel::time::Seq::START, 1_000).await.expect("events");
    let answers = log.iter().filter(|recorded| recorded.stored.kind == "GateAnswered").count();
    one.close().await;
    other.close().await;
    json!({
        "fw": "enza", "probe": "P1 two concurrent answers to one gate", "results": results,
        "answers_in_the_log": answers, "tool_side_effects": paid(folder),
    })
}

async fn killed_inside_a_tool(folder: &Path) -> Value {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).expect("a folder");
    let child = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["doomed", "--folder"])
        .arg(folder)
        .status()
        .expect("a child");
    let session = SessionId::of("p");
    let store = Sqlite::open(&folder.join("probe.db"), Durability::Full).expect("the file");
    let log = store.events(&session, enza_kernel::time::Seq::START, 1_000).await.expect("events");
    let kept = log.iter().any(|recorded| recorded.stored.body.contains("pay it"));
    drop(store);
    let engine = start(folder, "second", "charge", false);
    // The dead worker's lease has to end first.
    let unknown = loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let live = engine.state_at(&session, None).await.expect("a state");
        if live.standing().phase != enza_kernel::application::Phase::Working {
            break live.typed::<Till>().expect("a till's state").unknown;
        }
    };
    engine.close().await;
    json!({
        "fw": "enza", "probe": "kill in tool", "rc": child.code(), "killed": child.code().is_none(),
        "human_message_kept": kept, "reported_unknown": unknown, "side_effects_of_this_turn": paid(folder),
    })
}

/// Speaks once; the tool kills the process.
pub async fn doomed(folder: &Path) -> Vec<Value> {
    let engine = start(folder, "first", "charge", true);
    let session = SessionId::of("p");
    open(&engine, &session).await;
    engine.submit(&session, by_a_person(json!({"say": {"text": "pay it"}}))).await.expect("accepted");
    tokio::time::sleep(Duration::from_secs(60)).await;
    Vec::new()
}
