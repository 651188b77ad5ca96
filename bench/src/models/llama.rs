//! A llama.cpp server with the small weights, one slot, cold: started for one conversation and ended with it.
//!
//! It remembers nothing of another conversation, neither in its slot nor beside it. It listens on loopback, on a port
//! of the moment.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};

use super::plain_client;

/// A running server. Dropped, it is killed.
pub struct Llama {
    child: Child,
    address: String,
}

impl Llama {
    /// Starts the server of a models folder, or the one on the search path where the folder has none, and waits until
    /// it can be asked. What it says goes to a file.
    pub async fn start(models: &Path, log: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|held| held.local_addr()).expect("a free port").port();
        let said = File::create(log).expect("a file for what the server says");
        let mut command = program(models);
        command
            .arg("--model")
            .arg(models.join("weights/small.gguf"))
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--device", "none"])
            .args(["--parallel", "1", "--ctx-size", "4096", "--cache-ram", "0", "--cache-prompt"])
            .args(["--jinja", "--no-webui", "--offline"])
            .env_remove("LLAMA_API_KEY")
            .stdin(Stdio::null())
            .stdout(said.try_clone().expect("the same file"))
            .stderr(said)
            .kill_on_drop(true);
        let child = command.spawn().unwrap_or_else(|why| panic!("llama-server does not start: {why}"));
        let mut server = Self { child, address: format!("http://127.0.0.1:{port}") };
        server.wait_until_ready(log).await;
        server
    }

    async fn wait_until_ready(&mut self, log: &Path) {
        let client = plain_client(0);
        let url = format!("{}/health", self.address);
        for _ in 0..1_200 {
            if let Some(status) = self.child.try_wait().expect("the child") {
                panic!("llama-server ended while it started ({status}); see {}", log.display());
            }
            if client.get(&url).send().await.is_ok_and(|answer| answer.status().is_success()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("llama-server was not ready after two minutes; see {}", log.display());
    }

    /// Where it is, as clients want to know it.
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.address)
    }

    /// Ends it and waits until it is gone.
    pub async fn end(mut self) {
        self.child.kill().await.expect("the server ends");
    }
}

fn program(models: &Path) -> Command {
    let bin = models.join("server/bin");
    let ours = bin.join("llama-server");
    if !ours.exists() {
        return Command::new("llama-server");
    }
    let mut command = Command::new(ours);
    command.env("LD_LIBRARY_PATH", bin);
    command
}
