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
mod files;
mod reader;
mod register;
mod roster;
mod shelf;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, Loaded, Log, OwnerSpent, Recorded,
    Reserved, Room, Roster, Rows, SessionId, SessionRow, Shelf, SnapshotUse, Store, TableRow, UsageQuery, UsageRow,
};

use crate::open::Durability;
pub(crate) use checkup::inspect;
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
}

impl Sqlite {
    /// Opens the file, making or migrating the database in it as needed. Blocks.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, Failure> {
        let connection = connection::open(path, durability)?;
        Ok(Self {
            path: path.to_owned(),
            durability,
            writer: Writer::start(connection)?,
            readers: Arc::new(Readers::new(path)),
        })
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
impl Files for Sqlite {
    async fn reserve(&self, room: &Room) -> Result<Reserved, Failure> {
        let room = room.clone();
        self.writer.write(move |desk| files::reserve(desk, &room)).await
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        let bytes = bytes.to_vec();
        self.writer.write(move |desk| files::write_part(desk, file, place, &bytes)).await
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        let digest = *digest;
        self.writer.write(move |desk| files::finish(desk, file, &digest, size)).await
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        self.writer.write(move |desk| files::discard(desk, file)).await
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        let (session, digest) = (session.clone(), *digest);
        self.readers.glance(move |reader| files::size(reader, &session, &digest)).await
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        let (session, digest) = (session.clone(), *digest);
        self.readers.read(move |reader| files::read_part(reader, &session, &digest, place)).await
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
