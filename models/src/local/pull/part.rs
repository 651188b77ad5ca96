//! The file in which weights gather until they are whole.
//!
//! It is at every moment a true beginning of the weights, as far as its sources can be trusted, so anyone may go on
//! from its end. Whether they could be trusted is asked once, at the end: only the right digest gives it its name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::disk_space;
use super::error::{DiskOperation, PullError};
use super::progress::{OnProgress, ProgressReporter, Source, Step};
use crate::local::digest;
use crate::local::folder::ModelFolder;
use crate::local::pullable::Expected;

/// A part file, open at its end.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    bytes: u64,
    expected: Expected,
}

impl Part {
    /// Opens what is there of these weights, or begins.
    pub(super) fn open(model_folder: &ModelFolder, name: &str, expected: &Expected) -> Result<Self, PullError> {
        let path = model_folder.part(name);
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let opened = opened.and_then(|file| file.metadata().map(|found| (file, found.len())));
        let (file, bytes) = opened.map_err(|cause| failed(DiskOperation::Write, &path, &cause))?;
        let mut part = Self { path, file, bytes, expected: expected.clone() };
        if part.bytes > expected.bytes {
            part.shorten(0)?;
        }
        Ok(part)
    }

    /// Forgets everything after the first `bytes`.
    pub(super) fn shorten(&mut self, bytes: u64) -> Result<(), PullError> {
        if bytes < self.bytes {
            self.file.set_len(bytes).map_err(|cause| failed(DiskOperation::Write, &self.path, &cause))?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// Adds bytes at the end. More than belong to the weights are left out; the digest will tell.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), PullError> {
        let wanted = usize::try_from(self.left()).unwrap_or(usize::MAX).min(bytes.len());
        let mut rest = &bytes[..wanted];
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(written) => {
                    rest = &rest[written..];
                    self.bytes += written as u64;
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(self.not_written(&cause)),
            }
        }
        Ok(())
    }

    /// Adds a whole file at the end.
    pub(super) fn append_file(&mut self, from: &Path) -> Result<(), PullError> {
        let opened = File::open(from).map_err(|cause| failed(DiskOperation::Read, from, &cause));
        let copied = io::copy(&mut opened?, &mut self.file);
        self.bytes = self.file.metadata().map_or(self.bytes, |file| file.len());
        copied.map(|_| ()).map_err(|cause| self.not_written(&cause))
    }

    /// Checks the digest, and gives the file its name if it is right. If it is not, the file is removed.
    pub(super) async fn place(
        self,
        model_folder: &ModelFolder,
        name: &str,
        source: &Source,
        on_progress: OnProgress<'_>,
    ) -> Result<PathBuf, PullError> {
        let teller = ProgressReporter { what: name, source, on_progress };
        let total = self.expected.bytes;
        self.file.sync_all().map_err(|cause| self.not_written(&cause))?;
        let found = self.digest(&teller).await?;
        if found != self.expected.sha256 {
            fs::remove_file(&self.path).map_err(|cause| failed(DiskOperation::Remove, &self.path, &cause))?;
            let (what, expected) = (name.to_owned(), self.expected.sha256);
            return Err(PullError::WrongDigest { what, from: source.clone(), expected, found });
        }
        let path = model_folder.weights(name);
        fs::rename(&self.path, &path).map_err(|cause| failed(DiskOperation::Rename, &self.path, &cause))?;
        sync_folder_of(&path);
        teller.tell(Step::Placed, total, total);
        Ok(path)
    }

    /// Hashes on a thread of its own and tells how far it is.
    async fn digest(&self, teller: &ProgressReporter<'_>) -> Result<String, PullError> {
        let (count, mut counted) = tokio::sync::watch::channel(0);
        let path = self.path.clone();
        let mut hashing = tokio::task::spawn_blocking(move || {
            digest::of_file(&path, &mut |read| {
                count.send_replace(read);
            })
        });
        let done = loop {
            tokio::select! {
                biased;
                done = &mut hashing => break done,
                () = tokio::time::sleep(super::pip::PULSE) => {
                    teller.tell(Step::Checking, *counted.borrow_and_update(), self.expected.bytes);
                }
            }
        };
        let done = done.unwrap_or_else(|broken| Err(io::Error::other(broken)));
        done.map_err(|cause| failed(DiskOperation::Read, &self.path, &cause))
    }

    /// How much is here.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How much is missing.
    pub(super) fn left(&self) -> u64 {
        self.expected.bytes.saturating_sub(self.bytes)
    }

    /// What it is to become.
    pub(super) fn expected(&self) -> &Expected {
        &self.expected
    }

    fn not_written(&self, cause: &io::Error) -> PullError {
        if disk_space::is_full(cause) {
            return PullError::DiskFull { path: self.path.clone(), done: self.bytes, total: self.expected.bytes };
        }
        failed(DiskOperation::Write, &self.path, cause)
    }
}

/// A rename is safe only once its folder is. Where a folder cannot be synced, the rename alone has to do.
pub(super) fn sync_folder_of(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

pub(super) fn failed(deed: DiskOperation, path: &Path, cause: &io::Error) -> PullError {
    PullError::Disk { deed, path: path.to_owned(), cause: cause.to_string() }
}
