//! What can break when a store is asked for something, and whether asking again may help.
//!
//! A failure is the world's, never a refusal: a store that says no has its own answers for that. Causes are for the log;
//! words for people are written at the edge, by the code.

use enza_kernel::time::Seq;

use super::SessionId;

/// The world broke while a store was asked for something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The database cannot be reached, or is busy beyond patience. Worth trying again.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// There is no room left to write.
    #[error("no room left on the disk: {0}")]
    Full(String),
    /// The file or folder may not be written.
    #[error("the database may not be written: {0}")]
    ReadOnly(String),
    /// The file is not a sound database.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// The write-ahead log is broken before its end: what was acknowledged after that place would be lost.
    #[error("the write-ahead log is damaged: {0}")]
    LogDamaged(String),
    /// The database is empty or gone, though it was in use.
    #[error("the database is missing: {0}")]
    Missing(String),
    /// The database was made by a newer Enza.
    #[error("the database has schema version {found}, this build knows up to {known}")]
    Newer { found: i64, known: i64 },
    /// An event is not what was written, or is gone. Only its session is affected.
    #[error("session {session}: event {seq} is not what was written, or is gone")]
    EventDamaged {
        session: SessionId,
        /// The first place at which its log is wrong.
        seq: Seq,
    },
    /// An event that this build cannot read.
    #[error("an event cannot be read: {0}")]
    Unreadable(String),
    /// Anything else the database said; ours to fix.
    #[error("the database refused: {0}")]
    Other(String),
}

impl Failure {
    /// Whether the same call may go through later without anyone doing anything.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Full(_) => true,
            Self::ReadOnly(_)
            | Self::Damaged(_)
            | Self::LogDamaged(_)
            | Self::Missing(_)
            | Self::EventDamaged { .. }
            | Self::Newer { .. }
            | Self::Unreadable(_)
            | Self::Other(_) => false,
        }
    }

    /// The outward code; it has a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "database-unreachable",
            Self::Full(_) => "disk-full",
            Self::ReadOnly(_) => "database-read-only",
            Self::Damaged(_) => "database-damaged",
            Self::LogDamaged(_) => "database-log-damaged",
            Self::Missing(_) => "database-missing",
            Self::EventDamaged { .. } => "event-damaged",
            Self::Newer { .. } => "database-newer",
            Self::Unreadable(_) => "event-unreadable",
            Self::Other(_) => "database-refused",
        }
    }
}
