//! A store in one SQLite file.
//!
//! There is one writer at a time, and what has queued up shares one transaction (`writer`); an append is answered after
//! that transaction is as durable as asked for. Reads have their own connections and never wait for writes
//! (`reader`). Several processes may share the file: whoever writes waits its turn.
//!
//! A file that is damaged, foreign or from a newer Enza is left as it is (`connection`).

mod append;
mod checkup;
mod connection;
mod fault;
mod look;
mod open_here;
mod reader;
mod register;
mod roster;
mod shelf;
mod sweep;
mod wal;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{
    Append, Appended, Blobs, Deleted, Failure, Filter, Fork, Forked, Loaded, Log, OwnerSpent, Recorded, Roster, Rows,
    SessionId, SessionRow, Shelf, SnapshotUse, Store, TableRow, UsageQuery, UsageRow,
};

use crate::open::Durability;
pub(crate) use checkup::inspect;
use open_here::OpenHere;
use reader::Readers;
pub use writer::Commits;
use writer::Writer;

/// How many rows of a list are read at once without leaving the caller's thread.
const A_PAGE: usize = 128;

/// A store in a SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    durability: Durability,
    writer: Writer,
    readers: Arc<Readers>,
    /// Dropped last, when all connections are closed.
    _open_here: Arc<OpenHere>,
}

impl Sqlite {
    /// Opens the file, making or migrating the database in it as needed. Blocks.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, Failure> {
        let open_here = Arc::new(connection::register(path, durability)?);
        let connection = connection::open(path, durability)?;
        Ok(Self {
            path: path.to_owned(),
            durability,
            writer: Writer::start(connection, path, Arc::clone(&open_here))?,
            readers: Arc::new(Readers::new(path, Arc::clone(&open_here))),
            _open_here: open_here,
        })
    }

    /// Goes on without the broken part of a write-ahead log (`Failure::LogDamaged`): puts a copy of the log beside the
    /// database and cuts the log off where it breaks. Says where the copy is; none where the log is not broken. Blocks.
    pub fn cut_off_log(path: &Path) -> Result<Option<PathBuf>, Failure> {
        look::cut_off(path).map_err(|failure| connection::at(path, failure))
    }

    /// What has been committed since it was opened.
    pub fn commits(&self) -> Commits {
        self.writer.commits()
    }
}

impl Store for Sqlite {
    fn describe(&self) -> String {
        format!("sqlite {}, durability {}", self.path.display(), self.durability)
    }
}

#[async_trait]
impl Log for Sqlite {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.writer.append(append).await
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<Loaded>, Failure> {
        let session = session.clone();
        self.readers.read(move |reader| reader::load(reader, &session, snapshots)).await
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        let session = session.clone();
        self.readers.read(move |reader| reader::events(reader, &session, after, limit)).await
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        let (session, key) = (session.clone(), key.to_owned());
        self.readers.glance(move |reader| reader::accepted(reader, &session, &key)).await
    }
}

#[async_trait]
impl Shelf for Sqlite {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        let session = session.clone();
        self.readers.glance(move |reader| Ok(reader::find(reader, &session)?.map(|(_, row)| row))).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        let filter = filter.clone();
        if (1..=A_PAGE).contains(&filter.limit) {
            return self.readers.glance(move |reader| shelf::list(reader, &filter)).await;
        }
        self.readers.read(move |reader| shelf::list(reader, &filter)).await
    }

    async fn edition(&self) -> Result<Option<u64>, Failure> {
        self.readers.edition().map(Some)
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        let fork = fork.clone();
        self.writer.write(move |desk| shelf::fork(desk, &fork)).await
    }

    async fn delete(&self, session: &SessionId) -> Result<Deleted, Failure> {
        let session = session.clone();
        self.writer.write(move |desk| shelf::delete(desk, &session)).await
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        let (table, whose, session) = (table.to_owned(), shelf::rows_of(of), of.session().cloned());
        self.readers.read(move |reader| shelf::rows(reader, whose, &table, session.as_ref())).await
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        let owner = owner.to_owned();
        self.readers.read(move |reader| shelf::spent(reader, &owner, day)).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        let query = query.clone();
        self.readers.read(move |reader| shelf::usage(reader, &query)).await
    }
}

#[async_trait]
impl Blobs for Sqlite {
    async fn keep(&self, bytes: &[u8]) -> Result<Digest, Failure> {
        let (digest, bytes) = (Digest::of(bytes), bytes.to_vec());
        self.writer.write(move |desk| shelf::keep(desk, &digest, &bytes)).await?;
        Ok(digest)
    }

    async fn fetch(&self, digest: &Digest) -> Result<Option<Vec<u8>>, Failure> {
        let digest = *digest;
        self.readers.read(move |reader| shelf::fetch(reader, &digest)).await
    }
}

#[async_trait]
impl Roster for Sqlite {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        if self.readers.read(move |reader| roster::owing(reader, now, 1)).await?.is_empty() {
            return Ok(Vec::new());
        }
        let worker = worker.to_owned();
        self.writer.write(move |desk| roster::claim(desk, &worker, now, until, limit)).await
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        let (worker, sessions) = (worker.to_owned(), sessions.to_vec());
        self.writer.write(move |desk| roster::renew(desk, &worker, &sessions, until)).await
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        let (worker, sessions) = (worker.to_owned(), sessions.to_vec());
        self.writer.write(move |desk| roster::release(desk, &worker, &sessions)).await
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        self.readers.read(roster::next_wake).await
    }
}
