//! A store that fails in every way the seam allows, in front of one that does not.
//!
//! An append may fail before or after it took place, and a worker may stop in the middle of one. It
//! never breaks the seam's promises, unless a flaw is planted to see that the checks notice.

use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::table::DomainTable;
use enza_kernel::time::{Seq, Timestamp};

use super::flaw::Flaw;
use super::world::{Fault, World};
use crate::seams::register::NewAuditEntry;
use crate::seams::store::{
    Append, Appended, Deleted, Failure, FileKey, Files, Filter, Fork, Forked, HeldLease, Leases, Log, OwnerSpent,
    Recorded, Reservation, Reserved, Rows, SessionCatalog, SessionId, SessionRow, SnapshotUse, Store, StoredSession,
    TableQuery, TableRow, UsageQuery, UsageRow,
};

pub(super) struct FaultyStore {
    pub world: Arc<World>,
    pub worker: usize,
    pub base: Arc<dyn Store>,
    pub flaw: Option<Flaw>,
}

impl FaultyStore {
    async fn step(&self) -> Result<(), Failure> {
        self.world.moment().await;
        if self.world.strikes(Fault::Crash, 4) {
            self.world.die(self.worker).await;
        }
        if self.world.strikes(Fault::StoreFailed, 15) {
            return Err(Failure::Unreachable("simulated".to_owned()));
        }
        Ok(())
    }

    async fn append_with_flaw(&self, mut append: Append) -> Result<Appended, Failure> {
        match self.flaw {
            Some(Flaw::AcknowledgeWithoutSaving) if append.accepted.is_some() && self.world.happens(10) => {
                return Ok(Appended::Appended(append.expected.plus(append.events.len())));
            }
            Some(Flaw::ForgetKeys) => append.accepted = None,
            Some(Flaw::SkipExpectedCheck) => {
                let head = self.base.find(&append.session).await?.map_or(Seq::START, |row| row.head);
                if head != Seq::START {
                    append.expected = head;
                    append.opening = None;
                    append.snapshot = None;
                }
                let ours = append.events.len();
                let appended = self.base.append(append).await?;
                return Ok(match appended {
                    Appended::Appended(_) => Appended::Appended(head.plus(ours)),
                    Appended::Conflict { .. } | Appended::Duplicate { .. } => appended,
                });
            }
            Some(_) | None => {}
        }
        self.base.append(append).await
    }
}

#[async_trait]
impl Log for FaultyStore {
    async fn append(&self, append: Append) -> Result<Appended, Failure> {
        self.step().await?;
        if self.world.strikes(Fault::AppendFailed, 15) {
            return Err(Failure::Unreachable("simulated: before".to_owned()));
        }
        if self.world.strikes(Fault::TornTail, 4) {
            self.world.die(self.worker).await;
        }
        let appended = self.append_with_flaw(append).await;
        if self.world.strikes(Fault::AppendUnanswered, 15) {
            return Err(Failure::Unreachable("simulated: after".to_owned()));
        }
        self.world.moment().await;
        if self.world.strikes(Fault::Crash, 4) {
            self.world.die(self.worker).await;
        }
        appended
    }

    async fn load(&self, session: &SessionId, snapshots: SnapshotUse) -> Result<Option<StoredSession>, Failure> {
        self.step().await?;
        self.base.load(session, snapshots).await
    }

    async fn events(&self, session: &SessionId, after: Seq, limit: usize) -> Result<Vec<Recorded>, Failure> {
        self.step().await?;
        let mut events = self.base.events(session, after, limit).await?;
        if self.flaw == Some(Flaw::LoseAnEvent) {
            events.retain(|recorded| recorded.seq != Seq(6));
        }
        Ok(events)
    }

    async fn accepted(&self, session: &SessionId, key: &str) -> Result<Option<Seq>, Failure> {
        self.step().await?;
        self.base.accepted(session, key).await
    }
}

#[async_trait]
impl SessionCatalog for FaultyStore {
    async fn find(&self, session: &SessionId) -> Result<Option<SessionRow>, Failure> {
        self.step().await?;
        self.base.find(session).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<SessionRow>, Failure> {
        self.base.list(filter).await
    }

    async fn fork(&self, fork: &Fork) -> Result<Forked, Failure> {
        self.step().await?;
        self.base.fork(fork).await
    }

    async fn delete_noted(&self, session: &SessionId, line: Option<&NewAuditEntry>) -> Result<Deleted, Failure> {
        self.step().await?;
        self.base.delete_noted(session, line).await
    }

    async fn rows(&self, table: &str, of: Rows<'_>) -> Result<Vec<TableRow>, Failure> {
        self.base.rows(table, of).await
    }

    async fn table_rows(&self, query: &TableQuery<'_>) -> Result<Vec<TableRow>, Failure> {
        self.base.table_rows(query).await
    }

    async fn spent(&self, owner: &str, day: i64) -> Result<OwnerSpent, Failure> {
        self.base.spent(owner, day).await
    }

    async fn usage(&self, query: &UsageQuery) -> Result<Vec<UsageRow>, Failure> {
        self.base.usage(query).await
    }
}

#[async_trait]
impl Files for FaultyStore {
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure> {
        self.step().await?;
        self.base.reserve(room).await
    }

    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure> {
        self.step().await?;
        self.base.write_part(file, place, bytes).await
    }

    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure> {
        self.step().await?;
        self.base.finish(file, digest, size).await
    }

    async fn discard(&self, file: FileKey) -> Result<(), Failure> {
        self.step().await?;
        self.base.discard(file).await
    }

    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure> {
        self.step().await?;
        self.base.file_size(session, digest).await
    }

    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure> {
        self.step().await?;
        self.base.read_part(session, digest, place).await
    }
}

#[async_trait]
impl Leases for FaultyStore {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        self.step().await?;
        if self.flaw == Some(Flaw::NeverClaim) {
            return Ok(Vec::new());
        }
        self.base.claim(worker, now, until, limit).await
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        self.step().await?;
        if self.world.strikes(Fault::Paused, 200) {
            return Ok(());
        }
        self.base.renew(worker, sessions, until).await
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        self.step().await?;
        self.base.release(worker, sessions).await
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        self.base.next_wake().await
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        self.base.overlong(worker, now, beyond, limit).await
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        self.step().await?;
        self.base.take_over(worker, held, until).await
    }
}

#[async_trait]
impl Store for FaultyStore {
    fn describe(&self) -> String {
        format!("faulty {}", self.base.describe())
    }

    async fn try_write(&self, now: Timestamp) -> Result<(), Failure> {
        self.base.try_write(now).await
    }

    async fn show_tables(&self, tables: &[DomainTable]) -> Result<(), Failure> {
        self.base.show_tables(tables).await
    }
}
