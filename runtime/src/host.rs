//! Applications of any kind behind one interface, so that an engine can hold them side by side.
//!
//! A `SessionState` is a session's state in memory together with its rules. It decides and takes in what it
//! decided in one go, so it may run ahead of the log; whoever holds it throws it away when the log says
//! otherwise. It never performs anything.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use enza_kernel::about::About;
use enza_kernel::application::{
    Application, Entry, Phase, PromptRef, Reason, ReasonKind, Row, Standing, Stored, Unreadable, store,
};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::errand::Reach;
use enza_kernel::floor::{Floor, Line, Opening};
use enza_kernel::gate::Given;
use enza_kernel::moves::Table;
use enza_kernel::reader::{Following, Reader};
use enza_kernel::schema::ObjectsOnly;
use enza_kernel::table::{DomainTable, ShownTableFault, faults};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Now, Seq};
use serde::Deserialize as _;
use serde_json::Value;

use crate::seams::store::Recorded;

/// An application, whichever it is.
pub trait AnyApplication: Send + Sync {
    /// Its word.
    fn name(&self) -> &'static str;
    /// What it and its agents are called, and what it is for.
    fn about(&self) -> About<'static>;
    /// Whom its sessions may send on errands.
    fn reach(&self) -> Reach;
    /// The version of its state's shape.
    fn state_version(&self) -> u16;
    /// A session with an empty log.
    fn fresh(&self) -> Box<dyn SessionState>;
    /// A session from a snapshot; `None` where it does not parse.
    fn restore_snapshot(&self, seq: Seq, snapshot: &[u8]) -> Option<Box<dyn SessionState>>;
    /// Its tables of moves.
    fn tables(&self) -> Vec<Table>;
    /// The tables it shows.
    fn shown_tables(&self) -> &'static [DomainTable];
    /// What its understudy replies, if it has one.
    fn understudy(&self, request: &Request) -> Option<Reply>;
    /// Whether others than its owner may be let in to a session.
    fn is_shared(&self) -> bool;
    /// The line that an event adds to the conversation of a reader; none where it adds none, or cannot be read.
    fn line(&self, recorded: &Recorded, reader: &Reader, lang: Lang) -> Option<Line>;
    /// Whether a reader may see an event as it stands in the log. Where nobody else is let in, an owner sees all of it. Where
    /// others are, one that cannot be read is shown to nobody: whose it is cannot be told.
    fn shows(&self, recorded: &Recorded, reader: &Reader) -> bool;
    /// Whether a reader may see the prompts of a thread.
    fn shows_prompt(&self, thread: &str, reader: &Reader) -> bool;
    /// How much of a thread's replies a reader hears while they are being written.
    fn follows(&self, thread: &str, reader: &Reader) -> Following;
    /// Whether a reader may send commands at all.
    fn may_command(&self, reader: &Reader) -> bool;
    /// The command that answers a gate, if the application has gates.
    fn answer_gate(&self, gate: &str, given: Given) -> Option<Value>;
    /// Ready-made ways to begin.
    fn openings(&self, lang: Lang) -> Vec<Opening>;
    /// The argument of a tool that is said to a person.
    fn spoken(&self, tool: &str) -> Option<&'static str>;
    /// JSON Schema of its commands.
    fn commands(&self) -> Value;
}

/// A session's state in memory, with its rules.
pub trait SessionState: Send + Sync {
    /// The last event taken in.
    fn seq(&self) -> Seq;
    /// Takes in an event from the log.
    fn take(&mut self, recorded: &Recorded) -> Result<(), Unreadable>;
    /// Decides a command and takes in what follows.
    fn decide(&mut self, command: Value, now: &Now) -> Result<Vec<Decided>, NotDecided>;
    /// Settles an effect and takes in what follows.
    fn settle(&mut self, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Decided>;
    /// What is owed now.
    fn due(&self) -> Vec<Effect>;
    /// The prompt of a due model call.
    fn request(&self, ask: &AskModel) -> Request;
    /// Where the session stands; `Working` exactly if something other than a timer is due.
    fn standing(&self) -> Standing {
        self.standing_owing(&self.due())
    }
    /// The same, for whoever has asked already what is due.
    fn standing_owing(&self, due: &[Effect]) -> Standing;
    /// The prompt behind a recorded reply.
    fn prompt_of(&self, recorded: &Recorded) -> Option<PromptRef>;
    /// Who a person is in the session; none where they are not let in.
    fn reader(&self, person: Option<&str>, is_owner: bool) -> Option<Reader>;
    /// What a reader finds on coming to the session now.
    fn floor(&self, reader: &Reader, lang: Lang) -> Floor;
    /// Whether a reader may see the state as it is.
    fn shows_state(&self, reader: &Reader) -> bool;
    /// The state, for a snapshot. The same state gives the same bytes.
    fn to_snapshot(&self) -> Vec<u8>;
    /// The state, as JSON, for whoever shows it without knowing the application.
    fn to_json(&self) -> Value;
    /// The state behind a type that `typed` knows.
    fn state(&self) -> &dyn Any;
    /// The same, for whoever keeps it.
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
}

impl dyn SessionState + '_ {
    /// The state, for whoever knows the application; none where the session is of another.
    pub fn typed<A: Application>(&self) -> Option<&A::State> {
        self.state().downcast_ref()
    }

