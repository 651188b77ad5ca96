//! The process that confines itself and becomes the command.
//!
//! Everything here runs before the walls are up or while they go up; from `exec` on, it is the command. Until then a
//! failure goes to the keeper over standard input, which is a pair of sockets for just as long.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use enza_work::Fault;
use rustix::process::{Signal, getppid, set_parent_process_death_signal, setsid};

use super::command_spec::{CommandSpec, Refused};
use super::{denied_reads, program, sandbox};

/// Becomes the command. Returns only if it failed, after telling the keeper why.
pub fn exec_command() -> io::Error {
    // A second handle on the pair: it closes with `exec`, and until then it still works when standard input is gone.
    let keeper = match io::stdin().as_fd().try_clone_to_owned() {
        Ok(handle) => UnixStream::from(handle),
        Err(why) => return why,
    };
    let (refused, error) = match described(&keeper) {
        Ok(cell) => confine_and_exec(&cell),
        Err(why) => (Refused::For(Fault::System { path: String::new(), why: why.to_string() }), why),
    };
    let told = serde_json::to_vec(&refused).map_err(io::Error::other).and_then(|said| (&keeper).write_all(&said));
    told.err().unwrap_or(error)
}

fn described(keeper: &UnixStream) -> io::Result<CommandSpec> {
    let mut line = String::new();
    BufReader::new(keeper).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

fn confine_and_exec(cell: &CommandSpec) -> (Refused, io::Error) {
    if let Err(why) = sandbox::limit(cell) {
        return (Refused::For(Fault::NoSandbox { why: why.to_string() }), why);
    }
    // Whoever has begun to enter a namespace cannot go back, so the keeper starts another where it may.
    if let Some(why) = cell.sealed.then(|| sandbox::seal(cell)).and_then(Result::err) {
        return (Refused::View(why.to_string()), why);
    }
    // Entering a namespace may cut the tie to the keeper, so it is made now.
    if let Err(why) = settle().and_then(|guardians| sandbox::confine(cell, guardians)) {
        return (Refused::For(Fault::NoSandbox { why: why.to_string() }), why);
    }
    let why = command(cell).exec();
    let kept = (why.kind() == io::ErrorKind::PermissionDenied).then(|| kept_from(cell)).flatten();
    let fault =
        kept.unwrap_or_else(|| Fault::System { path: cell.program.display().to_string(), why: why.to_string() });
    (Refused::For(fault), why)
}

/// The program, or the one that reads it, where that lies outside and could be run but for the walls.
fn kept_from(cell: &CommandSpec) -> Option<Fault> {
    let real = cell.program.canonicalize().ok()?;
    let reader = fs::read_to_string(&real).ok().and_then(|text| {
        let words = text.lines().next()?.strip_prefix("#!")?.trim();
        Path::new(words.split(' ').next()?).canonicalize().ok()
    });
    let runs = |path: &PathBuf| path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    let outside = [Some(real), reader].into_iter().flatten().find(|path| !path.starts_with(&cell.folder) && runs(path));
    outside.and_then(|path| denied_reads::fault(&path))
}

/// A session of its own, and an end with the keeper's. Gives the processes that must not be signalled.
fn settle() -> io::Result<Vec<i32>> {
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let keeper = getppid().map(|pid| pid.as_raw_nonzero().get()).filter(|pid| *pid != 1);
    let keeper = keeper.ok_or_else(|| io::Error::other("whoever wanted this command is gone"))?;
    let workshop = fs::read_to_string(format!("/proc/{keeper}/stat"))?;
    let workshop = workshop.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
    Ok(workshop.into_iter().chain([keeper]).collect())
}

/// The command, with nothing but its three streams.
fn command(cell: &CommandSpec) -> Command {
    let mut command = Command::new(&cell.program);
    command.arg0(cell.words.first().map_or("", String::as_str)).args(cell.words.iter().skip(1));
    command.env_clear().envs(program::environment(cell)).current_dir(&cell.at).stdin(Stdio::null());
    command
}
