//! A control group around everything that one command starts, where the kernel lets us make one.
//!
//! Processes can leave their session and their parents, but not a control group: it counts them in one look and ends
//! them in one stroke, faster than they can fork. Root has one almost everywhere, a person where systemd gave them a
//! part of the tree. Without one, a person's processes are limited by the kernel, and root's may not leave their group
//! (`sandbox/`), so that the group can be ended in one stroke instead.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, getpid};

/// How many processes and threads there may be, where the kernel counts them.
const TASKS: usize = 4_096;

/// A control group of our own.
#[derive(Debug)]
pub struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// Makes one, if that can be done here.
    pub fn make() -> Option<Self> {
        let folder = ours()?.join(format!("enza-run-{}", getpid()));
        // An empty one of that name is left from a keeper that was killed.
        let _ = fs::remove_dir(&folder);
        fs::create_dir(&folder).ok()?;
        let cage = Self { folder };
        // Counting threads is an extra; ending all at once (Linux 5.14) is what it is for.
        let _ = fs::write(cage.folder.join("pids.max"), TASKS.to_string());
        cage.folder.join("cgroup.kill").exists().then_some(cage)
    }

    /// Takes a process in, and with it all that it will start.
    pub fn hold(&self, pid: Pid) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), pid.to_string())
    }

    /// How many processes are in it.
    pub fn count(&self) -> usize {
        fs::read(self.folder.join("cgroup.procs")).map_or(0, |list| list.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Ends everything in it.
    pub fn end(&self) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.kill"), "1")
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // The kernel needs a moment after the last process is gone.
        for _ in 0..100 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The control group we are in.
fn ours() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    // `… mount-point options … - type source options`; the second version of control groups has one tree.
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?.split(' ').nth(4)?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(PathBuf::from(mount).join(path))
}
