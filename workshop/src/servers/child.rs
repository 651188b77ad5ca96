//! The process of a server: started with few variables and in a group of its own, ended with everything it started.
//!
//! A child ends when it is dropped. So that it also ends when we are killed, it may be started through a launcher that
//! asks the system for that; the system then watches the thread that started it, so one thread starts all of them and
//! stays as long as any may live.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

use enza_work::hazard;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{ALWAYS, Server, ServerEnvironment, ServerError, Variable};

/// How much of what a server says at standard error is kept: the last lines, and of each the beginning.
const LINES: usize = 12;
const LINE: u64 = 400;
/// How long the rest of it is waited for once the server is ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A server's process. Dropping it ends it and everything it started.
pub struct Child {
    process: tokio::process::Child,
    said: Arc<Mutex<VecDeque<String>>>,
    listening: tokio::task::JoinHandle<()>,
}

/// The two ends at which a server is spoken to.
pub struct ChildPipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
}

impl Child {
    /// What it said last at standard error, once it is ended.
    pub async fn last_words(mut self) -> String {
        self.end();
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.listening).await;
        let said = self.said.lock().expect("said");
        said.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Ends the whole group. The leader is not waited for before, so its number is still its own.
    fn end(&mut self) {
        let leader = self.process.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(leader) = leader {
            // It may be gone already, which is as good.
            let _ = kill_process_group(leader, Signal::KILL);
        }
        let _ = self.process.start_kill();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
        self.listening.abort();
    }
}

/// Where children are started.
pub struct ProcessStarter {
    premises: ServerEnvironment,
    orders: OnceLock<mpsc::Sender<StartRequest>>,
}

struct StartRequest {
    command: Command,
    handle: Handle,
    born: oneshot::Sender<io::Result<tokio::process::Child>>,
}

impl ProcessStarter {
    /// A nursery on these premises.
    pub fn new(premises: ServerEnvironment) -> Self {
        Self { premises, orders: OnceLock::new() }
    }

    /// Looks up a variable for a server.
    pub fn variable(&self) -> &Variable {
        self.premises.variable.as_ref()
    }

    /// Starts a server's program in a folder.
    pub async fn start(
        &self,
        server: &Server,
        (program, arguments): (&str, &[String]),
        folder: PathBuf,
    ) -> Result<(Child, ChildPipes), ServerError> {
        let mut command = self.launched(program);
        command.args(arguments).current_dir(folder);
        self.configure(&mut command, server)?;
        let failed = |why: io::Error| ServerError::NotStarted { why: why.to_string(), last_words: String::new() };
        let mut process = self.spawn(command).await.map_err(failed)?;
        let (Some(input), Some(output), Some(errors)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err(failed(io::Error::other("a stream is missing")));
        };
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let listening = tokio::spawn(listen(errors, Arc::clone(&said)));
        Ok((Child { process, said, listening }, ChildPipes { input, output }))
    }

    /// The program, through the launcher where there is one.
    fn launched(&self, program: &str) -> Command {
        match self.premises.launcher.split_first() {
            Some((launcher, words)) => {
                let mut command = Command::new(launcher);
                command.args(words).arg(program);
                command
            }
            None => Command::new(program),
        }
    }

    /// Gives it the variables that it may have, and ends that are ours.
    fn configure(&self, command: &mut Command, server: &Server) -> Result<(), ServerError> {
        let variable = self.variable();
        command.env_clear().envs(ALWAYS.into_iter().filter_map(|name| Some((name, variable(name)?))));
        for name in &server.environment {
            let value = variable(name).ok_or_else(|| ServerError::NoVariable { name: name.clone() })?;
            command.env(name, value);
        }
        command.envs(server.values.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0).kill_on_drop(true);
        Ok(())
    }

    async fn spawn(&self, command: Command) -> io::Result<tokio::process::Child> {
        let gone = || io::Error::other("the thread that starts servers is gone");
        let (born, child) = oneshot::channel();
        let birth = StartRequest { command, handle: Handle::current(), born };
        self.orders.get_or_init(spawn_starter_thread).send(birth).map_err(|_| gone())?;
        child.await.map_err(|_| gone())?
    }
}

/// The thread that starts every child. It ends with the nursery.
fn spawn_starter_thread() -> mpsc::Sender<StartRequest> {
    let (orders, births) = mpsc::channel::<StartRequest>();
    std::thread::spawn(move || {
        for mut birth in births {
            let _runtime = birth.handle.enter();
            // Nobody waits any more where this fails; the child is then dropped, and with that ended.
            let _ = birth.born.send(birth.command.spawn());
        }
    });
    orders
}

/// Keeps the last lines.
async fn listen(errors: ChildStderr, said: Arc<Mutex<VecDeque<String>>>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        match (&mut errors).take(LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().filter(|letter| !letter.is_control() || *letter == '\t').collect();
        if text.trim().is_empty() {
            continue;
        }
        let mut said = said.lock().expect("said");
        said.push_back(hazard::mask(&text).into_owned());
        if said.len() > LINES {
            said.pop_front();
        }
    }
}
