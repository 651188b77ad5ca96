//! The walls around a command: files by Landlock, calls by seccomp, capabilities and limits by the rest of the kernel.
//!
//! A process raises them around itself and they stay up for everything it becomes or starts; none can be taken down
//! again. They are raised in one order: limits first, then capabilities, then files, and last the calls, because each
//! later wall would forbid raising the earlier ones.

mod calls;
mod files;
mod limits;
mod secrets;

use std::io;

use rustix::process::geteuid;

use super::cell::Cell;
pub use calls::Calls;
pub use files::closed_files;

/// Confines the calling thread, which must be the only one of its process, as the cell says.
pub fn raise(cell: &Cell, guardians: Vec<i32>) -> io::Result<()> {
    limits::set()?;
    // Nothing else limits the processes of root, so they must stay where one stroke ends them all.
    let one_group = !cell.caged && geteuid().is_root();
    limits::drop_capabilities()?;
    files::fence(cell)?;
    forbid(&Calls { network: cell.network, abi: cell.abi, one_group, guardians })
}

/// Raises the wall against calls around the calling thread.
pub fn forbid(calls: &Calls) -> io::Result<()> {
    for filter in calls.filters().map_err(io::Error::other)? {
        seccompiler::apply_filter(&filter).map_err(io::Error::other)?;
    }
    Ok(())
}
