//! What this machine can confine, found out by trying.
//!
//! The kernel tells what it has to whoever raises a wall. A thread is confined and then ends, so nothing else is. Only a
//! process of one thread can enter a user namespace, so that is tried by one of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use enza_kernel::text::Lang;
use enza_work::Fault;
use landlock::{AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr as _, RulesetError};

use super::sandbox::{self, SyscallFilters};
use super::{CONFINED, TRY};
use crate::words::words;

/// The first version of Landlock, which is enough: what it lacks, the filters of calls make up for.
pub const REQUIRED: u32 = 1;

/// How commands are confined on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The kernel's version of Landlock.
    pub abi: u32,
    pub holds: Vec<Protection>,
    /// What is not, since the kernel is too old or refuses it.
    pub lacks: Vec<Protection>,
}

/// One way out, closed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Files outside the folder of work.
    Files,
    Network,
    /// Calls into the kernel that lead out.
    Calls,
    /// Sockets of other programs on this machine.
    LocalSockets,
    /// Signals to other programs.
    Signals,
    /// Controlling devices that are open.
    Devices,
    /// Permissions, owners and times of files outside the folder of work.
    Metadata,
}

impl Protection {
    const ALL: [Self; 7] =
        [Self::Files, Self::Network, Self::Calls, Self::LocalSockets, Self::Signals, Self::Devices, Self::Metadata];

    /// Whether it holds with this version of Landlock, and with a view of its own or without.
    fn holds(self, abi: u32, sealed: bool) -> bool {
        match self {
            Self::Files | Self::Network | Self::Calls | Self::LocalSockets => true,
            Self::Devices => abi >= 5,
            Self::Signals => abi >= 6,
            Self::Metadata => sealed,
        }
    }

    /// What it is about.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Files => words(lang).say("check.files"),
            Self::Network => words(lang).say("check.network"),
            Self::Calls => words(lang).say("check.calls"),
            Self::LocalSockets => words(lang).say("check.local_sockets"),
            Self::Signals => words(lang).say("check.signals"),
            Self::Devices => words(lang).say("check.devices"),
            Self::Metadata => words(lang).say("check.metadata"),
        }
    }
}

/// How commands are confined on this machine, or what is lacking. `program` is what a `Runner` would start.
pub fn check(program: &Path) -> Result<Confinement, Fault> {
    let (abi, sealed) = (landlock(REQUIRED)?, seals(program));
    let (holds, lacks) = Protection::ALL.into_iter().partition(|wall| wall.holds(abi, sealed));
    Ok(Confinement { abi, holds, lacks })
}

/// Whether commands can be given a view in which everything but their folders is read-only.
pub fn seals(program: &Path) -> bool {
    let mut trying = Command::new(program);
    trying.args([CONFINED, TRY]).env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    trying.status().is_ok_and(|status| status.success())
}

/// The kernel's version of Landlock, which must be at least this one.
pub fn landlock(required: u32) -> Result<u32, Fault> {
    let abi = kernel()?;
    if abi < required {
        return Err(Fault::NoSandbox {
            why: format!("the kernel has version {abi} of Landlock, and version {required} is needed"),
        });
    }
    Ok(abi)
}

/// The kernel's version of Landlock, if it has both that and seccomp.
fn kernel() -> Result<u32, Fault> {
    let tried = std::thread::spawn(|| {
        let status = confine_this_thread().map(|status| status.landlock);
        let calls = sandbox::filter_syscalls(&SyscallFilters {
            network: false,
            abi: REQUIRED,
            one_group: true,
            guardians: Vec::new(),
        });
        (status, calls)
    });
    let lacking = |why: String| Fault::NoSandbox { why };
    let (status, calls) = tried.join().map_err(|_| lacking("the attempt to confine a thread failed".to_owned()))?;
    calls.map_err(|why| lacking(format!("seccomp: {why}")))?;
    match status.map_err(|why| lacking(format!("Landlock: {why}")))? {
        LandlockStatus::NotImplemented => Err(lacking("the kernel has no Landlock".to_owned())),
        LandlockStatus::NotEnabled => Err(lacking("Landlock is not enabled; add it to the kernel's lsm=".to_owned())),
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            Ok(kernel_abi.map_or(effective_abi as u32, i32::unsigned_abs))
        }
    }
}

fn confine_this_thread() -> Result<RestrictionStatus, RulesetError> {
    Ruleset::default().handle_access(AccessFs::MakeBlock)?.create()?.restrict_self()
}
