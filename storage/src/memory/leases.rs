//! Leases in memory: who works on what, and the next timer.

use std::cmp::Reverse;

use async_trait::async_trait;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Failure, HeldLease, Leases, SessionId};

use super::Memory;

#[async_trait]
impl Leases for Memory {
    async fn claim(
        &self,
        worker: &str,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionId>, Failure> {
        let mut books = self.tables();
        let due = books.sessions.values_mut().filter(|book| book.is_free(now) && book.owes_work(now)).take(limit);
        Ok(due
            .map(|book| {
                book.lease = Some((worker.to_owned(), until));
                book.row.id.clone()
            })
            .collect())
    }

    async fn renew(&self, worker: &str, sessions: &[SessionId], until: Timestamp) -> Result<(), Failure> {
        let mut books = self.tables();
        for id in sessions {
            if let Some((holder, end)) = books.sessions.get_mut(id).and_then(|book| book.lease.as_mut())
                && holder == worker
            {
                *end = until;
            }
        }
        Ok(())
    }

    async fn release(&self, worker: &str, sessions: &[SessionId]) -> Result<(), Failure> {
        let mut books = self.tables();
        for id in sessions {
            if let Some(book) = books.sessions.get_mut(id) {
                book.lease.take_if(|(holder, _)| holder == worker);
            }
        }
        Ok(())
    }

    async fn next_wake(&self) -> Result<Option<Timestamp>, Failure> {
        let books = self.tables();
        let nobodys = books.sessions.values().filter(|book| book.lease.is_none());
        Ok(nobodys.flat_map(|book| book.timers.values()).min().copied())
    }

    async fn overlong(
        &self,
        worker: &str,
        now: Timestamp,
        beyond: Timestamp,
        limit: usize,
    ) -> Result<Vec<HeldLease>, Failure> {
        let books = self.tables();
        let mut found: Vec<_> = books
            .sessions
            .values()
            .filter(|book| book.owes_work(now))
            .filter_map(|book| book.lease.clone().map(|(holder, until)| (book, holder, until)))
            .filter(|(_, holder, until)| holder != worker && *until > beyond)
            .map(|(book, worker, until)| HeldLease { session: book.row.id.clone(), worker, until })
            .collect();
        found.sort_by_key(|held| Reverse(held.until));
        found.truncate(limit);
        Ok(found)
    }

    async fn take_over(&self, worker: &str, held: &HeldLease, until: Timestamp) -> Result<bool, Failure> {
        let mut books = self.tables();
        let Some(book) = books.sessions.get_mut(&held.session) else { return Ok(false) };
        let is_as_seen = book.lease.as_ref().is_some_and(|(holder, end)| *holder == held.worker && *end == held.until);
        if is_as_seen {
            book.lease = Some((worker.to_owned(), until));
        }
        Ok(is_as_seen)
    }
}
