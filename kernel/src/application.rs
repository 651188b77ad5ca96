//! What an application is: a handful of pure functions over an append-only log.
//!
//! The same events in the same order give the same state for ever, on every machine. Nothing here
//! awaits, reads a clock or draws a number: what a decision needs comes in as an argument, and what
//! was drawn or measured is written in the event.
//!
//! Performing effects, appending events and repeating after a crash belong to the runtime.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::about;
use crate::conversation::{Digest, Reply, Request};
use crate::effect::{AskModel, Effect, Outcome};
use crate::errand::Reach;
use crate::floor::{Floor, Line, Opening};
use crate::gate::Given;
use crate::reader::{Following, Reader, ReaderRole};
use crate::table::DomainTable;
use crate::text::{Lang, Said};
use crate::time::{Now, Seq, Timestamp};
use crate::words::Catalogue;

/// A kind of session: its rules and its words.
pub trait Application: Send + Sync + 'static {
    /// Rebuilt from events; a cache, never the truth. Bounded: what rules and the next prompts need.
    type State: Default + Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// A recorded fact, in the past tense. An enum whose variants are the kinds of the log.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What a person or the clock may ask for. The first command of a session opens it.
    type Command: Clone + Debug + Serialize + DeserializeOwned + Send + 'static;
    /// Why a command was not accepted.
    type Refusal: Reason;

    /// The word for this application, in commands and in the log.
    const NAME: &'static str;
    /// The version in which events are written. Raise it when the shape of an event changes.
    const EVENT_VERSION: u16 = 1;
    /// The version of the state's shape. Raise it when the state changes, so that old snapshots are thrown away.
    const STATE_VERSION: u16 = 1;
    /// Whether others than its owner may be let in to a session. Where they may not, neither `reader` nor `shows` is asked: the
    /// owner is the host, and the whole log is theirs.
    const SHARED: bool = false;

    /// Whom its sessions may send on errands, and what they may look at: nobody and nothing, where it does not say.
    const REACH: Reach = Reach::NONE;

    /// What it and its agents are called, and what it is for: the sentences of its `words/about.toml`. An application
    /// that brings none is shown by its word.
    fn about() -> &'static Catalogue {
        about::nothing()
    }

    /// Brings an event of an older version to today's shape. Events of today pass through.
    fn lift(event: Stored) -> Stored {
        event
    }

    /// Takes one recorded event into the state. Never fails: what is recorded has happened.
    fn evolve(state: &mut Self::State, entry: &Entry<Self::Event>);

    /// Decides a command: the events that follow from it, or the reason why not.
    fn decide(&self, state: &Self::State, command: Self::Command, now: &Now)
    -> Result<Vec<Self::Event>, Self::Refusal>;

    /// What the session owes the outside now. Derived from state alone, so a crash forgets nothing.
    fn due(&self, state: &Self::State) -> Vec<Effect>;

    /// The prompt of a due model call, rendered from state alone, so it can be rendered again for ever.
    fn request(&self, state: &Self::State, ask: &AskModel) -> Request;

    /// Turns what came of a due effect into events.
    fn settle(&self, state: &Self::State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Self::Event>;

    /// The reply of the understudy, which stands in where there is no model: by rule, from `Request::task` and the
    /// thread. `None` where the application has none.
    fn understudy(&self, _request: &Request) -> Option<Reply> {
        None
    }

    /// Where the session stands, for lists and for whoever waits on it. Everyone who is let in reads it.
    fn standing(state: &Self::State) -> Standing;

    /// The table rows an event changes; storage applies them in the same transaction as the append.
    fn rows(_entry: &Entry<Self::Event>) -> Vec<Row> {
        Vec::new()
    }

    /// The shape in which such tables are shown outside, for those that are.
    fn shown_tables() -> &'static [DomainTable] {
        &[]
    }

    /// What an event leaves in the program's own log, at debug level, once it is recorded; the state has taken it in. Never
    /// anything that a person or a model said.
    fn logged(_state: &Self::State, _event: &Self::Event) -> Option<String> {
        None
    }

    /// The prompt behind an event that records a model's reply, so that it can be rendered and compared again.
    fn prompt_of(_event: &Self::Event) -> Option<PromptRef> {
        None
    }

    /// Every table of moves the application lives by, for `enza moves` and the inspector.
    fn tables(&self) -> Vec<&crate::moves::Table> {
        Vec::new()
    }

    /// Who a person is in this session; none where they are not let in. Without a person, it is anybody at all: whoever
    /// that lets in may look without signing in.
    fn reader(_state: &Self::State, _person: Option<&str>, is_owner: bool) -> Option<Reader> {
        is_owner.then(Reader::host)
    }

    /// The line that an event adds to the conversation of this reader, if any; made from the event alone.
    fn line(_entry: &Entry<Self::Event>, _reader: &Reader, _lang: Lang) -> Option<Line> {
        None
    }

    /// What this reader finds on coming to the session now.
    fn floor(&self, _state: &Self::State, _reader: &Reader, _lang: Lang) -> Floor {
        Floor::default()
    }

    /// Whether a reader may see an event as it stands in the log: its kind and its body.
    fn shows(_entry: &Entry<Self::Event>, reader: &Reader) -> bool {
        reader.is_host()
    }

    /// Whether a reader may see a state as it is.
    fn shows_state(_state: &Self::State, reader: &Reader) -> bool {
        reader.is_host()
    }

    /// Whether a reader may see the prompts of a thread.
    fn shows_prompt(_thread: &str, reader: &Reader) -> bool {
        reader.is_host()
    }

    /// How much of a thread's replies a reader hears while they are being written.
    fn follows(_thread: &str, reader: &Reader) -> Following {
        if reader.is_host() { Following::Whole } else { Following::Nothing }
    }

    /// Whether a reader may send commands at all. Which of them are accepted is decided by `decide`, which is told who sends.
    fn may_command(reader: &Reader) -> bool {
        match reader.role {
            ReaderRole::Host | ReaderRole::SeatHolder => true,
            ReaderRole::Spectator | ReaderRole::Guest => false,
        }
    }

    /// The command that answers a gate, for applications that have gates; none where the answer says more than can be
    /// decided there.
    fn answer_gate(_gate: &str, _given: Given) -> Option<Self::Command> {
        None
    }

    /// Ready-made ways to begin.
    fn openings(&self, _lang: Lang) -> Vec<Opening> {
        Vec::new()
    }

    /// The argument of a tool that is said to a person, so that it can be shown while it is being written.
    fn spoken(_tool: &str) -> Option<&'static str> {
        None
    }

    /// JSON Schema of the commands.
    fn commands() -> Value {
        serde_json::json!({ "type": "object" })
    }
}

