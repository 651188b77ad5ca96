//! Many watchers on live sessions, and how fast a list of sessions is answered.
//!
//! The server is another process, so that its memory is its own and the driver's work does not count as its. Every
//! watcher checks that it hears every event once and in order. Delivery is timed from when an event was decided, by the
//! clock of the one machine, so the save in between is in it.

mod crowd;
mod load;
mod server;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::measure::{percentile, round};

pub use server::{serve, serve_bare};

/// How many runs of each side of the requests a second, in turns.
const ROUNDS: usize = 3;

/// What is asked for.
pub struct Options {
    /// How many watch.
    pub watchers: usize,
    /// How many sessions there are to watch.
    pub sessions: usize,
    pub seconds: u64,
    /// How long a person waits after a word before the next, in milliseconds.
    pub pause: u64,
}

/// Runs it all, in a folder of its own.
pub async fn run(folder: &Path, wish: &Options) -> Vec<Value> {
    std::fs::create_dir_all(folder).expect("a folder to work in");
    let database = folder.join("watchers.db");
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", database.display()));
    }
    let streams = (wish.watchers + 1).to_string();
    let server = ServerProcess::start(&["watch-server", "--streams", &streams, "--database"], &database).await;
    let ids = crowd::open(&server, wish.sessions).await;
    let mut heard = crowd::watch(&server, &ids, wish).await;
    let resident = server.memory("VmRSS:");
    let peak = server.memory("VmHWM:");
    let (count, latencies) = (heard.latencies.len(), &mut heard.latencies);
    let watched = json!({
        "fw": "enza", "cmd": "watchers",
        "watchers": wish.watchers, "sessions": wish.sessions, "seconds": wish.seconds,
        "turns": heard.turns, "refused": heard.refused, "delivered": count,
        "lost": heard.lost, "repeated": heard.repeated,
        "p50_ms": percentile(latencies, 0.5), "p99_ms": percentile(latencies, 0.99), "most_ms": percentile(latencies, 1.0),
        "server_mb": round(resident), "server_peak_mb": round(peak),
    });
    vec![watched, list(&server, folder, wish).await]
}

/// Requests a second of a list of 20 sessions, beside a bare handler that returns the same bytes.
async fn list(server: &ServerProcess, folder: &Path, wish: &Options) -> Value {
    let path = "/api/sessions?limit=20";
    let body = load::once(&server.address, path, &server.token).await;
    let file = folder.join("list.json");
    std::fs::write(&file, &body).expect("a file");
    let bare = ServerProcess::start(&["bare-server", "--body"], &file).await;
    let span = Duration::from_secs((wish.seconds / 6).clamp(1, 10));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(load::press(&bare.address, path, &server.token, span).await);
        ours.push(load::press(&server.address, path, &server.token, span).await);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    json!({
        "fw": "enza", "cmd": "list", "bytes": body.len(), "requests_per_s": round(ours),
        "bare_requests_per_s": round(theirs), "share": round(ours / theirs),
    })
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// A server in a process of its own, which ends with this.
pub struct ServerProcess {
    pub address: String,
    /// A token of the one person in it.
    pub token: String,
    child: Child,
}

impl ServerProcess {
    async fn start(arguments: &[&str], file: &Path) -> Self {
        let this = std::env::current_exe().expect("this program");
        let mut child = Command::new(this)
            .args(arguments)
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a server");
        let mut lines = BufReader::new(child.stdout.take().expect("its words")).lines();
        let first = lines.next_line().await.expect("its first line").expect("its first line");
        let ready: Value = serde_json::from_str(&first).expect("JSON");
        let word = |name: &str| ready[name].as_str().unwrap_or_default().to_owned();
        Self { address: word("address"), token: word("token"), child }
    }

    /// A line of the kernel about its memory, in MB.
    fn memory(&self, name: &str) -> f64 {
        let file = format!("/proc/{}/status", self.child.id().expect("it runs"));
        let status = std::fs::read_to_string(file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1_024.0
    }
}
