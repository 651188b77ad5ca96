//! A store in one SQLite file.
//!
//! There is one writer at a time, and what has queued up shares one transaction (`writer`); an append is answered after
//! that transaction is as durable as asked for. Reads have their own connections and never wait for writes
//! (`reader`). Several processes may share the file: whoever writes waits its turn.
//!
//! A file that is damaged, foreign or from a newer Enza is left as it is (`connection`).

mod append;
mod catalog;
mod checkup;
mod connection;
mod database_file;
mod deep_check;
mod fault;
mod files;
mod leases;
mod open_files;
mod preflight;
mod reader;
mod register;
mod shape;
mod shown_tables;
mod sweep;
mod wal;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, HeldLease, Leases, Log, OwnerSpent,
    Recorded, Reservation, Reserved, Rows, SessionCatalog, SessionId, SessionRow, SnapshotUse, Store, StoredSession,
    TableQuery, TableRow, UsageQuery, UsageRow,
};
use rusqlite::Connection;

use crate::fault::{Fault, unexpected};
use crate::identity::{Concern, Identity, LOOKED_AT, ends, identity, unsound};
use crate::open::Durability;
use crate::shown_tables::{Dialect, shown_objects, table_reading};
pub(crate) use checkup::inspect;
pub(crate) use database_file::{
    Occupied, copy_whole, free_leases, is_ours, make_empty, occupied, open_whole, put_aside,
};
pub(crate) use deep_check::{inspect_deep, is_older};
use open_files::OpenGuard;
pub(crate) use preflight::beside;
use reader::Readers;
pub use shape::Stranger;
pub(crate) use shape::stranger;
pub(crate) use shown_tables::take_off_views;
pub use writer::Commits;
use writer::Writer;

/// How many rows of a list are read at once without leaving the caller's thread.
const A_PAGE: usize = 128;

/// A store in a SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    durability: Durability,
    /// Closed before the writer: whoever closes last moves the log into the file, and readers may not.
    readers: Arc<Readers>,
    writer: Writer,
    /// Dropped last, when all connections are closed.
    _open_here: Arc<OpenGuard>,
}

impl Sqlite {
    /// Opens the file, making or migrating the database in it as needed. Blocks.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, Failure> {
        Self::open_known(path, durability, false)
    }

    /// The same; where the database must be there, an empty or missing file is a `Failure::Missing`.
    pub(crate) fn open_known(path: &Path, durability: Durability, must_be_there: bool) -> Result<Self, Failure> {
        let open_here = Arc::new(connection::register(path, durability, must_be_there)?);
        let connection = connection::open(path, durability)?;
        Ok(Self {
            path: path.to_owned(),
            durability,
            readers: Arc::new(Readers::new(path, Arc::clone(&open_here))),
            writer: Writer::start(connection, path, Arc::clone(&open_here))?,
            _open_here: open_here,
        })
    }

    /// What this database is, and what is not as it should be with its newest sessions. Blocks, for a moment.
    pub(crate) fn identify(&self) -> Result<(Identity, Vec<Concern>), Failure> {
        const IDENTITY: &str = "SELECT id, (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'sessions') \
             FROM identity";
        let look = |reader: &Connection| -> Result<_, Fault> {
            let found = reader::first(reader, IDENTITY, [], |row| identity(row))?;
            let found = found.ok_or_else(|| unexpected("the database has lost its identity"))?;
            // A page that cannot be read is met by the sessions on it; it must not keep all others from going on.
            let ends = reader::all(reader, &ends("?1", "IS NOT"), [LOOKED_AT], |row| unsound(row)).unwrap_or_default();
            Ok((found, ends))
        };
        self.readers.read_here(look).map_err(|fault| connection::at(&self.path, fault.0))
    }

    /// Goes on without the broken part of a write-ahead log (`Failure::LogDamaged`): puts a copy of the log beside the
    /// database and cuts the log off where it breaks. Says where the copy is; none where the log is not broken. Blocks.
    pub fn cut_off_log(path: &Path) -> Result<Option<PathBuf>, Failure> {
        if preflight::is_in_use(path) {
            return Err(connection::at(path, in_use()));
        }
        preflight::cut_off(path).map_err(|failure| connection::at(path, failure))
    }

    /// Moves a database with all that stands beside it to other names; says which, where there was anything. Not to be done
    /// while anyone has it open.
    pub fn put_aside(path: &Path) -> Result<Option<PathBuf>, Failure> {
        if preflight::is_in_use(path) {
            return Err(connection::at(path, in_use()));
        }
        put_aside(path).map_err(|why| connection::at(path, Failure::ReadOnly(why.to_string())))
    }

    /// What has been committed since it was opened.
    pub fn commits(&self) -> Commits {
        self.writer.commits()
    }
}