/// An event in its place in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E> {
    pub seq: Seq,
    pub at: Timestamp,
    pub event: E,
}

/// An event as the log keeps it: the kind is the variant's name, the body its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The variant's name.
    pub kind: String,
    /// The version it was written in.
    pub version: u16,
    /// The variant's content as JSON text.
    pub body: String,
}

/// An event that this build cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Written by a newer Enza.
    #[error("event {kind} has version {found}, this build reads up to {known}")]
    Newer {
        /// The event's kind.
        kind: String,
        found: u16,
        /// The newest version known here.
        known: u16,
    },
    /// The body does not fit the kind.
    #[error("event {kind} of version {version} does not parse: {why}")]
    Malformed {
        /// The event's kind.
        kind: String,
        version: u16,
        why: String,
    },
}

/// Writes an event for the log.
///
/// An enum serialises as `{"Kind": body}`, or as `"Kind"` where there is no content; we keep the two halves apart so
/// that the log can be searched by kind without opening bodies.
pub fn store<A: Application>(event: &A::Event) -> Stored {
    let json = serde_json::to_string(event).expect("events are plain data and always serialise");
    let bare = json.starts_with('"');
    let kind_end = json[2 - usize::from(bare)..].find('"').expect("an enum names its variant") + 2 - usize::from(bare);
    let (kind, body) = if bare {
        (json[1..kind_end].to_owned(), "null".to_owned())
    } else {
        (json[2..kind_end].to_owned(), json[kind_end + 2..json.len() - 1].to_owned())
    };
    Stored { kind, version: A::EVENT_VERSION, body }
}

