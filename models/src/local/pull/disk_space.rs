//! Is there room? Asked before a pull begins, so that nobody waits for minutes to learn that there is not.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::error::{DiskOperation, PullError};

/// Makes sure that each folder has room for so many bytes. Folders on one disk share its room.
pub(super) fn check(needs: &[(PathBuf, u64)]) -> Result<(), PullError> {
    let unreadable = |path: &Path, cause: &io::Error| PullError::Disk {
        deed: DiskOperation::Read,
        path: path.to_owned(),
        cause: cause.to_string(),
    };
    let disks = needs.iter().map(|(folder, _)| folder.metadata().map(|folder| folder.dev()));
    let disks: Vec<io::Result<u64>> = disks.collect();
    for ((folder, _), disk) in needs.iter().zip(&disks) {
        let disk = disk.as_ref().map_err(|cause| unreadable(folder, cause))?;
        let on_it = needs.iter().zip(&disks).filter(|(_, other)| other.as_ref().is_ok_and(|other| other == disk));
        let needed = on_it.map(|((_, bytes), _)| bytes).sum();
        let found = rustix::fs::statvfs(folder).map_err(|cause| unreadable(folder, &cause.into()))?;
        let free = found.f_bavail.saturating_mul(found.f_frsize);
        if free < needed {
            return Err(PullError::NoRoom { folder: folder.clone(), needed, free });
        }
    }
    Ok(())
}

/// Whether a failure to write means that the disk is full.
pub(super) fn is_full(cause: &io::Error) -> bool {
    use io::ErrorKind;
    matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}
