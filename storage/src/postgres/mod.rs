//! A store on a PostgreSQL server, shared by any number of workers.
//!
//! Appends go through a few writers, each of which puts what has queued up into one statement (`writer`, `append`). All
//! else takes a connection from a pool for as long as it lasts. A connection that goes away fails what was under way on
//! it; the next call makes a new one.
//!
//! The password in an address is never repeated: not in `describe`, not in a failure.

mod append;
mod catalog;
mod checkup;
mod connection;
mod deep_check;
mod fault;
mod files;
mod leases;
mod link_cache;
mod migrate;
mod reader;
mod register;
mod shown_tables;
mod transfer;
mod writer;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use enza_kernel::conversation::Digest;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::register::NewAuditEntry;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, HeldLease, Leases, Log, OwnerSpent,
    Recorded, Reservation, Reserved, Rows, SessionCatalog, SessionId, SessionRow, SnapshotUse, Store, StoredSession,
    TableQuery, TableRow, UsageQuery, UsageRow,
};

use crate::fault::{Fault, unexpected};
use crate::identity::{Concern, Identity, LOOKED_AT, ends, identity, unsound};
use crate::open::Durability;
use crate::shown_tables::{Dialect, shown_objects, table_reading};
pub(crate) use checkup::inspect;
pub(crate) use deep_check::inspect_deep;
pub(crate) use transfer::{export, import};
use writer::Writers;

/// A store on a PostgreSQL server.
pub struct Postgres {
    place: String,
    durability: Durability,
    pool: Pool,
    writers: Writers,
}

impl Postgres {
    /// Connects, making or migrating the tables as needed. Needs a Tokio runtime, on which its writers then run.
    pub async fn open(url: &str, durability: Durability) -> Result<Self, Failure> {
        Self::open_known(url, durability, false).await
    }

    /// The same; where the tables must be there, missing ones are a `Failure::Missing`.
    pub(crate) async fn open_known(url: &str, durability: Durability, must_be_there: bool) -> Result<Self, Failure> {
        let config = connection::config(url, durability)?;
        let place = connection::place(&config);
        let pool = connection::pool(config)?;
        migrate::migrate(&pool, must_be_there).await?;
        let writers = Writers::start(&pool);
        Ok(Self { place, durability, pool, writers })
    }

    /// What this database is, and what is not as it should be with its newest sessions.
    pub(crate) async fn identify(&self) -> Result<(Identity, Vec<Concern>), Failure> {
        const IDENTITY: &str = "SELECT id, \
             coalesce(pg_sequence_last_value(pg_get_serial_sequence('sessions', 'key')::regclass), 0) FROM identity";
        let look = async {
            let found = connection::first(&self.pool, IDENTITY, &[]).await?;
            let found = found.ok_or_else(|| unexpected("the database has lost its identity"))?;
            let rows = connection::all(&self.pool, &ends("$1", "IS DISTINCT FROM"), &[&LOOKED_AT]).await?;
            Ok::<_, Fault>((identity(&found)?, rows.iter().map(unsound).collect::<Result<_, _>>()?))
        };
        Ok(look.await?)
    }
}

/// Where a database is, without a password; none where the address cannot be read.
pub(crate) fn name(url: &str) -> Option<String> {
    let config = connection::config(url, Durability::Full).ok()?;
    Some(format!("postgres:{}", connection::place(&config)))
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Postgres").field("place", &self.place).field("durability", &self.durability).finish()
    }
}

#[async_trait]
impl Store for Postgres {
    fn describe(&self) -> String {
        format!("postgres {}, durability {}", self.place, self.durability)
    }

    async fn try_write(&self, now: Timestamp) -> Result<(), Failure> {
        Ok(leases::try_write(&self.pool, now).await?)
    }

    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        Ok(shown_tables::show(&self.pool, &shown_objects(Dialect::Postgres, tables)?).await?)
    }
}

#[async_trait]
impl Log for Postgres {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.writers.append(append).await
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
        Ok(reader::load(&self.pool, session, snapshots).await?)
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        Ok(reader::events(&self.pool, session, after, limit).await?)
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        Ok(reader::accepted(&self.pool, session, key).await?)
    }
}

#[async_trait]
impl SessionCatalog for Postgres {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        Ok(reader::find(&self.pool, session).await?)
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        Ok(catalog::list(&self.pool, filter).await?)
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        Ok(catalog::fork(&self.pool, fork).await?)
    }

    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        Ok(catalog::delete(&self.pool, session, line).await?)
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        Ok(catalog::rows(&self.pool, table, of).await?)
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        Ok(shown_tables::rows(&self.pool, &table_reading(Dialect::Postgres, query)?).await?)
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        Ok(catalog::spent(&self.pool, owner, day).await?)
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        Ok(catalog::usage(&self.pool, query).await?)
    }
}

#[async_trait]
impl Files for Postgres {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
        Ok(files::reserve(&self.pool, room).await?)
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        Ok(files::write_part(&self.pool, file, place, bytes).await?)
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        Ok(files::finish(&self.pool, file, digest, size).await?)
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        Ok(files::discard(&self.pool, file).await?)
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        Ok(files::size(&self.pool, session, digest).await?)
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        Ok(files::read_part(&self.pool, session, digest, place).await?)
    }
}

#[async_trait]
impl Leases for Postgres {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        Ok(leases::claim(&self.pool, worker, now, until, limit).await?)
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        Ok(leases::renew(&self.pool, worker, sessions, until).await?)
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        Ok(leases::release(&self.pool, worker, sessions).await?)
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        Ok(leases::next_wake(&self.pool).await?)
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        Ok(leases::overlong(&self.pool, worker, now, beyond, limit).await?)
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        Ok(leases::take_over(&self.pool, worker, held, until).await?)
    }

    async fn shared_time(&self) -> Result<Option<Timestamp>, Failure> {
        Ok(leases::time(&self.pool).await?)
    }
}
