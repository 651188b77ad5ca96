//! A stretch of a log as it is read: checked event by event, in both databases alike.
//!
//! Whether an event is what was written can be told only with the link of the event before it. A reader therefore begins
//! with that one, without its body, and does not hand it on.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Recorded, SessionId};

use crate::checksum::{Follow, damaged, read};
use crate::columns::{Columns, recorded};
use crate::fault::Fault;

/// Reads at most `limit` events after a place, from rows of `seq, at, kind, version, body, link`.
pub(crate) struct LogReader<'a> {
    session: &'a SessionId,
    after: Seq,
    limit: usize,
    follow: Option<Follow>,
    events: Vec<Recorded>,
}

impl<'a> LogReader<'a> {
    /// Events of a session after `after`, of which about `due` are expected.
    pub fn new(session: &'a SessionId, after: Seq, limit: usize, due: usize) -> Self {
        let follow = (after == Seq::START).then(|| Follow::after(after, None));
        Self { session, after, limit, follow, events: Vec::with_capacity(due.min(limit).min(1 << 16)) }
    }

    /// The place of the event that is read for its link alone.
    pub fn after(&self) -> Seq {
        self.after
    }

    /// The place after which rows must be asked for.
    pub fn begins_after(&self) -> Seq {
        Seq(self.after.0.saturating_sub(1))
    }

    /// How many more rows are wanted.
    pub fn room(&self) -> usize {
        (self.limit - self.events.len()).saturating_add(usize::from(self.follow.is_none()))
    }

    /// Takes the next row.
    pub fn take(&mut self, row: &impl Columns) -> Result<(), Fault> {
        let event = recorded(row)?;
        let link = row.maybe_bytes(5)?;
        match &mut self.follow {
            None if event.seq == self.after => {
                let link = read(link).map_err(|_| damaged(self.session, event.seq))?;
                self.follow = Some(Follow::after(self.after, link));
            }
            None => return Err(damaged(self.session, self.after)),
            Some(follow) => {
                follow.take(&event, link).map_err(|seq| damaged(self.session, seq))?;
                self.events.push(event);
            }
        }
        Ok(())
    }

    /// The events, up to the head unless the limit was met before.
    pub fn finish(self, head: Seq) -> Result<Vec<Recorded>, Fault> {
        let missing = match &self.follow {
            _ if self.events.len() >= self.limit => Ok(()),
            Some(follow) => follow.ends_at(head),
            None => Err(self.after),
        };
        missing.map_err(|seq| damaged(self.session, seq))?;
        Ok(self.events)
    }
}
