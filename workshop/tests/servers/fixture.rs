//! A session with servers, and what they leave behind.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::effect::{Key, RunTool, Safety};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::Tools as _;
use enza_work::Offered;
use enza_workshop::servers::{Directory, Server, ServerEnvironment, ServerError, ServerTerms, Servers};
use serde_json::Value;

/// A house with servers in it.
pub struct ServersFixture {
    pub servers: Arc<Servers>,
    /// The terms of its session.
    pub terms: ServerTerms,
    pub session: SessionId,
    folder: tempfile::TempDir,
}

struct Written(ServerTerms);

#[async_trait]
impl Directory for Written {
    async fn terms(&self, _session: &SessionId) -> Result<ServerTerms, String> {
        Ok(self.0.clone())
    }
}

impl ServersFixture {
    /// With a server `one` of this manner.
    pub fn with(manner: &str) -> Self {
        Self::by(manner, |_| {})
    }

    /// With a server `one` at this address.
    pub fn at(url: &str, change: impl FnOnce(&mut Server)) -> Self {
        Self::under(url, |terms| change(terms.servers.get_mut("one").unwrap()))
    }

    /// The same, with something changed in the terms.
    pub fn under(url: &str, change: impl FnOnce(&mut ServerTerms)) -> Self {
        Self::having(Server { url: Some(url.to_owned()), ..Server::default() }, change)
    }

    /// With a server `one` of this manner, and something changed in the terms.
    pub fn by(manner: &str, change: impl FnOnce(&mut ServerTerms)) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/servers/server.py");
        let server = Server {
            command: vec!["python3".to_owned(), script.to_owned(), manner.to_owned()],
            environment: vec!["TRACES".to_owned()],
            ..Server::default()
        };
        Self::having(server, change)
    }

    fn having(server: Server, change: impl FnOnce(&mut ServerTerms)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut terms = ServerTerms {
            folder: folder.path().canonicalize().unwrap(),
            servers: BTreeMap::from([("one".to_owned(), server)]),
            output: 32_000,
            patience: Duration::from_secs(60),
            lang: Lang::En,
        };
        change(&mut terms);
        let traces = folder.path().join("traces");
        std::fs::write(&traces, "").unwrap();
        let variable = move |name: &str| match name {
            "PATH" => std::env::var_os("PATH"),
            "TRACES" => Some(traces.clone().into()),
            "PRIVATE" => Some("not for servers".into()),
            "KEY" => Some("q8Zr1vT4bN6k".into()),
            _ => None,
        };
        let premises = ServerEnvironment { launcher: Vec::new(), variable: Arc::new(variable) };
        let servers = Servers::new(Arc::new(Written(terms.clone())), premises);
        Self { servers: Arc::new(servers), terms, session: SessionId::of("session"), folder }
    }

    /// Starts all, and gives what each offers.
    pub async fn opened(&self) -> BTreeMap<String, Result<Vec<Offered>, ServerError>> {
        self.servers.open(&self.session, &self.terms).await
    }

    /// Uses a tool.
    pub async fn used(&self, tool: &str, arguments: Value) -> Result<String, String> {
        let run = RunTool {
            key: Key::default(),
            tool: tool.to_owned(),
            arguments,
            safety: Safety::Once,
            started: Some("mark".to_owned()),
            reserve: 0,
        };
        self.servers.run(&self.session, &run).await.map_err(|failure| failure.0)
    }

    /// What the servers left behind, without their numbers.
    pub fn traces(&self) -> Vec<String> {
        self.lines()
            .iter()
            .map(|line| line.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim().to_owned())
            .collect()
    }

    /// The process that a line of the traces names.
    pub fn process(&self, what: &str) -> PathBuf {
        let lines = self.lines();
        let number = lines.iter().find_map(|line| line.strip_prefix(what)).expect(what).trim().to_owned();
        PathBuf::from("/proc").join(number)
    }

    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path().join("traces")).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

/// Waits until a process is gone, or only its name is left.
pub async fn gone(process: PathBuf) {
    let lives = || {
        let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
        !status.is_empty() && !status.contains("State:\tZ")
    };
    for _ in 0..600 {
        if !lives() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} is still there", process.display());
}
