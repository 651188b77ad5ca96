//! The models folder: what is there, and whether it is what it should be.
//!
//! `weights/NAME.gguf` are models, `server/bin/` is the program. Whoever puts a file here has checked its digest first
//! and leaves a note beside it (`NAME.gguf.sha256`) with digest, length and time; later starts compare length and time
//! only, because hashing a gigabyte takes seconds. A file that changed since is hashed again before it is used.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::digest;
use super::pullable::{Expected, ServerBuild, Weights};

/// The program's name, in the folder and on the search path.
const PROGRAM: &str = "llama-server";
/// How long a program may take to say its version.
const VERSION_WITHIN: Duration = Duration::from_secs(5);

/// The models folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFolder {
    pub folder: PathBuf,
}

/// Weights that are in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWeights {
    pub name: String,
    pub path: PathBuf,
    /// How long the file is.
    pub bytes: u64,
    /// Whether they were found whole, and have not changed since.
    pub checked: bool,
}

/// A program that can serve models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerBinary {
    pub program: PathBuf,
    /// The folder with its libraries, if it needs to be told.
    pub library_folder: Option<PathBuf>,
    /// What it calls its version, if it said.
    pub version: Option<String>,
}

/// Why something in the folder cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelFolderError {
    /// It is not there. Next: pull it.
    #[error("{name} is not at {path}")]
    Missing { name: String, path: PathBuf },
    /// It is not what it should be. Next: pull it again; what is there is replaced.
    #[error("{name} at {path} is damaged")]
    Damaged { name: String, path: PathBuf, bytes: u64, expected: Expected },
    /// The disk did not let us. Next: check the disk and the permissions of the folder.
    #[error("{path}: {cause}")]
    Disk {
        /// What was read or removed.
        path: PathBuf,
        cause: String,
    },
}

/// The note beside a file that was found whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    sha256: String,
    bytes: u64,
    modified_nanoseconds: u64,
}

/// The note beside a server that was found whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ServerNote {
    package: String,
    version: String,
    folder_sha256: String,
}

impl ModelFolder {
    /// The models in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Removes weights, their note and what was pulled of them so far. Says how many bytes are free now.
    pub fn remove(&self, name: &str) -> Result<u64, ModelFolderError> {
        let path = self.weights(name);
        let parts = [path.clone(), self.note(name), self.part(name)];
        let mut freed = 0;
        let mut found = false;
        for path in parts {
            let length = path.symlink_metadata().map(|file| file.len());
            match fs::remove_file(&path) {
                Ok(()) => {
                    found = true;
                    freed += length.unwrap_or(0);
                }
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(disk(&path, &cause)),
            }
        }
        if found { Ok(freed) } else { Err(ModelFolderError::Missing { name: name.to_owned(), path }) }
    }

    /// Writes the note of weights that were found whole. A folder that cannot be written to goes without.
    pub(crate) fn record_checked(&self, name: &str, sha256: &str) {
        let Ok((bytes, modified_nanoseconds)) = stamp(&self.weights(name)) else { return };
        let note = Note { sha256: sha256.to_owned(), bytes, modified_nanoseconds };
        if let Ok(text) = serde_json::to_string(&note) {
            let _ = fs::write(self.note(name), text);
        }
    }

    /// Writes the note of a server that was found whole.
    pub(crate) fn record_checked_server(&self, build: &ServerBuild) -> io::Result<()> {
        let note = ServerNote {
            package: build.package.clone(),
            version: build.version.clone(),
            folder_sha256: build.folder_sha256.clone(),
        };
        fs::write(self.server_note(), serde_json::to_string(&note)?)
    }

