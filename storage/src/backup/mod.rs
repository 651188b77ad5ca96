//! Backups: one file with everything of a database, taken while it is in use, and put back into either kind of database.
//!
//! A backup is a SQLite file of our own shape. Of a SQLite database it is a compact copy as of one moment; of a PostgreSQL
//! database, every row as of one moment. It is written under another name, checked from the first event to the last and
//! on the disk before it gets its own: a backup that is there is whole. Putting one back is the same the other way
//! round; a database that stands in the way is put aside, and only if one was told to.
//!
//! Settings, weights and what is kept of files that sessions worked on are outside of the database, and not in its backup.

mod tables;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use enza_runtime::seams::store::Failure;

use crate::open::{Address, Durability, run_blocking};
use crate::{DeepCheck, Sqlite, Stranger, postgres, sqlite};

pub(crate) use tables::{CHUNK, Column, Kind, Table, tables};

/// What was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the check of the backup found.
    pub deep: DeepCheck,
    /// Where the database that stood in the way is now.
    pub aside: Option<PathBuf>,
}

/// Why a backup was not put back, or not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupFailure {
    /// A file of that name is there already.
    Exists,
    /// There is no database to take a backup of.
    Nothing,
    /// There is a database where the backup would go, and nobody said to replace it.
    Taken,
    /// Another process has the database open.
    InUse,
    /// The database or the backup has something in it that is not ours.
    Foreign(Stranger),
    /// The file is no backup of ours, or what is in it is damaged.
    Unsound(String),
    /// The world broke.
    Failed(Failure),
}

impl From<Failure> for BackupFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A file under a name that nobody takes for the real one, removed unless it is given its own.
struct PartialFile {
    path: PathBuf,
}

impl PartialFile {
    fn beside(path: &Path) -> Self {
        let part = Self { path: sqlite::beside(path, &format!(".part-{}", std::process::id())) };
        // One of this name can only be what a killed process left.
        part.remove();
        part
    }

    fn remove(&self) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(sqlite::beside(&self.path, ending));
        }
    }

    /// Gives the file its own name, once it is on the disk.
    fn become_whole(self, path: &Path) -> std::io::Result<()> {
        // It holds answers and hashes of passwords.
        fs::set_permissions(&self.path, fs::Permissions::from_mode(0o600))?;
        File::open(&self.path)?.sync_all()?;
        fs::rename(&self.path, path)?;
        sync_folder(path)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        self.remove();
    }
}

fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn trouble(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    let path = path.display().to_string();
    move |why| match why.kind() {
        std::io::ErrorKind::StorageFull => Failure::Full(format!("{path}: {why}")),
        _ => Failure::ReadOnly(format!("{path}: {why}")),
    }
}

/// Writes everything in a database to a new file, and checks it. The database may be in use.
pub async fn backup(
    url: &str,
    to: &Path,
    progress: impl Fn(u64, u64) + Send + Sync + 'static,
) -> Result<DeepCheck, BackupFailure> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(BackupFailure::Exists);
    }
    let part = PartialFile::beside(to);
    let taken = match Address::read(url) {
        Address::Memory => false,
        Address::Sqlite(path) => {
            let part = part.path.clone();
            run_blocking(move || sqlite::copy_whole(&path, &part)).await?
        }
        Address::Postgres(url) => postgres::export(&url, &part.path).await?,
    };
    if !taken {
        return Err(BackupFailure::Nothing);
    }
    // One that could not be put back would be no backup; better to hear of it today.
    let written = part.path.clone();
    let looked = move || {
        sqlite::take_off_views(&written)?;
        sqlite::stranger(&written)
    };
    if let Some(stranger) = run_blocking(looked).await? {
        return Err(BackupFailure::Foreign(stranger));
    }
    // What an older Enza left is checked, and put back, in today's shape; where it was taken from, it stays as it is.
    let written = part.path.clone();
    run_blocking(move || {
        if sqlite::is_older(&written)? {
            drop(Sqlite::open(&written, Durability::Full)?);
        }
        Ok(())
    })
    .await?;
    // What was just written is as sound as what it was written from.
    let deep = check(&part.path, progress).await.map_err(|refused| match refused {
        BackupFailure::Unsound(why) => BackupFailure::Failed(Failure::Damaged(why)),
        other => other,
    })?;
    part.become_whole(to).map_err(trouble(to))?;
    Ok(deep)
}

