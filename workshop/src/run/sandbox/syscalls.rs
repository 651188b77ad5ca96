//! What a confined command may not ask of the kernel, as seccomp filters.
//!
//! A filter sees numbers, never what a pointer points at. So it can close a family of sockets, but not one address, and
//! where Landlock cannot yet guard sockets in the file system (before ABI 9), connecting to any local socket is refused:
//! behind one there may be a Docker or a session bus, and with it the whole machine.
//!
//! Calls of other kinds of program (32-bit ones) end the process: the numbers mean something else there.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Outcome<T> = Result<T, BackendError>;

/// The version of Landlock that guards truncation.
const GUARDS_TRUNCATION: u32 = 3;
/// The version of Landlock that guards signals.
const GUARDS_SIGNALS: u32 = 6;
/// The version of Landlock that guards sockets in the file system.
const GUARDS_SOCKETS: u32 = 9;

/// What the filters depend on.
#[derive(Debug, Clone)]
pub struct SyscallFilters {
    /// Whether the network may be used.
    pub network: bool,
    /// The version of Landlock that stands beside them.
    pub abi: u32,
    /// Whether all processes must stay in the group they begin in.
    pub one_group: bool,
    /// Processes outside that must not be signalled, where Landlock cannot see to that.
    pub guardians: Vec<i32>,
}

impl SyscallFilters {
    /// The filters, in the order in which they are to be set.
    pub fn filters(&self) -> Result<Vec<BpfProgram>, BackendError> {
        let refused = filter(self.refused()?, libc::EPERM)?;
        let unknown = filter(self.unknown(), libc::ENOSYS)?;
        let mut filters = vec![unknown, refused];
        if cfg!(target_arch = "x86_64") {
            filters.push(no_x32());
        }
        Ok(filters)
    }

    /// Calls that are answered as if the kernel did not have them, so that programs go another way.
    fn unknown(&self) -> Rules {
        // Its flags lie behind a pointer; the C library falls back to `clone`, whose flags can be seen.
        let mut rules = Rules::from([(libc::SYS_clone3, vec![])]);
        if self.abi < GUARDS_TRUNCATION {
            rules.insert(libc::SYS_openat2, vec![]);
        }
        rules
    }

    /// Calls that are answered with "not permitted".
    fn refused(&self) -> Outcome<Rules> {
        let mut rules: Rules = REFUSED.iter().map(|call| (*call, vec![])).collect();
        rules.extend(OF_THIS_MACHINE.iter().map(|call| (*call, vec![])));
        rules.insert(libc::SYS_clone, NAMESPACES.iter().map(|flag| bit(0, *flag as u64)).collect::<Outcome<_>>()?);
        // Pushing letters into the keyboard of a terminal.
        rules.insert(libc::SYS_ioctl, vec![when([equal(1, TIOCSTI)])?, when([equal(1, TIOCLINUX)])?]);
        self.sockets(&mut rules)?;
        if self.one_group {
            rules.extend([(libc::SYS_setsid, vec![]), (libc::SYS_setpgid, vec![])]);
        }
        if self.abi < GUARDS_TRUNCATION {
            truncation(&mut rules)?;
        }
        if self.abi < GUARDS_SIGNALS {
            self.signals(&mut rules)?;
        }
        Ok(rules)
    }

