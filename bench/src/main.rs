//! Enza's side of the benchmarks: one JSON line per run, like the peer's.
//!
//! `bench/run` calls this and the peer in one go and prints ratios. Nothing here is timed by a test.

mod bare;
mod companion;
mod grow;
mod measure;
mod memory;
mod models;
mod probes;
mod turns;
mod watchers;
mod workload;

use clap::{Parser, Subcommand};
use serde_json::Value;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Turns of one session at a time.
    Single {
        /// The database.
        #[arg(long)]
        database: String,
        #[arg(long, default_value_t = 50)]
        sessions: usize,
        #[arg(long, default_value_t = 10)]
        per: usize,
    },
    /// Turns of many sessions at once.
    Conc {
        /// The database.
        #[arg(long)]
        database: String,
        #[arg(long, default_value_t = 100)]
        sessions: usize,
        #[arg(long, default_value_t = 10)]
        per: usize,
    },
    /// The rows of `single` or `conc`, written by plain SQL in groups of a given size.
    Bare {
        /// The file.
        #[arg(long)]
        database: String,
        #[arg(long, default_value_t = 50)]
        sessions: usize,
        #[arg(long, default_value_t = 10)]
        per: usize,
        /// Appends in one transaction.
        #[arg(long, default_value_t = 1)]
        group: usize,
    },
    /// One long session: bytes and time per turn as it grows, and how long it takes to load.
    Grow {
        /// The file.
        #[arg(long)]
        database: String,
        #[arg(long, default_value_t = 5_000)]
        turns: usize,
    },
    /// Many open but idle sessions: memory above the empty process.
    Idle {
        /// The file.
        #[arg(long)]
        database: String,
        #[arg(long, default_value_t = 10_000)]
        sessions: usize,
    },
    /// Twenty turns with a llama.cpp server, through Enza or by hand.
    Talk {
        #[arg(long)]
        side: models::Side,
        /// The folder with `server/bin/llama-server` and `weights/small.gguf`.
        #[arg(long)]
        models: std::path::PathBuf,
        /// A folder to work in.
        #[arg(long)]
        folder: std::path::PathBuf,
    },
    /// The same turns with a server that answers at once: what Enza adds to a call. After `talk --side hand`.
    Overhead {
        /// The folder in which `talk` worked.
        #[arg(long)]
        folder: std::path::PathBuf,
        #[arg(long, default_value_t = 100)]
        conversations: usize,
    },
    /// The companion without a model: turns on a large folder, a long session, the workshop's operations, prompts.
    Companion {
        /// A folder to work in.
        #[arg(long)]
        folder: std::path::PathBuf,
        #[arg(long, default_value_t = 10_000)]
        files: usize,
        #[arg(long, default_value_t = 1_000)]
        turns: usize,
    },
    /// Watchers on live sessions, over HTTP; and requests a second of a list of sessions.
    Watchers {
        /// A folder to work in.
        #[arg(long)]
        folder: std::path::PathBuf,
        #[arg(long, default_value_t = 1_000)]
        watchers: usize,
        #[arg(long, default_value_t = 200)]
        sessions: usize,
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Milliseconds from one word in a session to the next.
        #[arg(long, default_value_t = 2_000)]
        pause: u64,
    },
    /// The house that `watchers` watches; it starts this itself.
    #[command(hide = true)]
    WatchServer {
        #[arg(long)]
        database: String,
        #[arg(long)]
        streams: usize,
    },
    /// The bare handler that `watchers` compares with; it starts this itself.
    #[command(hide = true)]
    BareServer {
        #[arg(long)]
        body: std::path::PathBuf,
    },
    /// Two answers to one gate, and a kill inside a tool.
    Probe {
        /// A folder to work in.
        #[arg(long)]
        folder: std::path::PathBuf,
    },
    /// One turn that kills its own process inside the tool; `probe` starts it.
    #[command(hide = true)]
    Doomed {
        #[arg(long)]
        folder: std::path::PathBuf,
    },
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // As a task of the runtime, like a request to a server: the main thread only waits.
    let work = runtime.spawn(async {
        match Arguments::parse().what {
            What::Single { database, sessions, per } => vec![turns::single(&database, sessions, per).await],
            What::Conc { database, sessions, per } => vec![turns::concurrent(&database, sessions, per).await],
            What::Bare { database, sessions, per, group } => vec![bare::run(&database, sessions, per, group).await],
            What::Grow { database, turns } => vec![grow::run(&database, turns).await],
            What::Idle { database, sessions } => vec![memory::run(&database, sessions).await],
            What::Talk { side, models, folder } => vec![models::talk(side, &models, &folder).await],
            What::Overhead { folder, conversations } => vec![models::overhead(&folder, conversations).await],
            What::Companion { folder, files, turns } => companion::run(&folder, files, turns).await,
            What::Watchers { folder, watchers, sessions, seconds, pause } => {
                watchers::run(&folder, &watchers::Options { watchers, sessions, seconds, pause }).await
            }
            What::WatchServer { database, streams } => {
                watchers::serve(&database, streams).await;
                Vec::new()
            }
            What::BareServer { body } => {
                watchers::serve_bare(&body).await;
                Vec::new()
            }
            What::Probe { folder } => probes::run(&folder).await,
            What::Doomed { folder } => probes::doomed(&folder).await,
        }
    });
    let lines: Vec<Value> = runtime.block_on(work).expect("the benchmark");
    lines.iter().for_each(|line| println!("{line}"));
}
