//! Runs commands in the folder of work, confined.
//!
//! Three processes take part. The workshop starts its own binary again as a *keeper* (`keeper.rs`), which watches from
//! outside and leaves nothing behind; the keeper starts it a third time as the process that raises the walls around
//! itself (`sandbox/`) and becomes the command (`exec.rs`). A command that cannot be confined is not run.
//!
//! What a command changed in the folder is found out by whoever asked for it; here `Ran::changes` and `Ran::beyond` stay
//! empty.

mod cgroup;
mod check;
mod command_spec;
mod denied_reads;
mod descriptors;
mod exec;
mod orphans;
mod output;
mod process_tree;
mod program;
mod resource_watch;
mod sandbox;
mod supervisor;
mod toolchains;

use std::convert::Infallible;
use std::ffi::OsString;
use std::future::pending;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use enza_work::{Fault, Order, Run, RunEnd, RunResult, SideEffects};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

pub use check::{Confinement, Protection, REQUIRED, check, seals};
use command_spec::{CommandSpec, Report};
pub(crate) use output::Output;
pub use toolchains::variables as tool_variables;

use crate::files::{Aliases, Closes};

/// The binary we are, even if its file was replaced.
pub const OURSELVES: &str = "/proc/self/exe";
/// The hidden first word with which the binary is started as a keeper or as a command.
pub const CONFINED: &str = "__confined";
const KEEP: &str = "keep";
const BECOME: &str = "become";
const TRY: &str = "try";

/// What follows the hidden word. Returns only if it failed.
pub fn confined(arguments: impl IntoIterator<Item = OsString>) -> io::Error {
    let role = arguments.into_iter().next().unwrap_or_default();
    let done = match role.to_str() {
        Some(BECOME) => Err(exec::exec_command()),
        Some(KEEP) => supervisor::supervise(),
        Some(TRY) => sandbox::try_to_seal(),
        Some(_) | None => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "this is for the workshop, which says what follows"))
        }
    };
    match done {
        Ok(()) => std::process::exit(0),
        Err(why) => why,
    }
}

/// The files of a folder that are closed by their names or by these patterns, and the secret ones of a home folder.
pub(crate) fn closed_files(folder: &Path, home: Option<&Path>, patterns: &[String]) -> Vec<PathBuf> {
    let of_home = home.map(sandbox::in_home).unwrap_or_default();
    sandbox::in_folder(folder, patterns).into_iter().chain(of_home).collect()
}

/// What is seen to around one command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Precautions {
    /// What it is kept from changing in its own folder, as far as the kernel allows.
    pub closes: Closes,
    /// A file that stays locked for as long as anything of the command is left.
    pub lock: Option<PathBuf>,
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
    /// The person's variables that lead to toolchains, of those in `tool_variables`.
    pub tools: Vec<(String, PathBuf)>,
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
    /// Whether commands see everything but their folders as read-only, where that can be done.
    pub seals: bool,
    /// Where it is kept which files were closed before commands ran; without it, it is kept nowhere.
    pub closed: Option<PathBuf>,
}

impl Runner {
    /// Runs commands by way of this very binary, for a person with this home folder and `PATH`.
    pub fn new(home: Option<PathBuf>, path: OsString) -> Self {
        Self {
            program: PathBuf::from(OURSELVES),
            home,
            path,
            tools: Vec::new(),
            locale: Vec::new(),
            scratch: PathBuf::from("/tmp"),
            required: REQUIRED,
            newest: u32::MAX,
            caged: true,
            seals: true,
            closed: None,
        }
    }

    /// Runs a command to its end. If this is dropped before, the command and all it started are ended.
    pub async fn run(&self, order: &Order, run: &Run) -> Result<RunResult, Fault> {
        self.run_until(order, run, &Precautions::default(), pending()).await
    }

    /// Runs a command to its end, or ends it and all it started as soon as it is `halted`.
    pub async fn run_until(
        &self,
        order: &Order,
        run: &Run,
        precautions: &Precautions,
        halted: impl Future<Output = ()>,
    ) -> Result<RunResult, Fault> {
        let (ended, millis, output) = self.run_for(order, run, precautions, order.bounds.output, halted).await?;
        let (output, cut) = output.read();
        let has_failed = ended != RunEnd::Status(0);
        let kept_from =
            has_failed.then(|| denied_reads::denied_path(order, run, self.home.as_deref(), &output)).flatten();
        let kept_from = kept_from.map(Box::new);
        let (command, changes, beyond) = (String::new(), Vec::new(), SideEffects::default());
        Ok(RunResult { command, ended, output, cut, millis, changes, beyond, kept_from })
    }

