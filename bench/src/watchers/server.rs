//! The two servers that are measured: a house with sessions, and one handler that returns a file.
//!
//! Each prints one line of JSON when it listens, and ends when its starter does.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::header::CONTENT_TYPE;
use axum::{Router, routing::get};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Timestamp;
use enza_runtime::engine::{Allowance, Engine};
use enza_runtime::seams::clock::WallClock;
use enza_runtime::seams::register::{Pass, PassKind, Person, Register};
use enza_server::access::{AllowanceCache, Proxies, Secret};
use enza_server::state::{ModelInUse, Models};
use enza_server::{Accounts, AppState, Connections, Setup};
use enza_storage::Durability;
use serde_json::json;
use tokio::net::TcpListener;

use crate::workload::{InstantModel, InstantTool, Texts, registry};

/// The one person of the house.
const PERSON: &str = "bench";

/// Serves a house on a database until the starter ends.
pub async fn serve(database: &str, streams: usize) {
    let opened = enza_storage::open(database, Durability::Full).await.expect("a database");
    let token = let_in(&*opened.register).await;
    let texts = Texts::new();
    let (model, tool) = (Arc::new(InstantModel(texts.clone())), Arc::new(InstantTool(texts)));
    let engine = Engine::start(enza_runtime::engine::Setup::new(opened.store, model, tool, registry()));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let house = AppState::new(Setup {
        engine: engine.clone(),
        allowances: AllowanceCache::unread(opened.register.clone()),
        register: opened.register,
        clock: Arc::new(WallClock),
        accounts: Accounts::Shared,
        models: Arc::new(OneModel),
        public: format!("http://{address}"),
        patience: Duration::from_secs(60),
        streams,
        // All watchers come from this machine.
        connections: Connections { in_all: usize::MAX, per_address: usize::MAX, ..Connections::default() },
        proxies: Proxies::default(),
        contents: None,
        workers: None,
        parts: Vec::new(),
        prepares: Vec::new(),
        masks: std::collections::BTreeMap::new(),
    });
    say(&address, token.reveal());
    enza_server::serve(listener, house, starter_ended()).await.expect("served");
    engine.close().await;
}

/// Serves the bytes of a file from one bare handler until the starter ends.
pub async fn serve_bare(body: &Path) {
    let body: &'static [u8] = std::fs::read(body).expect("a file").leak();
    let handler = move || async move { ([(CONTENT_TYPE, "application/json")], body) };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    say(&listener.local_addr().expect("an address").to_string(), "");
    let routes = Router::new().route("/api/sessions", get(handler));
    axum::serve(listener, routes).with_graceful_shutdown(starter_ended()).await.expect("served");
}

/// Adds the person, and makes a token.
async fn let_in(register: &dyn Register) -> Secret {
    let person = Person {
        name: PERSON.to_owned(),
        display: PERSON.to_owned(),
        password: None,
        is_admin: false,
        is_blocked: false,
        lang: Some(Lang::En),
        allowance: Allowance::default(),
        added_at: Timestamp(1),
    };
    register.add(&person).await.expect("added");
    let secret = Secret::draw("enza");
    let pass = Pass {
        digest: secret.digest(),
        kind: PassKind::Token,
        person: Some(PERSON.to_owned()),
        label: PERSON.to_owned(),
        scopes: vec!["read".to_owned(), "write".to_owned()],
        issued_at: Timestamp(1),
        expires_at: None,
        used_at: None,
    };
    register.issue(&pass).await.expect("issued");
    secret
}

#[allow(clippy::print_stdout, reason = "the starter waits for this line")]
fn say(address: &str, token: &str) {
    println!("{}", json!({ "address": address, "token": token }));
}

/// The starter holds the other end of our input.
async fn starter_ended() {
    let ended = tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
    let _ = ended.await;
}

/// There is one model, and it stays.
struct OneModel;

#[async_trait]
impl Models for OneModel {
    fn current(&self) -> ModelInUse {
        ModelInUse { name: "instant".to_owned(), understudy: false }
    }

    fn choices(&self) -> Vec<String> {
        Vec::new()
    }

    async fn choose(&self, _name: &str, _lang: Lang) -> Result<(), Said> {
        Err(Said::new("There is one model.", "Use it."))
    }
}