    /// The same, to keep.
    pub fn into_typed<A: Application>(self: Box<Self>) -> Option<A::State> {
        self.into_state().downcast().ok().map(|state| *state)
    }
}

/// An event that has been decided, on its way to the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub stored: Stored,
    /// The table rows that it changes.
    pub rows: Vec<Row>,
    /// What it leaves in the program's own log.
    pub logged: Option<String>,
}

/// Why a command led to no event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotDecided {
    /// It is not a command of this application.
    Malformed(String),
    /// The application said no.
    Refused(Refused),
}

/// A refusal, with its words in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The outward code.
    pub code: &'static str,
    pub kind: ReasonKind,
    pub ja: Said,
    pub en: Said,
}

impl Refused {
    /// From an application's reason.
    pub fn from_reason(reason: &impl Reason) -> Self {
        Self { code: reason.code(), kind: reason.kind(), ja: reason.say(Lang::Ja), en: reason.say(Lang::En) }
    }

    /// In one language.
    pub fn say(&self, lang: Lang) -> &Said {
        lang.pick(&self.ja, &self.en)
    }
}

/// The applications an engine knows, by their words.
#[derive(Clone, Default)]
pub struct ApplicationRegistry(BTreeMap<&'static str, Arc<dyn AnyApplication>>);

impl ApplicationRegistry {
    /// Adds an application.
    pub fn with<A: Application>(mut self, app: A) -> Self {
        let host = TypedApplication(Arc::new(app));
        self.0.insert(A::NAME, Arc::new(host));
        self
    }

    /// The application behind a word.
    pub fn find(&self, name: &str) -> Option<Arc<dyn AnyApplication>> {
        self.0.get(name).cloned()
    }

    /// What the application behind a word says about itself; of one that is not here, its word.
    pub fn about<'a>(&self, name: &'a str) -> About<'a> {
        self.0.get(name).map_or_else(|| About::unknown(name), |host| host.about())
    }

    /// The tables that they all show, or why those cannot be shown together.
    pub fn shown_tables(&self) -> Result<Vec<DomainTable>, Vec<ShownTableFault>> {
        let all: Vec<_> = self.0.values().flat_map(|host| host.shown_tables()).copied().collect();
        let faults = faults(&all);
        if faults.is_empty() { Ok(all) } else { Err(faults) }
    }

    /// The table that one of them shows under a name.
    pub fn shown_table(&self, name: &str) -> Option<&'static DomainTable> {
        self.0.values().flat_map(|host| host.shown_tables()).find(|table| table.name == name)
    }

    /// Every word.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

struct TypedApplication<A>(Arc<A>);

impl<A: Application> AnyApplication for TypedApplication<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn about(&self) -> About<'static> {
        About::of::<A>()
    }

    fn reach(&self) -> Reach {
        A::REACH
    }

    fn state_version(&self) -> u16 {
        A::STATE_VERSION
    }

    fn fresh(&self) -> Box<dyn SessionState> {
        Box::new(TypedState { app: self.0.clone(), seq: Seq::START, state: A::State::default() })
    }

    fn restore_snapshot(&self, seq: Seq, snapshot: &[u8]) -> Option<Box<dyn SessionState>> {
        let state = serde_json::from_slice(snapshot).ok()?;
        Some(Box::new(TypedState { app: self.0.clone(), seq, state }))
    }

    fn tables(&self) -> Vec<Table> {
        self.0.tables().into_iter().cloned().collect()
    }

    fn shown_tables(&self) -> &'static [DomainTable] {
        A::shown_tables()
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        self.0.understudy(request)
    }

    fn is_shared(&self) -> bool {
        A::SHARED
    }

    fn line(&self, recorded: &Recorded, reader: &Reader, lang: Lang) -> Option<Line> {
        A::line(&recorded.entry::<A>().ok()?, reader, lang)
    }

    fn shows(&self, recorded: &Recorded, reader: &Reader) -> bool {
        if !A::SHARED {
            return reader.is_host();
        }
        recorded.entry::<A>().is_ok_and(|entry| A::shows(&entry, reader))
    }

    fn shows_prompt(&self, thread: &str, reader: &Reader) -> bool {
        A::shows_prompt(thread, reader)
    }

    fn follows(&self, thread: &str, reader: &Reader) -> Following {
        A::follows(thread, reader)
    }

    fn may_command(&self, reader: &Reader) -> bool {
        A::may_command(reader)
    }

    fn answer_gate(&self, gate: &str, given: Given) -> Option<Value> {
        let command = A::answer_gate(gate, given)?;
        Some(serde_json::to_value(command).expect("commands are plain data and always serialise"))
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        self.0.openings(lang)
    }

    fn spoken(&self, tool: &str) -> Option<&'static str> {
        A::spoken(tool)
    }

    fn commands(&self) -> Value {
        A::commands()
    }
}

