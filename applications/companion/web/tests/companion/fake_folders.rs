//! Pretended folders, and a reader of the pages of a house that has them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::body::Body;
use axum::http::Request;
use enza_companion::{Companion, Rule, State};
use enza_kernel::application::Application as _;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use enza_server::Accounts;
use enza_server::prepare::{Prepare, Prepared, Remark, RemarkKind, SentCommand, Unfit};
use serde_json::{Value, json};

use crate::common::{Answer, PUBLIC, TestServer};

/// What the settings of the pretended machine deny.
pub const DENIED: &str = "deny change secret/**";

/// There is `/work`, `/asks` with wishes that do not count, and nothing else.
#[derive(Default)]
pub struct FakeFolders {
    /// What was denied since, and is to come before the next command.
    pub since: Mutex<Vec<Value>>,
    /// How many commands were accepted.
    pub heard: AtomicUsize,
}

fn rule(pattern: &str) -> Value {
    json!({ "verdict": "deny", "operation": "change", "pattern": pattern })
}

impl FakeFolders {
    /// Someone denies something, in the settings.
    pub fn deny(&self, pattern: &str) {
        self.since.lock().unwrap().push(json!({ "remember": { "rule": rule(pattern), "scope": "session" } }));
    }

    /// How many commands were accepted.
    pub fn heard(&self) -> usize {
        self.heard.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Prepare for FakeFolders {
    fn application(&self) -> &'static str {
        Companion::NAME
    }

    async fn prepare(&self, sent: SentCommand<'_>) -> Result<Prepared, Unfit> {
        if sent.opens { Self::opening(&sent.command, sent.lang) } else { Ok(self.hearing(sent.command)) }
    }

    async fn accepted(&self, _session: &SessionId) {
        self.heard.fetch_add(1, Ordering::Relaxed);
    }
}

impl FakeFolders {
    fn opening(sent: &Value, lang: Lang) -> Result<Prepared, Unfit> {
        let folder = sent["open"]["folder"].as_str().ok_or_else(|| Unfit::Command("open.folder".to_owned()))?;
        let remarks = match folder {
            "/work" => Vec::new(),
            "/asks" => vec![Remark { kind: RemarkKind::Warning, text: "tests: sh evil".to_owned() }],
            other => {
                let said = Said::new(format!("{other}?"), "Another.");
                return Err(Unfit::Machine { code: "folder-unfit", said });
            }
        };
        let settings = json!({ "rules": [rule("secret/**")] });
        let command = json!({ "open": { "folder": folder, "language": lang, "settings": settings } });
        Ok(Prepared { first: Vec::new(), command, remarks })
    }

    fn hearing(&self, mut sent: Value) -> Prepared {
        let said = sent["say"]["text"].as_str().unwrap_or_default();
        let note = |kind, text: &str| Remark { kind, text: text.to_owned() };
        let mut remarks = Vec::new();
        if said.contains("@none.rs") {
            remarks.push(note(RemarkKind::Warning, "Not attached: none.rs"));
        }
        if said.contains("@a.rs") {
            remarks.push(note(RemarkKind::Note, "Attached: a.rs"));
            sent["say"]["files"] = json!([{ "path": "a.rs", "text": "fn a() {}" }]);
        }
        Prepared { first: std::mem::take(&mut self.since.lock().unwrap()), command: sent, remarks }
    }
}

/// A house with pretended folders, and whoever runs it at a browser.
pub struct CompanionServer {
    pub stage: TestServer,
    pub folders: Arc<FakeFolders>,
    pub cookie: String,
}

impl CompanionServer {
    /// A house with or without accounts, run by Ada.
    pub async fn new(accounts: Accounts) -> Self {
        let folders = Arc::new(FakeFolders::default());
        let stage = TestServer::with_folders(accounts, folders.clone());
        stage.person("ada", true).await;
        let cookie = stage.cookie("ada").await;
        Self { stage, folders, cookie }
    }

    /// Sends a form as a browser without scripts does.
    pub async fn send_form(&self, path: &str, cookie: &str, lang: Lang, fields: &[(&str, &str)]) -> Answer {
        let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let body: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let request = Request::post(path)
            .header("cookie", cookie)
            .header("origin", PUBLIC)
            .header("accept", "text/html")
            .header("accept-language", lang.to_string())
            .header("content-type", "application/x-www-form-urlencoded");
        self.stage.send(request.body(Body::from(body.join("&"))).expect("a sound request")).await
    }

    /// Begins in a folder from the first page.
    pub async fn begin(&self, folder: &str, lang: Lang) -> Answer {
        self.send_form("/companion", &self.cookie, lang, &[("folder", folder), ("key", "one")]).await
    }

    /// A session in `/work`.
    pub async fn session(&self) -> SessionId {
        let begun = self.begin("/work", Lang::En).await;
        SessionId::of(begun.headers["location"].to_str().unwrap().rsplit('/').next().unwrap())
    }

    /// The state of a session.
    pub async fn state(&self, session: &SessionId) -> State {
        self.stage.app.engine().state::<Companion>(session).await.expect("it is there").1
    }

    /// Everything that is denied in a session, in one line each.
    pub async fn rules(&self, session: &SessionId) -> Vec<String> {
        let line = |rule: Rule| {
            let rule = json!(rule);
            ["verdict", "operation", "pattern"].map(|name| rule[name].as_str().unwrap().to_owned()).join(" ")
        };
        self.state(session).await.all_rules().into_iter().map(line).collect()
    }
}
