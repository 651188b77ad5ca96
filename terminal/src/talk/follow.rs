//! Follows a session as its owner reads it, since whoever sits here speaks for them: every event as it comes, replies as they are written, and where the session stands.
//!
//! What is kept of a reply while it is written is up to whoever follows (`Drafts`); it is kept by thread, until an event ends
//! it. Nothing is kept here that the log does not have, so a run can be killed and gone on with.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_kernel::application::{Phase, Standing};
use enza_kernel::reader::Reader;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, ReaderFeed, ReaderItem, SeenEvent};
use enza_runtime::host::SessionState;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};

use crate::trouble::Trouble;

/// How long we wait for the next event before we look where the session stands.
const LOOK: Duration = Duration::from_millis(120);
/// The same behind an event or a command: what belongs to it comes at once.
const SOON: Duration = Duration::from_millis(15);

/// What is kept of replies while they are written. What is shown of them is never acted upon: the whole reply follows as an
/// event.
pub trait Drafts {
    /// A reply as far as it is written.
    type Draft: Default;

    /// Takes in what was written next.
    fn take(&self, draft: &mut Self::Draft, piece: &Piece);

    /// The thread whose reply is whole, or given up, with an event.
    fn ended_by(&self, recorded: &Recorded) -> Option<String>;
}

/// Someone who follows a session.
pub struct Follower<D: Drafts> {
    engine: Engine,
    session: SessionId,
    /// None before the first look.
    feed: Option<ReaderFeed>,
    seen: Seq,
    drafts: D,
    writing: BTreeMap<String, D::Draft>,
    since: Instant,
    expects: bool,
}

/// What came next.
pub enum Seen {
    Event(Box<SeenEvent>),
    /// A piece of a reply, in this thread.
    Written(String),
    /// Nothing for a moment.
    Quiet,
    /// The session was deleted.
    Gone,
}

/// Where a session stands.
pub struct Moment {
    pub seq: Seq,
    pub standing: Standing,
    pub state: Arc<dyn SessionState>,
    pub reader: Arc<Reader>,
    /// Whether everything that happened has been seen.
    pub is_seen: bool,
    /// Whether everything that happened has been seen and nothing is owed.
    pub rests: bool,
}

impl<D: Drafts> Follower<D> {
    /// A session, from behind an event on.
    pub fn from(engine: &Engine, session: &SessionId, seen: Seq, drafts: D) -> Self {
        let (engine, session) = (engine.clone(), session.clone());
        let (writing, since) = (BTreeMap::new(), Instant::now());
        Self { engine, session, feed: None, seen, drafts, writing, since, expects: true }
    }

    /// The engine in which it is followed.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What comes next. May be given up and asked again.
    pub async fn next(&mut self) -> Result<Seen, Trouble> {
        let patience = if self.expects { SOON } else { LOOK };
        let feed = match &mut self.feed {
            Some(feed) => feed,
            unopened => unopened.insert(open(&self.engine, &self.session, self.seen).await?),
        };
        match tokio::time::timeout(patience, feed.next()).await {
            Ok(Ok(ReaderItem::Event(event))) => {
                (self.seen, self.since, self.expects) = (event.seq(), Instant::now(), true);
                if let Some(thread) = event.recorded().and_then(|recorded| self.drafts.ended_by(recorded)) {
                    self.writing.remove(&thread);
                }
                Ok(Seen::Event(Box::new(event)))
            }
            Ok(Ok(ReaderItem::Delta { thread, piece })) => {
                self.drafts.take(self.writing.entry(thread.clone()).or_default(), &piece);
                Ok(Seen::Written(thread))
            }
            // What is being written comes again from its beginning.
            Ok(Ok(ReaderItem::Skipped)) => {
                self.writing.clear();
                Ok(Seen::Quiet)
            }
            Ok(Ok(ReaderItem::Gone | ReaderItem::Closed)) => Ok(Seen::Gone),
            Ok(Err(failure)) if failure.may_retry() => {
                tokio::time::sleep(LOOK).await;
                Ok(Seen::Quiet)
            }
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => {
                self.expects = false;
                Ok(Seen::Quiet)
            }
        }
    }

    /// Something was sent: what comes of it is looked for soon.
    pub fn expect(&mut self) {
        self.expects = true;
    }

    /// Where it stands.
    pub async fn moment(&self) -> Result<Moment, Trouble> {
        let owner = self.engine.row(&self.session).await?.owner;
        let found = self.engine.present_as(&self.session, Some(&owner)).await?;
        let (reading, state) = found.ok_or_else(|| unknown(&self.session))?;
        let reader = reading.reader;
        let (seq, standing) = (state.seq(), state.standing());
        let is_seen = seq <= self.seen;
        let rests = standing.phase != Phase::Working && is_seen;
        Ok(Moment { seq, standing, state, reader, is_seen, rests })
    }

    /// What is being written in a thread.
    pub fn draft(&self, thread: &str) -> Option<&D::Draft> {
        self.writing.get(thread)
    }

    /// Everything that is being written, thread by thread.
    pub fn drafts(&self) -> impl Iterator<Item = &D::Draft> {
        self.writing.values()
    }

    /// How long ago anything last happened.
    pub fn idle(&self) -> Duration {
        self.since.elapsed()
    }

    /// Nothing is being written any more: whatever was begun was given up.
    pub fn forget(&mut self) {
        self.writing.clear();
    }

    /// The session was deleted.
    pub fn is_gone(&self) -> Trouble {
        unknown(&self.session)
    }
}

async fn open(engine: &Engine, session: &SessionId, seen: Seq) -> Result<ReaderFeed, Trouble> {
    let owner = engine.row(session).await?.owner;
    engine.watch_as(session, seen, Some(&owner)).await?.ok_or_else(|| unknown(session))
}

fn unknown(session: &SessionId) -> Trouble {
    Trouble::UnknownSession { part: session.to_string(), near: Vec::new() }
}
