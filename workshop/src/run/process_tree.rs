//! The processes that come from one command: finding them, counting them, ending them.
//!
//! A keeper is the reaper of everything below it: a process that detaches loses its parent and gets the keeper for one.
//! So everything a command ever started hangs below the keeper until it is gone, and there is nothing left exactly when
//! the keeper has no child left to wait for.
//!
//! A number may be given to another process between looking and signalling; each is therefore held by a handle and
//! known by the time it began.

use std::collections::HashSet;
use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// How often newcomers are looked for before all are killed.
const ROUNDS: usize = 50;

/// One process below the keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChildProcess {
    pid: Pid,
    began: u64,
}

impl ChildProcess {
    /// Its number.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Sends a signal, if it is still the same process.
    pub fn signal(self, signal: Signal) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else { return };
        if stat(self.pid).is_some_and(|(_, began)| began == self.began) {
            // It may have ended by itself in between, which is as good.
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

/// Ends everything below a process, as far as it can be found now.
///
/// All are stopped before any is killed: what is stopped cannot fork, and keeps its place in the number that a person
/// may have, so that the others soon cannot fork either.
pub fn end_below(ancestor: Pid) {
    let mut stopped = HashSet::new();
    let mut found = below(ancestor);
    for _ in 0..ROUNDS {
        let new: Vec<ChildProcess> = found.iter().copied().filter(|member| stopped.insert(*member)).collect();
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|member| member.signal(Signal::STOP));
        found = below(ancestor);
    }
    found.into_iter().for_each(|member| member.signal(Signal::KILL));
}

/// Everything below a process, at any depth.
pub fn below(ancestor: Pid) -> Vec<ChildProcess> {
    let children: fn(Pid) -> Vec<Pid> = if lists_children(ancestor) { listed_children } else { searched_children };
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut next = vec![ancestor];
    while let Some(parent) = next.pop() {
        for pid in children(parent) {
            let Some((_, began)) = stat(pid) else { continue };
            let member = ChildProcess { pid, began };
            if seen.insert(member) {
                found.push(member);
                next.push(pid);
            }
        }
    }
    found
}

/// Not every kernel is built to list the children of a process.
fn lists_children(pid: Pid) -> bool {
    fs::exists(format!("/proc/{pid}/task/{pid}/children")).unwrap_or(false)
}

fn listed_children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>()).collect()
}

fn searched_children(parent: Pid) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let all = processes.flatten().filter_map(|entry| pid(&entry.file_name().to_string_lossy()));
    all.filter(|one| stat(*one).is_some_and(|(its_parent, _)| its_parent == parent.as_raw_nonzero().get())).collect()
}

/// The parent of a process and the time it began.
fn stat(pid: Pid) -> Option<(i32, u64)> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold blanks and brackets; nothing after it does.
    let mut fields = line.rsplit_once(')')?.1.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    Some((parent, began))
}

fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn both_ways_of_looking_find_the_same_children() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let me = rustix::process::getpid();
        let its_pid = Pid::from_child(&child);
        let found = (listed_children(me).contains(&its_pid), searched_children(me).contains(&its_pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, (true, true));
    }

    #[test]
    fn a_process_that_is_not_the_same_is_not_signalled() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let (_, began) = stat(pid).unwrap();
        ChildProcess { pid, began: began + 1 }.signal(Signal::KILL);
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}
