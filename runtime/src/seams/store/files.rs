//! Files that sessions take in: how room is set aside for one before it comes, and what there is of it.
//!
//! A file belongs to the session that took it in and is found from there alone: its digest says what it is and opens
//! nothing. The same bytes are kept once, however many sessions have them, and go with the last of these. A file comes and
//! goes in parts, so that nobody has to hold a whole one in memory.

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;

use super::{Failure, SessionId};

/// How many bytes a part has, but for the last one.
pub const PART: usize = 256 * 1024;

/// Files, by the session that took them in.
#[async_trait]
pub trait Files: Send + Sync {
    /// Sets room aside for a file that is about to come, unless it would go past a quota. Room counts from here on, so of
    /// many that come at once only those are let in that fit together. Room that was not used in its time is given back.
    async fn reserve(&self, room: &Reservation) -> Result<Reserved, Failure>;

    /// Writes a part of a file that is coming; the first is 0. Says whether its room is still there. A part that is written
    /// twice is there once.
    async fn write_part(&self, file: FileKey, place: u32, bytes: &[u8]) -> Result<bool, Failure>;

    /// The file is whole: from now on its session has it, and it counts by its size. Says whether its room was still there.
    async fn finish(&self, file: FileKey, digest: &Digest, size: u64) -> Result<bool, Failure>;

    /// Gives a file up, whole or not: its room is free again, and its bytes go unless another has the same. One that is
    /// not there is no mistake.
    async fn discard(&self, file: FileKey) -> Result<(), Failure>;

    /// The size of a file that this session took in; none where it did not, whoever else did.
    async fn file_size(&self, session: &SessionId, digest: &Digest) -> Result<Option<u64>, Failure>;

    /// A part of a file that this session took in; none after the last.
    async fn read_part(&self, session: &SessionId, digest: &Digest, place: u32) -> Result<Option<Vec<u8>>, Failure>;
}

/// A file on its way in, and once it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey(pub i64);

/// Room for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// The session that takes it in.
    pub session: SessionId,
    /// The link by which its respondent came, as a name that says nothing.
    pub link: Option<String>,
    /// The most bytes it can have.
    pub most: u64,
    /// The time it is now.
    pub now: Timestamp,
    /// Until when it has to be whole. All room has the same patience: what was set aside for longer, by a clock that was
    /// ahead, is from now on set aside until then as well.
    pub until: Timestamp,
    pub quotas: Quotas,
}

/// How many bytes of files there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    pub session: u64,
    /// In all that came by one link.
    pub link: u64,
    /// In all that belong to one session, as the members of a family do.
    pub family: u64,
    pub owner: u64,
}

/// What became of a wish for room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// There is room, under this key.
    Reserved(FileKey),
    /// There is no such session.
    Unknown,
    /// It would go past this quota.
    Full(Quota),
}

/// A quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    Session,
    Link,
    Family,
    Owner,
}

/// What there is already, room set aside included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileUsage {
    pub session: u64,
    pub link: u64,
    pub family: u64,
    pub owner: u64,
}

impl Quotas {
    /// The first quota, from the narrowest, that so many more bytes would go past.
    pub fn exceeded(&self, kept: &FileUsage, more: u64) -> Option<Quota> {
        let pairs = [
            (Quota::Session, kept.session, self.session),
            (Quota::Link, kept.link, self.link),
            (Quota::Family, kept.family, self.family),
            (Quota::Owner, kept.owner, self.owner),
        ];
        pairs.into_iter().find(|(_, kept, most)| kept.saturating_add(more) > *most).map(|(quota, _, _)| quota)
    }
}