/// Checks a file of ours that nobody else has open.
async fn check(path: &Path, progress: impl Fn(u64, u64) + Send + Sync + 'static) -> Result<DeepCheck, BackupFailure> {
    let path = path.to_owned();
    let deep = run_blocking(move || sqlite::inspect_deep(&path, &progress)).await?;
    let deep = deep.ok_or_else(|| BackupFailure::Unsound("it is empty".to_owned()))?;
    match deep.faults.first() {
        None => Ok(deep),
        Some(first) => Err(BackupFailure::Unsound(match deep.wrong {
            1 => first.to_string(),
            wrong => format!("{first}, and {} more", wrong - 1),
        })),
    }
}

/// Puts a backup in the place of a database. One that is there is replaced only if `replace` says so, and a SQLite file is
/// put aside then.
pub async fn restore(
    from: &Path,
    url: &str,
    replace: bool,
    progress: impl Fn(u64, u64) + Send + Sync + 'static,
) -> Result<Restored, BackupFailure> {
    let address = Address::read(url);
    let beside = match &address {
        Address::Sqlite(path) => path.clone(),
        Address::Memory | Address::Postgres(_) => from.to_owned(),
    };
    if let Address::Sqlite(path) = &address {
        insist_on_room(path, replace).await?;
    }
    let part = PartialFile::beside(&beside);
    let prepared = {
        let (from, part) = (from.to_owned(), part.path.clone());
        run_blocking(move || Ok(prepare(&from, &part))).await?
    };
    prepared?;
    let deep = check(&part.path, progress).await?;
    match address {
        Address::Memory => Err(BackupFailure::Nothing),
        Address::Sqlite(path) => {
            // Checking may have taken minutes, in which somebody may have opened or made a database there.
            insist_on_room(&path, replace).await?;
            let aside = sqlite::put_aside(&path).map_err(trouble(&path))?;
            part.become_whole(&path).map_err(trouble(&path))?;
            Ok(Restored { deep, aside })
        }
        Address::Postgres(url) => {
            postgres::import(&url, &part.path, replace).await?;
            Ok(Restored { deep, aside: None })
        }
    }
}

/// Insists that nobody has a database open there, and that one which is there may be replaced.
async fn insist_on_room(path: &Path, replace: bool) -> Result<(), BackupFailure> {
    let path = path.to_owned();
    match run_blocking(move || Ok(sqlite::occupied(&path))).await? {
        sqlite::Occupied::InUse => Err(BackupFailure::InUse),
        sqlite::Occupied::Taken if !replace => Err(BackupFailure::Taken),
        sqlite::Occupied::Taken | sqlite::Occupied::No => Ok(()),
    }
}

/// Copies a backup to where it can be worked on, brings it up to date and frees what workers held in it.
fn prepare(from: &Path, part: &Path) -> Result<(), BackupFailure> {
    let unsound = |failure: Failure| match failure {
        Failure::Damaged(why) | Failure::LogDamaged(why) | Failure::Missing(why) => BackupFailure::Unsound(why),
        other => BackupFailure::Failed(other),
    };
    if !sqlite::is_ours(from).map_err(unsound)? {
        return Err(BackupFailure::Unsound("it is empty".to_owned()));
    }
    fs::copy(from, part).map_err(trouble(part))?;
    // A copy of the file of a database, as some take it, has our views in it.
    sqlite::take_off_views(part).map_err(unsound)?;
    // Before anything else is done with it: opening would already run what is in it.
    if let Some(stranger) = sqlite::stranger(part).map_err(unsound)? {
        return Err(BackupFailure::Foreign(stranger));
    }
    drop(Sqlite::open(part, Durability::Full).map_err(unsound)?);
    sqlite::free_leases(part).map_err(unsound)
}
