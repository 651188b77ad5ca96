//! Checks everything that is kept: what `enza doctor --deep` reports, and what a backup is checked with.
//!
//! Both databases give their rows to the same checks here, session by session and file by file, so that the check needs
//! no more memory than one page of rows.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;
use sha2::{Digest as _, Sha256};

use crate::checksum::{Follow, Link, read};
use crate::columns::{Columns, recorded, seq, snapshot};
use crate::fault::Fault;

/// Complaints that are kept in words; more are only counted.
const MOST: usize = 100;

/// What a check of everything found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeepCheck {
    /// Sessions whose logs were followed.
    pub sessions: u64,
    /// Events that were followed.
    pub events: u64,
    /// Of those, the ones from before there were checksums.
    pub unlinked: u64,
    /// Files whose content was compared with its digest.
    pub files: u64,
    /// What is wrong, the first of it.
    pub faults: Vec<Defect>,
    /// How much is wrong in all.
    pub wrong: u64,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// The database's own check of itself complains, in its words.
    #[error("{0}")]
    Structure(String),
    /// An event is not what was written, or is gone.
    #[error("event {seq} of session {session} is not what was written, or is gone")]
    Event {
        session: SessionId,
        /// The first place at which its log is wrong.
        seq: Seq,
    },
    /// A session's row does not agree with its last event.
    #[error("session {session} does not end with event {seq} as it should")]
    End {
        session: SessionId,
        /// Its last event, as the row says.
        seq: Seq,
    },
    /// A snapshot is not what was written. It is passed over; nothing is lost.
    #[error("the snapshot of session {session} is not what was written")]
    Snapshot { session: SessionId },
    /// A file is not what its digest says.
    #[error("the stored file {digest} is not what was written")]
    File { digest: String },
    /// Rows that belong to a session that is not there.
    #[error("rows of {table} that belong to no session: {rows}")]
    Orphans {
        table: &'static str,
        /// How many rows.
        rows: u64,
    },
}

impl DeepCheck {
    /// Notes something that is wrong.
    pub(crate) fn complain(&mut self, wrong: Defect) {
        self.wrong += 1;
        if self.faults.len() < MOST {
            self.faults.push(wrong);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0
    }
}

/// Tables with rows that belong to sessions.
pub(crate) const OF_SESSIONS: [&str; 6] = ["events", "snapshots", "accepted", "timers", "rows", "files"];

/// A session as it is followed: its own events begin after those that it shares with its parent.
pub(crate) struct Walk {
    pub key: i64,
    parent: Option<i64>,
    id: SessionId,
    head: Seq,
    /// The link of its head; an error where what is kept cannot be one.
    link: Result<Option<Link>, Vec<u8>>,
    forked_at: Seq,
    follow: Follow,
    is_wrong: bool,
}

/// The columns that `Walk::begin` reads, of `sessions`.
pub(crate) const SESSION: &str = "key, id, head, link, parent, coalesce(parent_at, 0)";

impl Walk {
    /// Begins with a session, from `SESSION`.
    pub fn begin(row: &impl Columns) -> Result<Self, Fault> {
        let forked_at = seq(row, 5)?;
        Ok(Self {
            key: row.number(0)?,
            parent: row.maybe_number(4)?,
            id: SessionId::of(row.text(1)?),
            head: seq(row, 2)?,
            is_wrong: false,
            link: read(row.maybe_bytes(3)?),
            forked_at,
            follow: Follow::after(forked_at, None),
        })
    }

    /// The session that it was forked from, and the place.
    pub fn parent(&self) -> Option<(i64, Seq)> {
        self.parent.map(|parent| (parent, self.forked_at))
    }

    /// A fork's own events go on from this link of its parent's.
    pub fn goes_on_from(&mut self, link: Option<Link>) {
        self.follow = Follow::after(self.forked_at, link);
    }

    /// Takes the session's next own event, from `seq, at, kind, version, body, link`.
    pub fn take(&mut self, row: &impl Columns, found: &mut DeepCheck) -> Result<(), Fault> {
        if self.is_wrong {
            return Ok(());
        }
        found.events += 1;
        let event = recorded(row)?;
        if let Err(seq) = self.follow.take(&event, row.maybe_bytes(5)?) {
            self.is_wrong = true;
            found.complain(Defect::Event { session: self.id.clone(), seq });
        }
        Ok(())
    }

    /// Takes the session's snapshot, from `seq, version, body, checksum`.
    pub fn take_snapshot(&self, row: &impl Columns, found: &mut DeepCheck) -> Result<(), Fault> {
        if snapshot(row)?.is_none() {
            found.complain(Defect::Snapshot { session: self.id.clone() });
        }
        Ok(())
    }

    /// The log has come to its end.
    pub fn end(self, found: &mut DeepCheck) {
        found.sessions += 1;
        found.unlinked += self.follow.unlinked;
        if self.is_wrong {
            return;
        }
        if let Err(seq) = self.follow.ends_at(self.head) {
            found.complain(Defect::Event { session: self.id, seq });
        } else if self.head > self.forked_at && Ok(self.follow.last()) != self.link {
            found.complain(Defect::End { session: self.id, seq: self.head });
        }
    }
}

/// Every file that is whole, part by part in their order.
pub(crate) const PARTS: &str = "SELECT c.key, c.digest, p.bytes FROM contents c \
     LEFT JOIN content_parts p ON p.content = c.key WHERE c.digest IS NOT NULL ORDER BY c.key, p.place";

/// Compares files with their digests as their parts come by, from rows of `PARTS`.
#[derive(Default)]
pub(crate) struct Compare {
    at: Option<(i64, Vec<u8>, Sha256)>,
}

impl Compare {
    /// Takes the next part.
    pub fn take(&mut self, row: &impl Columns, found: &mut DeepCheck) -> Result<(), Fault> {
        let key = row.number(0)?;
        if self.at.as_ref().is_none_or(|(file, ..)| *file != key) {
            self.finish(found);
            self.at = Some((key, row.bytes(1)?, Sha256::new()));
        }
        if let (Some((.., sum)), Some(bytes)) = (&mut self.at, row.maybe_bytes(2)?) {
            sum.update(bytes);
        }
        Ok(())
    }

    /// There are no more parts of the file at hand.
    pub fn finish(&mut self, found: &mut DeepCheck) {
        let Some((_, digest, sum)) = self.at.take() else { return };
        found.files += 1;
        if digest != sum.finalize()[..] {
            found.complain(Defect::File { digest: digest.iter().map(|byte| format!("{byte:02x}")).collect() });
        }
    }
}
