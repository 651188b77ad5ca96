//! The tools that deliver a submission: into a file of its own, as a line of a drill's log, or to nobody.
//!
//! A submission's file is complete or not there: it is written beside, synced, and renamed. A drill's line is written
//! in one piece and synced, so that counting lines counts deliveries.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::effect::{RunTool, Safety};
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{ToolFailure, Tools};
use serde_json::{Value, json};

/// Delivers into a folder, one file for each session.
pub struct Outbox {
    pub folder: PathBuf,
}

impl Outbox {
    /// Where a session's submission is put.
    pub fn file_of(&self, session: &SessionId) -> PathBuf {
        self.folder.join(format!("{}.json", file_name(session)))
    }
}

#[async_trait]
impl Tools for Outbox {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        if run.safety == Safety::Repeatable {
            // It will be tried again, and then perhaps by whoever knows the form.
            return Err(ToolFailure("What belongs to a form is delivered by enza serve.".to_owned()));
        }
        let path = self.file_of(session);
        let mut letter = json!({ "session": session });
        if let (Value::Object(letter), Value::Object(content)) = (&mut letter, run.arguments.clone()) {
            letter.extend(content);
        }
        let text = format!("{letter:#}\n");
        let to = path.clone();
        blocking(move || write_whole(&to, &text)).await?;
        Ok(path.display().to_string())
    }
}

/// Delivers by a line in a log, for drills. The session and the run's key name the delivery.
pub struct DeliveryLog {
    pub file: PathBuf,
}

#[async_trait]
impl Tools for DeliveryLog {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..4))).await;
        let (file, line) = (self.file.clone(), format!("{session} {}\n", run.key));
        blocking(move || {
            fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
            let mut log = OpenOptions::new().create(true).append(true).open(&file)?;
            log.write_all(line.as_bytes())?;
            log.sync_all()
        })
        .await?;
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..4))).await;
        Ok("logged".to_owned())
    }
}

/// Delivers to nobody, for rehearsals.
pub struct NoDelivery;

#[async_trait]
impl Tools for NoDelivery {
    async fn run(&self, _session: &SessionId, _run: &RunTool) -> Result<String, ToolFailure> {
        Ok("rehearsed".to_owned())
    }
}

async fn blocking(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<(), ToolFailure> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.unwrap_or_else(|why| Err(io::Error::other(why)));
    done.map_err(|why| ToolFailure(format!("The submission could not be written: {why}.")))
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let beside = path.with_extension("json.part");
    let mut file = File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    File::open(folder)?.sync_all()
}

/// A session's name as a file name: ours are safe, but a store may hold others.
fn file_name(session: &SessionId) -> String {
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '_' };
    session.as_str().chars().map(safe).collect()
}
