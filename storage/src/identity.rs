//! What tells a database from every other, and what a start can find out about it in little time.
//!
//! Whoever opens a database may remember its identity elsewhere, and hand it in the next time: one that is empty or gone
//! is then not taken for a new one, and one that has fewer sessions than it had is told of. Where to remember it is the
//! edge's business.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::SessionId;

use crate::columns::{Columns, seq};
use crate::fault::Fault;

/// The sessions whose ends are looked at when a database is opened: the newest.
pub(crate) const LOOKED_AT: i64 = 256;

/// A database, as one may remember it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Given once, when the database was made, and carried into its backups.
    pub id: String,
    /// Sessions that were ever opened in it.
    pub sessions: u64,
}

/// Something that is not as it should be, and that does not keep a database from being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concern {
    /// Sessions that were there are not: an older copy stands in its place.
    Fewer {
        /// How many were ever opened, as was remembered.
        known: u64,
        /// How many were, as the database has it.
        found: u64,
    },
    /// Another database stands where the one that was remembered stood.
    Another,
    /// A session's log does not end as its row says.
    Damaged {
        session: SessionId,
        /// Its last event.
        seq: Seq,
    },
}

/// An identity, from `id, sessions`.
pub(crate) fn identity(row: &impl Columns) -> Result<Identity, Fault> {
    Ok(Identity { id: row.text(0)?, sessions: row.number(1)?.max(0).cast_unsigned() })
}

/// A session whose end is not sound, from `id, head`.
pub(crate) fn unsound(row: &impl Columns) -> Result<Concern, Fault> {
    Ok(Concern::Damaged { session: SessionId::of(row.text(0)?), seq: seq(row, 1)? })
}

/// What the newest sessions' last events are checked with: each must be there, with the link that its session has. A
/// fork that has said nothing yet ends with an event of its parent's.
pub(crate) fn ends(limit: &str, differs: &str) -> String {
    format!(
        "SELECT s.id, s.head FROM (SELECT key, id, head, link, parent_at FROM sessions ORDER BY key DESC LIMIT {limit}) s \
         LEFT JOIN events e ON e.session = s.key AND e.seq = s.head \
         WHERE s.head > coalesce(s.parent_at, 0) AND (e.seq IS NULL OR s.link {differs} e.link) ORDER BY s.key"
    )
}

/// How what was found differs from what was remembered.
pub(crate) fn compare(known: Option<&Identity>, found: &Identity) -> Option<Concern> {
    let known = known?;
    if known.id != found.id {
        return Some(Concern::Another);
    }
    (found.sessions < known.sessions).then_some(Concern::Fewer { known: known.sessions, found: found.sessions })
}
