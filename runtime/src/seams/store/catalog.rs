//! Sessions as things: their rows, which of them to list, forks, deletions, table rows and what was spent.
//!
//! Plain values that a store is asked with and answers with. What it promises about them is said at the verbs of
//! `Shelf`.

use enza_kernel::application::{Phase, Standing};
use enza_kernel::conversation::Usage;
use enza_kernel::effect::Wake;
use enza_kernel::time::{Seq, Timestamp};
use serde::{Deserialize, Serialize};

use super::SessionId;

/// A session's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionRow {
    pub id: SessionId,
    /// The application's word.
    pub application: String,
    pub owner: String,
    /// The session it belongs to, if any.
    pub of: Option<SessionId>,
    /// The last event.
    pub head: Seq,
    pub standing: Standing,
    /// When the first event was decided.
    pub opened_at: Timestamp,
    /// When the last event was decided.
    pub changed_at: Timestamp,
    /// Where it was forked from, if it was.
    pub parent: Option<(SessionId, Seq)>,
    /// Whether it is a fork that no timer wakes: what only tries how else it might have gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
}

/// Which sessions to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this application only.
    pub application: Option<String>,
    /// In one of these phases only; empty means all.
    pub phases: Vec<Phase>,
    /// Of this owner only.
    pub owner: Option<String>,
    pub family: Family,
    /// Whose name starts or ends with this.
    pub id_part: Option<String>,
    /// Whose title has this in it, whatever the case of ASCII letters.
    pub title_part: Option<String>,
    /// Only those that come after this one in the order of the list: where the last page ended.
    pub after: Option<(Timestamp, SessionId)>,
    /// At most so many; 0 means all.
    pub limit: usize,
}

/// Which sessions to list by what they belong to. A session's family are those that belong to it, not itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Family {
    /// All, whatever they belong to.
    #[default]
    Anyone,
    /// Those that belong to no other.
    Alone,
    /// Those that belong to this one.
    Of(SessionId),
}

impl Family {
    /// The session that is named.
    pub fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Anyone | Self::Alone => None,
            Self::Of(session) => Some(session),
        }
    }
}

/// A fork to make. It belongs to what its parent belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Fork {
    /// The session to fork.
    pub parent: SessionId,
    /// Its last event that the fork shares.
    pub at: Seq,
    /// The new session's name.
    pub child: SessionId,
    pub owner: String,
    /// Where the state at `at` stands.
    pub standing: Standing,
    /// The timers of the state at `at`.
    pub timers: Vec<Wake>,
    /// Whether no timer wakes it, ever.
    pub quiet: bool,
    pub now: Timestamp,
}

/// What became of a fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forked {
    /// It exists.
    Forked,
    NoParent,
    /// The parent has fewer events.
    BeyondHead(Seq),
    /// A session of that name exists.
    NameTaken,
}

/// What became of a deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone.
    Deleted,
    /// There was no such session.
    Unknown,
    /// It has forks, which must go first.
    HasForks(Vec<SessionId>),
    /// So many sessions belong to it, which must go first. Said only where it has no forks.
    HasFamily(u64),
}

/// Whose rows of a table to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows<'a> {
    /// Everyone's.
    All,
    Session(&'a SessionId),
    /// Those of every session that belongs to this one, and not its own.
    Family(&'a SessionId),
}

impl<'a> Rows<'a> {
    /// The session that is named.
    pub fn session(self) -> Option<&'a SessionId> {
        match self {
            Self::All => None,
            Self::Session(session) | Self::Family(session) => Some(session),
        }
    }
}

/// A row of a table that follows events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// The session whose events wrote it.
    pub session: SessionId,
    /// Its name within the session and table.
    pub key: String,
    pub content: serde_json::Value,
}

/// What an owner has spent, over all sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnerSpent {
    /// On every day together.
    pub in_all: Usage,
    /// On the day that was asked about.
    pub on_day: Usage,
}

/// Which lines of usage to read. Days are counted from 1970-01-01 UTC; the first and the last are included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageQuery {
    /// Of this owner only.
    pub owner: Option<String>,
    /// Of this session only.
    pub session: Option<SessionId>,
    /// Of the sessions that belong to this one only; those that are deleted no longer do.
    pub family: Option<SessionId>,
    /// From this day on.
    pub from_day: Option<i64>,
    /// Up to this day.
    pub to_day: Option<i64>,
}

/// One line of usage. Its fields stand in the order of the lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRow {
    pub owner: String,
    /// Days since 1970-01-01 UTC.
    pub day: i64,
    /// The application's word; empty where it was not kept.
    pub application: String,
    /// Who replied; empty where nobody knows.
    pub model: String,
    /// The session; none once it is deleted.
    pub session: Option<SessionId>,
    /// Model calls.
    pub calls: u64,
    /// Tokens, and their cost.
    #[serde(flatten)]
    pub usage: Usage,
}
