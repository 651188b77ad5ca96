//! Limits on what one process may use, and the capabilities of root that a command does without.
//!
//! They stop an accident, not a build. What all processes of a command take together is watched from outside (`resource_watch.rs`):
//! the kernel holds each process to its limits alone, and root not even to all of them.

use std::io;
use std::os::unix::fs::MetadataExt as _;

use enza_work::ResourceLimits;
use rustix::process::{Resource, Rlimit, geteuid, getpriority_process, getrlimit, setpriority_process, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set, set_capabilities,
};

const GIB: u64 = 1 << 30;
/// The most memory that one process may fill, where a command may not take more. Reserving addresses is free: many runtimes reserve terabytes.
const MEMORY: u64 = 16 * GIB;
/// How many threads a command may add to those the person has, and how many more for each processor.
const THREADS: [u64; 2] = [512, 16];
/// Behind whatever else runs.
const NICE: i32 = 5;
/// If memory runs out, the command goes before anything else.
const FIRST_TO_GO: &str = "800";

/// What root keeps: files in the folder of work may belong to someone else. Landlock holds for root too.
const KEPT: CapabilitySet =
    CapabilitySet::CHOWN.union(CapabilitySet::DAC_OVERRIDE).union(CapabilitySet::FOWNER).union(CapabilitySet::FSETID);

/// Sets the limits of this process and of all it starts.
pub fn set(most: &ResourceLimits) -> io::Result<()> {
    lower(Resource::Core, 0)?;
    lower(Resource::Fsize, most.disk)?;
    lower(Resource::Data, MEMORY.max(most.memory))?;
    if !geteuid().is_root() {
        let processors = std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
        let [few, each] = THREADS;
        lower(Resource::Nproc, threads_of_this_person() + few + each * processors)?;
    }
    // Both are courtesies; where they are refused, the command runs all the same.
    let _ = getpriority_process(None).and_then(|nice| setpriority_process(None, nice + NICE));
    let _ = std::fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    Ok(())
}

/// Gives up every capability but those over files, for good.
pub fn drop_capabilities() -> io::Result<()> {
    let held = capabilities(None)?;
    if held.effective.contains(CapabilitySet::SETPCAP) {
        for one in CapabilitySet::all().difference(KEPT).iter() {
            // A kernel may not know all of them.
            let _ = remove_capability_from_bounding_set(one);
        }
    }
    let kept = CapabilitySets {
        effective: held.effective & KEPT,
        permitted: held.permitted & KEPT,
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, kept)?)
}

fn lower(resource: Resource, to: u64) -> io::Result<()> {
    let highest = getrlimit(resource).maximum.map_or(to, |highest| highest.min(to));
    Ok(setrlimit(resource, Rlimit { current: Some(highest), maximum: Some(highest) })?)
}

/// The kernel counts the threads of a person, wherever they come from.
fn threads_of_this_person() -> u64 {
    let me = geteuid().as_raw();
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    processes
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(|first: char| first.is_ascii_digit()))
        .filter(|entry| entry.metadata().is_ok_and(|it| it.uid() == me))
        .map(|entry| std::fs::read_dir(entry.path().join("task")).map_or(0, |threads| threads.count() as u64))
        .sum()
}