    fn sockets(&self, rules: &mut Rules) -> Outcome<()> {
        let mut open = Vec::new();
        if self.network {
            open.extend([libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]);
        }
        let guarded = self.abi >= GUARDS_SOCKETS;
        if guarded || !self.network {
            open.push(libc::AF_UNIX);
        }
        let mut sockets = vec![when(open.into_iter().map(|family| differs(0, family as u64)))?];
        if !guarded {
            // A datagram names its receiver behind a pointer, each time anew; and a raw socket here is one of datagrams.
            let connected = [libc::SOCK_STREAM as u64, libc::SOCK_SEQPACKET as u64];
            let others = || (0..=KINDS).filter(|kind| !connected.contains(kind));
            let local = |kind| [equal(0, libc::AF_UNIX as u64), condition(1, SeccompCmpOp::MaskedEq(KINDS), kind)];
            sockets.extend(others().map(|kind| when(local(kind))).collect::<Outcome<Vec<_>>>()?);
            rules.insert(libc::SYS_socketpair, others().map(|kind| when(local(kind))).collect::<Outcome<_>>()?);
        }
        rules.insert(libc::SYS_socket, sockets);
        if !guarded && !self.network {
            rules.insert(libc::SYS_connect, vec![]);
        }
        Ok(())
    }

    fn signals(&self, rules: &mut Rules) -> Outcome<()> {
        let of = |target: i32| when([equal(0, u64::from(target.cast_unsigned()))]);
        let alone: Vec<i32> = self.guardians.clone();
        let groups: Vec<i32> = alone.iter().flat_map(|pid| [*pid, -*pid]).chain([-1]).collect();
        rules.insert(libc::SYS_kill, groups.iter().map(|pid| of(*pid)).collect::<Outcome<_>>()?);
        let thread = [libc::SYS_tgkill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];
        for call in thread.into_iter().chain([libc::SYS_pidfd_open]) {
            rules.insert(call, alone.iter().map(|pid| of(*pid)).collect::<Outcome<_>>()?);
        }
        Ok(())
    }
}

/// Emptying a file without being allowed to write it, which the first Landlocks let pass.
fn truncation(rules: &mut Rules) -> Outcome<()> {
    rules.insert(libc::SYS_truncate, vec![]);
    let mask = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
    let emptied = |index| when([condition(index, SeccompCmpOp::MaskedEq(mask), libc::O_TRUNC as u64)]);
    rules.insert(libc::SYS_openat, vec![emptied(2)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![emptied(1)?]);
    Ok(())
}

/// Refuses the calls of the x32 kind, which have the same architecture and other numbers.
fn no_x32() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    const LOAD_NUMBER: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    vec![
        sock_filter { code: LOAD_NUMBER, jt: 0, jf: 0, k: 0 },
        sock_filter { code: AT_LEAST, jt: 0, jf: 1, k: X32 },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: SeccompAction::Errno(libc::ENOSYS as u32).into() },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: SeccompAction::Allow.into() },
    ]
}

fn filter(rules: Rules, answer: i32) -> Outcome<BpfProgram> {
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(answer.unsigned_abs()), machine)?.try_into()
}

fn when(conditions: impl IntoIterator<Item = Outcome<SeccompCondition>>) -> Outcome<SeccompRule> {
    SeccompRule::new(conditions.into_iter().collect::<Outcome<_>>()?)
}

fn equal(index: u8, value: u64) -> Outcome<SeccompCondition> {
    condition(index, SeccompCmpOp::Eq, value)
}

fn differs(index: u8, value: u64) -> Outcome<SeccompCondition> {
    condition(index, SeccompCmpOp::Ne, value)
}

fn bit(index: u8, flag: u64) -> Outcome<SeccompRule> {
    when([condition(index, SeccompCmpOp::MaskedEq(flag), flag)])
}

fn condition(index: u8, operator: SeccompCmpOp, value: u64) -> Outcome<SeccompCondition> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}

/// The bits of a socket's type that say of which kind it is.
const KINDS: u64 = 0xf;
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;

/// New namespaces, in which a command would be its own master.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Calls that no build or test needs, and that lead out: into other processes, the kernel, mounts, the clock.
const REFUSED: [c_long; 48] = [
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The ring does what other calls do, past every filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

/// Calls that only some machines have.
#[cfg(target_arch = "x86_64")]
const OF_THIS_MACHINE: [c_long; 3] = [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
/// Calls that only some machines have.
#[cfg(not(target_arch = "x86_64"))]
const OF_THIS_MACHINE: [c_long; 0] = [];