    /// The same, for what is to be read letter by letter and not shown: what it printed, as it came.
    pub(crate) async fn run_plainly(&self, order: &Order, run: &Run) -> Result<(RunEnd, Vec<u8>), Fault> {
        let (ended, _, output) = self.run_for(order, run, &Precautions::default(), PLAINLY, pending()).await?;
        let whole = output.whole().ok_or_else(|| Fault::System {
            path: self.program.display().to_string(),
            why: format!("the command printed more than {PLAINLY} bytes"),
        })?;
        Ok((ended, whole))
    }

    /// Runs a command to its end, and gives how it ended, how long it took, and what it printed.
    async fn run_for(
        &self,
        order: &Order,
        run: &Run,
        precautions: &Precautions,
        most: u64,
        halted: impl Future<Output = ()>,
    ) -> Result<(RunEnd, u64, Output), Fault> {
        let abi = check::landlock(self.required)?.min(self.newest);
        let cell = CommandSpec::of(self, order, run, precautions, abi)?;
        let failed = |why: io::Error| Fault::System { path: self.program.display().to_string(), why: why.to_string() };
        let cell = self.noting(cell).await.map_err(failed)?;
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
        let pipe = orphans::Pipe::of(&printed);
        let longest = Duration::from_secs(cell.seconds.into()) + KEEPERS_GRACE;
        let read = async { tokio::join!(read(printed, Output::of(most)), read(said, Output::of(REPORT))) };
        // The keeper ends everything when it is let go, and says so.
        let let_go = async move {
            halted.await;
            drop(lifeline);
            pending::<Infallible>().await
        };
        let kept = tokio::select! {
            kept = with_keeper(&mut keeper, read, longest) => kept,
            never = let_go => match never {},
        };
        let Some((output, said)) = kept.map_err(failed)? else {
            // A command that ended its own keeper has lost whoever would have ended it.
            let _ = keeper.start_kill();
            pipe.end_writers();
            return Err(failed(io::Error::other("the keeper of the command is gone")));
        };
        let (said, _) = said.map_err(failed)?.read();
        match serde_json::from_str(&said) {
            Ok(Report::Ended { ended, millis }) => Ok((ended, millis, output.map_err(failed)?)),
            Ok(Report::Failed(fault)) => Err(fault),
            Err(_) => Err(failed(io::Error::other(format!("the keeper of the command failed: {said}")))),
        }
    }

    /// Notes which files are closed now, since the command may give them other names; and those that have others already.
    async fn noting(&self, cell: CommandSpec) -> io::Result<CommandSpec> {
        let all = self.closed.clone();
        let noted = move || {
            let closed = sandbox::closed_files(&cell);
            let noted = all.map(|all| Aliases::note(&Aliases::place(&all, &cell.folder), &cell.folder, &closed));
            let aliases = noted.transpose()?.unwrap_or_default();
            let secret = cell.home.iter().flat_map(|home| sandbox::in_home(home)).chain(closed);
            Ok(CommandSpec { aliases: aliases.and_linked(&cell.folder, secret), ..cell })
        };
        tokio::task::spawn_blocking(noted).await.map_err(io::Error::other)?
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
/// The most that is printed by a command whose output is read letter by letter.
const PLAINLY: u64 = 64 << 20;
/// How much longer than its command a keeper may take: it asks, ends, gives up and tidies up.
const KEEPERS_GRACE: Duration = Duration::from_secs(120);
/// How long is read on behind a keeper that is gone. One that came to its end has left nobody who could write.
const BEHIND: Duration = Duration::from_secs(2);

/// What is read until the end of a keeper; none where it took too long, or is gone while someone still holds its streams.
async fn with_keeper<T>(keeper: &mut Child, read: impl Future<Output = T>, longest: Duration) -> io::Result<Option<T>> {
    tokio::pin!(read);
    tokio::select! {
        read = &mut read => {
            let ended = timeout(longest, keeper.wait()).await;
            ended.map_or(Ok(None), |ended| ended.map(|_| Some(read)))
        }
        ended = keeper.wait() => {
            ended?;
            Ok(timeout(BEHIND, read).await.ok())
        }
        () = sleep(longest) => Ok(None),
    }
}

async fn read(mut from: impl AsyncRead + Unpin, mut output: Output) -> io::Result<Output> {
    let mut piece = vec![0; 1 << 16];
    loop {
        match from.read(&mut piece).await? {
            0 => return Ok(output),
            length => output.take(&piece[..length]),
        }
    }
}
