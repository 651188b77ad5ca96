//! What this machine can confine, found out by trying.
//!
//! The kernel tells what it has to whoever raises a wall. A thread is confined and then ends, so nothing else is.

use enza_applications::companion::work::Fault;
use enza_kernel::text::Lang;
use landlock::{AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr as _, RulesetError};

use super::walls::{self, Calls};

/// The first version of Landlock, which is enough: what it lacks, the filters of calls make up for.
pub const REQUIRED: u32 = 1;

/// How commands are confined on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The kernel's version of Landlock.
    pub abi: u32,
    /// What is confined.
    pub holds: Vec<Wall>,
    /// What is not, for want of a newer kernel.
    pub lacks: Vec<Wall>,
}

/// One way out, closed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// Files outside the folder of work.
    Files,
    /// The network.
    Network,
    /// Calls into the kernel that lead out.
    Calls,
    /// Sockets of other programs on this machine.
    LocalSockets,
    /// Signals to other programs.
    Signals,
    /// Controlling devices that are open.
    Devices,
}

impl Wall {
    const ALL: [Self; 6] = [Self::Files, Self::Network, Self::Calls, Self::LocalSockets, Self::Signals, Self::Devices];

    /// The version of Landlock from which it holds.
    fn since(self) -> u32 {
        match self {
            Self::Files | Self::Network | Self::Calls | Self::LocalSockets => 1,
            Self::Devices => 5,
            Self::Signals => 6,
        }
    }

    /// What it is about.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Files => lang.pick("作業フォルダの外のファイル", "files outside the folder of work"),
            Self::Network => lang.pick("ネットワーク", "the network"),
            Self::Calls => lang.pick("外に出るためのシステムコール", "system calls that lead out"),
            Self::LocalSockets => lang.pick("ほかのプログラムのソケット", "sockets of other programs"),
            Self::Signals => lang.pick("ほかのプログラムへのシグナル", "signals to other programs"),
            Self::Devices => lang.pick("デバイスの操作", "control of devices"),
        }
    }
}

/// How commands are confined on this machine, or what is lacking.
pub fn check() -> Result<Confinement, Fault> {
    check_for(REQUIRED)
}

/// The same, where at least this version of Landlock is asked for.
pub fn check_for(required: u32) -> Result<Confinement, Fault> {
    let abi = kernel()?;
    if abi < required {
        return Err(Fault::NoSandbox {
            why: format!("the kernel has version {abi} of Landlock, and version {required} is needed"),
        });
    }
    let (holds, lacks) = Wall::ALL.into_iter().partition(|wall| wall.since() <= abi);
    Ok(Confinement { abi, holds, lacks })
}

/// The kernel's version of Landlock, if it has both that and seccomp.
fn kernel() -> Result<u32, Fault> {
    let tried = std::thread::spawn(|| {
        let status = confine_this_thread().map(|status| status.landlock);
        let calls = walls::forbid(&Calls { network: false, abi: REQUIRED, one_group: true, guardians: Vec::new() });
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