struct TypedState<A: Application> {
    app: Arc<A>,
    seq: Seq,
    state: A::State,
}

impl<A: Application> TypedState<A> {
    fn take_all(&mut self, events: Vec<A::Event>, now: &Now) -> Vec<Decided> {
        let mut decided = Vec::with_capacity(events.len());
        for event in events {
            let stored = store::<A>(&event);
            let entry = Entry { seq: self.seq.next(), at: now.time, event };
            A::evolve(&mut self.state, &entry);
            self.seq = entry.seq;
            let logged = A::logged(&self.state, &entry.event);
            decided.push(Decided { stored, rows: A::rows(&entry), logged });
        }
        decided
    }
}

impl<A: Application> SessionState for TypedState<A> {
    fn seq(&self) -> Seq {
        self.seq
    }

    fn take(&mut self, recorded: &Recorded) -> Result<(), Unreadable> {
        A::evolve(&mut self.state, &recorded.entry::<A>()?);
        self.seq = recorded.seq;
        Ok(())
    }

    fn decide(&mut self, command: Value, now: &Now) -> Result<Vec<Decided>, NotDecided> {
        let command: A::Command = A::Command::deserialize(ObjectsOnly::new(command))
            .map_err(|error| NotDecided::Malformed(error.to_string()))?;
        let events = self
            .app
            .decide(&self.state, command, now)
            .map_err(|refusal| NotDecided::Refused(Refused::from_reason(&refusal)))?;
        Ok(self.take_all(events, now))
    }

    fn settle(&mut self, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Decided> {
        let events = self.app.settle(&self.state, effect, outcome, now);
        self.take_all(events, now)
    }

    fn due(&self) -> Vec<Effect> {
        self.app.due(&self.state)
    }

    fn request(&self, ask: &AskModel) -> Request {
        Request { application: A::NAME.to_owned(), ..self.app.request(&self.state, ask) }
    }

    fn standing_owing(&self, due: &[Effect]) -> Standing {
        let mut standing = A::standing(&self.state);
        if due.iter().any(|effect| !matches!(effect, Effect::Wake(_))) {
            standing.phase = Phase::Working;
        } else if standing.phase == Phase::Working {
            standing.phase = Phase::Stuck;
        }
        standing.title = keepable(standing.title);
        standing.waiting_for = standing.waiting_for.map(keepable);
        standing
    }

    fn prompt_of(&self, recorded: &Recorded) -> Option<PromptRef> {
        A::prompt_of(&recorded.event::<A>().ok()?)
    }

    fn reader(&self, person: Option<&str>, is_owner: bool) -> Option<Reader> {
        if A::SHARED { A::reader(&self.state, person, is_owner) } else { is_owner.then(Reader::host) }
    }

    fn floor(&self, reader: &Reader, lang: Lang) -> Floor {
        self.app.floor(&self.state, reader, lang)
    }

    fn shows_state(&self, reader: &Reader) -> bool {
        A::shows_state(&self.state, reader)
    }

    fn to_snapshot(&self) -> Vec<u8> {
        serde_json::to_vec(&self.state).expect("states are plain data and always serialise")
    }

    fn to_json(&self) -> Value {
        serde_json::to_value(&self.state).expect("states are plain data and always serialise")
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn into_state(self: Box<Self>) -> Box<dyn Any> {
        Box::new(self.state)
    }
}

/// A text for a column. A model may write U+0000 like any character, and not every database keeps it there; a session must
/// not be held up by that. Events are safe, since JSON spells it out.
fn keepable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}
