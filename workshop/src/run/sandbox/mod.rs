//! The walls around a command: a view of its own in which the rest of the machine is read-only, files by Landlock, calls by
//! seccomp, capabilities and limits by the rest of the kernel.
//!
//! A process raises them around itself and they stay up for everything it becomes or starts; none can be taken down
//! again. They are raised in one order: limits first, then the view, capabilities, files, and last the calls, because each
//! later wall would forbid raising the earlier ones.

mod file_rules;
mod limits;
mod mounts;
mod repository;
mod secrets;
mod syscalls;

use std::io;

use rustix::process::geteuid;

use super::command_spec::CommandSpec;
pub use file_rules::closed_files;
pub use secrets::{in_folder, in_home, is_secret};
pub use syscalls::SyscallFilters;

/// Sets the limits of the calling process, which must have one thread.
pub fn limit(cell: &CommandSpec) -> io::Result<()> {
    limits::set(&cell.most)
}

/// Gives the calling process, which must have one thread, a view in which all but its two folders is read-only.
pub fn seal(cell: &CommandSpec) -> io::Result<()> {
    mounts::seal(&[&cell.folder, &cell.scratch], &cell.fixed, &cell.kept)
}

/// Whether such a view can be had here, by entering an empty one.
pub fn try_to_seal() -> io::Result<()> {
    mounts::seal(&[], &[], &[])
}

/// Confines the calling thread, which must be the only one of its process, as the cell says.
pub fn confine(cell: &CommandSpec, guardians: Vec<i32>) -> io::Result<()> {
    // Nothing else limits the processes of root, so they must stay where one stroke ends them all.
    let one_group = !cell.caged && geteuid().is_root();
    limits::drop_capabilities()?;
    file_rules::restrict_files(cell)?;
    filter_syscalls(&SyscallFilters { network: cell.network, abi: cell.abi, one_group, guardians })
}

/// Raises the wall against calls around the calling thread.
pub fn filter_syscalls(calls: &SyscallFilters) -> io::Result<()> {
    for filter in calls.filters().map_err(io::Error::other)? {
        seccompiler::apply_filter(&filter).map_err(io::Error::other)?;
    }
    Ok(())
}
