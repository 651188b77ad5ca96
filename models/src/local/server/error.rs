//! Why there is no server to talk to. Facts; the words are made at the edge.

use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use crate::local::launcher::Launcher;

/// Why a server could not be started, or does not stay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServerError {
    /// The program cannot be run. Next: pull the server again, or install `llama-server`.
    #[error("{program} cannot be started: {cause}")]
    CannotStart {
        program: PathBuf,
        /// Through what it was started; it may be the launcher that is missing.
        launcher: Launcher,
        cause: String,
    },
    /// It ended before it was ready. Next: see `ending` and the last lines; the weights may be damaged, the memory too
    /// small, or the build not made for this processor.
    #[error("the server ended while it started: {ending}")]
    DiedStarting {
        ending: Ending,
        log: PathBuf,
        /// The log's last lines.
        last_lines: Vec<String>,
    },
    /// It takes too long to load. Next: try again when the computer is less busy, or use a smaller model.
    #[error("the server was not ready after {} s", waited.as_secs())]
    NotReady {
        /// How long it was waited for.
        waited: Duration,
        log: PathBuf,
        /// The log's last lines.
        last_lines: Vec<String>,
    },
    /// It dies again and again. Next: see `ending` and the last lines; less context or a smaller model if it was killed.
    #[error("the server died {deaths} times within {} s: {ending}", within.as_secs())]
    KeepsDying {
        /// How often, the last one included.
        deaths: usize,
        /// Within which time.
        within: Duration,
        /// How it ended last.
        ending: Ending,
        /// Its log; the one before is beside it.
        log: PathBuf,
        /// The log's last lines.
        last_lines: Vec<String>,
    },
    /// No port is free on loopback. Next: end programs that hold thousands of connections.
    #[error("no port is free: {cause}")]
    NoPort { cause: String },
    /// Every port was taken by somebody else before the server had it. Next: try again.
    #[error("the ports {tried:?} were all taken by others")]
    PortsTaken { tried: Vec<u16>, log: PathBuf },
    /// No key could be made up. Next: check that `/dev/urandom` is there.
    #[error("no key could be made: {cause}")]
    NoKey { cause: String },
    /// Its log cannot be written. Next: check the disk and the permissions of the folder.
    #[error("the log {log} cannot be written: {cause}")]
    NoLog { log: PathBuf, cause: String },
    /// It was told to stop. Next: start Enza again.
    #[error("the server was stopped")]
    Stopped,
}

/// How a process ended, in words that say what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Ending {
    /// By itself. Next: the log says why.
    #[error("it exited with status {status}")]
    Exited {
        /// Its exit status.
        status: i32,
    },
    /// It uses instructions that this processor does not have (SIGILL). Next: install a `llama-server` made for this
    /// computer, and have it on the search path; no setting helps.
    #[error("this processor lacks instructions that the program uses")]
    IllegalInstruction,
    /// Somebody killed it (SIGKILL): mostly the system, for want of memory. Next: less context, fewer slots, a smaller
    /// model.
    #[error("it was killed, perhaps for want of memory")]
    Killed,
    /// By another signal: it crashed (6, 11), or was told to go (15). Next: the log may say why; try again.
    #[error("it ended by signal {signal}")]
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// Nobody knows: somebody else took note of its end.
    #[error("nobody saw how it ended")]
    Lost,
}

impl ServerError {
    /// Whether it may be there when asked once more. One that dies while it starts would only die again.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::PortsTaken { .. } | Self::NoPort { .. } => true,
            Self::CannotStart { .. }
            | Self::DiedStarting { .. }
            | Self::NotReady { .. }
            | Self::KeepsDying { .. }
            | Self::NoKey { .. }
            | Self::NoLog { .. }
            | Self::Stopped => false,
        }
    }

    /// What happened, with the server's last words and where to read more.
    pub fn tell(&self) -> String {
        match self {
            Self::DiedStarting { log, last_lines, .. }
            | Self::NotReady { log, last_lines, .. }
            | Self::KeepsDying { log, last_lines, .. } => {
                let last = last_lines.last().map_or("nothing", String::as_str);
                format!("{self}. Its last words: {last}. Its log: {}", log.display())
            }
            Self::PortsTaken { log, .. } => format!("{self}. Its log: {}", log.display()),
            Self::CannotStart { .. }
            | Self::NoPort { .. }
            | Self::NoKey { .. }
            | Self::NoLog { .. }
            | Self::Stopped => self.to_string(),
        }
    }
}

impl Ending {
    /// What an exit status means.
    pub(super) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(status), _) => Self::Exited { status },
            (None, Some(signal)) if signal == Signal::ILL.as_raw() => Self::IllegalInstruction,
            (None, Some(signal)) if signal == Signal::KILL.as_raw() => Self::Killed,
            (None, Some(signal)) => Self::Signalled { signal },
            (None, None) => Self::Lost,
        }
    }
}
