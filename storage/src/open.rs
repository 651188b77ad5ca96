//! Opens a database by its address, and looks at one without touching it.
//!
//! `open` makes a database where there is none and brings an older one up to date. `inspect` is for `enza doctor`: it
//! never creates, migrates or repairs anything. Which address to use is the edge's business.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::{Failure, Store};

use crate::deep_check::DeepCheck;
use crate::identity::{Concern, Identity, compare};
use crate::{Memory, Postgres, Sqlite, postgres, sqlite};

/// What an acknowledged append has survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// It is on the disk: neither a crash of the process nor a power cut loses it.
    #[default]
    Full,
    /// It is with the operating system or the server: a crash of the process does not lose it, a power cut may lose
    /// the last ones. What is there stays in order and whole.
    Normal,
}

impl fmt::Display for Durability {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Full => "full",
            Self::Normal => "normal",
        })
    }
}

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// In this process: `memory:`.
    Memory,
    /// In a file: `sqlite:PATH`, or a path alone.
    Sqlite(PathBuf),
    /// On a server: `postgres://…`, with all that the driver reads in it, a password too.
    Postgres(String),
}

impl Address {
    /// The address behind a text.
    pub fn read(text: &str) -> Self {
        if text == "memory:" {
            Self::Memory
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Self::Postgres(text.to_owned())
        } else {
            let path = text.strip_prefix("sqlite:").unwrap_or(text);
            Self::Sqlite(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))
        }
    }
}

impl Address {
    /// One name for one database, without a password; none for one in memory.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Memory => None,
            Self::Sqlite(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Some(format!("sqlite:{}", path.display()))
            }
            Self::Postgres(url) => postgres::name(url),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => out.write_str("Memory"),
            Self::Sqlite(path) => out.debug_tuple("Sqlite").field(path).finish(),
            // A password is nobody's business.
            Self::Postgres(_) => out.write_str("Postgres(…)"),
        }
    }
}

/// An open database: one object, by its two seams.
#[derive(Clone)]
pub struct Opened {
    pub store: Arc<dyn Store>,
    /// The people, and what lets them in.
    pub register: Arc<dyn Register>,
    /// What it is, to be remembered; none where nothing survives the process.
    pub identity: Option<Identity>,
    pub concerns: Vec<Concern>,
}

impl Opened {
    fn by_both_seams<D: Store + Register + 'static>(database: D) -> Self {
        let database = Arc::new(database);
        Self { store: database.clone(), register: database, identity: None, concerns: Vec::new() }
    }

    fn seen(self, known: Option<&Identity>, (identity, mut concerns): (Identity, Vec<Concern>)) -> Self {
        concerns.extend(compare(known, &identity));
        Self { identity: Some(identity), concerns, ..self }
    }
}

/// Opens the database at an address, making or migrating it as needed.
pub async fn open(url: &str, durability: Durability) -> Result<Opened, Failure> {
    open_known(url, durability, None).await
}

/// Opens the database at an address. Where one is remembered to have been there, it is not made anew: an empty or
/// missing one is a `Failure::Missing`.
pub async fn open_known(url: &str, durability: Durability, known: Option<&Identity>) -> Result<Opened, Failure> {
    let must_be_there = known.is_some();
    match Address::read(url) {
        Address::Memory => Ok(Opened::by_both_seams(Memory::new())),
        Address::Sqlite(path) => {
            let opened = run_blocking(move || {
                let database = Sqlite::open_known(&path, durability, must_be_there)?;
                let seen = database.identify()?;
                Ok((database, seen))
            });
            let (database, seen) = opened.await?;
            must_not_be_emptied(known, &seen.0)?;
            Ok(Opened::by_both_seams(database).seen(known, seen))
        }
        Address::Postgres(url) => {
            let database = Postgres::open_known(&url, durability, must_be_there).await?;
            let seen = database.identify().await?;
            must_not_be_emptied(known, &seen.0)?;
            Ok(Opened::by_both_seams(database).seen(known, seen))
        }
    }
}

/// A database that has had sessions and has never had one by what it says itself has lost everything.
fn must_not_be_emptied(known: Option<&Identity>, found: &Identity) -> Result<(), Failure> {
    match known {
        Some(known) if known.id == found.id && known.sessions > 0 && found.sessions == 0 => {
            Err(Failure::Missing(format!("{} sessions were known, and there are none", known.sessions)))
        }
        Some(_) | None => Ok(()),
    }
}

/// What a look at a database found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkup {
    /// What it is, for people; never with a password.
    pub what: String,
    /// Its schema version; `open` would bring an older one up to `known`.
    pub version: i64,
    /// The schema version of this build.
    pub known: i64,
    /// Whether the database finds itself sound.
    pub integrity: Integrity,
    /// Its size in bytes.
    pub bytes: u64,
    /// How many sessions.
    pub sessions: u64,
    /// How many events.
    pub events: u64,
}

/// What a database's own check of itself said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Integrity {
    /// Nothing wrong.
    Sound,
    /// What is wrong, in its words.
    Damaged(Vec<String>),
    /// This kind of database has no such check.
    NotChecked,
}

/// Looks at the database at an address. `None` where there is none yet; a newer one than this build knows is a
/// `Failure::Newer`, and a file that is no database a `Failure::Damaged`.
pub async fn inspect(url: &str) -> Result<Option<Checkup>, Failure> {
    match Address::read(url) {
        Address::Memory => Ok(None),
        Address::Sqlite(path) => run_blocking(move || sqlite::inspect(&path)).await,
        Address::Postgres(url) => postgres::inspect(&url).await,
    }
}

/// Checks everything in the database at an address, and changes nothing. `progress` is told how many of how many sessions
/// were followed. `None` where there is no database, or one that `open` would first bring up to date.
pub async fn inspect_deep(
    url: &str,
    progress: impl Fn(u64, u64) + Send + Sync + 'static,
) -> Result<Option<DeepCheck>, Failure> {
    match Address::read(url) {
        Address::Memory => Ok(None),
        Address::Sqlite(path) => run_blocking(move || sqlite::inspect_deep(&path, &progress)).await,
        Address::Postgres(url) => postgres::inspect_deep(&url, &progress).await,
    }
}

/// Runs what blocks on a thread that may be blocked.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|why| Err(Failure::Other(format!("a read stopped: {why}"))))
}
