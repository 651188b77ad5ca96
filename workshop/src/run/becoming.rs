//! The process that confines itself and becomes the command.
//!
//! Everything here runs before the walls are up or while they go up; from `exec` on, it is the command. Until then a
//! failure goes to the keeper over standard input, which is a pair of sockets for just as long.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use enza_applications::companion::work::Fault;
use rustix::process::{Signal, getppid, set_parent_process_death_signal, setsid};

use super::cell::{Cell, Refused};
use super::{program, walls};

/// Becomes the command. Returns only if it failed, after telling the keeper why.
pub fn become_command() -> io::Error {
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

fn described(keeper: &UnixStream) -> io::Result<Cell> {
    let mut line = String::new();
    BufReader::new(keeper).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

fn confine_and_exec(cell: &Cell) -> (Refused, io::Error) {
    if let Err(why) = walls::limit(cell) {
        return (Refused::For(Fault::NoSandbox { why: why.to_string() }), why);
    }
    // Whoever has begun to enter a namespace cannot go back, so the keeper starts another where it may.
    if let Some(why) = cell.sealed.then(|| walls::seal(cell)).and_then(Result::err) {
        return (Refused::View(why.to_string()), why);
    }
    // Entering a namespace may cut the tie to the keeper, so it is made now.
    if let Err(why) = settle().and_then(|guardians| walls::raise(cell, guardians)) {
        return (Refused::For(Fault::NoSandbox { why: why.to_string() }), why);
    }
    let why = command(cell).exec();
    (Refused::For(Fault::System { path: cell.program.display().to_string(), why: why.to_string() }), why)
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
fn command(cell: &Cell) -> Command {
    let mut command = Command::new(&cell.program);
    command.arg0(cell.words.first().map_or("", String::as_str)).args(cell.words.iter().skip(1));
    command.env_clear().envs(program::environment(cell)).current_dir(&cell.at).stdin(Stdio::null());
    command
}
