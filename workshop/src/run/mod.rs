//! Runs commands in the folder of work, confined.
//!
//! Three processes take part. The workshop starts its own binary again as a *keeper* (`keeper.rs`), which watches from
//! outside and leaves nothing behind; the keeper starts it a third time as the process that raises the walls around
//! itself (`walls/`) and becomes the command (`becoming.rs`). A command that cannot be confined is not run.
//!
//! What a command changed in the folder is found out by whoever asked for it; here `Ran::changes` stays empty.

mod becoming;
mod cage;
mod cell;
mod check;
mod descriptors;
mod family;
mod keeper;
mod output;
mod program;
mod walls;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use enza_applications::companion::work::{Fault, Order, Ran, Run};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use cell::{Cell, Report};
pub use check::{Confinement, REQUIRED, Wall, check};
use output::Output;

/// The hidden first word with which the binary is started as a keeper or as a command.
pub const CONFINED: &str = "__confined";
const KEEP: &str = "keep";
const BECOME: &str = "become";

/// What follows the hidden word. Returns only if it failed.
pub fn confined(arguments: impl IntoIterator<Item = OsString>) -> io::Error {
    let role = arguments.into_iter().next().unwrap_or_default();
    if role == BECOME {
        return becoming::become_command();
    }
    if role != KEEP {
        return io::Error::new(io::ErrorKind::InvalidInput, "this is for the workshop, which says what follows");
    }
    match keeper::keep() {
        Ok(()) => std::process::exit(0),
        Err(why) => why,
    }
}

/// Runs commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// The program that hands what follows `CONFINED` to `confined`: the binary we are, even if its file was replaced.
    pub program: PathBuf,
    /// The person's home folder: only the toolchains in it can be read.
    pub home: Option<PathBuf>,
    /// The person's `PATH`.
    pub path: OsString,
    /// The person's `LANG` and `LC_*`.
    pub locale: Vec<(String, String)>,
    /// Where private folders are made.
    pub scratch: PathBuf,
    /// The version of Landlock without which nothing is run.
    pub required: u32,
    /// The newest version of Landlock that is used, whatever the kernel has.
    pub newest: u32,
    /// Whether commands are put in control groups, where that can be done.
    pub caged: bool,
}

impl Runner {
    /// Runs commands by way of this very binary, for a person with this home folder and `PATH`.
    pub fn new(home: Option<PathBuf>, path: OsString) -> Self {
        Self {
            program: PathBuf::from("/proc/self/exe"),
            home,
            path,
            locale: Vec::new(),
            scratch: PathBuf::from("/tmp"),
            required: REQUIRED,
            newest: u32::MAX,
            caged: true,
        }
    }

    /// Runs a command to its end. If this is dropped before, the command and all it started are ended.
    pub async fn run(&self, order: &Order, run: &Run) -> Result<Ran, Fault> {
        let abi = check::check_for(self.required)?.abi.min(self.newest);
        let cell = Cell::of(self, order, run, abi)?;
        let failed = |why: io::Error| Fault::System { path: self.program.display().to_string(), why: why.to_string() };
        let mut keeper = self.keeper().map_err(failed)?;
        let (Some(mut lifeline), Some(printed), Some(said)) =
            (keeper.stdin.take(), keeper.stdout.take(), keeper.stderr.take())
        else {
            return Err(failed(io::Error::other("a stream is missing")));
        };
        let mut description = serde_json::to_vec(&cell).map_err(|why| failed(why.into()))?;
        description.push(b'\n');
        // A keeper that is gone before it has read this has said why.
        let _ = lifeline.write_all(&description).await;
        let (output, said) =
            tokio::join!(read(printed, Output::of(order.bounds.output)), read(said, Output::of(REPORT)));
        keeper.wait().await.map_err(failed)?;
        drop(lifeline);
        let (said, _) = said.map_err(failed)?.read();
        match serde_json::from_str(&said) {
            Ok(Report::Ended { ended, millis }) => {
                let (output, cut) = output.map_err(failed)?.read();
                Ok(Ran { ended, output, cut, millis, changes: Vec::new() })
            }
            Ok(Report::Failed(fault)) => Err(fault),
            Err(_) => Err(failed(io::Error::other(format!("the keeper of the command failed: {said}")))),
        }
    }

    /// Its only tie to us is its standard input: dropping that ends everything, and lets it tidy up.
    fn keeper(&self) -> io::Result<Child> {
        Command::new(&self.program)
            .args([CONFINED, KEEP])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }
}

/// The longest report.
const REPORT: u64 = 64_000;

async fn read(mut from: impl AsyncRead + Unpin, mut output: Output) -> io::Result<Output> {
    let mut piece = vec![0; 1 << 16];
    loop {
        match from.read(&mut piece).await? {
            0 => return Ok(output),
            length => output.take(&piece[..length]),
        }
    }
}
