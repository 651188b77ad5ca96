//! A llama.cpp server of our own: started when first needed, watched, started again when it died.
//!
//! However many ask at once, there is one child. It listens on loopback only, on a port of the moment, behind a key that
//! nobody but us knows. It ends with us (`child.rs`), also when we are killed. A child that keeps dying is not started
//! for ever: after a few deaths in a short time everyone is told, with its last words.
//!
//! Talking to the model is not done here: `endpoint` says where it is.

mod child;
mod error;
mod log;
mod options;
mod ready;

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

pub use error::{Ending, ServerError};

use super::folder::ServerBinary;
use super::launcher::Launcher;
use super::machine::Plan;
use crate::keys::Secret;
use child::Child;

/// Ports that may turn out to be taken before we say so.
const MOST_PORTS: usize = 5;
/// Pauses between starts grow no further.
const MOST_DOUBLINGS: u32 = 6;

/// What a server is started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    pub binary: ServerBinary,
    pub weights: PathBuf,
    /// How it is fitted into this computer.
    pub plan: Plan,
    /// How its process is started.
    pub launcher: Launcher,
    /// Where its log goes. The one before is kept with `.1` at its end.
    pub log: PathBuf,
    /// How much is put up with.
    pub patience: RestartPolicy,
}

/// How much is put up with before somebody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartPolicy {
    /// How long loading may take.
    pub ready_within: Duration,
    /// How many deaths within `window` are answered with a new start.
    pub restarts: usize,
    /// The time in which deaths are counted.
    pub window: Duration,
    /// The pause before the second new start; it doubles with each.
    pub pause: Duration,
}

impl Default for RestartPolicy {
    fn default() -> Self {
        Self {
            ready_within: Duration::from_secs(300),
            restarts: 3,
            window: Duration::from_secs(300),
            pause: Duration::from_secs(1),
        }
    }
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its address, without a path.
    pub base_url: String,
    /// The key it wants with every request.
    pub key: Secret,
}

/// How far a start has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartProgress {
    /// How long it has taken.
    pub since: Duration,
    pub phase: Phase,
}

/// What a server that starts is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The process runs but does not listen yet.
    Starting,
    /// It reads the weights.
    Loading,
}

/// A server under supervision. Ends its child when dropped.
pub struct Server {
    setup: Setup,
    state: Mutex<State>,
    /// Outside the state, so that a start under way hears of it.
    stopped: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    running: Option<Running>,
    deaths: VecDeque<Instant>,
    last_death: Option<(Ending, Vec<String>)>,
    starts: u64,
}

/// A child that was started. It stays here while it loads, so that a caller who gives up does not end it for the others.
struct Running {
    child: Child,
    endpoint: Endpoint,
    port: u16,
    began: Instant,
    is_ready: bool,
}

impl Server {
    /// A server that is not started yet.
    pub fn new(setup: Setup) -> Self {
        Self { setup, state: Mutex::default(), stopped: watch::Sender::new(false) }
    }

    /// Where it listens, starting it first if need be.
    pub async fn endpoint(&self) -> Result<Endpoint, ServerError> {
        self.endpoint_watched(&|_| {}).await
    }

    /// The same; `on_wait` hears how far a start has come.
    pub async fn endpoint_watched(
        &self,
        on_wait: &(dyn Fn(StartProgress) + Send + Sync),
    ) -> Result<Endpoint, ServerError> {
        let mut state = self.state.lock().await;
        let mut taken = Vec::new();
        let mut was_wordless = false;
        loop {
            self.unless_stopped()?;
            if state.running.is_none() {
                self.check_restart_limit(&mut state)?;
                let running = self.start()?;
                state.starts += 1;
                state.running = Some(running);
            }
            let Some(running) = &mut state.running else { continue };
            match self.until_ready(running, on_wait).await? {
                StartOutcome::Ready => return Ok(running.endpoint.clone()),
                StartOutcome::PortTaken if taken.len() + 1 < MOST_PORTS => {
                    taken.push(running.port);
                    state.running = None;
                }
                StartOutcome::PortTaken => {
                    taken.push(running.port);
                    state.running = None;
                    return Err(ServerError::PortsTaken { tried: taken, log: self.setup.log.clone() });
                }
                StartOutcome::TooLate(waited) => {
                    state.running = None;
                    let (log, last_lines) = (self.setup.log.clone(), self.last_lines());
                    return Err(ServerError::NotReady { waited, log, last_lines });
                }
                // A server says what is wrong, its port for one, by a thread of its own, and may be gone before that has written.
                StartOutcome::Ended(Ending::Exited { .. })
                    if !running.is_ready && !was_wordless && self.last_lines().is_empty() =>
                {
                    was_wordless = true;
                    state.running = None;
                }
                StartOutcome::Ended(ending) => {
                    let was_ready = running.is_ready;
                    state.running = None;
                    self.record_exit(&mut state, ending, was_ready).await?;
                }
            }
        }
    }

    /// Ends the child, also one that is just starting, and starts no other.
    pub async fn stop(&self) {
        self.stopped.send_replace(true);
        let mut state = self.state.lock().await;
        if let Some(mut running) = state.running.take() {
            running.child.end();
            running.child.ended().await;
        }
    }

