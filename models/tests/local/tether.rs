//! A program for the tests of the local model: the launcher, and processes that are meant to be killed.
//!
//! `launch` becomes a tethered program. `serve` supervises a server until somebody kills it. `pull` pulls from a hub and
//! says what came of it, so that a test can run it under a limit on the size of files.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use enza_models::local::folder::{ModelFolder, ServerBinary};
use enza_models::local::launcher::{self, Launcher};
use enza_models::local::machine::{CpuSession, Plan};
use enza_models::local::pull::{Sources, pull};
use enza_models::local::pullable::{Expected, HubFile, Pullable, Weights};
use enza_models::local::server::{RestartPolicy, Server, Setup};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    if mode == "launch" {
        return Err(launcher::run(rest));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match mode.to_str() {
        Some("serve") => runtime.block_on(serve(&rest)),
        Some("pull") => runtime.block_on(pull_once(&rest)),
        Some(_) | None => Err(std::io::Error::other("launch, serve or pull")),
    }
}

/// PROGRAM LIBRARIES WEIGHTS LOG: prints the server's process once it is ready, then waits to be killed.
async fn serve(rest: &[OsString]) -> std::io::Result<()> {
    let [program, libraries, weights, log] = [0, 1, 2, 3].map(|place| PathBuf::from(&rest[place]));
    let server = Server::new(Setup {
        binary: ServerBinary { program, library_folder: Some(libraries), version: None },
        weights,
        plan: Plan {
            threads: 1,
            context: 512,
            slots: 1,
            spin: 1_000,
            session: CpuSession::Own,
            repack: false,
            parking: 0,
            memory: 0,
        },
        launcher: Launcher::Tethered { program: std::env::current_exe()?, first_arguments: vec!["launch".into()] },
        log,
        patience: RestartPolicy::default(),
    });
    server.endpoint().await.map_err(std::io::Error::other)?;
    let process = server.process().await.unwrap_or_default();
    writeln!(std::io::stdout(), "{process}")?;
    std::future::pending().await
}

/// HUB FOLDER BYTES SHA256: prints what came of it.
async fn pull_once(rest: &[OsString]) -> std::io::Result<()> {
    let text = |place: usize| rest[place].to_string_lossy().into_owned();
    let what = Pullable::Weights(Weights {
        name: "tiny".into(),
        hub: Some(HubFile { repository: "owner/repo".into(), file: "tiny.gguf".into() }),
        wheels: Vec::new(),
        expected: Some(Expected { bytes: text(2).parse().map_err(std::io::Error::other)?, sha256: text(3) }),
    });
    let sources = Sources { hub: Some(text(0)), pip: Vec::new() };
    let came = pull(&ModelFolder::new(text(1)), &what, &sources, &|_| {}).await;
    writeln!(std::io::stdout(), "{came:?}")
}