    /// The path of weights that are there and whole. Hashes them if nobody has since they changed, so it may take
    /// seconds: call it where waiting is allowed.
    pub fn ready(&self, weights: &Weights) -> Result<PathBuf, ModelFolderError> {
        let name = &weights.name;
        let path = self.weights(name);
        let (bytes, modified) = match stamp(&path) {
            Ok(found) => found,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(ModelFolderError::Missing { name: name.clone(), path });
            }
            Err(cause) => return Err(disk(&path, &cause)),
        };
        let note = self.read_note(name);
        let from_note = note.as_ref().map(|note| Expected { bytes: note.bytes, sha256: note.sha256.clone() });
        // Nobody ever said what it should be: a file that a person put here.
        let Some(expected) = weights.expected.clone().or(from_note) else { return Ok(path) };
        let unchanged = Note { sha256: expected.sha256.clone(), bytes: expected.bytes, modified_nanoseconds: modified };
        if bytes == expected.bytes && note.as_ref() == Some(&unchanged) {
            return Ok(path);
        }
        let whole = bytes == expected.bytes
            && digest::of_file(&path, &mut |_| {}).map_err(|cause| disk(&path, &cause))? == expected.sha256;
        if !whole {
            return Err(ModelFolderError::Damaged { name: name.clone(), path, bytes, expected });
        }
        self.record_checked(name, &expected.sha256);
        Ok(path)
    }

    /// All weights, by name.
    pub fn list(&self) -> Result<Vec<StoredWeights>, ModelFolderError> {
        let folder = self.folder.join("weights");
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(disk(&folder, &cause)),
        };
        let mut stock: Vec<StoredWeights> = entries
            .flatten()
            .filter_map(|entry| {
                let path = entry.path();
                let name = path.file_name()?.to_str()?.strip_suffix(".gguf")?.to_owned();
                let (bytes, modified) = stamp(&path).ok()?;
                let checked = self
                    .read_note(&name)
                    .is_some_and(|note| note.bytes == bytes && note.modified_nanoseconds == modified);
                Some(StoredWeights { name, path, bytes, checked })
            })
            .collect();
        stock.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(stock)
    }

    /// Whether this very build of the server is here.
    pub fn has_server(&self, build: &ServerBuild) -> bool {
        self.server_program().is_file()
            && self.read_server_note().is_some_and(|note| note.folder_sha256 == build.folder_sha256)
    }

    /// Where weights of this name are, or would be.
    pub fn weights(&self, name: &str) -> PathBuf {
        self.folder.join("weights").join(format!("{name}.gguf"))
    }

    /// Where weights of this name gather until they are whole.
    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.folder.join("weights").join(format!("{name}.gguf.part"))
    }

    /// Where the server and its libraries are, or would be.
    pub fn server_folder(&self) -> PathBuf {
        self.folder.join("server").join("bin")
    }

    fn server_program(&self) -> PathBuf {
        self.server_folder().join(PROGRAM)
    }

    fn note(&self, name: &str) -> PathBuf {
        self.folder.join("weights").join(format!("{name}.gguf.sha256"))
    }

    fn server_note(&self) -> PathBuf {
        self.folder.join("server").join("bin.sha256")
    }

    fn read_note(&self, name: &str) -> Option<Note> {
        serde_json::from_slice(&fs::read(self.note(name)).ok()?).ok()
    }

    fn read_server_note(&self) -> Option<ServerNote> {
        serde_json::from_slice(&fs::read(self.server_note()).ok()?).ok()
    }
}

/// The server to use: one that the person installed, found on their search path, else the one in the folder.
pub fn find_server(model_folder: &ModelFolder, path_var: Option<&OsStr>) -> Option<ServerBinary> {
    let installed = path_var.and_then(|path| {
        std::env::split_paths(path).map(|folder| folder.join(PROGRAM)).find(|program| is_executable(program))
    });
    if let Some(program) = installed {
        let version = said_version(&program);
        return Some(ServerBinary { program, library_folder: None, version });
    }
    let program = model_folder.server_program();
    is_executable(&program).then(|| ServerBinary {
        program,
        library_folder: Some(model_folder.server_folder()),
        version: model_folder.read_server_note().map(|note| format!("{} {}", note.package, note.version)),
    })
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Asks a program for its version: the line `version: …`, on whichever stream it prints it.
fn said_version(program: &Path) -> Option<String> {
    let (mut answer, into) = io::pipe().ok()?;
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(into.try_clone().ok()?).stderr(into);
    let mut child = command.spawn().ok()?;
    // The command holds the writing end; as long as it does, reading never ends.
    drop(command);
    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = answer.read_to_string(&mut text);
        let _ = said.send(text);
    });
    let text = heard.recv_timeout(VERSION_WITHIN);
    let _ = child.kill();
    let _ = child.wait();
    text.ok()?.lines().find_map(|line| line.strip_prefix("version:").map(|version| version.trim().to_owned()))
}

/// What tells an unchanged file: its length and when it was last written.
fn stamp(path: &Path) -> io::Result<(u64, u64)> {
    let file = path.metadata()?;
    let modified = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((file.len(), u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX)))
}

fn disk(path: &Path, cause: &io::Error) -> ModelFolderError {
    ModelFolderError::Disk { path: path.to_owned(), cause: cause.to_string() }
}