    /// The child's process, while there is one.
    pub async fn process(&self) -> Option<u32> {
        let state = self.state.lock().await;
        state.running.as_ref().filter(|running| running.child.ending().is_none()).map(|running| running.child.process())
    }

    /// How often a child was started.
    pub async fn starts(&self) -> u64 {
        self.state.lock().await.starts
    }

    /// Where the log is.
    pub fn log(&self) -> &Path {
        &self.setup.log
    }

    fn start(&self) -> Result<Running, ServerError> {
        let port = ready::free_port().map_err(|cause| ServerError::NoPort { cause: cause.to_string() })?;
        let key = new_key().map_err(|cause| ServerError::NoKey { cause: cause.to_string() })?;
        let log = log::begin(&self.setup.log).map_err(|cause| self.no_log(&cause))?;
        let command = options::command(&self.setup, port, &key, log).map_err(|cause| self.no_log(&cause))?;
        let child = Child::spawn(command).map_err(|cause| ServerError::CannotStart {
            program: self.setup.binary.program.clone(),
            launcher: self.setup.launcher.clone(),
            cause: cause.to_string(),
        })?;
        let endpoint = Endpoint { base_url: format!("http://127.0.0.1:{port}"), key };
        Ok(Running { child, endpoint, port, began: Instant::now(), is_ready: false })
    }

    async fn until_ready(
        &self,
        running: &mut Running,
        on_wait: &(dyn Fn(StartProgress) + Send + Sync),
    ) -> Result<StartOutcome, ServerError> {
        if running.is_ready {
            return Ok(running.child.ending().map_or(StartOutcome::Ready, StartOutcome::Ended));
        }
        let mut ask = ready::Ask::new(&running.endpoint, &self.setup.weights);
        loop {
            if let Some(ending) = running.child.ending() {
                let taken = ready::was_port_taken(running.port, &self.last_lines());
                return Ok(if taken { StartOutcome::PortTaken } else { StartOutcome::Ended(ending) });
            }
            let since = running.began.elapsed();
            if since > self.setup.patience.ready_within {
                return Ok(StartOutcome::TooLate(since));
            }
            match ask.once().await {
                ready::Readiness::Ready => {
                    running.is_ready = true;
                    return Ok(StartOutcome::Ready);
                }
                ready::Readiness::Silent => on_wait(StartProgress { since, phase: Phase::Starting }),
                ready::Readiness::Loading => on_wait(StartProgress { since, phase: Phase::Loading }),
                // Somebody else was faster. Ours will notice, or is ended here.
                ready::Readiness::Stranger => {
                    running.child.end();
                    running.child.ended().await;
                    return Ok(StartOutcome::PortTaken);
                }
            }
            tokio::select! {
                () = running.child.ended() => {}
                () = tokio::time::sleep(ready::PULSE) => self.unless_stopped()?,
            }
        }
    }

    /// Takes note of a death, and pauses before the next start. One that never became ready would only die again.
    async fn record_exit(&self, state: &mut State, ending: Ending, was_ready: bool) -> Result<(), ServerError> {
        let last_lines = self.last_lines();
        if !was_ready {
            return Err(ServerError::DiedStarting { ending, log: self.setup.log.clone(), last_lines });
        }
        state.deaths.push_back(Instant::now());
        state.last_death = Some((ending, last_lines));
        self.check_restart_limit(state)?;
        if let Some(doublings) = state.deaths.len().checked_sub(2) {
            let doublings = u32::try_from(doublings).unwrap_or(u32::MAX).min(MOST_DOUBLINGS);
            let mut stopped = self.stopped.subscribe();
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => {}
                () = tokio::time::sleep(self.setup.patience.pause * 2_u32.pow(doublings)) => {}
            }
        }
        Ok(())
    }

    /// Too many deaths lately: then nothing is started until some of them are long ago.
    fn check_restart_limit(&self, state: &mut State) -> Result<(), ServerError> {
        let RestartPolicy { restarts, window, .. } = self.setup.patience;
        state.deaths.retain(|death| death.elapsed() <= window);
        match &state.last_death {
            Some((ending, last_lines)) if state.deaths.len() > restarts => Err(ServerError::KeepsDying {
                deaths: state.deaths.len(),
                within: window,
                ending: *ending,
                log: self.setup.log.clone(),
                last_lines: last_lines.clone(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    fn unless_stopped(&self) -> Result<(), ServerError> {
        if *self.stopped.borrow() { Err(ServerError::Stopped) } else { Ok(()) }
    }

    fn last_lines(&self) -> Vec<String> {
        log::last_lines(&self.setup.log).unwrap_or_default()
    }

    fn no_log(&self, cause: &io::Error) -> ServerError {
        ServerError::NoLog { log: self.setup.log.clone(), cause: cause.to_string() }
    }
}

/// What came of waiting for a child.
enum StartOutcome {
    Ready,
    PortTaken,
    TooLate(Duration),
    Ended(Ending),
}

/// A key that nobody can guess. It is in the child's environment and in our memory, nowhere else.
fn new_key() -> io::Result<Secret> {
    let mut bytes = [0; 32];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(Secret::new(&bytes.map(|byte| format!("{byte:02x}")).concat()))
}
