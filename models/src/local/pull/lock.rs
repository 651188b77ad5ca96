//! One pull at a time on a folder. The lock goes with the process that holds it, however that ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::error::{DiskOperation, PullError};
use crate::local::folder::ModelFolder;

/// The right to pull into a folder. Given back when dropped.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes it, or says who has it.
    pub(super) fn take(model_folder: &ModelFolder) -> Result<Self, PullError> {
        let failed = |deed, path: &Path, cause: &io::Error| PullError::Disk {
            deed,
            path: path.to_owned(),
            cause: cause.to_string(),
        };
        for folder in
            [model_folder.folder.clone(), model_folder.folder.join("weights"), model_folder.folder.join("server")]
        {
            std::fs::create_dir_all(&folder).map_err(|cause| failed(DiskOperation::MakeFolder, &folder, &cause))?;
        }
        let path = model_folder.folder.join("pull.lock");
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let mut file = opened.map_err(|cause| failed(DiskOperation::Write, &path, &cause))?;
        if let Err(cause) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
            if cause != rustix::io::Errno::WOULDBLOCK {
                return Err(failed(DiskOperation::Write, &path, &cause.into()));
            }
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            return Err(PullError::Held { holder: holder.trim().parse().ok(), lock: path });
        }
        let written =
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
        written.map_err(|cause| failed(DiskOperation::Write, &path, &cause))?;
        Ok(Self { _file: file })
    }
}
