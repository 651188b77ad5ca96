//! The description of one confined command, handed from the runner to the keeper and from the keeper to the command's
//! own process.
//!
//! It says what was asked for; which files that opens is worked out by the process that confines itself, at the last
//! moment and from open handles (`sandbox/file_rules.rs`). Both sides are the same binary, so its form is no promise.

use std::path::{Component, Path, PathBuf};

use enza_work::{Fault, Invocation, Order, ResourceLimits, Run, RunEnd};
use serde::{Deserialize, Serialize};

use super::toolchains::Toolchains;
use super::{Precautions, Runner, program};
use crate::files::{Aliases, by_real_names};

/// One command and how it is confined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandSpec {
    pub program: PathBuf,
    /// Its name, as it was asked for, and its arguments.
    pub words: Vec<String>,
    /// The folder of work.
    pub folder: PathBuf,
    /// The folder it runs in.
    pub at: PathBuf,
    /// Folders that may be read besides.
    pub readable: Vec<PathBuf>,
    /// Secret files inside the folder, and paths outside it, that a person granted; absolute.
    pub granted: Vec<PathBuf>,
    /// Patterns of paths in the folder that are closed unless they are granted.
    pub closed: Vec<String>,
    /// Files that were closed before commands, and may have other names by now.
    pub aliases: Aliases,
    /// The person's home folder, of which only toolchains may be read.
    pub home: Option<PathBuf>,
    /// Where programs are looked for.
    pub path: Vec<PathBuf>,
    /// The person's variables that lead to toolchains.
    pub tools: Vec<(String, PathBuf)>,
    /// The person's variables that the command sees.
    pub locale: Vec<(String, String)>,
    /// Where the private folder is made; the keeper puts the folder it made here.
    pub scratch: PathBuf,
    /// Whether the network may be used.
    pub network: bool,
    /// How long it may take.
    pub seconds: u32,
    /// How much of the machine it may take.
    pub most: ResourceLimits,
    /// Whether it is to see everything but its folders as read-only.
    pub sealed: bool,
    /// Whether it is run all the same where the kernel refuses that.
    pub unsealed: bool,
    /// Folders in the folder of work that are not to be moved away.
    pub fixed: Vec<PathBuf>,
    /// Paths in the folder of work that are not to be changed.
    pub kept: Vec<PathBuf>,
    /// What the keeper locks for as long as anything of the command is left.
    pub lock: Option<PathBuf>,
    /// The version of Landlock that the walls are built for.
    pub abi: u32,
    /// Whether it is to be in a control group; the keeper puts here whether it is.
    pub caged: bool,
}

/// Why the process that was to become the command did not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refused {
    /// The kernel would not give it a view of its own.
    View(String),
    /// Something else.
    For(Fault),
}

/// What the keeper says at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// The command ran and came to its end; nothing of it is left.
    Ended {
        ended: RunEnd,
        /// How long it took.
        millis: u64,
    },
    /// It never ran, or could not be brought to its end.
    Failed(Fault),
}

impl Refused {
    /// What the person is told.
    pub fn fault(self) -> Fault {
        match self {
            Self::View(why) => Fault::Unsealed { why },
            Self::For(fault) => fault,
        }
    }
}

impl CommandSpec {
    /// The cell for one order, if there is a folder and a program.
    pub fn of(runner: &Runner, order: &Order, run: &Run, precautions: &Precautions, abi: u32) -> Result<Self, Fault> {
        let folder = real(Path::new(&order.folder), &order.folder)?;
        let home = runner.home.as_ref().map(|home| home.canonicalize().unwrap_or_else(|_| home.clone()));
        if home.as_ref().is_some_and(|home| home.starts_with(&folder)) {
            return Err(Fault::NoSandbox {
                why: format!("{} holds the home folder, with every key in it", folder.display()),
            });
        }
        let at = real(&folder.join(&run.at), &run.at)?;
        if !at.starts_with(&folder) {
            return Err(Fault::OutsideToRead { path: run.at.clone() });
        }
        if !at.is_dir() {
            return Err(Fault::NotAFolder { path: run.at.clone() });
        }
        let words = match &run.command {
            Invocation::Words(words) => words.clone(),
            Invocation::Line(line) => vec!["sh".to_owned(), "-c".to_owned(), line.clone()],
        };
        let path: Vec<PathBuf> = std::env::split_paths(&runner.path).filter(|folder| folder.is_absolute()).collect();
        let program = program::find(words.first().map_or("", String::as_str), &at, &path)?;
        Ok(Self {
            program,
            words,
            readable: order.bounds.readable.iter().map(PathBuf::from).collect(),
            granted: order.granted.iter().map(|path| plain(&folder.join(path))).collect(),
            closed: by_real_names(&folder, &order.bounds.closed),
            aliases: Aliases::default(),
            folder,
            at,
            home,
            path,
            tools: runner.tools.clone(),
            locale: runner.locale.clone(),
            scratch: runner.scratch.clone(),
            network: run.network,
            seconds: run.seconds.max(1),
            most: order.bounds.most,
            sealed: runner.seals,
            unsealed: order.bounds.unsealed,
            fixed: precautions.closes.fixed.clone(),
            kept: precautions.closes.kept.clone(),
            lock: precautions.lock.clone(),
            abi,
            caged: runner.caged,
        })
    }
}

impl CommandSpec {
    /// The toolchains that it may use.
    pub fn toolchains(&self) -> Toolchains<'_> {
        Toolchains { folder: &self.folder, home: self.home.as_deref(), path: &self.path, set: &self.tools }
    }
}

/// The folder that is really meant, links followed.
fn real(path: &Path, said: &str) -> Result<PathBuf, Fault> {
    path.canonicalize().map_err(|why| match why.kind() {
        std::io::ErrorKind::NotFound => Fault::Missing { path: said.to_owned() },
        _ => Fault::System { path: said.to_owned(), why: why.to_string() },
    })
}

/// The path without `.` and `..`, as it is written. A granted path is compared letter by letter, so no link is followed.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}
