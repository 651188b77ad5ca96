//! The shapes of answers about sessions, as programs read them and as the document describes them.
//!
//! Times are milliseconds since 1970-01-01 UTC. What an application says in its own words (floors, commands, states) is
//! passed through as it is.

use enza_kernel::application::Stored;
use enza_kernel::conversation::Usage;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_runtime::engine::SeenEvent;
use enza_runtime::seams::store::{Recorded, SessionRow};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::actions::sessions::Work;

/// A session in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// Its name.
    #[schema(example = "0198c5a2-7d0e-7c52-9a39-4f6f1d2b8c11")]
    id: String,
    /// The application's word.
    #[schema(example = "NAME")]
    application: String,
    /// The number of its last event.
    head: u64,
    /// Where it stands.
    phase: Phase,
    /// What it is called.
    title: String,
    /// What a person should know or do next.
    waiting_for: Option<String>,
    /// When it was opened.
    opened_at: i64,
    /// When it last changed.
    changed_at: i64,
    /// The session that it belongs to, where it is one of a family.
    of: Option<String>,
    /// Where it was forked from.
    parent: Option<Parent>,
}

/// Where a fork comes from.
#[derive(Debug, Serialize, ToSchema)]
pub struct Parent {
    /// The one that still goes its own way.
    session: String,
    /// The last event that both share.
    at: u64,
}

/// Where a session stands: it owes work, waits for someone, stands at a gate, cannot go on by itself, or is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It owes work.
    Working,
    /// It waits for a person or a timer.
    Waiting,
    /// It stands at a gate.
    Gate,
    /// It cannot go on by itself.
    Stuck,
    /// It is over.
    Ended,
}

impl From<enza_kernel::application::Phase> for Phase {
    fn from(phase: enza_kernel::application::Phase) -> Self {
        use enza_kernel::application::Phase as Its;
        match phase {
            Its::Working => Self::Working,
            Its::Waiting => Self::Waiting,
            Its::Gate => Self::Gate,
            Its::Stuck => Self::Stuck,
            Its::Ended => Self::Ended,
        }
    }
}

impl From<Phase> for enza_kernel::application::Phase {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Working => Self::Working,
            Phase::Waiting => Self::Waiting,
            Phase::Gate => Self::Gate,
            Phase::Stuck => Self::Stuck,
            Phase::Ended => Self::Ended,
        }
    }
}

impl Session {
    /// A session as this reader finds it: where it comes from is its host's to know, since names are all that keeps others out.
    pub fn seen_by(row: SessionRow, reader: &Reader) -> Self {
        let session = Self::from(row);
        if reader.is_host() { session } else { Self { of: None, parent: None, ..session } }
    }
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Self {
            id: row.id.to_string(),
            application: row.application,
            head: row.head.0,
            phase: row.standing.phase.into(),
            title: row.standing.title,
            waiting_for: row.standing.waiting_for,
            opened_at: row.opened_at.0,
            changed_at: row.changed_at.0,
            of: row.of.map(|of| of.to_string()),
            parent: row.parent.map(|(session, at)| Parent { session: session.to_string(), at: at.0 }),
        }
    }
}

/// A page of sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The sessions, the last changed first.
    pub sessions: Vec<Session>,
    /// To be sent as `cursor` for the next page; null after the last.
    pub next: Option<String>,
}

/// A session as one comes to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WholeSession {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// The gate that waits and what may be decided there beyond yes and no, what may be done now with the command for it,
    /// how far it has come, and what stands beside the conversation: `gate`, `leeway`, `offers`, `progress`, `positions`,
    /// `switches`, `panels`, in the reader's language. A panel has `id`, `title` and `kind`, and by its kind `facts`, `things`,
    /// `meters`, or `columns` and `rows`. `known`, `lists` and `meters` have what is in all panels of these kinds.
    #[schema(value_type = Object)]
    pub floor: Floor,
    /// What it is working on.
    pub at_work: Vec<AtWork>,
    /// Who you are in it.
    #[schema(value_type = You)]
    pub you: Reader,
    /// By its own model calls, not those of the session it was forked from. To its owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// Who somebody is in a session.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only its description is used")]
pub struct You {
    /// `host`, whose session it is; `seat_holder`; or `spectator`.
    role: String,
    /// The seats that you hold.
    seats: Vec<String>,
}

/// Something that a session is working on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AtWork {
    /// An agent writes.
    Agent {
        /// As the application's table of agents calls it.
        agent: String,
        /// The thread whose next message it writes.
        thread: String,
    },
    /// A tool runs.
    Tool {
        /// As the application registered it.
        tool: String,
    },
}

impl From<Work> for AtWork {
    fn from(work: Work) -> Self {
        match work {
            Work::Agent { agent, thread } => Self::Agent { agent, thread },
            Work::Tool { tool } => Self::Tool { tool },
        }
    }
}

/// What was spent.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Spent {
    /// Model calls.
    pub calls: u64,
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Of those read, how many came from a cache.
    pub cache_read: u64,
    /// Of those read, how many went into a cache.
    pub cache_write: u64,
    /// What it cost, in millionths of a US dollar.
    pub cost: u64,
}

impl Spent {
    /// Of some calls.
    pub fn of(calls: u64, usage: Usage) -> Self {
        let Usage { input, output, cache_read, cache_write, cost } = usage;
        Self { calls, input, output, cache_read, cache_write, cost }
    }
}

/// An event of a session's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event {
    /// Its number, from 1.
    seq: u64,
    /// When it was decided.
    at: i64,
    /// The name of the event, as the application records it. Kind, version and body are left out where the event is for others in the session to see.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// The version of its shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u16>,
    /// What happened, in the application's shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    body: Option<Box<RawValue>>,
    /// The line that it adds to your conversation, in the reader's language.
    #[schema(value_type = Option<LineShape>)]
    line: Option<Line>,
}

impl Event {
    /// An event as its reader may see it, with its line where the application is known.
    pub fn of(seen: SeenEvent, lang: Lang) -> Self {
        let (seq, at, line) = (seen.seq().0, seen.at().0, seen.line(lang));
        let none = Self { seq, at, kind: None, version: None, body: None, line };
        let Some(Recorded { stored: Stored { kind, version, body }, .. }) = seen.into_recorded() else { return none };
        Self { kind: Some(kind), version: Some(version), body: Some(raw(body)), ..none }
    }
}

/// A body that is no JSON would break the answer; it is shown as the text that it is.
fn raw(body: String) -> Box<RawValue> {
    let body = RawValue::from_string(body)
        .or_else(|why| RawValue::from_string(serde_json::Value::String(why.to_string()).to_string()));
    body.unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A line of the conversation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Line)]
pub struct LineShape {
    /// Whose it is: `"session"`, `{"agent": NAME}`, or `{"person": NAME or null}`.
    #[schema(value_type = Value)]
    who: (),
    /// How it is meant: `said`, `note`, `done` or `trouble`.
    tone: String,
    /// What it says.
    text: String,
    /// The question that it puts, where only a yes or a no ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    gate: Option<()>,
}

/// What went wrong.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem, example = json!({"error": {"code": "session-unknown", "message": "There is no such session.",
    "hint": "Check the address. It may have been deleted, or belong to someone else."}}))]
pub struct ProblemBody {
    /// What went wrong.
    error: ProblemParts,
}

/// What went wrong: a code for programs, and what happened and what to do next in the reader's language.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProblemParts)]
pub struct ProblemParts {
    /// The code; each has a page in the documentation.
    code: String,
    /// What happened.
    message: String,
    /// What to do next.
    hint: String,
}
