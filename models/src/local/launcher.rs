//! A child that does not outlive us, not even after `kill -9`.
//!
//! Linux sends a process a signal of its choice when the thread that started it ends. A process must ask for that
//! itself, so the child is started through a launcher: our own program in a hidden mode, which asks, makes sure that its
//! parent is still there, and then becomes the program (`exec`; the wish survives it). On the way it may leave our session:
//! Linux shares the processors out among sessions first, and among the programs of a session after that. It also keeps
//! a Ctrl-C that is meant for us from the child.
//!
//! The thread that spawns must stay as long as the child shall live: `server/child.rs` sees to that. Elsewhere than on
//! Linux there is no such signal; the child is then started directly and ends when its owner is dropped.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::machine::CpuSession;

/// How a child is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launcher {
    /// As it is. After `kill -9` of us it stays behind.
    Direct,
    /// Through a program that calls `run` with what follows `first_arguments`.
    Tethered {
        /// The program: our own executable.
        program: PathBuf,
        /// What tells it to be a launcher.
        first_arguments: Vec<OsString>,
    },
}

impl Launcher {
    /// A command that starts `program` with `arguments`, to be spawned by this process.
    pub fn command(&self, session: CpuSession, program: &OsStr, arguments: &[OsString]) -> Command {
        match self {
            Self::Tethered { program: launcher, first_arguments } if cfg!(target_os = "linux") => {
                let mut command = Command::new(launcher);
                command.args(first_arguments).arg(std::process::id().to_string()).arg(word(session));
                command.arg(program).args(arguments);
                command
            }
            Self::Direct | Self::Tethered { .. } => {
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }
        }
    }
}

/// The launcher's whole work: `arguments` are what followed `first_arguments`. Returns only if it failed.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> io::Error {
    let mut arguments = arguments.into_iter();
    let parent = arguments.next().and_then(|text| text.to_str()?.parse().ok());
    let session = arguments
        .next()
        .and_then(|text| [CpuSession::Own, CpuSession::Shared].into_iter().find(|one| text == word(*one)));
    let (Some(parent), Some(session), Some(program)) = (parent, session, arguments.next()) else {
        return io::Error::new(io::ErrorKind::InvalidInput, "a launcher is told its parent, a session and a program");
    };
    exec(parent, session, &program, &arguments.collect::<Vec<_>>())
}

/// What a launcher is told of a session.
pub fn word(session: CpuSession) -> &'static str {
    match session {
        CpuSession::Own => "own",
        CpuSession::Shared => "shared",
    }
}

/// Becomes `program`, which ends when `expected_parent` does. Returns only if it failed.
#[cfg(target_os = "linux")]
fn exec(expected_parent: u32, session: CpuSession, program: &OsStr, arguments: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getppid, set_parent_process_death_signal, setsid};

    if let Err(cause) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return cause.into();
    }
    // If the parent ended before we asked, no signal will ever come.
    if getppid().map(|parent| parent.as_raw_nonzero().get().unsigned_abs()) != Some(expected_parent) {
        return io::Error::other("whoever wanted this child is gone");
    }
    match session {
        // Refused only to the leader of a process group. It stays where it is then, and serves all the same.
        CpuSession::Own => drop(setsid()),
        CpuSession::Shared => {}
    }
    Command::new(program).args(arguments).exec()
}

/// Becomes `program`. Nothing here can tie it to its parent. Returns only if it failed.
#[cfg(not(target_os = "linux"))]
fn exec(_expected_parent: u32, _session: CpuSession, program: &OsStr, arguments: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt as _;

    Command::new(program).args(arguments).exec()
}
