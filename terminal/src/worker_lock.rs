//! A worker's badge: a locked file in the data folder, named like the worker.
//!
//! The system drops the lock when the process ends, however it ends. So a badge that can be locked belongs to a worker
//! that is dead, and the leases in its name, and requests that it had under way, can be given up at once instead of
//! running out. Workers on other machines, or with another data folder, are not seen here; what is theirs ends by itself.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use enza_kernel::application::Phase;
use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::{Failure, Filter, Store};
use enza_server::state::{Liveness, WorkerProbe};

/// The badge of this process, worn until it is dropped.
#[derive(Debug)]
pub struct WorkerLock {
    /// The worker's name, which no other has or had.
    pub worker: String,
    path: PathBuf,
    _lock: File,
}

impl WorkerLock {
    /// Puts on a badge.
    pub fn acquire(data: &Path) -> io::Result<Self> {
        let folder = folder(data);
        crate::files::private_folder(&folder)?;
        let worker = format!("worker-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple());
        // Locked before it has its name: a badge that is seen is worn, or its worker is dead.
        let (hidden, path) = (folder.join(format!(".{worker}")), folder.join(&worker));
        let lock = File::create(&hidden)?;
        lock.lock()?;
        fs::rename(&hidden, &path)?;
        Ok(Self { worker, path, _lock: lock })
    }
}

impl Drop for WorkerLock {
    fn drop(&mut self) {
        // What stays behind is taken for a dead worker's, and cleared by the next one.
        let _ = fs::remove_file(&self.path);
    }
}

/// Gives up the leases and the requests under way of workers of this data folder that are no longer alive.
pub async fn release_dead_leases(data: &Path, store: &dyn Store, register: &dyn Register) -> Result<(), Failure> {
    for (worker, path, _lock) in dead_workers(data) {
        let working = Filter { phases: vec![Phase::Working], ..Filter::default() };
        let sessions: Vec<_> = store.list(&working).await?.into_iter().map(|row| row.id).collect();
        store.release(&worker, &sessions).await?;
        register.abandon(&worker).await?;
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// The badges of a data folder, for whoever wants to know how a worker is.
pub struct WorkerLocks(PathBuf);

impl WorkerLocks {
    /// Those of this data folder.
    pub fn of(data: &Path) -> Self {
        Self(folder(data))
    }
}

impl WorkerProbe for WorkerLocks {
    fn probe(&self, worker: &str) -> Liveness {
        // A name comes from the database; it is no path of ours unless it is a plain one.
        let is_plain = worker.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let Some(badge) = is_plain.then(|| File::open(self.0.join(worker)).ok()).flatten() else {
            return Liveness::Unknown;
        };
        match badge.try_lock() {
            Ok(()) => Liveness::Dead,
            Err(TryLockError::WouldBlock) => Liveness::Alive,
            Err(TryLockError::Error(_)) => Liveness::Unknown,
        }
    }
}

fn dead_workers(data: &Path) -> Vec<(String, PathBuf, File)> {
    let Ok(entries) = fs::read_dir(folder(data)) else { return Vec::new() };
    let dead = entries.flatten().filter_map(|entry| {
        let worker = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        let lock = File::open(entry.path()).ok()?;
        lock.try_lock().ok()?;
        Some((worker, entry.path(), lock))
    });
    dead.collect()
}

fn folder(data: &Path) -> PathBuf {
    data.join("workers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badge_counts_as_dead_only_when_nobody_wears_it() {
        let data = tempfile::tempdir().unwrap();
        let worn = WorkerLock::acquire(data.path()).unwrap();
        fs::write(folder(data.path()).join("worker-gone"), "").unwrap();
        let dead: Vec<_> = dead_workers(data.path()).into_iter().map(|(worker, ..)| worker).collect();
        assert_eq!(dead, ["worker-gone"]);
        let badges = WorkerLocks::of(data.path());
        let cases = [
            (worn.worker.as_str(), Liveness::Alive),
            ("worker-gone", Liveness::Dead),
            ("worker-far", Liveness::Unknown),
        ];
        for (worker, life) in cases {
            assert_eq!(badges.probe(worker), life, "{worker}");
        }
        assert_eq!(badges.probe("../workers/worker-gone"), Liveness::Unknown, "a name is no path");
        drop(worn);
    }
}
