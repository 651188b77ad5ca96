//! How much of the machine a command takes with everything it started, looked at from outside while it runs.
//!
//! The kernel's own limits hold for one process each, and for root not all of them; these are for all together. Memory is
//! what nobody else has: a library that ten processes share counts once. Of the disk it is what lies there: a command that
//! writes the same file again and again takes no more of it. Walking over what it wrote is dear, so that is done only when
//! the free space has shrunk by as much as it may take.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use enza_work::{ResourceLimits, RunEnd};
use rustix::fs::statvfs;

use super::command_spec::CommandSpec;
use super::process_tree::ChildProcess;

/// How many looks at the processes there are for one at memory, and for one at the disk.
const MEMORY_EVERY: u32 = 5;
const DISK_EVERY: u32 = 10;
/// How many files are looked at before what was written counts as too much to count.
const FILES: usize = 500_000;

/// One command's share, and what it may be.
pub struct ResourceWatch {
    most: ResourceLimits,
    looks: u32,
    /// Free bytes at the beginning, by device.
    free: BTreeMap<u64, (PathBuf, u64)>,
    /// By how much the free space must have shrunk before files are looked at again.
    suspicious: u64,
    /// Where a command can write.
    places: [PathBuf; 2],
    /// In seconds since 1970.
    began: i64,
}

impl ResourceWatch {
    /// For a command that is about to begin.
    pub fn of(cell: &CommandSpec) -> Self {
        let places = [cell.folder.clone(), cell.scratch.clone()];
        let free = places.iter().filter_map(|place| Some((device(place)?, (place.clone(), free(place)?)))).collect();
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed());
        let memory = cell.most.memory.min(machines_memory() / 4 * 3);
        Self { most: ResourceLimits { memory, ..cell.most }, looks: 0, free, suspicious: cell.most.disk, places, began }
    }

    /// Why the command must be ended now, if it must. `count` is how many processes it has, `members` which.
    pub fn look(&mut self, count: usize, members: impl Fn() -> Vec<ChildProcess>) -> Option<RunEnd> {
        self.looks += 1;
        if count > self.most.processes as usize {
            return Some(RunEnd::TooManyProcesses);
        }
        if self.looks.is_multiple_of(MEMORY_EVERY) && self.takes_too_much_memory(&members()) {
            return Some(RunEnd::TooMuchMemory);
        }
        let is_full = self.looks.is_multiple_of(DISK_EVERY) && self.takes_too_much_disk(&members);
        is_full.then_some(RunEnd::TooMuchDisk)
    }

    /// By a quick sum first, in which shared pages count for everyone who has them.
    fn takes_too_much_memory(&self, members: &[ChildProcess]) -> bool {
        let sum = |of: fn(&ChildProcess) -> Option<u64>| members.iter().filter_map(of).sum::<u64>();
        sum(resident) > self.most.memory && sum(share) > self.most.memory
    }

    fn takes_too_much_disk(&mut self, members: &dyn Fn() -> Vec<ChildProcess>) -> bool {
        let shrunk = |(place, before): &(PathBuf, u64)| before.saturating_sub(free(place).unwrap_or(*before));
        let shrunk: u64 = self.free.values().map(shrunk).sum();
        if shrunk <= self.suspicious {
            return false;
        }
        // Somebody else may be filling the disk: the next look at the files comes after another piece of it.
        self.suspicious = shrunk + self.most.disk / 8;
        self.written() + members().iter().map(deleted).sum::<u64>() > self.most.disk
    }

    /// The bytes of files that were made or changed since the beginning.
    fn written(&self) -> u64 {
        let mut ahead: Vec<PathBuf> = self.places.to_vec();
        let (mut bytes, mut left) = (0, FILES);
        while let Some(folder) = ahead.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(about) = entry.metadata() else { continue };
                left = left.saturating_sub(1);
                if left == 0 {
                    return u64::MAX / 2;
                }
                if about.is_dir() {
                    ahead.push(entry.path());
                } else if about.ctime() >= self.began {
                    bytes += about.blocks() * 512;
                }
            }
        }
        bytes
    }
}

fn device(place: &Path) -> Option<u64> {
    fs::metadata(place).ok().map(|about| about.dev())
}

fn free(place: &Path) -> Option<u64> {
    statvfs(place).ok().map(|about| about.f_bavail * about.f_frsize)
}

/// Bytes of a process's own and of what it shares.
fn resident(member: &ChildProcess) -> Option<u64> {
    kilobytes(&format!("/proc/{}/status", member.pid()), &["RssAnon:", "RssShmem:"])
}

/// The same, of what is shared only its part.
fn share(member: &ChildProcess) -> Option<u64> {
    let share = kilobytes(&format!("/proc/{}/smaps_rollup", member.pid()), &["Pss_Anon:", "Pss_Shmem:"]);
    share.or_else(|| resident(member))
}

/// Bytes of files that a process holds open and nobody can find any more.
fn deleted(member: &ChildProcess) -> u64 {
    let descriptors = fs::read_dir(format!("/proc/{}/fd", member.pid())).into_iter().flatten().flatten();
    let about = descriptors.filter_map(|one| fs::metadata(one.path()).ok());
    about.filter(|about| about.is_file() && about.nlink() == 0).map(|about| about.blocks() * 512).sum()
}

fn machines_memory() -> u64 {
    kilobytes("/proc/meminfo", &["MemTotal:"]).unwrap_or(u64::MAX)
}

/// The sum of these lines of a file of the kernel's, in bytes; none where there is no such line.
fn kilobytes(path: &str, names: &[&str]) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let is_named = |line: &&str| names.iter().any(|name| line.starts_with(name));
    let found: Vec<u64> =
        text.lines().filter(is_named).filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).collect();
    (!found.is_empty()).then(|| found.iter().sum::<u64>() * 1024)
}