/// Reads an event from the log, lifting older versions.
pub fn restore<A: Application>(stored: &Stored) -> Result<A::Event, Unreadable> {
    if stored.version > A::EVENT_VERSION {
        return Err(Unreadable::Newer { kind: stored.kind.clone(), found: stored.version, known: A::EVENT_VERSION });
    }
    if stored.version == A::EVENT_VERSION { parse::<A>(stored) } else { parse::<A>(&A::lift(stored.clone())) }
}

fn parse<A: Application>(stored: &Stored) -> Result<A::Event, Unreadable> {
    serde_json::from_str(&format!("{{\"{}\":{}}}", stored.kind, stored.body)).map_err(|error| Unreadable::Malformed {
        kind: stored.kind.clone(),
        version: stored.version,
        why: error.to_string(),
    })
}

/// Where a session stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub phase: Phase,
    /// What the session is called in a list.
    pub title: String,
    /// What a person should know or do next, if anything: a question, a gate, a failure.
    pub waiting_for: Option<String>,
}

/// A session's phase, as lists and the recovery of unfinished work need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Owes the outside something; a worker should be on it.
    #[default]
    Working,
    /// Waits for a person or a timer.
    Waiting,
    /// Stands at a gate.
    Gate,
    /// Cannot go on without help; says why.
    Stuck,
    /// Over.
    Ended,
}

impl Phase {
    /// The word used in storage, on screens and in `--json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Waiting => "waiting",
            Self::Gate => "gate",
            Self::Stuck => "stuck",
            Self::Ended => "ended",
        }
    }

    /// The phase behind a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Working, Self::Waiting, Self::Gate, Self::Stuck, Self::Ended].into_iter().find(|one| one.word() == word)
    }
}

/// Where a prompt came from: rendered for a thread on the state at `asked_at`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptRef {
    pub thread: String,
    /// The last event that the prompt had seen.
    pub asked_at: Seq,
    pub digest: Digest,
}

/// A change to a table that answers questions about sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The table. One that people read by SQL is declared in `Application::shown_tables`.
    pub table: String,
    /// The row's name within the session and the table.
    pub key: String,
    /// Its new content; `None` removes it.
    pub content: Option<Value>,
}

/// Why an application said no. Part of normal life: no stack trace, always a next step.
pub trait Reason: Debug + Clone + PartialEq + Send + 'static {
    /// The outward code; it has a page in `docs/errors/`.
    fn code(&self) -> &'static str;
    /// What happened and what to do next.
    fn say(&self, lang: Lang) -> Said;
    /// What kind of no it is, for those who speak to machines.
    fn kind(&self) -> ReasonKind {
        ReasonKind::AsThingsStand
    }
}

/// What kind of no a refusal is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasonKind {
    /// It cannot be done as things stand.
    #[default]
    AsThingsStand,
    /// There is no such thing.
    Unknown,
    /// There was such a thing; it takes no more.
    Gone,
}

/// A working copy of the state, for decisions in several steps: each recorded event is seen by the next.
pub struct Draft<'a, A: Application> {
    /// The application whose rules decide.
    pub app: &'a A,
    /// The state with everything recorded so far taken in.
    pub state: A::State,
    events: Vec<A::Event>,
    now: &'a Now,
}

impl<'a, A: Application> Draft<'a, A> {
    /// Starts from a state.
    pub fn new(app: &'a A, state: &A::State, now: &'a Now) -> Self {
        Self { app, state: state.clone(), events: Vec::new(), now }
    }

    /// Records an event at the place it will have in the log, and takes it into the working state.
    pub fn record(&mut self, event: A::Event) {
        let entry = Entry { seq: self.now.head.plus(self.events.len() + 1), at: self.now.time, event };
        A::evolve(&mut self.state, &entry);
        self.events.push(entry.event);
    }

    /// When and for whom this is decided.
    pub fn now(&self) -> &'a Now {
        self.now
    }

    /// Everything recorded, in order.
    pub fn into_events(self) -> Vec<A::Event> {
        self.events
    }
}
