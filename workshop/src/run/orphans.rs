//! Whoever still writes to a command whose keeper is gone.
//!
//! The keeper ends everything it started; but before version 6 of Landlock a command can end its keeper, by the name of
//! one of its threads. What is left then is known by the pipe it prints to: nobody else was ever given its writing end.
//! Who has closed it lives on and is heard by nobody.

use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

/// How often the processes are looked at: each may have made another meanwhile.
const ROUNDS: u32 = 20;

/// A pipe, by its name among the descriptors of every process.
pub struct Pipe {
    name: Option<String>,
}

impl Pipe {
    /// The pipe behind a descriptor.
    pub fn of(end: &impl AsFd) -> Self {
        Self { name: rustix::fs::fstat(end).ok().map(|about| format!("pipe:[{}]", about.st_ino)) }
    }

    /// Ends every process that can write to it.
    pub fn end_writers(&self) {
        for _ in 0..ROUNDS {
            let writers = self.writers();
            if writers.is_empty() {
                return;
            }
            for pid in writers {
                // One that is gone meanwhile needs no end.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }

    fn writers(&self) -> Vec<Pid> {
        let Some(name) = &self.name else { return Vec::new() };
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let named = processes.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())));
        let writing = named.filter(|(_, process)| writes_to(process, name));
        writing.filter_map(|(pid, _)| Pid::from_raw(pid)).collect()
    }
}

fn writes_to(process: &Path, name: &str) -> bool {
    let descriptors = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    let mut ours = descriptors.filter(|one| fs::read_link(one.path()).is_ok_and(|to| to.to_str() == Some(name)));
    // The permission bits of the name say for what it is open. We ourselves only read.
    ours.any(|one| one.metadata().is_ok_and(|about| about.permissions().mode() & 0o200 != 0))
}