#[async_trait]
impl Store for Sqlite {
    fn describe(&self) -> String {
        format!("sqlite {}, durability {}", self.path.display(), self.durability)
    }

    /// A small write may find room in the log that a larger one would not, so the disk is asked, too.
    async fn try_write(&self, now: Timestamp) -> Result<(), Failure> {
        room_on_disk(&self.path)?;
        self.writer
            .write(move |desk| {
                desk.connection.prepare_cached("UPDATE identity SET written_at = ?1")?.execute([now.0])?;
                Ok(())
            })
            .await
    }

    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        let wanted = Arc::new(shown_objects(Dialect::Sqlite, tables)?);
        let seen = Arc::clone(&wanted);
        if self.readers.read(move |reader| shown_tables::is_shown(reader, &seen)).await? {
            return Ok(());
        }
        self.writer.write(move |desk| shown_tables::show(&desk.connection, &wanted)).await
    }

    /// Moves the log into the file: whoever takes the file alone afterwards has everything.
    async fn tidy_up(&self) -> Result<(), Failure> {
        self.writer.empty_log().await
    }
}

fn in_use() -> Failure {
    Failure::Unreachable("the database is open elsewhere; stop what uses it first".to_owned())
}

/// Says so where the disk has hardly any room left.
fn room_on_disk(path: &Path) -> Result<(), Failure> {
    const LITTLE: u64 = 256 << 10;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A system that does not say is asked by the write alone.
    let Ok(about) = rustix::fs::statvfs(folder) else { return Ok(()) };
    match about.f_bavail.saturating_mul(about.f_frsize) {
        free if free < LITTLE => Err(Failure::Full(format!("{}: {free} bytes are free", path.display()))),
        _ => Ok(()),
    }
}

#[async_trait]
impl Log for Sqlite {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.writer.append(append).await
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
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
impl SessionCatalog for Sqlite {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        let session = session.clone();
        self.readers.glance(move |reader| Ok(reader::find(reader, &session)?.map(|(_, row)| row))).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        let filter = filter.clone();
        if (1..=A_PAGE).contains(&filter.limit) {
            return self.readers.glance(move |reader| catalog::list(reader, &filter)).await;
        }
        self.readers.read(move |reader| catalog::list(reader, &filter)).await
    }

    async fn edition(&self) -> Result<Option<u64>, Failure> {
        self.readers.edition().map(Some)
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        let fork = fork.clone();
        self.writer.write(move |desk| catalog::fork(desk, &fork)).await
    }

    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        let (session, line) = (session.clone(), line.cloned());
        self.writer.write(move |desk| catalog::delete(desk, &session, line.as_ref())).await
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        let (table, whose, session) = (table.to_owned(), catalog::rows_of(of), of.session().cloned());
        self.readers.read(move |reader| catalog::rows(reader, whose, &table, session.as_ref())).await
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        let reading = table_reading(Dialect::Sqlite, query)?;
        self.readers.read(move |reader| shown_tables::rows(reader, &reading)).await
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        let owner = owner.to_owned();
        self.readers.read(move |reader| catalog::spent(reader, &owner, day)).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        let query = query.clone();
        self.readers.read(move |reader| catalog::usage(reader, &query)).await
    }
}

#[async_trait]
impl Files for Sqlite {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
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
impl Leases for Sqlite {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        if self.readers.read(move |reader| leases::owing(reader, now, 1)).await?.is_empty() {
            return Ok(Vec::new());
        }
        let worker = worker.to_owned();
        self.writer.write(move |desk| leases::claim(desk, &worker, now, until, limit)).await
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        let (worker, sessions) = (worker.to_owned(), sessions.to_vec());
        self.writer.write(move |desk| leases::renew(desk, &worker, &sessions, until)).await
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        let (worker, sessions) = (worker.to_owned(), sessions.to_vec());
        self.writer.write(move |desk| leases::release(desk, &worker, &sessions)).await
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        self.readers.read(leases::next_wake).await
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        let worker = worker.to_owned();
        self.readers.read(move |reader| leases::overlong(reader, &worker, now, beyond, limit)).await
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        let (worker, held) = (worker.to_owned(), held.clone());
        self.writer.write(move |desk| leases::take_over(desk, &worker, &held, until)).await
    }
}
